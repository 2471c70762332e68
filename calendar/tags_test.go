package calendar_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages"
	"github.com/agendahq/agenda/internal/surrogate"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// taggedReads are addresses of the API and of the pages, whose keys TestTags checks.
var taggedReads = []string{
	"/events?" + everything, "/events?" + everything + "&per_page=50&page=2", "/events/" + eventID, "/events/by-slug/" + eventSlug,
	"/events?_format=ics&" + everything, "/events?" + everything + "&venue=" + venueID,
	"/events?" + everything + "&categories=" + categoryID,
	"/venues", "/venues/" + venueID, "/venues?has_events=1", "/organizers", "/organizers/" + organizerID, "/categories?hide_empty=0",
	"/categories/" + categoryID, "/tags?hide_empty=0", "/tags/" + tagID, "/events/999999", "/venues/by-slug/nowhere", "",
	contract.Site + "/", contract.Site + "/?month=2026-12", contract.Site + "/?view=list", contract.Site + "/event/" + eventSlug + "/",
	contract.Site + "/locatie/" + venueSlug + "/", contract.Site + "/event/nowhere/", contract.Site + "/sitemap.xml",
	contract.Site + "/event/" + eventSlug + "/?ical=1",
}

// counted matches how many events have a term. In the answer of an event this number changes with other events, for
// which the answer has no keys.
var counted = regexp.MustCompile(`"count":\d+`)

// TestTags checks that if a change alters an answer, the answer before had one of the keys of the change: in lists,
// single reads, errors, feeds and pages. Answers from memory and 304 have the keys, too.
func TestTags(t *testing.T) {
	t.Parallel()
	c, h, heard := tagged(t)
	before := map[string]*httptest.ResponseRecorder{}
	for _, address := range taggedReads {
		before[address] = get(h, address)
	}
	ctx := calendar.WithPrincipal(t.Context(), calendar.Principal{UserID: 1})
	changed := 0
	for _, w := range tagWrites() {
		heard.takeHeard()
		if err := w.write(ctx, c); err != nil {
			t.Fatalf("%s: %v", w.name, err)
		}
		await(t, func() bool { return c.Stats().ChangesWaiting == 0 })
		told := heard.takeHeard()
		for _, address := range taggedReads {
			was, is := before[address], get(h, address)
			before[address] = is
			if was.Code == is.Code && counted.ReplaceAllString(was.Body.String(), "") == counted.ReplaceAllString(is.Body.String(), "") {
				continue
			}
			changed++
			keys := strings.Fields(was.Header().Get(calendar.SurrogateKey))
			if !slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(told, key) }) {
				t.Errorf("%s: %s changed; its keys %q, those of the change %q", w.name, address, keys, told)
			}
		}
	}
	if changed < 60 {
		t.Errorf("%d answers changed", changed)
	}
	wantTags(t, h)
}

// tagged returns a calendar whose answers have surrogate keys, a handler for its API and its pages, and the keys of its
// changes.
func tagged(t *testing.T) (*calendar.Calendar, http.Handler, *changesHeard) {
	t.Helper()
	heard := &changesHeard{}
	c := made(t, calendar.Options{
		DB: testdb.SiteA(t), Now: frozen, Namespace: namespace, Cache: calendar.Cache{Tags: calendar.SurrogateKey},
		Hooks:     calendar.Hooks{OnChange: heard.recordHeard},
		Languages: []calendar.Language{{Tag: "nl", BaseURL: contract.Site + "/wp-json"}},
	})
	api, shown := c.Handler(), pages.New(c, pages.Options{Now: frozen})
	return c, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/wp-json") {
			api.ServeHTTP(w, r)
			return
		}
		shown.ServeHTTP(w, r)
	}), heard
}

