package calendar_test

import (
	"context"
	"errors"
	"html/template"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestKeep checks that Keep returns the same value for a key until something changes, until the value expires, or until
// a read of which it was made would have a new answer. Values without a size, values made for a caller who is logged
// in, and values made of an error are not kept.
func TestKeep(t *testing.T) {
	t.Parallel()
	db, at := testdb.SiteA(t), frozen()
	c := made(t, calendar.Options{DB: db, Namespace: namespace, Now: func() time.Time { return at }})
	calls, fails := 0, errors.New("no page")
	title := func(ctx context.Context) (calendar.Kept[any], error) {
		calls++
		e, err := c.Kinds().Events.Get(ctx, 25, nil)
		if err != nil {
			return calendar.Kept[any]{}, err
		}
		return calendar.Kept[any]{Value: e.Title, Bytes: 100, Until: frozen().Add(time.Hour)}, nil
	}
	keep := func(ctx context.Context, key string, make func(context.Context) (calendar.Kept[any], error)) any {
		t.Helper()
		return must.Get(calendar.Keep(ctx, c, key, make))(t)
	}
	first := keep(t.Context(), "a", title)
	settled(t, func() bool { was := calls; keep(t.Context(), "a", title); return calls == was })
	admin := calendar.WithPrincipal(t.Context(), calendar.Principal{UserID: 1})
	for name, step := range map[string]struct {
		ctx  context.Context
		key  string
		want int
		make func(context.Context) (calendar.Kept[any], error)
	}{
		"kept":        {t.Context(), "a", 0, title},
		"another key": {t.Context(), "b" + time.Now().String(), 1, title},
		"as somebody": {admin, "a", 1, title},
		"of no bytes": {t.Context(), "c", 1, func(context.Context) (calendar.Kept[any], error) {
			calls++
			return calendar.Kept[any]{Value: "x"}, nil
		}},
	} {
		was := calls
		if keep(step.ctx, step.key, step.make); calls-was != step.want {
			t.Errorf("%s: made %d times", name, calls-was)
		}
	}
	fail := func(context.Context) (calendar.Kept[any], error) { return calendar.Kept[any]{}, fails }
	if _, err := calendar.Keep(t.Context(), c, "d", fail); !errors.Is(err, fails) {
		t.Errorf("an error: %v", err)
	}
	refused := func(ctx context.Context) (calendar.Kept[any], error) {
		calls++
		_, err := c.Kinds().Events.Get(ctx, 999_999, nil)
		return calendar.Kept[any]{Value: err.Error(), Bytes: 100}, nil
	}
	was := calls
	for range 2 {
		keep(t.Context(), "refused", refused)
	}
	if calls != was+2 {
		t.Error("what is made of a refusal is kept")
	}
	at, was = frozen().Add(time.Hour), calls
	if keep(t.Context(), "a", title); calls != was+1 {
		t.Error("it is kept for longer than it is good")
	}
	at = frozen()
	next := func(ctx context.Context) (calendar.Kept[any], error) { // lists the events that end today or later
		calls++
		page, err := c.Kinds().Events.List(ctx, nil)
		return calendar.Kept[any]{Value: page, Bytes: 100}, err
	}
	settled(t, func() bool { was := calls; keep(t.Context(), "next", next); return calls == was })
	at, was = frozen().AddDate(0, 0, 1), calls
	if keep(t.Context(), "next", next); calls != was+1 {
		t.Error("it is kept for longer than what it was made of")
	}
	at = frozen()
	exec(t, db, "UPDATE wp_posts SET post_title = 'Another' WHERE ID = 25")
	if again := keep(t.Context(), "a", title); again == first || again != "Another" {
		t.Errorf("after a change it is %q", again)
	}
}

// TestKeepCountsMemory checks that a kept value counts as memory of answers in progress while a request uses it, once
// for all requests, and that Reserve fails with 503 if too little memory is left.
func TestKeepCountsMemory(t *testing.T) {
	t.Parallel()
	memory, size := calendar.NewMemory(1<<20), 900<<10
	c := made(t, calendar.Options{DB: testdb.SiteA(t), Namespace: namespace, Now: frozen,
		Limits: calendar.Limits{Answers: memory, RequestTimeout: 6 * time.Second}})
	make := func(ctx context.Context) (calendar.Kept[string], error) {
		if err := calendar.Reserve(ctx, c, size); err != nil {
			return calendar.Kept[string]{}, err
		}
		if memory.Used() < int64(size) {
			t.Errorf("%d bytes are reserved", memory.Used())
		}
		_, err := c.Kinds().Events.Get(ctx, 25, nil)
		return calendar.Kept[string]{Value: "page", Bytes: size}, err
	}
	var used int64
	request := func() (end func(), hit bool) {
		ctx, end := context.WithCancel(calendar.WithClient(t.Context(), httptest.NewRequest(http.MethodGet, "/", nil)))
		was := c.Stats().Cache.Hits
		must.Get(calendar.Keep(ctx, c, "page", make))(t)
		used = memory.Used()
		return end, c.Stats().Cache.Hits > was
	}
	ended := func() bool { return memory.Used() == 0 }
	settled(t, func() bool {
		end, hit := request()
		end()
		settled(t, ended)
		return hit
	})
	one, _ := request()
	first := used
	two, _ := request()
	if used != first || used < int64(size)-64<<10 {
		t.Errorf("one request uses %d bytes, two use %d", first, used)
	}
	short, end := context.WithTimeout(t.Context(), time.Second)
	defer end()
	if err := calendar.Reserve(short, c, size); err != nil { // one claim at a time may exceed the limit
		t.Error(err)
	}
	var refused *calendar.Error
	if err := calendar.Reserve(short, c, size); !errors.As(err, &refused) || refused.Status != http.StatusServiceUnavailable {
		t.Errorf("beside a value in use: %v", err)
	}
	one()
	two()
	end()
	settled(t, ended)
	must.Get(calendar.Keep(t.Context(), c, "page", make))(t)
	settled(t, ended) // outside a request it does not count, because nothing says how long it is in use
}

// settled waits until kept returns true. This takes some seconds, because a calendar caches nothing soon after a change
// (Cache.Settle).
func settled(t *testing.T, kept func() bool) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); !kept(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing is kept")
		}
	}
}

