package contract

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
)

// observations is an observation hook that records its calls.
type observations struct {
	mu   sync.Mutex
	list []calendar.Observation
}

func (o *observations) record(_ context.Context, seen calendar.Observation) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.list = append(o.list, seen)
}

// taken returns the calls since the last time.
func (o *observations) taken() []calendar.Observation {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := o.list
	o.list = nil
	return list
}

// observedRequests checks the observations of each kind of request against the response to the client and the
// statements sent to the database.
func observedRequests(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.event(thing{slug: "fair", start: "2030-07-01 10:00"})
	var seen observations
	b.open(calendar.Options{Cache: calendar.Cache{Bytes: calendar.None}, Hooks: calendar.Hooks{Observe: seen.record}})
	item := "/events/{id}"
	for _, c := range []struct{ as, method, path, body, want string }{
		{"", "GET", "/events", "", "GET /events en 200 anonymous"},
		{"admin", "GET", "/events?_fields=id", "", "GET /events en 200 user"},
		{"", "HEAD", "/events/{fair}/", "", "HEAD " + item + " en 200 anonymous"},
		{"", "GET", "/EVENTS/by-slug/fair", "", "GET /events/by-slug/{slug} en 200 anonymous"},
		{"", "GET", "", "", "GET / en 200 anonymous"},
		{"", "GET", "/events/999999", "", "GET " + item + " en 404 anonymous"},
		{"", "GET", "/nothing/here", "", "GET  en 404 anonymous"},
		{"", "GET", "/events?page=x", "", "GET /events en 400 anonymous"},
		{"", "GET", "/tags?i18n_language=nl", "", "GET /tags nl 200 anonymous"},
		{"nobody", "GET", "/events", "", "GET /events en 401 refused"},
		{"", "POST", "/tags", `{"name":"x"}`, "POST /tags en 401 anonymous"},
		{"admin", "POST", "/tags", `{"name":"New"}`, "POST /tags en 201 user"},
		{"admin", "POST", "/events/{fair}?_method=PATCH", `{"title":"Fair 2"}`, "PATCH " + item + " en 200 user"},
		{"admin", "BREW", "/events", "", "OTHER /events en 404 user"},
		{"", "OPTIONS", "/venues", "", "OPTIONS /venues en 200 anonymous"},
	} {
		b.counter.Reset()
		a := b.DoWithin(t.Context(), c.as, c.method, b.fill(c.path), c.body)
		list := seen.taken()
		if len(list) != 1 {
			t.Errorf("%s: %d observations", a.Request, len(list))
			continue
		}
		o, tx := list[0], b.counter.Transactions()
		if got := fmt.Sprint(o.Method, " ", o.Route, " ", o.Language, " ", o.Status, " ", o.Caller); got != c.want || o.Status != a.Status {
			t.Errorf("%s: observed %s, want %s; answered %d", a.Request, got, c.want, a.Status)
		}
		if sent := len(b.counter.Statements()) + tx.Begun + tx.Committed + tx.RolledBack; o.Statements != int64(sent) {
			t.Errorf("%s: observed %d statements, sent %d %q", a.Request, o.Statements, sent, b.counter.Statements())
		}
		if o.Bytes != int64(len(a.Text)) || o.Duration <= 0 || o.Err != nil || o.Cache != "" {
			t.Errorf("%s: observed %+v of %d bytes", a.Request, o, len(a.Text))
		}
	}
	b.counter.Reset()
	b.counter.FailAt(1, errors.New("disk on fire"))
	a := b.DoWithin(t.Context(), "", "GET", "/events", "")
	if list := seen.taken(); len(list) != 1 || list[0].Status != a.Status || a.Status < 500 || list[0].Err == nil ||
		!strings.Contains(list[0].Err.Error(), "disk on fire") {
		t.Errorf("observed %+v of a failure answered %d", list, a.Status)
	}
	b.log.taken() // ignore the logged failure
}

