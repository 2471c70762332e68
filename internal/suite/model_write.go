package suite

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/agendahq/agenda/schema"
)

// check compares what reads answer with the model: the item that was written
// last, and the list of its kind.
func (m *machine) check(rt *rapid.T) {
	if p := m.last.item; p != nil {
		path := "/" + p.kind + "/" + itoa(p.id)
		if p.kind == "events" && p.status == "trash" {
			m.send(rt, "GET", path, nil, http.StatusForbidden)
		} else if d := m.shown(p, true).differs(seen(p.kind, m.send(rt, "GET", path, nil, http.StatusOK).json)); d != "" {
			rt.Fatalf("GET %s: %s", path, d)
		}
		a := m.b.do(m.b.t.Context(), "GET", path, "", "")
		switch {
		case (a.status == http.StatusOK) != (p.status == "publish"):
			rt.Fatalf("GET %s, which is %s, for everybody: %d", path, p.status, a.status)
		case a.status == http.StatusOK:
			if d := m.shown(p, false).differs(seen(p.kind, a.json)); d != "" {
				rt.Fatalf("GET %s for everybody: %s", path, d)
			}
		}
	}
	switch m.last.kind {
	case "":
	case "categories", "tags":
		m.checkTerms(rt, m.last.kind)
	default:
		m.checkItems(rt, m.last.kind)
	}
	m.last.kind, m.last.item = "", nil
}

// checkItems compares the lists of a kind.
func (m *machine) checkItems(rt *rapid.T, kind string) {
	path := "/" + kind + "?per_page=50"
	if kind == "events" {
		path += "&start_date=2000-01-01&end_date=2099-01-01"
	}
	all := slices.DeleteFunc(m.of(kind), func(p *item) bool { return p.status == "trash" && kind == "events" })
	living := slices.DeleteFunc(slices.Clone(all), func(p *item) bool { return p.status == "trash" })
	public := slices.DeleteFunc(slices.Clone(all), func(p *item) bool { return p.status != "publish" })
	list := m.list(rt, path, kind, "admin", len(living))
	slugs := map[string]bool{}
	for _, o := range list {
		p := m.items[number(asText(o["id"]))]
		if p == nil {
			rt.Fatalf("GET %s shows %v, which is not there", path, o["id"])
		}
		if d := m.shown(p, true).differs(seen(kind, o)); d != "" {
			rt.Fatalf("GET %s, item %d: %s", path, p.id, d)
		}
		if slugs[p.slug] && !isDraft(p.status) {
			rt.Fatalf("GET %s: %s stands there twice", path, p.slug)
		}
		slugs[p.slug] = slugs[p.slug] || !isDraft(p.status)
	}
	m.list(rt, path, kind, "", len(public))
}

// list is a list with a number of items.
func (m *machine) list(rt *rapid.T, path, kind, as string, total int) []object {
	a := m.b.do(m.b.t.Context(), "GET", path, as, "")
	list := objects(a.json[kind])
	if a.status != http.StatusOK || a.number("total") != int64(total) || len(list) != min(total, 50) {
		rt.Fatalf("%s\n answered %d with %d of %d items, want %d", a.request, a.status, len(list), a.number("total"), total)
	}
	return list
}

// checkTerms compares the lists of terms, with and without empty ones. A
// category stands there with those above it.
func (m *machine) checkTerms(rt *rapid.T, kind string) {
	all, used := m.symbols(kind), map[int64]bool{}
	for _, s := range all {
		for up := s; up != nil && m.published(s.id) > 0; up = m.terms[up.parent] {
			used[up.id] = true
		}
	}
	for _, o := range m.list(rt, "/"+kind+"?per_page=50&hide_empty=0", kind, "", len(all)) {
		s := m.terms[number(asText(o["id"]))]
		if s == nil {
			rt.Fatalf("a term that is not there: %v", o)
		}
		if d := m.shownTerm(s).differs(seenTerm(kind, o)); d != "" {
			rt.Fatalf("%s in the list: %s", s.name, d)
		}
	}
	m.list(rt, "/"+kind+"?per_page=50", kind, "", len(used))
}

// whole compares all lists, and the rows with each other.
func (m *machine) whole(rt *rapid.T) {
	for _, kind := range []string{"events", "venues", "organizers"} {
		m.checkItems(rt, kind)
	}
	for _, kind := range []string{"categories", "tags"} {
		m.checkTerms(rt, kind)
	}
	for _, line := range disagreements(m.b.t, m.b.db) {
		rt.Errorf("%s", line)
	}
}

// emptied takes everything out of a site that writes can put into it.
func (b *bench) emptied() {
	b.t.Helper()
	for _, table := range []string{"posts", "postmeta", "terms", "term_taxonomy", "term_relationships", "tec_events", "tec_occurrences"} {
		b.exec("DELETE FROM ?(prefix)" + table)
	}
	for _, name := range []string{schema.OptionCalendar, schema.OptionCategoryChildren} {
		b.exec("DELETE FROM ?(prefix)options WHERE option_name = ?", name)
	}
}