// await waits until so returns true, at most about a minute.
func await(t *testing.T, so func() bool) {
	t.Helper()
	for range 6000 {
		if so() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it did not come to be")
}

// wantTags checks the keys of an event, of its answers from memory and with 304, and of an event that does not exist.
func wantTags(t *testing.T, h http.Handler) {
	t.Helper()
	single := get(h, "/events/"+eventID)
	keys := strings.Fields(single.Header().Get(calendar.SurrogateKey))
	if !slices.Contains(keys, "events-"+eventID) || slices.Contains(keys, "events") || !slices.Contains(keys, "settings") {
		t.Errorf("keys of an event: %q", keys)
	}
	if again := get(h, "/events/"+eventID); again.Header().Get(calendar.SurrogateKey) != strings.Join(keys, " ") {
		t.Errorf("from memory: %q", again.Header())
	}
	unchanged := get(h, "/events/"+eventID, header{"If-None-Match", single.Header().Get("ETag")})
	if unchanged.Code != http.StatusNotModified || unchanged.Header().Get(calendar.SurrogateKey) != strings.Join(keys, " ") {
		t.Errorf("%d %q", unchanged.Code, unchanged.Header())
	}
	if keys := get(h, "/events/999999").Header().Get(calendar.SurrogateKey); keys != "events settings" {
		t.Errorf("keys of what is not there: %q", keys)
	}
}

// changesHeard collects the keys of changes.
type changesHeard struct {
	mu   sync.Mutex
	keys []string
}

func (h *changesHeard) recordHeard(_ context.Context, c calendar.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.keys = append(h.keys, c.Tags()...)
}

// takeHeard returns the keys collected since the last call.
func (h *changesHeard) takeHeard() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	keys := h.keys
	h.keys = nil
	return keys
}

type tagWrite struct {
	name  string
	write func(context.Context, *calendar.Calendar) error
}

func tagWrites() []tagWrite {
	update := func(id int64, v calendar.Values) func(context.Context, *calendar.Calendar) error {
		return func(ctx context.Context, c *calendar.Calendar) error {
			_, err := c.Kinds().Events.Update(ctx, id, v)
			return err
		}
	}
	venue := func(v calendar.Values) func(context.Context, *calendar.Calendar) error {
		return func(ctx context.Context, c *calendar.Calendar) error {
			_, err := c.Kinds().Venues.Update(ctx, 8, v)
			return err
		}
	}
	category := func(v calendar.Values) func(context.Context, *calendar.Calendar) error {
		return func(ctx context.Context, c *calendar.Calendar) error {
			_, err := c.Kinds().Categories.Update(ctx, 6, v)
			return err
		}
	}
	return []tagWrite{
		{"a title", update(25, calendar.Values{"title": "Another title"})},
		{"a new event", func(ctx context.Context, c *calendar.Calendar) error {
			_, err := c.Kinds().Events.Create(ctx, calendar.Values{"title": "New", "slug": "nowhere", "status": "publish",
				"start_date": "2026-12-03 10:00", "end_date": "2026-12-03 11:00", "venue": 8, "categories": []int64{6}})
			return err
		}},
		{"a venue's name", venue(calendar.Values{"venue": "Another name"})},
		{"a venue that is a draft", venue(calendar.Values{"status": "draft"})},
		{"a venue that is public again", venue(calendar.Values{"status": "publish", "city": "Elsewhere"})},
		{"a new venue", func(ctx context.Context, c *calendar.Calendar) error {
			_, err := c.Kinds().Venues.Create(ctx, calendar.Values{"venue": "Nowhere", "status": "publish"})
			return err
		}},
		{"an organizer", func(ctx context.Context, c *calendar.Calendar) error {
			_, err := c.Kinds().Organizers.Update(ctx, 18, calendar.Values{"organizer": "Another organizer"})
			return err
		}},
		{"a category", category(calendar.Values{"name": "Another category", "slug": "another-category"})},
		{"a tag", func(ctx context.Context, c *calendar.Calendar) error {
			_, err := c.Kinds().Tags.Update(ctx, 17, calendar.Values{"name": "Another tag"})
			return err
		}},
		{"an event without its venue", update(25, calendar.Values{"venue": []int64{}})},
		{"an event in the trash", func(ctx context.Context, c *calendar.Calendar) error {
			_, err := c.Kinds().Events.Delete(ctx, 26, nil)
			return err
		}},
		{"a venue that is deleted", func(ctx context.Context, c *calendar.Calendar) error {
			_, err := c.Kinds().Venues.Delete(ctx, 8, calendar.Values{"force": true})
			return err
		}},
	}
}

