package exchange

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/strtotime"
)

// rest opens the API of another calendar. The address is that of its list of events, of
// its API, of the root above it or of the site.
func (s *Opened) rest(ctx context.Context, w *web, o OpenOptions) error {
	list, err := findList(ctx, w)
	if err != nil {
		return err
	}
	q := list.Query()
	for name, value := range map[string]string{"start_date": firstDay, "end_date": lastDay, "per_page": "50"} {
		if !q.Has(name) {
			q.Set(name, value)
		}
	}
	list.RawQuery = q.Encode()
	source := &restSource{web: w, list: list, next: list, most: o.maxItems(), pages: map[string]bool{}, items: map[string]bool{}}
	if err := source.page(ctx); err != nil {
		return err
	}
	if source.total > source.most {
		return fmt.Errorf("%w: it has %d", tooMany(source.most), source.total)
	}
	s.Source, s.Total = source, source.total
	return nil
}

// findList returns the address of the list of events.
func findList(ctx context.Context, w *web) (*url.URL, error) {
	given := addressOfRoute(w.source)
	if strings.HasSuffix(given.route, "/events") {
		return given.url(), nil
	}
	if strings.HasSuffix(given.route, "/events/v1") {
		return given.below("/events").url(), nil
	}
	for _, root := range given.roots() {
		index := root.below("/").url()
		if !root.plain {
			index.RawQuery = ""
		}
		var known struct{ Namespaces []string }
		if err := w.json(ctx, index, &known); err != nil {
			if ctx.Err() != nil || errors.Is(err, ErrNotEncrypted) {
				return nil, err
			}
			continue
		}
		for _, namespace := range known.Namespaces {
			if strings.HasSuffix(namespace, "events/v1") {
				return root.below("/" + namespace + "/events").url(), nil
			}
		}
	}
	return nil, fmt.Errorf("%w: there is no calendar of this kind", ErrSource)
}

// routeAddress is an address of an API: its route is the path, or with plain permalinks the
// parameter rest_route, beside which there may be others.
type routeAddress struct {
	at    url.URL
	route string // without a slash at its end
	plain bool
}

func addressOfRoute(u *url.URL) routeAddress {
	if q := u.Query(); q.Has(call.RouteParam) {
		return routeAddress{*u, strings.TrimRight(q.Get(call.RouteParam), "/"), true}
	}
	return routeAddress{*u, strings.TrimRight(u.Path, "/"), false}
}

// below returns the address of a route below that of a.
func (a routeAddress) below(path string) routeAddress {
	a.route += path
	return a
}

// roots returns where the root of the API may be: there, or below the site's address in
// either form.
func (a routeAddress) roots() []routeAddress {
	if a.plain {
		return []routeAddress{a}
	}
	return []routeAddress{a, a.below("/wp-json"), {a.at, "", true}}
}

func (a routeAddress) url() *url.URL {
	at := a.at
	if !a.plain {
		at.Path, at.RawPath = a.route, ""
		return &at
	}
	q := at.Query()
	q.Set(call.RouteParam, a.route)
	at.RawQuery = q.Encode()
	return &at
}

// restSource reads the pages of a list, one after the other, until one has nothing new.
type restSource struct {
	*web
	list  *url.URL // the first page
	next  *url.URL // nil after the last one
	most  int64    // items
	pages map[string]bool
	items map[string]bool // that were read
	queue []json.RawMessage
	total int64
	at    SourceLine
}

// page reads the next page.
func (s *restSource) page(ctx context.Context) error {
	if s.next == nil {
		return io.EOF
	}
	at := s.next
	s.at = SourceLine{Source: fmt.Sprintf("%s page %d", shownAddress(s.source), len(s.pages)+1)}
	if s.pages[at.String()] || int64(len(s.pages)) > s.most/5+100 { // pages of few items, for ever
		return s.stuck()
	}
	s.pages[at.String()] = true
	var page struct {
		Events []json.RawMessage `json:"events"`
		Total  json.Number       `json:"total"`
		Next   string            `json:"next_rest_url"`
	}
	if err := s.json(ctx, at, &page); err != nil {
		var status statusError
		if errors.As(err, &status) && status.status == http.StatusNotFound && len(s.pages) > 1 {
			return io.EOF // an event was removed meanwhile
		}
		return fmt.Errorf("%s: %w", s.at, err)
	}
	s.total, _ = page.Total.Int64()
	s.queue = s.news(page.Events)
	var err error
	if s.next, err = s.following(page.Next); err != nil {
		return err
	}
	if len(s.queue) == 0 && s.next != nil {
		return s.stuck()
	}
	return nil
}

