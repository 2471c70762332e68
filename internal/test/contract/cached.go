package contract

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// soon caches responses as soon as the second of the last change is over, because no transaction of these tests takes
// longer. On MySQL, caching must be enabled by a number of bytes.
var soon = calendar.Cache{Settle: time.Nanosecond, Bytes: 1 << 26}

// hits returns the number of responses that came from memory.
func (b *bench) hits() int64 { return b.cal.Stats().Cache.Hits }

// epochs returns how often the cache was invalidated.
func (b *bench) epochs() (n int64) {
	for _, times := range b.cal.Stats().Cache.Epochs {
		n += times
	}
	return n
}

// unread returns how often the cache was invalidated although nothing was written, because polls take too long on a
// slow machine.
func (b *bench) unread() (n int64) {
	for reason, times := range b.cal.Stats().Cache.Epochs {
		if reason != "table changed" && reason != "option changed" && reason != "transactions" {
			n += times
		}
	}
	return n
}

// cachedAnswer repeats a request until the response comes from memory, and returns it. This takes seconds on a server
// that only shows the second of a change.
func (b *bench) cachedAnswer(method, path string, headers ...string) *httptest.ResponseRecorder {
	b.T.Helper()
	for patience := time.Now().Add(time.Minute); time.Now().Before(patience); {
		before := b.hits()
		w := apitest.Send(b.T.Context(), b.Handler, method, path, "", headers...)
		if b.hits() > before {
			return w
		}
		time.Sleep(20 * time.Millisecond)
	}
	b.T.Fatalf("%s %s %q is never cached: %+v", method, path, headers, b.cal.Stats().Cache)
	return nil
}

// cachedForNobodyElse compares the responses to all forms of a request with those of a calendar that caches nothing,
// while the responses to all others are in memory.
func cachedForNobodyElse(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.venue(thing{slug: "hall"})
	b.event(thing{slug: "fair", start: "2030-07-01 10:00", venues: []string{"hall"}, terms: []string{"cat"}, content: "<p>Open</p>"})
	b.event(thing{slug: "mine", start: "2030-07-02 10:00", status: schema.StatusDraft, author: 2})
	b.event(thing{slug: "safe", start: "2030-07-03 10:00", password: "sesame", content: "<p>Secret</p>"})
	b.open(calendar.Options{Cache: soon})
	none := b.another(calendar.Options{Cache: calendar.Cache{Bytes: calendar.None}})
	range_ := "/events?start_date=2030-01-01&end_date=2031-01-01"
	paths := []string{
		range_, range_ + "&_fields=events.id", range_ + "&_envelope", range_ + "&_pretty", range_ + "&i18n_language=fr", range_ + "&page=9",
		range_ + "&status=draft", range_ + "&_format=ics", range_ + "&_format=json",
		b.fill("/events/{fair}?_format=ics"), b.fill("/events/{fair}"), b.fill("/events/{safe}"), b.fill("/events/{mine}"), "/venues",
		"/categories",
		strings.Replace(Root, "/wp-json", "/fr/wp-json", 1) + range_,
	}
	type way struct {
		name, method, as, query, body string
		headers                       []string
	}
	ways := []way{
		{name: "plain", method: "GET"}, {name: "HEAD", method: "HEAD"},
		{name: "an origin", method: "GET", headers: []string{"Origin", "https://app.example"}},
		{name: "another origin", method: "GET", headers: []string{"Origin", "https://other.example"}},
		{name: "another host", method: "GET", headers: []string{"Host", "other.test"}},
		{name: "another type", method: "GET", headers: []string{"Accept", "text/html", "Accept-Encoding", "gzip"}},
		{name: "a calendar", method: "GET", headers: []string{"Accept", "text/calendar"}},
		{name: "no calendar", method: "GET", headers: []string{"Accept", "text/calendar;q=0.5, application/json"}},
		{name: "a body", method: "GET", body: `{"status":"draft","_fields":"id"}`},
		{name: "an editor", method: "GET", as: "editor"}, {name: "an author", method: "GET", as: "author"},
		{name: "a subscriber", method: "GET", as: "subscriber"},
		{name: "credentials", method: "GET", headers: []string{"Authorization", "Basic bm9ib2R5Om5vdGhpbmc="}},
		{name: "a nonce", method: "GET", headers: []string{"X-WP-Nonce", "x"}},
		{name: "an unknown parameter", method: "GET", query: "utm_source=a+b&x[]=1&x[y]=%C3%A9"},
		{name: "a NUL in one", method: "GET", query: "utm_source=%00"}, {name: "no UTF-8 in its name", method: "GET", query: "%FF=1"},
		{name: "a password's other spelling", method: "GET", query: "%20password=sesame"},
		{name: "a list of passwords", method: "GET", query: "password[]=sesame"},
		{name: "a password", method: "GET", query: "password=sesame"}, {name: "a wrong password", method: "GET", query: "password=x"},
		{name: "an override", method: "GET", query: "_method=HEAD"}, {name: "an overriding header", method: "GET",
			headers: []string{"X-HTTP-Method-Override", "DELETE"}},
		{name: "a callback", method: "GET", query: "_jsonp=x"}, {name: "OPTIONS", method: "OPTIONS"},
		{name: "known", method: "GET", headers: []string{"If-None-Match", "*"}},
	}
	ask := func(on *bench, path string, w way) *httptest.ResponseRecorder {
		headers := w.headers
		if w.as != "" {
			headers = append(slices.Clip(headers), apitest.CallerHeader, w.as)
		}
		if w.body != "" {
			headers = append(slices.Clip(headers), "Content-Type", "application/json")
		}
		if w.query != "" && strings.Contains(path, "?") {
			path += "&" + w.query
		} else if w.query != "" {
			path += "?" + w.query
		}
		return apitest.Send(t.Context(), on.Handler, w.method, path, w.body, headers...)
	}
	b.cachedAnswer("GET", paths[0])
	for round := range 3 {
		for _, path := range paths {
			for i := range ways {
				w := ways[(i+round*7)%len(ways)] // an editor before and after an anonymous caller
				got, want := ask(b, path, w), ask(none, path, w)
				if got.Code != want.Code || got.Body.String() != want.Body.String() ||
					!maps.EqualFunc(got.Header(), want.Header(), slices.Equal) {
					t.Errorf("%s, %s: %d %v %s\n without a cache %d %v %s", path, w.name, got.Code, got.Header(),
						apitest.Clip(got.Body.String()), want.Code, want.Header(), apitest.Clip(want.Body.String()))
				}
			}
		}
	}
	before := b.hits()
	for _, w := range ways {
		if slices.Contains([]string{"plain", "HEAD", "an origin", "another origin", "another host", "another type", "a calendar",
			"no calendar", "known", "an unknown parameter"}, w.name) {
			continue
		}
		if ask(b, paths[0], w); b.hits() != before {
			t.Errorf("%s: answered from memory", w.name)
		}
	}
	if none.hits() > 0 {
		t.Error("answers are cached where none may be")
	}
}