// TestTagsAreBounded checks that keys of more than 4 KiB are replaced by those of collections, and that keys can be
// separated by commas, as the other header requires.
func TestTagsAreBounded(t *testing.T) {
	few, many := surrogate.New(), surrogate.New()
	few.List("events", "settings")
	few.Item("venues", 12)
	few.Item("venues", 3)
	if got := few.Text(","); got != "events,settings,venues-3,venues-12" {
		t.Error(got)
	}
	many.Add(few)
	for id := range int64(1000) {
		many.Item("images", id)
	}
	if got := many.Text(" "); got != "events images settings venues" {
		t.Error(got)
	}
}

// TestD88LookUpsHaveTheKeysOfTheirKind checks D88: an error because another item is missing or hidden has the key of
// the collection in which that item was looked up, and so has an empty list. So a cache drops the answer once the item
// exists.
func TestD88LookUpsHaveTheKeysOfTheirKind(t *testing.T) {
	t.Parallel()
	c, h, heard := tagged(t)
	ctx, kinds := calendar.WithPrincipal(t.Context(), calendar.Principal{UserID: 1}), c.Kinds()
	id := func(n int64, err error) string {
		t.Helper()
		must.Succeed(t, err)
		return strconv.FormatInt(n, 10)
	}
	venue, err := kinds.Venues.Create(ctx, calendar.Values{"venue": "Hidden", "status": "draft"})
	must.Succeed(t, err)
	hidden := map[string]string{"venue": id(venue.ID, err)}
	organizer, err := kinds.Organizers.Create(ctx, calendar.Values{"organizer": "Hidden", "status": "draft"})
	hidden["organizer"] = id(organizer.ID, err)
	event, err := kinds.Events.Create(ctx, calendar.Values{"title": "Hidden", "slug": "hidden", "status": "draft",
		"start_date": "2026-12-03 10:00", "end_date": "2026-12-03 11:00"})
	hidden["event"] = id(event.ID, err)
	publish := calendar.Values{"status": "publish"}
	for _, w := range []struct {
		addresses []string
		write     func() error
	}{
		{[]string{"/events?categories=newcat", "/events?categories=newcat&_format=ics", "/events?venue=" + venueID + "&categories=newcat",
			"/events?_envelope=1&categories=newcat", "/categories?include=newcat", contract.Site + "/?category=newcat"},
			func() error { _, err := kinds.Categories.Create(ctx, calendar.Values{"name": "newcat"}); return err }},
		{[]string{"/events?tags=newtag", "/tags?include=newtag", contract.Site + "/tag/newtag/"},
			func() error { _, err := kinds.Tags.Create(ctx, calendar.Values{"name": "newtag"}); return err }},
		{[]string{"/events?venue=" + hidden["venue"], "/events?venue=" + venueID + "," + hidden["venue"], "/venues/" + hidden["venue"],
			"/events?_format=ics&venue=" + hidden["venue"], contract.Site + "/?venue=hidden", contract.Site + "/?ical=1&venue=hidden",
			contract.Site + "/locatie/hidden/"},
			func() error { _, err := kinds.Venues.Update(ctx, venue.ID, publish); return err }},
		{[]string{"/events?organizer=" + hidden["organizer"], "/organizers/by-slug/hidden"},
			func() error { _, err := kinds.Organizers.Update(ctx, organizer.ID, publish); return err }},
		{[]string{"/venues?event=" + hidden["event"], "/organizers?event=" + hidden["event"], "/categories?event=" + hidden["event"],
			"/tags?post=" + hidden["event"], "/categories?post=" + hidden["event"], "/tags?event=" + hidden["event"],
			"/events?post_parent=" + hidden["event"], contract.Site + "/event/hidden/", contract.Site + "/event/hidden/?ical=1"},
			func() error { _, err := kinds.Events.Update(ctx, event.ID, publish); return err }},
	} {
		before := map[string]*httptest.ResponseRecorder{}
		for _, address := range w.addresses {
			before[address] = get(h, address)
		}
		heard.takeHeard()
		must.Succeed(t, w.write())
		await(t, func() bool { return c.Stats().ChangesWaiting == 0 })
		told := heard.takeHeard()
		for _, address := range w.addresses {
			was := before[address]
			if is := get(h, address); was.Code == is.Code && was.Body.String() == is.Body.String() {
				t.Errorf("%s did not change: %d %s", address, was.Code, was.Body)
			}
			keys := strings.Fields(was.Header().Get(calendar.SurrogateKey))
			if !slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(told, key) }) {
				t.Errorf("%s, %d: its keys %q, those of the change %q", address, was.Code, keys, told)
			}
		}
	}
}