// stuck ends a list whose pages do not lead on. It is an error unless all was read: what
// was not read is not gone.
func (s *restSource) stuck() error {
	if s.next = nil; s.total > 0 && int64(len(s.items)) >= s.total {
		return io.EOF
	}
	return fmt.Errorf("%s: it has nothing new, but only %d of %d items were read", s.at, len(s.items), s.total)
}

// news returns the items of a page that were not on a page before.
func (s *restSource) news(all []json.RawMessage) (fresh []json.RawMessage) {
	for _, one := range all {
		var named struct{ ID json.Number }
		var key string
		if json.Unmarshal(one, &named) == nil && named.ID != "" {
			key = named.ID.String()
		} else {
			sum := sha256.Sum256(one)
			key = string(sum[:])
		}
		if !s.items[key] {
			s.items[key] = true
			fresh = append(fresh, one)
		}
	}
	return fresh
}

// following returns the address of the page after one, on the host that was asked: a site
// has several names, with and without www.
func (s *restSource) following(address string) (*url.URL, error) {
	if address == "" {
		return nil, nil
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("%s: the next page has no address", s.at)
	}
	if u.Scheme != s.list.Scheme || !strings.EqualFold(u.Host, s.list.Host) {
		at, route := *s.list, addressOfRoute(s.list)
		at.RawQuery = u.RawQuery
		if route.plain && !u.Query().Has(call.RouteParam) {
			route.at.RawQuery = u.RawQuery
			at = *route.url()
		}
		u = &at
	}
	u.User = nil
	return u, nil
}

// Next returns the next event.
func (s *restSource) Next(ctx context.Context) (*Record, error) {
	for len(s.queue) == 0 {
		if err := s.page(ctx); err != nil {
			return nil, err
		}
	}
	one := s.queue[0]
	s.queue = s.queue[1:]
	var e restItem
	d := json.NewDecoder(strings.NewReader(string(one)))
	d.UseNumber()
	if err := d.Decode(&e.members); err != nil {
		return nil, &Problem{Place: s.at, Field: "JSON", Reason: err.Error()}
	}
	rec := e.event(s.at, s.list.Hostname())
	rec.remote, rec.signedIn = true, s.login != nil
	return rec, nil
}

// restItem is an item in an answer.
type restItem struct{ members map[string]any }