// cachedForAllSpellings checks that unknown parameters and the origin of the requesting page neither split nor fill the
// cache, while links repeat the requested URL and each origin gets its own headers.
func cachedForAllSpellings(t *testing.T, e Engine) {
	b := newBench(t, e)
	for i := range 4 {
		b.event(thing{slug: "fair-" + itoa(int64(i)), start: "2030-07-01 10:00"})
	}
	login := calendar.Login{CredentialOrigins: []string{"https://app.example"}}
	b.open(calendar.Options{Cache: soon, Login: login})
	none := b.another(calendar.Options{Cache: calendar.Cache{Bytes: calendar.None}, Login: login})
	const stored = "/events?start_date=2030-01-01&per_page=1&page=2"
	ask := func(method, path string, headers ...string) {
		t.Helper()
		hits, epochs := b.hits(), b.epochs()
		got := apitest.Send(t.Context(), b.Handler, method, path, "", headers...)
		for b.hits() == hits {
			// On a busy server, a poll may fail, or lose its clock or the versions of tables: then the whole cache is
			// invalid.
			if b.epochs() == epochs {
				t.Errorf("%s %s %q: made anew though nothing that was kept became invalid", method, path, headers)
				break
			}
			b.cachedAnswer("GET", stored)
			hits, epochs = b.hits(), b.epochs()
			got = apitest.Send(t.Context(), b.Handler, method, path, "", headers...)
		}
		want := apitest.Send(t.Context(), none.Handler, method, path, "", headers...)
		if got.Code != http.StatusOK || got.Body.String() != want.Body.String() ||
			!maps.EqualFunc(got.Header(), want.Header(), slices.Equal) {
			t.Errorf("%s %s: %d %v\n without a cache %d %v", method, path, got.Code, got.Header(), want.Code, want.Header())
		}
	}
	one := int64(0)
	for one == 0 { // the size of the cache is updated a little later
		b.cachedAnswer("GET", stored)
		one = b.cal.Stats().Cache.Bytes
	}
	for i := range 30 {
		ask("GET", stored+"&utm_source="+itoa(int64(i)))
		ask("GET", stored+"&x"+itoa(int64(i))+"[y][]=1")
		ask("GET", stored, "Origin", "https://"+itoa(int64(i))+".example")
	}
	for _, same := range []string{
		"/events/?start_date=2030-01-01&per_page=1&page=2", "/EVENTS?start_date=2030-01-01&per_page=1&page=2",
		"/events?fbclid=1&&start_date=2030%2D01-01&per.page=9&%20per_page=1&page=1&page=2",
	} {
		ask("GET", same)
	}
	ask("HEAD", stored, "Origin", "null")
	ask("GET", stored, "Origin", "https://app.example")
	// A new response replaces the previous one, whose size may still be counted for a while.
	if all := b.cal.Stats().Cache.Bytes; all > 2*one {
		t.Errorf("%d bytes are kept for all spellings, %d for the first one", all, one)
	}
}

