package pages

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// kindOf is a kind of items as the pages read them: a calendar.Kind.
type kindOf[T any] interface {
	Refresh(ctx context.Context, query url.Values, before *calendar.Page[T]) (*calendar.Page[T], error)
	Get(ctx context.Context, id int64, query url.Values) (*T, error)
	BySlug(ctx context.Context, slug string, query url.Values) (*T, error)
}

// client reads a calendar.
type client struct {
	kinds                        // with all that they show
	brief kinds                  // whose lists have no descriptions and excerpts
	cards kindOf[calendar.Event] // whose lists have those of events, but not of what these show

	in        func(ctx context.Context, tag string) context.Context // see calendar.WithLanguage
	noted     func(ctx context.Context) context.Context             // see calendar.WithTags
	tag       func(ctx context.Context, h http.Header)              // see calendar.SetTags
	api       http.Handler                                          // whose feeds are passed on
	once      remember                                              // see calendar.Keep; nil makes each page anew
	namespace string
	own       ownFields
	versions  []*version // all, for terms that only another one has

	mu    sync.Mutex
	kept  map[string]kept // lists that were read, by what was asked
	items int             // of all of them
}

// kinds are the kinds of items.
type kinds struct {
	events           kindOf[calendar.Event]
	venues           kindOf[calendar.Venue]
	organizers       kindOf[calendar.Organizer]
	categories, tags kindOf[calendar.Term]
}

// Members of items, by their names in answers, that lists of them are to have.
var (
	ofTerms                = []string{"name", "slug", "parent", "language", "translations"}
	ofPosts                = []string{"slug", "modified_utc", "language", "translations"}
	ofVenues, ofOrganizers = append([]string{"venue"}, ofPosts...), append([]string{"organizer"}, ofPosts...)
	ofPlaces               = append([]string{"city", "geo_lat", "geo_lng"}, ofVenues...)
	ofEvents               = slices.Concat([]string{"title", "url", "image", "image_alt", "start_date", "end_date", "utc_start_date",
		"utc_end_date", "timezone", "timezone_abbr", "cost", "cost_details", "hide_from_listings", "featured", "event_status"}, ofPosts,
		below("categories", ofTerms), below("venue", ofVenues))
	ofCards = slices.Concat([]string{"description", "excerpt", "description_omitted", "date_utc", "venue.city"}, ofEvents,
		below("tags", ofTerms))
)

// below returns the names of members of a member, with its id.
func below(name string, members []string) []string {
	names := []string{name + ".id"}
	for _, m := range members {
		names = append(names, name+"."+m)
	}
	return names
}

// kept is a page of a list. It is shared and must not be changed.
type kept struct {
	page  any
	items int
}

// keptItems bounds what is kept: an event has some 6 KiB.
const keptItems = 2500

// newClient returns the client of a calendar.
func newClient(c *calendar.Calendar) *client {
	k := c.Kinds()
	return &client{
		own:   readOwn(c.Fields(), c.Filters()),
		kinds: kinds{k.Events, k.Venues, k.Organizers, k.Categories, k.Tags},
		brief: kinds{k.Events.Only(ofEvents...), k.Venues.Only(ofPlaces...), k.Organizers.Only(ofOrganizers...),
			k.Categories.Only(ofTerms...), k.Tags.Only(ofTerms...)},
		cards: k.Events.Only(ofCards...),
		in:    calendar.WithLanguage, noted: c.WithTags, tag: c.SetTags, api: c.Handler(), once: rememberIn(c), namespace: c.Namespace(),
	}
}

// of returns a context for what a page of a language reads, as somebody who is not logged in.
func (c *client) of(ctx context.Context, v *version) context.Context {
	return calendar.WithPrincipal(c.in(ctx, v.lang.Tag), calendar.Principal{})
}

// list reads a page of a list of a kind, whose items have no descriptions and excerpts. Callers must not change what its lists and maps
// hold.
func (c *client) list(ctx context.Context, v *version, k kind, q url.Values) (items, error) {
	return c.read(ctx, v, k, q, "brief", c.brief)
}