func (i restItem) text(name string) string {
	switch v := i.members[name].(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

func (i restItem) flag(name string) bool {
	switch v := i.members[name].(type) {
	case bool:
		return v
	case string:
		return wp.Truthy(v)
	}
	return false
}

// items returns the members of a list, or the one item in place of a list.
func (i restItem) items(name string) (list []restItem) {
	switch v := i.members[name].(type) {
	case []any:
		for _, one := range v {
			if m, ok := one.(map[string]any); ok {
				list = append(list, restItem{m})
			}
		}
	case map[string]any:
		list = append(list, restItem{v})
	}
	return list
}

// image returns the address of the picture of an item.
func (i restItem) image() string {
	if m, ok := i.members["image"].(map[string]any); ok {
		return restItem{m}.text("url")
	}
	return ""
}

// group names the versions of an item in all languages: by the id of the first.
func (i restItem) group() (language, group string) {
	language = i.text("language")
	versions, _ := i.members["translations"].(map[string]any)
	if len(versions) == 0 {
		return language, ""
	}
	first, id := language, i.text("id")
	for code, v := range versions {
		if m, ok := v.(map[string]any); ok && code < first {
			first, id = code, restItem{m}.text("id")
		}
	}
	return language, id
}

// uid names an item of a calendar.
func (i restItem) uid(kind Collection, host string) string {
	id := i.text("id")
	if id == "" {
		return ""
	}
	if kind == Events {
		return id + "@" + host
	}
	return string(kind) + "-" + id + "@" + host
}

// values returns the values of texts that hold no HTML but for references.
func (i restItem) values(names ...string) map[string]any {
	values := map[string]any{}
	for _, name := range names {
		if v := i.text(name); v != "" {
			values[name] = html.UnescapeString(v)
		}
	}
	return values
}

// event is the record of an event.
func (i restItem) event(at SourceLine, host string) *Record {
	rec := &Record{Kind: Events, Line: at, UID: i.uid(Events, host), Image: i.image()}
	rec.Language, rec.Group = i.group()
	rec.Values = i.values("start_date", "end_date", "timezone", "slug", "date", "date_utc", "status")
	if strings.HasPrefix(i.text("date_utc"), "0000") { // a draft that has no date of publication yet
		delete(rec.Values, "date")
		delete(rec.Values, "date_utc")
	}
	if state := i.text(fieldState); state == StateCanceled || state == StatePostponed {
		rec.State = state
	}
	if reason := i.text(fieldReason); reason != "" {
		rec.Values[fieldReason] = reason
	}
	if zone, known := strtotime.Zone(i.text("timezone")); known {
		for _, name := range []string{"start_date", "end_date"} {
			if wall := i.text(name); wall != "" {
				rec.Values[name] = exactText(wall, i.text("utc_"+name), zone)
			}
		}
	}
	for _, name := range []string{"title", "description", "excerpt"} {
		if v := i.text(name); v != "" {
			rec.Values[name] = v
		}
	}
	for _, name := range append([]string{fieldAllDay}, eventFlags...) {
		if _, given := i.members[name]; given {
			rec.Values[name] = i.flag(name)
		}
	}
	if website := i.text("website"); website != "" && website != i.text("url") && website != html.EscapeString(i.text("url")) {
		rec.Values["website"] = html.UnescapeString(website)
	}
	if cost := i.text("cost"); cost != "" {
		rec.Values["cost"] = html.UnescapeString(cost)
	}
	for _, v := range i.items("venue") {
		rec.Venues = append(rec.Venues, v.place(Venues, at, host))
	}
	for _, o := range i.items("organizer") {
		rec.Organizers = append(rec.Organizers, o.place(Organizers, at, host))
	}
	for _, t := range i.items("categories") {
		rec.Categories = append(rec.Categories, t.term(Categories, at))
	}
	for _, t := range i.items("tags") {
		rec.Tags = append(rec.Tags, t.term(Tags, at))
	}
	rec.dates = i.several()
	for name, value := range i.members {
		if !slices.Contains(restMembers, name) && !slices.Contains(eventFlags, name) && !nothing(value) {
			rec.passed = append(rec.passed, name)
		}
	}
	return rec
}

// restMembers are the members of an event from which its record is made, and those that follow
// from these or are the other calendar's own. See also eventFlags.
var restMembers = []string{
	"id", "start_date", "end_date", "timezone", "slug", "date", "date_utc", "status", "utc_start_date", "utc_end_date", "title",
	"description", "excerpt", fieldAllDay, "website", "url", "cost", "image", "venue", "organizer", "categories", "tags",
	"language", "translations",
	fieldState, fieldReason,

	"global_id", "global_id_lineage", "author", "modified", "modified_utc", "rest_url", "start_date_details", "end_date_details",
	"utc_start_date_details", "utc_end_date_details", "timezone_abbr", "cost_details", "json_ld", "ticketed",
	"title_raw", "description_raw", "excerpt_raw",
}

// nothing reports whether a member holds no value.
func nothing(value any) bool {
	switch v := value.(type) {
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return value == nil || value == false || value == ""
}

// place is the record of a venue or organizer.
func (i restItem) place(kind Collection, at SourceLine, host string) *Record {
	rec := &Record{Kind: kind, Line: at, UID: i.uid(kind, host), Image: i.image()}
	rec.Language, rec.Group = i.group()
	rec.Values = i.values("slug", "address", "city", "country", "province", "state", "zip", "phone", "website", "stateprovince", "email")
	for _, name := range []string{titles[kind], "description"} {
		if v := i.text(name); v != "" {
			rec.Values[name] = v
		}
	}
	lat, wrongLat := strconv.ParseFloat(i.text("geo_lat"), 64)
	lng, wrongLng := strconv.ParseFloat(i.text("geo_lng"), 64)
	if wrongLat == nil && wrongLng == nil {
		rec.Position = &Position{lat, lng}
	}
	return rec
}

// term is the record of a category or tag.
func (i restItem) term(kind Collection, at SourceLine) *Record {
	rec := &Record{Kind: kind, Line: at, Language: i.text("language")}
	rec.Values = i.values("name", "slug")
	return rec
}