// TestD88PagesOfFailuresAreNotStored checks D88: no cache may store a page that shows a failure or that was requested
// with a password, whether answers have keys or not.
func TestD88PagesOfFailuresAreNotStored(t *testing.T) {
	t.Parallel()
	for _, tags := range []string{"", calendar.SurrogateKey} {
		db := testdb.SiteA(t)
		c := made(t, calendar.Options{
			DB: db, Now: frozen, Namespace: namespace, Cache: calendar.Cache{Tags: tags},
			Languages: []calendar.Language{{Tag: "nl", BaseURL: contract.Site + "/wp-json"}},
		})
		h := pages.New(c, pages.Options{Now: frozen})
		wrong := httptest.NewRequest(http.MethodPost, contract.Site+"/event/"+eventSlug+"/", strings.NewReader("password=x"))
		wrong.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, wrong)
		notStored(t, "a password", w)
		must.Get(db.ExecContext(t.Context(), "RENAME TABLE wp_posts TO wp_away"))(t)
		for _, path := range []string{"/", "/?view=list", "/event/" + eventSlug + "/", "/locatie/" + venueSlug + "/", "/sitemap.xml",
			"/event/" + eventSlug + "/?ical=1", "/?ical=1"} {
			if w := get(h, contract.Site+path); w.Code < 500 {
				t.Errorf("%s: %d", path, w.Code)
			} else {
				notStored(t, path, w)
			}
		}
	}
}

// TestD88PasswordsAreForNoCache checks D88 where pages do not read the password of a request: in a form for a page without
// one, for a feed or a redirect, and in a link, also if the page is in the calendar's cache.
func TestD88PasswordsAreForNoCache(t *testing.T) {
	t.Parallel()
	for _, tags := range []string{"", calendar.SurrogateKey} {
		c := made(t, calendar.Options{
			DB: testdb.SiteA(t), Now: frozen, Namespace: namespace, Cache: calendar.Cache{Tags: tags},
			Languages: []calendar.Language{{Tag: "nl", BaseURL: contract.Site + "/wp-json"}},
		})
		h := pages.New(c, pages.Options{Now: frozen})
		event := "/event/" + eventSlug
		for _, path := range []string{"/?", "/?view=list", event + "/?", event + "/?ical=1", "/?ical=1", event + "?", "/nothing?"} {
			form := httptest.NewRequest(http.MethodPost, contract.Site+path, strings.NewReader("password=x"))
			form.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, form)
			notStored(t, "a form for "+path, w)
			for range 2 {
				notStored(t, "a link to "+path, get(h, contract.Site+path+"&password=x"))
			}
		}
		if h := get(h, contract.Site+"/").Header(); strings.Contains(h.Get("Cache-Control"), "no-store") {
			t.Errorf("without a password: %v", h)
		}
	}
}

func notStored(t *testing.T, what string, w *httptest.ResponseRecorder) {
	t.Helper()
	if h := w.Header(); h.Get(calendar.SurrogateKey) != "" || !strings.Contains(h.Get("Cache-Control"), "no-store") {
		t.Errorf("%s: %d %v", what, w.Code, h)
	}
}
