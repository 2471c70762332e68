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

// writers is how many write at once.
const writers = 32

// request is one of several that are sent at once.
type request struct{ method, path, body string }

// raceBench is a bench with a calendar, on a database for several connections.
func raceBench(t *testing.T, e Engine) *bench {
	b := newBench(t, e)
	b.host.SetMaxOpenConns(16)
	b.host.SetMaxIdleConns(16)
	b.open(calendar.Options{})
	return b
}

// together sends requests of the administrator at once and returns their answers.
func (b *bench) together(requests []request) []apitest.Answer {
	b.T.Helper()
	answers := make([]apitest.Answer, len(requests))
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i, r := range requests {
		wg.Go(func() {
			<-start
			answers[i] = b.DoWithin(b.T.Context(), "admin", r.method, r.path, r.body)
		})
	}
	close(start)
	wg.Wait()
	return answers
}

// all checks that all answers have a status.
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

// sameTitle proves that what is created at once under one name gets slugs of
// its own: the name, and it with the numbers 2 to 32.
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
		if heard := b.settle(); len(heard) != writers {
			t.Errorf("%s: heard of %d changes", c.path, len(heard))
		}
	}
	if a := b.admin("GET", "/categories/"+b.text("cat"), "", http.StatusOK); a.Number("count") != writers {
		t.Errorf("count %d", a.Number("count"))
	}
	b.consistent()
}