// cachedWithoutCookies checks that a cookie which a host's middleware sets on one response is on no other.
func cachedWithoutCookies(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.event(thing{slug: "fair", start: "2030-07-01 10:00"})
	b.open(calendar.Options{Cache: soon})
	inner, asked := b.Handler, atomic.Int64{}
	b.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", fmt.Sprint("visit=", asked.Add(1)))
		w.Header().Set("Vary", "Accept-Encoding")
		inner.ServeHTTP(w, r)
	})
	path := b.fill("/events/{fair}")
	for range 3 {
		w := b.cachedAnswer("GET", path)
		if got := w.Header().Values("Set-Cookie"); len(got) != 1 || got[0] != fmt.Sprint("visit=", asked.Load()) {
			t.Errorf("cookies %q, asked %d times", got, asked.Load())
		}
		if got := w.Header().Values("Vary"); !slices.Equal(got, []string{"Accept-Encoding", "Authorization, Cookie, Origin, Accept"}) {
			t.Errorf("Vary %q", got)
		}
	}
	b.Handler = inner
	if w := b.cachedAnswer("GET", path); w.Header().Get("Set-Cookie") != "" {
		t.Errorf("somebody's cookie: %q", w.Header())
	}
}

// cachedWhileRight advances the calendar's clock while the database stays the same. Responses that depend on the time
// must never be outdated.
func cachedWhileRight(t *testing.T, e Engine) {
	b := newBench(t, e)
	var moment atomic.Pointer[time.Time]
	set := func(text string) {
		at := must.Get(time.Parse(time.DateTime, text))(t)
		moment.Store(&at)
	}
	clock := func() time.Time { return *moment.Load() }
	set("2030-06-15 10:00:00")
	b.option("timezone_string", "Europe/Brussels")
	b.venue(thing{slug: "hall"})
	for day := 10; day < 22; day++ {
		start := fmt.Sprintf("2030-06-%d 20:30", day)
		b.event(thing{slug: fmt.Sprint("e", day), start: start, end: fmt.Sprintf("2030-06-%d 23:45", day), venues: []string{"hall"}})
	}
	b.event(thing{slug: "undated", start: "2030-06-16 10:00"})
	b.Exec("UPDATE ?(prefix)postmeta SET meta_value = 'never' WHERE meta_key = '_EventStartDate' AND post_id = ?", b.idOf("undated"))
	b.event(thing{slug: "due", status: schema.StatusFuture, posted: "2030-06-16 09:00", start: "2030-06-18 10:00"})
	b.open(calendar.Options{Now: clock, Cache: soon})
	none := b.another(calendar.Options{Now: clock, Cache: calendar.Cache{Bytes: calendar.None}})
	paths := []string{
		"/events", "/events?per_page=2", "/events?start_date=today", "/events?start_date=now",
		"/events?start_date=tomorrow&end_date=%2B3+days",
		"/events?start_date=-3+hours", "/events?start_date=now&strict_dates=true", "/events?strict_dates=true",
		"/events?starts_after=yesterday",
		"/events?ends_before=%2B2+days", "/events?start_date=2030-06-12", "/events?start_date=0", "/venues?only_with_upcoming=true",
		"/venues?has_events=true", b.fill("/events/{undated}"), b.fill("/events/{e15}"), "/events?status=future", "/events?start_date=noon",
		"/events?start_date=now+Pacific/Auckland", "/events?start_date=monday", "/events?start_date=last+day+of&strict_dates=1", "",
	}
	b.cachedAnswer("GET", "/events")
	for _, at := range []string{
		"2030-06-15 10:00:01", "2030-06-15 11:59:59", "2030-06-15 12:00:00", "2030-06-15 21:44:59", "2030-06-15 21:45:01",
		"2030-06-15 21:59:59", "2030-06-15 22:00:00", "2030-06-15 23:59:59", "2030-06-16 00:00:00", "2030-06-16 02:59:59",
		"2030-06-16 03:00:00", "2030-06-16 07:00:01", "2030-06-16 09:00:01", "2030-06-17 00:00:00", "2030-06-16 10:00:00",
		"2030-06-15 10:00:00", "2030-06-30 23:59:59", "2030-07-01 00:00:00",
	} {
		set(at)
		for range 2 {
			for _, path := range paths {
				got, want := b.Get("", path), none.Get("", path)
				if got.Status != want.Status || got.Text != want.Text {
					t.Errorf("%s, %q: %d %s\n without a cache %d %s", at, path, got.Status, apitest.Clip(got.Text), want.Status,
						apitest.Clip(want.Text))
				}
			}
		}
	}
	// Other responses are valid all day.
	for _, path := range []string{"/events", "/events?start_date=today", "/events?start_date=2030-06-12", "/venues?has_events=true"} {
		b.cachedAnswer("GET", path)
	}
	// If the days of events begin at a cutoff, so does the current day.
	b.option(schema.OptionCalendar, `a:1:{s:14:"multiDayCutoff";s:5:"04:00";}`)
	b.cachedAnswer("GET", "/events")
	for _, at := range []string{"2030-06-16 01:59:59", "2030-06-16 02:00:00", "2030-06-16 03:59:59", "2030-06-16 04:00:00"} {
		set(at)
		for _, path := range paths {
			if got, want := b.Get("", path), none.Get("", path); got.Text != want.Text {
				t.Errorf("cutoff, %s, %q: %s\n without a cache %s", at, path, apitest.Clip(got.Text), apitest.Clip(want.Text))
			}
		}
	}
}

