package contract

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/schema"
)

// mixedWrites creates, updates, trashes, restores and deletes a few items concurrently. No response may be a server
// error, and the rows must be consistent at the end.
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
		b.create("e"+itoa(int64(i)), "/events", `{"title":"Event","start_date":"2030-07-01 10:00","end_date":"2030-07-01 11:00",
			"venue":{v0},"organizer":[{o0},{o1}],"categories":[{c0},{c1}]}`)
	}
	kinds := section("list writes at once")
	for round := range 8 {
		b.judge(b.together(repeated(writers, func(i int) request {
			n, m := 1+(i+round)%3, (i/3+round)%3
			fill := strings.NewReplacer("$N", strconv.Itoa(n), "$M", strconv.Itoa(m),
				"$STATUS", []string{"publish", "draft", "private"}[n%3], "$PARENT", []string{"0", "{c0}"}[n%2])
			return b.request(fill.Replace(kinds[(i*7+round)%len(kinds)].text))
		})))
	}
	last := section("list last writes at once")
	b.judge(b.together(repeated(len(last), func(i int) request { return b.request(last[i].text) })))
	b.consistent()
}

// request parses a request in the format of case files.
func (b *bench) request(line string) request {
	m := requestLine.FindStringSubmatch(b.fill(line))
	return request{m[2], m[4], m[5]}
}

// judge checks that responses are successes or client errors.
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

// dueAtOnce checks that if several programs publish scheduled posts, each post is published by one of them.
func dueAtOnce(t *testing.T, e Engine) {
	b := raceBench(t, e)
	for i := range 24 {
		kind := []string{
			`/events {"title":"E","start_date":"2030-09-01","end_date":"2030-09-02","categories":["cat"],`,
			`/venues {"venue":"V",`, `/organizers {"organizer":"O",`,
		}[i%3]
		path, body, _ := strings.Cut(kind, " ")
		a := b.admin("POST", path, body+`"date":"2030-08-01 10:00","status":"publish"}`, http.StatusCreated)
		if a.Word("status") != "future" {
			t.Fatalf("%s: %s", a.Request, a.Text)
		}
	}
	b.next += 1000
	for i := range 80 { // more, with these, than are looked for at a time
		b.venue(thing{slug: fmt.Sprint("due-", i), status: schema.StatusFuture, posted: "2030-08-01 08:00:00"})
	}
	const all = 24 + 80
	b.settle()
	b.consistent()
	later := now.AddDate(0, 2, 0)
	var wg sync.WaitGroup
	published := make([]int, 6)
	for i := range published {
		others := &bench{site: b.site, log: b.log, hook: b.hook}
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
	calls := b.settle()
	slices.Sort(calls)
	if once := slices.Compact(slices.Clone(calls)); sum != all || len(calls) != all || len(once) != all {
		t.Errorf("%v published, the hook got %d changes, %d different ones: %q", published, len(calls), len(once), calls)
	}
	if a := b.admin("GET", "/categories/"+b.idText("cat"), "", http.StatusOK); a.Number("count") != 8 {
		t.Errorf("count %d", a.Number("count"))
	}
	b.consistent()
}