// TestKeptPages checks that each page is answered from memory, also for HEAD and with If-None-Match, until what it
// shows changes, and that the header of the host is made for each response.
func TestKeptPages(t *testing.T) {
	t.Parallel()
	db := testdb.SiteA(t)
	c := made(t, calendar.Options{DB: db, Namespace: namespace, Now: frozen,
		Languages: []calendar.Language{{Tag: "nl", BaseURL: contract.Site + "/wp-json"}}})
	type visitor struct{}
	shown := pages.New(c, pages.Options{Now: frozen, Header: func(ctx context.Context) template.HTML {
		name, _ := ctx.Value(visitor{}).(string)
		return template.HTML("<header>" + name + "</header>")
	}})
	for _, path := range []string{
		"/", "/?month=2026-12", "/?view=list", "/?q=live", "/event/my-own-slug/", "/embed/", "/feed/", "/feed/json/", "/sitemap.xml",
	} {
		first := get(shown, contract.Site+path)
		if first.Code != http.StatusOK {
			t.Errorf("%s: %d", path, first.Code)
			continue
		}
		settled(t, func() bool {
			was := c.Stats().Cache
			again := get(shown, contract.Site+path)
			if again.Body.String() != first.Body.String() || !slices.Equal(lines(again.Header()), lines(first.Header())) {
				t.Fatalf("%s: %d %v, was %v", path, again.Code, again.Header(), first.Header())
			}
			now := c.Stats().Cache
			return now.Hits == was.Hits+1 && now.Misses == was.Misses
		})
		w := get(shown, contract.Site+path, header{"If-None-Match", first.Header().Get("ETag")})
		if w.Code != http.StatusNotModified || w.Body.Len() > 0 {
			t.Errorf("%s: known: %d", path, w.Code)
		}
		w = send(shown, http.MethodHead, contract.Site+path, "")
		if w.Code != http.StatusOK || w.Body.Len() > 0 || w.Header().Get("Content-Length") != first.Header().Get("Content-Length") {
			t.Errorf("%s: HEAD: %d, %d bytes, %v", path, w.Code, w.Body.Len(), w.Header())
		}
	}
	settled(t, func() bool { // a parameter that the pages do not know does not make another page
		get(shown, contract.Site+"/")
		was := c.Stats().Cache
		get(shown, contract.Site+"/?utm_source=a")
		return c.Stats().Cache.Misses == was.Misses
	})
	for _, name := range []string{"Anna", "Bob", "Anna"} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, contract.Site+"/", nil)
		shown.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), visitor{}, name)))
		if !strings.Contains(w.Body.String(), "<header>"+name+"</header>") {
			t.Errorf("the header of %s is another's: %.300s", name, w.Body)
		}
	}
	exec(t, db, "UPDATE wp_posts SET post_title = 'Another' WHERE post_name = 'my-own-slug'")
	if w := get(shown, contract.Site+"/event/my-own-slug/"); !strings.Contains(w.Body.String(), "<h1>Another") {
		t.Error("the page does not show the change")
	}
}

