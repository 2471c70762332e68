package pages

import (
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

// kindOf contains the methods of calendar.Kind that the pages use.
type kindOf[T any] interface {
	Refresh(ctx context.Context, query url.Values, before *calendar.Page[T]) (*calendar.Page[T], error)
	Get(ctx context.Context, id int64, query url.Values) (*T, error)
	BySlug(ctx context.Context, slug string, query url.Values) (*T, error)
}

// client reads a calendar.
type client struct {
	kinds                        // items with all members
	brief kinds                  // items in lists lack descriptions and excerpts
	cards kindOf[calendar.Event] // events in lists have descriptions and excerpts, but their venues and organizers do not

	in        func(ctx context.Context, tag string) context.Context // calendar.WithLanguage
	noted     func(ctx context.Context) context.Context             // calendar.WithTags
	tag       func(ctx context.Context, h http.Header)              // calendar.SetTags
	api       http.Handler                                          // to forward feeds
	once      remember                                              // calendar.Keep; nil creates each page anew
	reserve   func(ctx context.Context, n int) error                // calendar.Reserve
	namespace string
	own       ownFields
	versions  []*version // all languages, to find terms that exist in another one only

	mu    sync.Mutex
	kept  map[string]kept // pages of lists, by request
	bytes int             // size of all kept pages in memory
}

// kinds contains the handles of the calendar's resources.
type kinds struct {
	events           kindOf[calendar.Event]
	venues           kindOf[calendar.Venue]
	organizers       kindOf[calendar.Organizer]
	categories, tags kindOf[calendar.Term]
}

// Members of items that lists must contain, with their names in the API.
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

// below returns the full names of the members of an object, including its id.
func below(name string, members []string) []string {
	names := []string{name + ".id"}
	for _, m := range members {
		names = append(names, name+"."+m)
	}
	return names
}

// kept is a page of a list. It is shared and must not be modified.
type kept struct {
	page  any
	bytes int // approximate size in memory
}

const (
	keptBytes = 16 << 20      // maximal size of all kept pages
	keptList  = keptBytes / 8 // maximal size of a page: larger ones, of events with long texts, are read again each time
	keptItem  = 2 << 10       // approximate size of an item without its texts
)

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
		reserve: func(ctx context.Context, n int) error { return calendar.Reserve(ctx, c, n) },
	}
}

// readingContext returns a context for reading in the language of a page, as an anonymous caller.
func (c *client) readingContext(ctx context.Context, v *version) context.Context {
	return calendar.WithPrincipal(c.in(ctx, v.lang.Tag), calendar.Principal{})
}

// list reads a page of a list. The items lack descriptions and excerpts. Callers must not modify the slices and maps in
// the result.
func (c *client) list(ctx context.Context, v *version, k kind, q url.Values) (items, error) {
	return c.readItems(ctx, v, k, q, "brief", c.brief)
}

// whole is list with descriptions and excerpts, except those of the items that events contain.
func (c *client) whole(ctx context.Context, v *version, k kind, q url.Values) (items, error) {
	of := c.kinds
	of.events = c.cards
	return c.readItems(ctx, v, k, q, "whole", of)
}

func (c *client) readItems(ctx context.Context, v *version, k kind, q url.Values, members string, of kinds) (items, error) {
	ctx = c.readingContext(ctx, v)
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
		c.keep(asked, kept{page, sizeOf(page.Items)})
	}
	l.Total, l.TotalPages = int(page.Total), int(page.TotalPages)
	put(&l, page.Items)
	return l, nil
}

// sizeOf returns the approximate size of items in memory.
func sizeOf[T any](items []T) int {
	size := keptItem
	for _, one := range items {
		size += keptItem
		switch item := any(one).(type) {
		case calendar.Event:
			size += 2 * len(item.JSON) // the fields contain the same once more
		case calendar.Venue:
			size += len(item.Name) + len(item.Description)
		case calendar.Organizer:
			size += len(item.Name) + len(item.Description)
		case calendar.Term:
			size += len(item.Name) + len(item.Description)
		}
	}
	return size
}

func (c *client) find(asked string) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept[asked].page
}

// keep stores a page, unless it is too large. It removes others if all of them together are.
func (c *client) keep(asked string, k kept) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(asked)
	if k.bytes > keptList {
		return
	}
	for other := range c.kept {
		if c.bytes+k.bytes <= keptBytes {
			break
		}
		c.drop(other)
	}
	if c.kept == nil {
		c.kept = map[string]kept{}
	}
	c.kept[asked] = k
	c.bytes += k.bytes
}

// drop removes a page.
func (c *client) drop(asked string) {
	c.bytes -= c.kept[asked].bytes
	delete(c.kept, asked)
}

// readAll reads the pages of a list, but no more than most. items returns the items of a page.
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

// notFound returns the error for an address at which there is nothing.
func notFound() error { return &calendar.Error{Status: http.StatusNotFound} }

// isRefused reports whether err is an error of the calendar with a code.
func isRefused(err error, code string) bool {
	var refused *calendar.Error
	return errors.As(err, &refused) && refused.Code == code
}

// address returns the path of an API route. Visitors can open it too.
func (c *client) address(l Language, route string) string {
	return l.Mount + "/" + c.namespace + route
}

// recorder keeps an answer in memory.
type recorder struct {
	header http.Header
	status int
	wrote  bool
	body   []byte
	until  time.Time // when the answer expires although nothing changes; the zero time if it does not
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	if !r.wrote {
		r.status, r.wrote = status, true
	}
}

func (r *recorder) Write(p []byte) (int, error) {
	r.wrote = true
	r.body = append(r.body, p...)
	return len(p), nil
}
