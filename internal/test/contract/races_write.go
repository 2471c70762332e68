package contract

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
)

// writers is the number of concurrent writers.
const writers = 32

// request is one of several concurrent requests.
type request struct{ method, path, body string }

// raceBench returns a bench with a calendar, on a database with several connections.
func raceBench(t *testing.T, e Engine) *bench {
	b := newBench(t, e)
	b.host.SetMaxOpenConns(16)
	b.host.SetMaxIdleConns(16)
	b.open(calendar.Options{})
	return b
}

// together sends concurrent requests as the administrator, in turns to four processes, and returns their responses.
func (b *bench) together(requests []request) []apitest.Answer {
	b.T.Helper()
	for len(b.others) < 3 {
		other := &bench{site: b.site, counter: b.counter, log: b.log, hook: b.hook}
		other.open(b.opts)
		b.others = append(b.others, other)
	}
	processes, answers := append([]*bench{b}, b.others...), make([]apitest.Answer, len(requests))
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i, r := range requests {
		wg.Go(func() {
			<-start
			answers[i] = processes[i%len(processes)].DoWithin(b.T.Context(), "admin", r.method, r.path, r.body)
		})
	}
	close(start)
	wg.Wait()
	return answers
}

// all checks that all responses have a status.
func (b *bench) all(answers []apitest.Answer, status int) {
	b.T.Helper()
	for _, a := range answers {
		if a.Status != status {
			b.T.Errorf("%s\n answered %d %s, want %d", a.Request, a.Status, apitest.Clip(a.Text), status)
		}
	}
}

func repeated(n int, of func(i int) request) []request {
	list := make([]request, n)
	for i := range list {
		list[i] = of(i)
	}
	return list
}

// sameTitle checks that items that are created concurrently with one name get different slugs: the name, and the name
// with the numbers 2 to 32.
func sameTitle(t *testing.T, e Engine) {
	b := raceBench(t, e)
	want := []string{"same-name"}
	for n := 2; n <= writers; n++ {
		want = append(want, fmt.Sprintf("same-name-%d", n))
	}
	slices.Sort(want)
	for _, c := range []struct{ path, body string }{
		{"/events", `{"title":"Same name","start_date":"2030-07-01 10:00","end_date":"2030-07-01 11:00","categories":["cat"]}`},
		{"/venues", `{"venue":"Same name"}`}, {"/organizers", `{"organizer":"Same name"}`},
	} {
		answers := b.together(repeated(writers, func(int) request { return request{"POST", c.path, c.body} }))
		b.all(answers, http.StatusCreated)
		var slugs []string
		ids := map[int64]bool{}
		for _, a := range answers {
			slugs, ids[a.Number("id")] = append(slugs, a.Word("slug")), true
		}
		slices.Sort(slugs)
		if !slices.Equal(slugs, want) || len(ids) != writers {
			t.Errorf("%s: %d ids, slugs %q", c.path, len(ids), slugs)
		}
		if calls := b.settle(); len(calls) != writers {
			t.Errorf("%s: the hook got %d changes", c.path, len(calls))
		}
	}
	if a := b.admin("GET", "/categories/"+b.idText("cat"), "", http.StatusOK); a.Number("count") != writers {
		t.Errorf("count %d", a.Number("count"))
	}
	b.consistent()
}

// sameTerm checks that a term that many concurrent requests create is created once: by its own route, which rejects the
// others, and by events, all of which get it.
func sameTerm(t *testing.T, e Engine) {
	b := raceBench(t, e)
	for _, path := range []string{"/categories", "/tags"} {
		made := 0
		for _, a := range b.together(repeated(writers, func(int) request { return request{"POST", path, `{"name":"Once"}`} })) {
			switch {
			case a.Status == http.StatusCreated:
				made++
			case a.Status != http.StatusBadRequest || a.Word("code") != "term_exists":
				t.Errorf("%s: %d %s", path, a.Status, a.Text)
			}
		}
		if made != 1 {
			t.Errorf("%s: made %d times", path, made)
		}
	}
	// A slug that results from many names, also below different parents, is assigned to one of them.
	b.create("above", "/categories", `{"name":"Above"}`)
	for path, parent := range map[string]string{"/tags": "", "/categories": `,"parent":{above}`} {
		slugs := map[string]bool{}
		for _, a := range b.together(repeated(writers, func(i int) request {
			of := map[bool]string{true: parent}[i%2 == 0]
			return request{"POST", path, b.fill(fmt.Sprintf(`{"name":"Name %d","slug":"same"%s}`, i, of))}
		})) {
			if slugs[a.Word("slug")] = true; a.Status != http.StatusCreated {
				t.Errorf("%s: %d %s", path, a.Status, a.Text)
			}
		}
		if len(slugs) != writers {
			t.Errorf("%s: %d slugs of %d terms", path, len(slugs), writers)
		}
	}
	b.all(b.together(repeated(writers, func(i int) request {
		return request{"POST", "/events", fmt.Sprintf(`{"title":"E%d","start_date":"2030-07-01","end_date":"2030-07-01",
			"categories":["Shared"],"tags":["Shared","once"]}`, i)}
	})), http.StatusCreated)
	for path, want := range map[string]string{
		"/categories?search=Shared": "shared", "/categories?hide_empty=0&search=Once": "once",
		"/tags?search=Shared": "shared", "/tags?search=once": "once",
	} {
		a := b.admin("GET", path, "", http.StatusOK)
		if a.Summary() != want {
			t.Errorf("%s: %s", path, a.Summary())
		}
		if count := a.At(path[1:strings.Index(path, "?")], "0", "count"); count != itoa(writers) && !strings.Contains(path, "hide_empty") {
			t.Errorf("%s: count %s", path, count)
		}
	}
	b.consistent()
}

// fieldsAtOnce checks that no update is lost when 32 writers change different fields of one item: of an event and its
// venue, and of a venue that other writers save unchanged.
func fieldsAtOnce(t *testing.T, e Engine) {
	b := raceBench(t, e)
	b.create("hall", "/venues", `{"venue":"Old"}`)
	b.create("person", "/organizers", `{"organizer":"Old"}`)
	for round := range 3 {
		n := itoa(int64(round))
		b.create("event", "/events", `{"title":"Old `+n+`","start_date":"2030-07-01 10:00","end_date":"2030-07-02 10:00","venue":{hall}}`)
		b.create("venue", "/venues", `{"venue":"Old `+n+`"}`)
		b.fields("/events/{event}", "fields of events")
		b.fields("/venues/{venue}", "fields of venues")
		b.admin("PATCH", b.fill("/events/{event}"), `{"slug":"done-`+n+`"}`, http.StatusOK)
	}
	b.consistent()
}

// fields sends the updates of a list concurrently, together with updates without fields, and reads everything that they
// changed.
func (b *bench) fields(path, list string) {
	b.T.Helper()
	fields := section("list " + list)
	b.all(b.together(repeated(writers, func(i int) request {
		if i >= len(fields) {
			return request{"PUT", b.fill(path), `{}`}
		}
		body, _, _ := cutWant(fields[i].text)
		return request{"PATCH", b.fill(path), b.fill(body)}
	})), http.StatusOK)
	a := b.admin("GET", b.fill(path), "", http.StatusOK)
	for _, f := range fields {
		_, shown, _ := cutWant(f.text)
		member, want, _ := strings.Cut(shown, " = ")
		if got := a.At(steps(member)...); got != b.fill(want) {
			b.T.Errorf("%s: %s is %s", f.at, member, got)
		}
	}
}
