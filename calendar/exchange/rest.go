package exchange

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/agendahq/agenda/internal/call"
)

// rest opens the API of another calendar. The address may be that of its list of events, of the API, of the REST root
// above it or of the site.
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
	source := &restSource{
		web: w, resources: resourcesOf(o.Calendar), list: list, next: list, most: o.maxItems(), pages: map[string]bool{},
		items: map[string]bool{},
	}
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

// routeAddress is an address of a REST API. Its route is the path, or with plain permalinks the parameter rest_route,
// which other parameters may accompany.
type routeAddress struct {
	at    url.URL
	route string // without a trailing slash
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

// roots returns the addresses at which the REST root may be: the given one, or below the site's address in either form.
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

// restSource reads the pages of a list one by one, until there is no next page or a page contains nothing new.
type restSource struct {
	*web
	resources *resources
	list      *url.URL // the first page
	next      *url.URL // nil after the last one
	most      int64    // maximum number of items
	pages     map[string]bool
	items     map[string]bool // items that were read
	queue     []json.RawMessage
	total     int64
	at        SourceLine
}

// page reads the next page.
func (s *restSource) page(ctx context.Context) error {
	if s.next == nil {
		return io.EOF
	}
	at := s.next
	s.at = SourceLine{Source: fmt.Sprintf("%s page %d", shownAddress(s.source), len(s.pages)+1)}
	if s.pages[at.String()] || int64(len(s.pages)) > s.most/5+100 { // an endless list of small pages
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
			return io.EOF // an event was removed in the meantime
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

// stuck ends a list whose pages do not lead on. That is an error unless everything was read, because otherwise Prune
// would trash what was not read.
func (s *restSource) stuck() error {
	if s.next = nil; s.total > 0 && int64(len(s.items)) >= s.total {
		return io.EOF
	}
	return fmt.Errorf("%s: a page has nothing new, but only %d of %d items were read", s.at, len(s.items), s.total)
}

// news returns the items of a page that no earlier page contained.
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

// following returns the address of the next page, with the host that was requested, because a site may have several
// host names, such as with and without www.
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
	e := restItem{resources: s.resources, at: s.at, host: s.list.Hostname()}
	d := json.NewDecoder(strings.NewReader(string(one)))
	d.UseNumber()
	if err := d.Decode(&e.members); err != nil {
		return nil, &Problem{Place: s.at, Field: "JSON", Reason: err.Error()}
	}
	rec := e.event()
	rec.remote, rec.signedIn = true, s.login != nil
	return rec, nil
}