// cachedUntilChanged checks that the next request shows everything that another program removes, sets or renames,
// although everything was cached.
func cachedUntilChanged(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.event(thing{slug: "fair", start: "2030-07-01 10:00", terms: []string{"cat"}, meta: [][2]string{{"_EventCost", "5"}}})
	b.open(calendar.Options{Cache: soon})
	path := b.fill("/events/{fair}")
	for n := range 2 {
		b.cachedAnswer("GET", path)
		symbol := fmt.Sprint("EUR", n)
		b.option(schema.OptionCalendar, fmt.Sprintf(`a:1:{s:21:"defaultCurrencySymbol";s:%d:"%s";}`, len(symbol), symbol))
		if a := b.Get("", path); !strings.Contains(a.Text, symbol) {
			t.Errorf("no currency %s: %s", symbol, a.Text)
		}
		b.cachedAnswer("GET", path)
		b.Exec("UPDATE ?(prefix)terms SET name = ? WHERE term_id = ?", fmt.Sprint("Name ", n), b.idOf("cat"))
		if a := b.Get("", path); !strings.Contains(a.Text, fmt.Sprintf(`"name":"Name %d"`, n)) {
			t.Errorf("no category with name %d: %s", n, a.Text)
		}
		b.cachedAnswer("GET", "/categories?hide_empty=0")
		b.categories(fmt.Sprint("new", n))
		if a := b.Get("", "/categories?hide_empty=0"); !strings.Contains(a.Text, fmt.Sprintf(`"new%d"`, n)) {
			t.Errorf("a new category is missing: %s", apitest.Clip(a.Text))
		}
		// Options that no response depends on are written all the time. On SQLite, any commit invalidates the cache.
		for patience := time.Now().Add(time.Minute); ; {
			b.cachedAnswer("GET", path)
			hits, unread := b.hits(), b.unread()
			for i := range 20 {
				b.option("_transient_x", fmt.Sprint(i))
				b.option("cron", fmt.Sprint(i))
				b.Get("", path)
			}
			got := b.hits() - hits
			if got == 20 || b.DB.Dialect().Name() != dialect.MySQL {
				break
			}
			if b.unread() == unread || time.Now().After(patience) {
				t.Errorf("%d of 20 answers came from memory while transients were written: %+v", got, b.cal.Stats().Cache)
				break
			}
		}
		b.cachedAnswer("GET", path)
		before := b.hits()
		b.meta("fair", "_edit_lock", fmt.Sprint(n))
		if b.Get("", path); b.hits() != before {
			t.Error("answered from memory after a row of meta was written")
		}
		for _, off := range []string{"a:1:{s:16:\"rest-v1-disabled\";b:1;}", ""} {
			b.option(schema.OptionCalendar, off)
			if a := b.Get("", path); (a.Status == http.StatusNotFound) != (off != "") {
				t.Errorf("switched off %v: %v", off != "", a)
			}
		}
	}
}