// sameTerm proves that a term that many make at once is made once: by its own
// route, whose other callers hear so, and by events, which all get it.
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
	b.all(b.together(repeated(writers, func(i int) request {
		return request{"POST", "/events", fmt.Sprintf(`{"title":"E%d","start_date":"2030-07-01","end_date":"2030-07-01","categories":["Shared"],"tags":["Shared","once"]}`, i)}
	})), http.StatusCreated)
	for path, want := range map[string]string{
		"/categories?search=Shared": "shared", "/categories?hide_empty=0&search=Once": "once", "/tags?search=Shared": "shared", "/tags?search=once": "once",
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

// fieldsOfEvent are updates of one field each of an event that has none of
// these values, with what a read shows then.
var fieldsOfEvent = []struct{ body, shown, want string }{
	{`{"title":"T"}`, "title", `"T"`}, {`{"description":"D"}`, "description", `"<p>D</p>"`}, {`{"excerpt":"X"}`, "excerpt", `"<p>X</p>"`},
	{`{"slug":"s-l-u-g"}`, "slug", `"s-l-u-g"`}, {`{"website":"http://w.example/"}`, "website", `"http://w.example/"`}, {`{"cost":"7"}`, "cost", `"$7"`},
	{`{"show_map":true}`, "show_map", "true"}, {`{"show_map_link":true}`, "show_map_link", "true"}, {`{"hide_from_listings":true}`, "hide_from_listings", "true"},
	{`{"sticky":true}`, "sticky", "true"}, {`{"featured":true}`, "featured", "true"}, {`{"author":3}`, "author", `"3"`},
	{`{"status":"private"}`, "status", `"private"`}, {`{"date":"2029-05-05 05:05:05"}`, "date", `"2029-05-05 05:05:05"`},
	{`{"start_date":"2030-06-30 09:00"}`, "start_date", `"2030-06-30 09:00:00"`}, {`{"end_date":"2030-07-03 19:00"}`, "end_date", `"2030-07-03 19:00:00"`},
	{`{"timezone":"Asia/Tokyo"}`, "timezone", `"Asia/Tokyo"`}, {`{"image":<picture>}`, "image id", "<picture>"},
	{`{"categories":["cat"]}`, "categories 0 slug", `"cat"`}, {`{"tags":["tag"]}`, "tags 0 slug", `"tag"`},
	{`{"organizer":[<person>]}`, "organizer 0 id", "<person>"},
	{`{"venue":{"id":<hall>,"city":"C"}}`, "venue city", `"C"`}, {`{"venue":{"id":<hall>,"zip":"Z"}}`, "venue zip", `"Z"`},
	{`{"venue":{"id":<hall>,"country":"Belgium"}}`, "venue country", `"Belgium"`}, {`{"venue":{"id":<hall>,"phone":"P"}}`, "venue phone", `"P"`},
	{`{"venue":{"id":<hall>,"address":"A"}}`, "venue address", `"A"`}, {`{"venue":{"id":<hall>,"venue":"V"}}`, "venue venue", `"V"`},
	{`{"venue":{"id":<hall>,"website":"http://v.example/"}}`, "venue website", `"http://v.example/"`},
	{`{"venue":{"id":<hall>,"description":"D"}}`, "venue description", `"<p>D</p>"`}, {`{"venue":<hall>}`, "venue id", "<hall>"},
	{`{"venue":{"id":<hall>,"show_map":"false"}}`, "venue show_map", "false"}, {`{"venue":{"id":<hall>,"province":"Q"}}`, "venue province", `"Q"`},
}

// fieldsOfVenue are the same of a venue.
var fieldsOfVenue = []struct{ body, shown, want string }{
	{`{"venue":"V"}`, "venue", `"V"`}, {`{"description":"D"}`, "description", `"<p>D</p>"`}, {`{"status":"private"}`, "status", `"private"`},
	{`{"author":3}`, "author", `"3"`}, {`{"date":"2029-05-05 05:05:05"}`, "date", `"2029-05-05 05:05:05"`}, {`{"image":<picture>}`, "image id", "<picture>"},
	{`{"show_map":"false"}`, "show_map", "false"}, {`{"show_map_link":"0"}`, "show_map_link", "false"}, {`{"address":"A"}`, "address", `"A"`},
	{`{"city":"C"}`, "city", `"C"`}, {`{"country":"Belgium"}`, "country", `"Belgium"`}, {`{"province":"Q"}`, "province", `"Q"`},
	{`{"state":"S"}`, "state", `"S"`}, {`{"zip":"Z"}`, "zip", `"Z"`}, {`{"phone":"P"}`, "phone", `"P"`}, {`{"website":"http://v.example/"}`, "website", `"http://v.example/"`},
}

// fieldsAtOnce proves that 32 writers of one item, each of another field, lose
// none: of an event with its venue, and of a venue that others save unchanged.
func fieldsAtOnce(t *testing.T, e Engine) {
	b := raceBench(t, e)
	b.create("hall", "/venues", `{"venue":"Old"}`)
	b.create("person", "/organizers", `{"organizer":"Old"}`)
	for round := range 3 {
		n := itoa(int64(round))
		b.create("event", "/events", `{"title":"Old `+n+`","start_date":"2030-07-01 10:00","end_date":"2030-07-02 10:00","venue":<hall>}`)
		b.create("venue", "/venues", `{"venue":"Old `+n+`"}`)
		b.fields("/events/<event>", fieldsOfEvent)
		b.fields("/venues/<venue>", fieldsOfVenue)
		b.admin("PATCH", b.fill("/events/<event>"), `{"slug":"done-`+n+`"}`, http.StatusOK)
	}
	b.consistent()
}

func (b *bench) fields(path string, fields []struct{ body, shown, want string }) {
	b.T.Helper()
	b.all(b.together(repeated(writers, func(i int) request {
		if i >= len(fields) {
			return request{"PUT", b.fill(path), `{}`}
		}
		return request{"PATCH", b.fill(path), b.fill(fields[i].body)}
	})), http.StatusOK)
	a := b.admin("GET", b.fill(path), "", http.StatusOK)
	for _, f := range fields {
		if got := a.At(strings.Fields(f.shown)...); strings.Trim(got, `"`) != strings.Trim(b.fill(f.want), `"`) {
			b.T.Errorf("%s %s: %s is %s", path, f.body, f.shown, got)
		}
	}
}