// observedCache checks the observations of the cache, and that a panicking hook does not affect any response.
func observedCache(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.event(thing{slug: "fair", start: "2030-07-01 10:00"})
	var seen observations
	b.open(calendar.Options{Cache: soon, Hooks: calendar.Hooks{Observe: func(ctx context.Context, o calendar.Observation) {
		seen.record(ctx, o)
		panic("bad hook")
	}}})
	b.cachedAnswer("GET", "/events")
	list := seen.taken()
	if last := list[len(list)-1]; last.Cache != "hit" || last.Statements != 0 || last.Bytes == 0 || last.Status != http.StatusOK {
		t.Errorf("a cached answer is observed as %+v", last)
	}
	for _, o := range list[:len(list)-1] {
		if o.Cache != "miss" {
			t.Errorf("an answer that is not cached yet is observed as %+v", o)
		}
	}
	b.DoWithin(t.Context(), "admin", "GET", "/events", "")
	if list := seen.taken(); len(list) != 1 || list[0].Cache != "" {
		t.Errorf("an answer for one caller is observed as %+v", list)
	}
	for _, line := range b.log.taken() {
		if !strings.Contains(line, "bad hook") {
			t.Errorf("logged: %s", line)
		}
	}
}

// changesNamed checks the slug and the language of each change, on sites that store languages in either form.
func changesNamed(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
		var lines []string
		var mu sync.Mutex
		p.mount(calendar.Options{Hooks: calendar.Hooks{OnChange: func(_ context.Context, c calendar.Change) {
			mu.Lock()
			defer mu.Unlock()
			lines = append(lines, fmt.Sprintf("%s %s %s %q", c.Op, c.Kind, c.Slug, c.Language))
		}}})
		for _, c := range []struct{ language, method, path, body, want string }{
			{"fr", "POST", "/tags", `{"name":"Plein air"}`, `create tags plein-air "fr"`},
			{"en", "POST", "/events", `{"title":"Big Fair","start_date":"2030-08-01 10:00","end_date":"2030-08-01 11:00"}`,
				`create events big-fair "en"`},
			{"nl", "PATCH", "/events/{feest}", `{"title":"Groot feest"}`, `update events feest "nl"`},
			{"nl", "DELETE", "/events/{feest}", "", `trash events feest__trashed "nl"`},
			{"nl", "DELETE", "/events/{feest}?force=true", "", `delete events feest__trashed "nl"`},
			{"nl", "PATCH", "/tags/{gratis}", `{"slug":"kosteloos"}`, `update tags kosteloos "nl"`},
			{"nl", "DELETE", "/tags/{gratis}", "", `delete tags kosteloos "nl"`},
		} {
			a := p.sendTo(c.method, c.language, c.path, "admin", c.body)
			p.settle()
			mu.Lock()
			if !slices.Equal(lines, []string{c.want}) {
				t.Errorf("%s: %d, the hook got %q, want %q", a.Request, a.Status, lines, c.want)
			}
			lines = nil
			mu.Unlock()
		}
	})
}

