package contract

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
)

// mixedWrites creates, changes, trashes, restores and deletes a few items at
// once: no answer is a failure, and all rows agree in the end.
func mixedWrites(t *testing.T, e Engine) {
	b := raceBench(t, e)
	for i := range 3 {
		n := itoa(int64(i))
		b.create("v"+n, "/venues", `{"venue":"Venue"}`)
		b.create("o"+n, "/organizers", `{"organizer":"Organizer"}`)
	}
	for i := range 4 {
		n := itoa(int64(i))
		b.create("c"+n, "/categories", `{"name":"Category `+n+`"}`)
	}
	for i := range 4 {
		b.create("e"+itoa(int64(i)), "/events", `{"title":"Event","start_date":"2030-07-01 10:00","end_date":"2030-07-01 11:00","venue":{v0},"organizer":[{o0},{o1}],"categories":[{c0},{c1}]}`)
	}
	kinds := []func(n, m string) request{
		func(n, m string) request {
			return request{"POST", "/events", `{"title":"Event","start_date":"2030-07-0` + n + `","end_date":"2030-07-09","venue":{v` + m + `},"categories":[{c` + n + `},"New ` + m + `"]}`}
		},
		func(n, m string) request {
			return request{"PATCH", "/events/{e" + n + "}", `{"title":"Event ` + m + `","start_date":"2030-06-0` + m + ` 10:00","organizer":[{o` + m + `}]}`}
		},
		func(n, m string) request {
			return request{"PATCH", "/events/{e" + n + "}", `{"status":"` + []string{"publish", "draft", "private"}[n[0]%3] + `","tags":["tag","t` + m + `"],"venue":{"id":{v` + m + `},"city":"` + n + `"}}`}
		},
		func(n, _ string) request { return request{"DELETE", "/events/{e" + n + "}", ""} },
		func(n, _ string) request { return request{"PATCH", "/events/{e" + n + "}", `{"status":"publish"}`} },
		func(_, m string) request { return request{"DELETE", "/venues/{v" + m + "}", ""} },
		func(_, m string) request { return request{"PATCH", "/venues/{v" + m + "}", `{"status":"publish"}`} },
		func(_, m string) request { return request{"DELETE", "/organizers/{o" + m + "}", ""} },
		func(_, m string) request {
			return request{"PATCH", "/organizers/{o" + m + "}", `{"status":"publish","organizer":"O` + m + `"}`}
		},
		func(n, m string) request {
			return request{"PATCH", "/categories/{c" + m + "}", `{"parent":` + []string{"0", "{c0}"}[n[0]%2] + `,"description":"` + n + `"}`}
		},
	}
	for round := range 8 {
		b.judge(b.together(repeated(writers, func(i int) request {
			n, m := itoa(int64(1+(i+round)%3)), itoa(int64((i/3+round)%3))
			r := kinds[(i*7+round)%len(kinds)](n, m)
			return request{r.method, b.fill(r.path), b.fill(r.body)}
		})))
	}
	b.judge(b.together([]request{
		{"DELETE", b.fill("/venues/{v0}?force=true"), ""}, {"DELETE", b.fill("/categories/{c1}"), ""}, {"DELETE", b.fill("/organizers/{o1}?force=true"), ""},
		{"PATCH", b.fill("/events/{e1}"), b.fill(`{"status":"publish","venue":{v0},"organizer":[{o1}],"categories":[{c1}]}`)},
		{"POST", "/events", b.fill(`{"title":"Last","start_date":"2030-07-01","end_date":"2030-07-01","venue":{v0},"organizer":[{o1}],"categories":[{c1}]}`)},
	}))
	b.consistent()
}

// judge checks that answers are successes or say what was wrong with the request.
func (b *bench) judge(answers []apitest.Answer) {
	b.T.Helper()
	done := 0
	for _, a := range answers {
		switch a.Status {
		case http.StatusOK, http.StatusCreated:
			done++
		case http.StatusBadRequest, http.StatusNotFound, http.StatusGone:
		default:
			b.T.Errorf("%s\n answered %d %s", a.Request, a.Status, apitest.Clip(a.Text))
		}
	}
	if done == 0 {
		b.T.Errorf("none of %d writes succeeded", len(answers))
	}
}

// dueAtOnce proves that of several programs that publish scheduled posts, each
// post is published by one.
func dueAtOnce(t *testing.T, e Engine) {
	b := raceBench(t, e)
	for i := range 24 {
		kind := []string{`/events {"title":"E","start_date":"2030-09-01","end_date":"2030-09-02","categories":["cat"],`, `/venues {"venue":"V",`, `/organizers {"organizer":"O",`}[i%3]
		path, body, _ := strings.Cut(kind, " ")
		a := b.admin("POST", path, body+`"date":"2030-08-01 10:00","status":"publish"}`, http.StatusCreated)
		if a.Word("status") != "future" {
			t.Fatalf("%s: %s", a.Request, a.Text)
		}
	}
	b.settle()
	b.consistent()
	later := now.AddDate(0, 2, 0)
	var wg sync.WaitGroup
	published := make([]int, 6)
	for i := range published {
		others := &bench{site: b.site, log: b.log, heard: b.heard}
		others.open(calendar.Options{Now: later.UTC})
		wg.Go(func() {
			n, err := others.cal.PublishDue(t.Context())
			if published[i] = n; err != nil {
				t.Error(err)
			}
			if err := others.cal.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	sum := 0
	for _, n := range published {
		sum += n
	}
	heard := b.settle()
	slices.Sort(heard)
	if once := slices.Compact(slices.Clone(heard)); sum != 24 || len(heard) != 24 || len(once) != 24 {
		t.Errorf("%v published, heard of %d changes, %d different ones: %q", published, len(heard), len(once), heard)
	}
	if a := b.admin("GET", "/categories/"+b.text("cat"), "", http.StatusOK); a.Number("count") != 8 {
		t.Errorf("count %d", a.Number("count"))
	}
	b.consistent()
}