// property runs random sequences on a site through a handler.
func property(b *bench) func(*rapid.T) {
	return func(rt *rapid.T) {
		b.emptied()
		m := &machine{model: &model{items: map[int64]*item{}, terms: map[int64]*symbol{}}, b: b}
		rt.Repeat(m.actions())
		m.whole(rt)
	}
}

// bounded sets rapid's flags for a test, but those that its caller gave.
func bounded(t *testing.T, values map[string]string) {
	t.Helper()
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for name, value := range values {
		f := flag.Lookup(name)
		if given[name] {
			continue
		}
		was := f.Value.String()
		if err := f.Value.Set(value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Value.Set(was) })
	}
}

// randomWrites proves that what is shown after any sequence of writes is what
// a simple model says.
func randomWrites(t *testing.T, e Engine) {
	bounded(t, map[string]string{"rapid.checks": "20", "rapid.steps": "50", "rapid.nofailfile": "true", "rapid.shrinktime": "10s"})
	b := raceBench(t, e)
	rapid.Check(t, property(b))
}

// brokenWrites proves that the model finds mistakes: it is run on handlers that
// make one each.
func brokenWrites(t *testing.T, e Engine) {
	bounded(t, map[string]string{"rapid.checks": "100", "rapid.steps": "40", "rapid.nofailfile": "true", "rapid.shrinktime": "0s"})
	b := raceBench(t, e)
	right := b.h
	for _, mistake := range mistakes {
		t.Run(mistake.name, func(t *testing.T) {
			b.h = mistake.make(right)
			found := &counterexample{TB: t}
			done := make(chan struct{})
			go func() {
				defer close(done)
				rapid.Check(found, property(b))
			}()
			if <-done; !found.failed {
				t.Error("the model does not notice")
			}
		})
	}
	b.h = right
}

// counterexample takes what rapid says of a property that is not to hold.
type counterexample struct {
	testing.TB
	failed bool
}

// Errorf, Fatalf, FailNow, Fail, Failed, Log and Logf keep a failure from the test.
func (c *counterexample) Errorf(string, ...any) { c.failed = true }

func (c *counterexample) Error(...any) { c.failed = true }

func (c *counterexample) Fatalf(string, ...any) { c.FailNow() }

func (c *counterexample) Fatal(...any) { c.FailNow() }

func (c *counterexample) FailNow() { c.failed = true; runtime.Goexit() }

func (c *counterexample) Fail() { c.failed = true }

func (c *counterexample) Failed() bool { return c.failed }

func (c *counterexample) Log(...any) {}

func (c *counterexample) Logf(string, ...any) {}

// mistake makes a handler that is wrong in one way.
type mistake struct {
	name string
	make func(http.Handler) http.Handler
}

// mistakes are seeded bugs.
var mistakes = []mistake{
	{"an update loses the title", losing("title")}, {"an update loses the end", losing("end_date")}, {"an update loses organizers", losing("organizer")},
	{"an update loses tags", losing("tags")}, {"an update loses a status", losing("status")}, {"an update loses a field of venues", losing("city")},
	{"an update loses a parent", losing("parent")},
	{"DELETE deletes nothing", before(func(r *http.Request) {
		if r.Method == http.MethodDelete {
			r.Method = http.MethodGet
		}
	})},
	{"force is not heard", before(func(r *http.Request) { r.URL.RawQuery = strings.ReplaceAll(r.URL.RawQuery, "force=true", "") })},
	{"what is trashed comes back", undeleting}, {"a post is made twice", twice}, {"lists forget the last item", forgetting},
}

func before(change func(*http.Request)) func(http.Handler) http.Handler {
	return func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			change(r)
			h.ServeHTTP(w, r)
		})
	}
}

// losing drops a field of updates.
func losing(name string) func(http.Handler) http.Handler {
	return before(func(r *http.Request) {
		if address := strings.TrimPrefix(Site+r.URL.Path, Root); strings.Count(address, "/") < 2 || r.Method == http.MethodGet {
			return
		}
		body, _ := io.ReadAll(r.Body)
		var o object
		if json.Unmarshal(body, &o) == nil {
			delete(o, name)
			body = []byte(jsonText(o))
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	})
}

// undeleting answers DELETE as it should and takes it back.
func undeleting(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r)
		if r.Method == http.MethodDelete && !strings.Contains(r.URL.Path, "by-slug") {
			back := httptest.NewRequestWithContext(r.Context(), http.MethodPatch, r.URL.Path, strings.NewReader(`{"status":"draft"}`))
			back.Host, back.Header = r.Host, r.Header
			h.ServeHTTP(httptest.NewRecorder(), back)
		}
	})
}

// twice sends what makes a new item two times.
func twice(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "s") {
			again := r.Clone(r.Context())
			again.Body = io.NopCloser(bytes.NewReader(body))
			h.ServeHTTP(httptest.NewRecorder(), again)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		h.ServeHTTP(w, r)
	})
}

// forgetting shortens lists of five.
func forgetting(h http.Handler) http.Handler {
	return before(func(r *http.Request) {
		if r.Method == http.MethodGet && strings.Contains(r.URL.RawQuery, "per_page=50") {
			r.URL.RawQuery = strings.Replace(r.URL.RawQuery, "per_page=50", "per_page="+strconv.Itoa(4), 1)
		}
	})(h)
}