// readByHosts checks that Event and Events return the same as the API to the same caller, as Go values.
func readByHosts(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.option("timezone_string", "Europe/Brussels")
	b.venue(thing{slug: "hall"})
	b.event(thing{
		slug: "fair", start: "2030-07-01 10:00", venues: []string{"hall"}, terms: []string{"cat"},
		meta: [][2]string{{"_EventCost", "5"}, {"_EventTimezoneAbbr", "CEST"}},
	})
	b.event(thing{slug: "mine", start: "2030-07-02 10:00", status: "draft", author: 2})
	b.event(thing{slug: "safe", start: "2030-07-03 10:00", password: "sesame", content: "<p>Secret</p>"})
	b.event(thing{slug: "undated", start: "2030-07-04 10:00"})
	b.Exec("DELETE FROM ?(prefix)postmeta WHERE meta_key LIKE '\\_Event%Date%' AND post_id = ?", b.idOf("undated"))
	b.open(calendar.Options{Cache: soon})
	as := callersOf(t, b.DB, b.prefix)
	ctx := calendar.WithPrincipal(t.Context(), as["admin"])

	fair, err := b.cal.Event(t.Context(), b.idOf("fair"))
	must.Succeed(t, err)
	a := b.DoWithin(t.Context(), "", "GET", b.fill("/events/{fair}"), "")
	if string(fair.JSON) != a.Text {
		t.Errorf("JSON is %s, the API answers %s", fair.JSON, a.Text)
	}
	zone, start := "Europe/Brussels", time.Date(2030, 7, 1, 8, 0, 0, 0, time.UTC)
	if fair.ID != b.idOf("fair") || fair.Slug != "fair" || fair.Title != a.Word("title") || !fair.Start.Equal(start) ||
		fair.TimeZone != zone || fair.Start.Hour() != 10 || !fair.End.After(fair.Start) || fair.Masked || len(fair.LinkedData) == 0 ||
		fair.URL != a.Word("url") {
		t.Errorf("an event is %+v", fair)
	}
	if len(fair.Venues) != 1 || fair.Venues[0].ID != b.idOf("hall") || len(fair.Categories) != 1 || fair.Categories[0].Slug != "cat" ||
		!slices.Equal(fair.Prices, []string{"5"}) || fair.Image != nil {
		t.Errorf("an event links %+v", fair)
	}
	var hall calendar.Venue
	var terms struct{ Categories []calendar.Term }
	for path, into := range map[string]any{b.fill("/venues/{hall}"): &hall, "/categories": &terms} {
		must.Succeed(t, json.Unmarshal([]byte(b.DoWithin(t.Context(), "", "GET", path, "").Text), into))
	}
	if fair.TimeZoneAbbr != a.Word("timezone_abbr") || fair.TimeZoneAbbr != "CEST" || !reflect.DeepEqual(hall, fair.Venues[0]) ||
		!slices.ContainsFunc(terms.Categories, func(c calendar.Term) bool { return reflect.DeepEqual(c, fair.Categories[0]) }) {
		t.Errorf("by themselves %+v and %+v are %+v and %+v", fair.Venues, fair.Categories, hall, terms)
	}
	if undated, err := b.cal.Event(t.Context(), b.idOf("undated")); err != nil || !undated.Start.IsZero() || !undated.End.IsZero() {
		t.Errorf("an event without dates: %+v %v", undated, err)
	}

	var refused *calendar.Error
	if _, err := b.cal.Event(t.Context(), b.idOf("safe")); !errors.As(err, &refused) || refused.Code != "event-password-protected" {
		t.Errorf("a protected event: %v", err)
	}
	if _, err := b.cal.Event(t.Context(), b.idOf("mine")); !errors.As(err, &refused) || refused.Status < 400 || refused.Message == "" {
		t.Errorf("a draft to an anonymous caller: %v", err)
	}
	if mine, err := b.cal.Event(ctx, b.idOf("mine")); err != nil || mine.Status != "draft" {
		t.Errorf("a draft to an administrator: %+v %v", mine, err)
	}
	stranger := calendar.WithPrincipal(t.Context(), calendar.Principal{UserID: 987654})
	if _, err := b.cal.Event(stranger, b.idOf("fair")); !errors.As(err, &refused) || refused.Status != http.StatusUnauthorized {
		t.Errorf("an unknown user: %v", err)
	}
	if _, err := b.cal.Event(t.Context(), -1); !errors.As(err, &refused) || refused.Params["id"] == "" {
		t.Errorf("event -1: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.cal.Event(gone, b.idOf("fair")); !errors.Is(err, context.Canceled) {
		t.Errorf("in an ended context: %v", err)
	}

	all := url.Values{"start_date": {"2030-01-01"}, "end_date": {"2031-01-01"}, "per_page": {"1"}, "page": {"2"}}
	page, err := b.cal.Events(t.Context(), all)
	if err != nil || len(page.Items) != 1 || page.Items[0].Slug != "safe" || !page.Items[0].Masked ||
		page.Total != 3 || page.TotalPages != 3 || strings.Contains(string(page.Items[0].JSON), "Secret") {
		t.Errorf("page 2 of %d: %+v %v", page.Total, page.Items, err)
	}
	all.Set("status", "draft")
	if _, err := b.cal.Events(t.Context(), all); !errors.As(err, &refused) {
		t.Errorf("drafts to an anonymous caller: %v", err)
	}
	all.Set("page", "1")
	if page, err = b.cal.Events(ctx, all); err != nil || len(page.Items) != 1 || page.Items[0].Slug != "mine" {
		t.Errorf("drafts to an administrator: %+v %v", page, err)
	}
	if _, err := b.cal.Events(t.Context(), url.Values{"page": {"x"}}); !errors.As(err, &refused) || refused.Code != "rest_invalid_param" {
		t.Errorf("page x: %v", err)
	}
	// The caller in a host's context must not apply to a request.
	r, _ := http.NewRequestWithContext(ctx, "GET", "/", nil)
	if a := b.DoWithin(r.Context(), "", "GET", b.fill("/events/{mine}"), ""); a.Status == http.StatusOK {
		t.Errorf("a request is answered %d as the caller in its context", a.Status)
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "by", as["admin"])
	if got := log.String(); !strings.Contains(got, "by.user_id=1 by.login=admin\n") {
		t.Errorf("a caller is logged as %s", got)
	}
}

// recordedByHosts checks that every event of the recorded site can be read as a Go value, with the same times as in the
// response.
func recordedByHosts(t *testing.T, e Engine) {
	cal, _ := Mount(t, e.recorded(calendar.Options{Now: func() time.Time { return now }, Authenticator: calendar.Anonymous}))
	query := url.Values{"start_date": {"1900-01-01"}, "end_date": {"2999-01-01"}, "per_page": {"50"}}
	read := 0
	for number, pages := 1, 1; number <= pages; number++ {
		query.Set("page", fmt.Sprint(number))
		page := must.Get(cal.Events(t.Context(), query))(t)
		pages = int(page.TotalPages)
		for _, event := range page.Items {
			read++
			start, end, local := event.Start.UTC(), event.End.UTC(), event.Start
			for member, want := range map[string]time.Time{"utc_start_date": start, "utc_end_date": end, "start_date": local} {
				if !strings.Contains(string(event.JSON), fmt.Sprintf("%q:%q", member, want.Format(time.DateTime))) {
					t.Errorf("event %d: %s is %s in %s", event.ID, member, want, event.JSON)
				}
			}
			if event.ID == 0 || event.Slug == "" || event.Modified.IsZero() || event.AuthorID == 0 {
				t.Errorf("event read as %+v", event)
			}
		}
		if number == pages && read != int(page.Total) {
			t.Errorf("%d events, the total is %d", read, page.Total)
		}
	}
}

// failuresInGin checks that a host's middleware finds the cause of a server error in gin's context, and nothing for a
// client error.
func failuresInGin(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.open(calendar.Options{})
	gin.SetMode(gin.TestMode)
	router, found := gin.New(), []string{}
	router.Use(func(g *gin.Context) {
		g.Next()
		found = append(found, g.Errors.Errors()...)
	})
	must.Succeed(t, b.cal.Register(router))
	router.NoRoute(b.cal.NoRoute)
	b.Handler = router
	for _, path := range []string{"/events", "/events/99999", "/nothing", "/events?page=x"} {
		if b.DoWithin(t.Context(), "", "GET", path, ""); len(found) > 0 {
			t.Errorf("%s: %q", path, found)
		}
	}
	b.counter.Reset()
	b.counter.Reset()
	b.counter.FailAt(1, errors.New("disk on fire"))
	a := b.DoWithin(t.Context(), "admin", "GET", "/events", "")
	if len(found) != 1 || !strings.Contains(found[0], "disk on fire") || strings.Contains(a.Text, "fire") {
		t.Errorf("a failure answered %d %s is %q", a.Status, a.Text, found)
	}
	b.log.taken()
}