// whole is list with descriptions and excerpts; those of what events show are left out.
func (c *client) whole(ctx context.Context, v *version, k kind, q url.Values) (items, error) {
	of := c.kinds
	of.events = c.cards
	return c.read(ctx, v, k, q, "whole", of)
}

func (c *client) read(ctx context.Context, v *version, k kind, q url.Values, members string, of kinds) (items, error) {
	ctx = c.of(ctx, v)
	asked := v.lang.Tag + "\n" + strconv.Itoa(int(k)) + "\n" + members + "\n" + q.Encode()
	switch k {
	case oneVenue:
		return listed(ctx, c, asked, of.venues, q, func(l *items, page []calendar.Venue) { l.Venues = page })
	case oneOrganizer:
		return listed(ctx, c, asked, of.organizers, q, func(l *items, page []calendar.Organizer) { l.Organizers = page })
	case oneCategory:
		return listed(ctx, c, asked, of.categories, q, func(l *items, page []calendar.Term) { l.Terms = page })
	case oneTag:
		return listed(ctx, c, asked, of.tags, q, func(l *items, page []calendar.Term) { l.Terms = page })
	}
	return listed(ctx, c, asked, of.events, q, func(l *items, page []calendar.Event) { l.Events = page })
}

func listed[T any](ctx context.Context, c *client, asked string, k kindOf[T], q url.Values, put func(*items, []T)) (l items, err error) {
	before, _ := c.find(asked).(*calendar.Page[T])
	page, err := k.Refresh(ctx, q, before)
	if err != nil {
		return l, err
	}
	if page != before {
		c.keep(asked, kept{page, len(page.Items) + 1})
	}
	l.Total, l.TotalPages = int(page.Total), int(page.TotalPages)
	put(&l, page.Items)
	return l, nil
}

func (c *client) find(asked string) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept[asked].page
}

// keep keeps a page, in place of others where there are too many items.
func (c *client) keep(asked string, k kept) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(asked)
	for other := range c.kept {
		if c.items+k.items <= keptItems {
			break
		}
		c.drop(other)
	}
	if c.kept == nil {
		c.kept = map[string]kept{}
	}
	c.kept[asked] = k
	c.items += k.items
}

// drop forgets a page.
func (c *client) drop(asked string) {
	c.items -= c.kept[asked].items
	delete(c.kept, asked)
}

// readAll reads the pages of a list, at most as many as given. Each has what items returns.
func readAll[T any](ctx context.Context, c *client, v *version, k kind, q url.Values, most int, items func(items) []T) ([]T, error) {
	var all []T
	q = maps.Clone(q)
	q.Set("per_page", strconv.Itoa(askedAtOnce))
	for page := 1; ; page++ {
		q.Set("page", strconv.Itoa(page))
		list, err := c.list(ctx, v, k, q)
		if err != nil {
			return nil, err
		}
		all = append(all, items(list)...)
		if page >= min(list.TotalPages, most) {
			return all, nil
		}
	}
}

// notFound is the error of an address that shows nothing.
func notFound() error { return &calendar.Error{Status: http.StatusNotFound} }

// isRefused reports whether the calendar refused something with a code.
func isRefused(err error, code string) bool {
	var refused *calendar.Error
	return errors.As(err, &refused) && refused.Code == code
}

// send requests an address of the API.
func (c *client) send(ctx context.Context, target string, header http.Header) (*recorder, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, err
	}
	req.Header, req.RequestURI = header, target
	answer := &recorder{header: http.Header{}, status: http.StatusOK}
	c.api.ServeHTTP(answer, req)
	return answer, nil
}

// address returns the path of a route, which a visitor may open too.
func (c *client) address(l Language, route string) string {
	return l.Mount + "/" + c.namespace + route
}

// recorder keeps an answer in memory.
type recorder struct {
	header http.Header
	status int
	wrote  bool
	body   bytes.Buffer
	until  time.Time // when it becomes another one though nothing changes, zero for never
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	if !r.wrote {
		r.status, r.wrote = status, true
	}
}

func (r *recorder) Write(p []byte) (int, error) {
	r.wrote = true
	return r.body.Write(p)
}

// Flush does nothing. It exists because middleware may require it.
func (r *recorder) Flush() {}