// keptPages are requests for the index and the documentation, which are rendered once and kept, in each form in which
// clients can ask for them.
var keptPages = []struct {
	method, address string
	headers         []header
}{
	{"GET", "", nil}, {"GET", "/", nil}, {"GET", "/doc", nil}, {"HEAD", "/doc", nil}, {"HEAD", "", nil}, {"OPTIONS", "/events", nil},
	{"GET", "?i18n_language=nl", nil}, {"GET", "/doc?i18n_language=fr", nil}, {"GET", contract.Site + "/nl/wp-json/" + namespace, nil},
	{"GET", contract.Site + "/nl/wp-json/" + namespace + "/doc", nil},
	{"GET", contract.Site + "/fr/wp-json/" + namespace + "/doc?i18n_language=en", nil},
	{"GET", "?_fields=namespace", nil}, {"GET", "/doc?_fields=info.title,servers", nil}, {"GET", "?_envelope&_pretty", nil},
	{"GET", "/doc?_pretty", nil},
	{"GET", "?namespace=tribe/events/v1&context=edit", nil}, {"GET", "?namespace=other", nil}, {"GET", "/doc?i18n_language=xx", nil},
	{"GET", "", []header{{"Origin", "https://elsewhere.example"}}}, {"GET", "/doc", []header{{"If-None-Match", "*"}}},
	{"GET", "/doc", []header{{"Accept-Language", "fr"}}}, {"POST", "?_method=GET", nil},
}

// TestKeptPagesAreExact checks B4: the index and the documentation from memory equal, to the byte and with their
// headers, those of a new calendar, also at another time and after changes of the page size, the address and the time
// zone of the site.
func TestKeptPagesAreExact(t *testing.T) {
	t.Parallel()
	db := testdb.SiteA(t)
	at := frozen()
	options := calendar.Options{DB: db, Now: func() time.Time { return at }}
	ask := func(h http.Handler) (answers []*httptest.ResponseRecorder) {
		for _, p := range keptPages {
			answers = append(answers, send(h, p.method, p.address, "", p.headers...))
		}
		return answers
	}
	kept := contract.Handler(t, options)
	first := ask(kept)
	for step, change := range []func(){
		func() {},
		func() { at = at.Add(40*time.Hour + 17*time.Second) },
		func() {
			exec(t, db, "UPDATE wp_options SET option_value = '7' WHERE option_name = 'posts_per_page'")
			exec(t, db, "UPDATE wp_options SET option_value = 'http://moved.test' WHERE option_name IN ('siteurl', 'home')")
			exec(t, db, "UPDATE wp_options SET option_value = 'Asia/Tokyo' WHERE option_name = 'timezone_string'")
		},
	} {
		change()
		fresh := ask(contract.Handler(t, options))
		if step == 2 {
			awaitSettings(t, kept, fresh[0].Body.String())
		}
		again := ask(kept)
		for i, p := range keptPages {
			if again[i].Code != fresh[i].Code || again[i].Body.String() != fresh[i].Body.String() ||
				!reflect.DeepEqual(again[i].Header(), fresh[i].Header()) {
				t.Errorf("step %d: %s %q is not what it would be now:\n%d %.200s\n%d %.200s",
					step, p.method, p.address, again[i].Code, again[i].Body, fresh[i].Code, fresh[i].Body)
			}
		}
		if same := again[0].Body.String() == first[0].Body.String(); same != (step == 0) {
			t.Errorf("step %d: the index stays as it was: %v", step, same)
		}
		if same := again[2].Body.String() == first[2].Body.String(); same != (step < 2) {
			t.Errorf("step %d: the documentation stays as it was: %v", step, same)
		}
	}
	tag := get(kept, "/doc").Header().Get("ETag")
	if w := get(kept, "/doc", header{"If-None-Match", tag}); tag == "" || w.Code != http.StatusNotModified || w.Body.Len() > 0 {
		t.Errorf("with the tag %s: %d %.100s", tag, w.Code, w.Body)
	}
}

// awaitSettings waits until a calendar has noticed a change of the settings and answers with the index that results
// from them.
func awaitSettings(t *testing.T, h http.Handler, index string) {
	t.Helper()
	for range 600 {
		if get(h, "").Body.String() == index {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("the settings stay as they were")
}

// TestKeptPagesAreWrittenOnce checks that answers from memory need few allocations, since they are not rendered again.
func TestKeptPagesAreWrittenOnce(t *testing.T) {
	h := siteHandler(t)
	for _, path := range []string{"", "/doc"} {
		var size int
		cost := testing.AllocsPerRun(20, func() { size = get(h, path).Body.Len() })
		if size < 10_000 || cost > 400 {
			t.Errorf("%q: %.0f allocations for %d bytes", path, cost, size)
		}
	}
}
