package calendartest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
)

// get decodes the response to a GET.
func get[T any](t *testing.T, c *http.Client, url string) (answer T) {
	t.Helper()
	r := must.Get(c.Get(url))(t)
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s, %v", url, r.StatusCode, body, err)
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatalf("%s: %v in %s", url, err, body)
	}
	return answer
}

type list struct {
	Events []struct{ ID int64 }
	Total  int
}

func (l list) ids() (ids []int64) {
	for _, e := range l.Events {
		ids = append(ids, e.ID)
	}
	return ids
}

// raw is a member that may have several types.
type raw struct{ json.RawMessage }

// ids returns the members "id" of the objects in a list, or that of a single object.
func (r raw) ids() (ids []int64) {
	type item struct{ ID int64 }
	var many []item
	var one item
	switch {
	case json.Unmarshal(r.RawMessage, &many) == nil:
		for _, it := range many {
			ids = append(ids, it.ID)
		}
	case json.Unmarshal(r.RawMessage, &one) == nil:
		ids = append(ids, one.ID)
	}
	slices.Sort(ids)
	return ids
}

// TestContent checks the table of events in the comment of the package.
func TestContent(t *testing.T) {
	site := New(t)
	admin := site.As(Administrator)
	for id, want := range map[int64]string{
		EventFair:       "spring-fair 1 publish 2030-04-20 10:00:00 2030-04-20 17:00:00 [2] [] [] [5] ",
		EventExhibition: "photo-exhibition 1 publish 2030-06-10 09:00:00 2030-06-20 18:00:00 [1] [3] [] [] ",
		EventStory1:     "story-hour 1 publish 2030-06-18 10:00:00 2030-06-18 11:00:00 [] [3] [3] [4] ",
		EventJazz:       "jazz-night 1 publish 2030-06-21 20:00:00 2030-06-21 23:00:00 [1] [4] [2] [] featured $15",
		EventRehearsal:  "rehearsal 1 private 2030-06-22 14:00:00 2030-06-22 16:00:00 [] [4] [] [] ",
		EventMidsummer:  "midsummer-day 1 publish 2030-06-24 00:00:00 2030-06-24 23:59:59 [2] [] [3] [4 5] all day ",
		EventStory2:     "story-hour-2 1 publish 2030-06-25 10:00:00 2030-06-25 11:00:00 [] [3] [3] [4] ",
		EventMembers:    "members-evening 1 publish 2030-06-28 19:00:00 2030-06-28 22:00:00 [1] [] [] [] ",
		EventStory3:     "story-hour-3 1 publish 2030-07-02 10:00:00 2030-07-02 11:00:00 [] [3] [3] [4] ",
		EventFestival:   "summer-festival 1 publish 2030-07-05 14:00:00 2030-07-07 22:00:00 [2] [4] [1] [5] ",
		EventSlam:       "poetry-slam 4 pending 2030-09-12 20:00:00 2030-09-12 22:00:00 [1] [] [] [] ",
		EventWalk:       " 3 draft 2030-10-05 09:00:00 2030-10-05 12:00:00 [2] [] [] [5] ",
		EventConcert:    "new-year-concert 1 future 2031-01-01 17:00:00 2031-01-01 19:00:00 [1] [4] [1] [] ",
	} {
		e := get[struct {
			Slug, Author, Status, Cost         string
			StartDate                          string `json:"start_date"`
			EndDate                            string `json:"end_date"`
			AllDay                             bool   `json:"all_day"`
			Featured                           bool
			Venue, Organizer, Categories, Tags raw
			Title                              string
			TimeZone                           string `json:"timezone"`
		}](t, admin, fmt.Sprintf("%s/events/%d?password=%s", site.URL, id, strings.ReplaceAll(PostPassword, " ", "+")))
		got := strings.Join([]string{e.Slug, e.Author, e.Status, e.StartDate, e.EndDate}, " ") +
			fmt.Sprint(" ", e.Venue.ids(), " ", e.Organizer.ids(), " ", e.Categories.ids(), " ", e.Tags.ids(), " ")
		if e.AllDay {
			got += "all day "
		}
		if e.Featured {
			got += "featured "
		}
		if got += e.Cost; got != want {
			t.Errorf("%d: %q, want %q", id, got, want)
		}
		if e.TimeZone != "Europe/Brussels" || e.Title == "" {
			t.Errorf("%d: %+v", id, e)
		}
	}
}

// TestLists checks what that comment says about lists, and the ids of items other than events.
func TestLists(t *testing.T) {
	site := New(t)
	upcoming := []int64{EventStory1, EventJazz, EventMidsummer, EventStory2, EventMembers, EventStory3, EventFestival}
	for _, root := range []string{site.URL, Home + "/nl/wp-json/" + namespace, Home + "/fr/wp-json/" + namespace} {
		if got := get[list](t, site.Client(), root+"/events").ids(); !slices.Equal(got, upcoming) {
			t.Errorf("%s: %v", root, got)
		}
	}
	for path, want := range map[string]string{
		fmt.Sprint("/venues/", VenueHall):            "town-hall",
		fmt.Sprint("/venues/", VenuePark):            "riverside-park",
		fmt.Sprint("/organizers/", OrganizerLibrary): "city-library",
		fmt.Sprint("/organizers/", OrganizerBand):    "brass-band",
		fmt.Sprint("/categories/", CategoryMusic):    "music",
		fmt.Sprint("/categories/", CategoryJazz):     "jazz",
		fmt.Sprint("/categories/", CategoryFamily):   "family",
		fmt.Sprint("/tags/", TagFree):                "free",
		fmt.Sprint("/tags/", TagOutdoors):            "outdoors",
	} {
		if got := get[struct{ Slug string }](t, site.Client(), site.URL+path); got.Slug != want {
			t.Errorf("%s: %q", path, got.Slug)
		}
	}
}

// TestRoles checks that each user has the rights that the comment says, over the server and with Handler.
func TestRoles(t *testing.T) {
	site := New(t)
	for role, want := range map[string][]int{ // may edit: a published event of another user, an event of the author, one of the contributor
		Administrator: {200, 200, 200}, Editor: {200, 200, 200}, Author: {403, 200, 403}, Contributor: {403, 403, 200},
		Subscriber: {403, 403, 403},
	} {
		for i, id := range []int64{EventJazz, EventWalk, EventSlam} {
			path := fmt.Sprintf("/events/%d?context=edit", id)
			r := must.Get(site.As(role).Get(Home + "/wp-json/" + namespace + path))(t)
			r.Body.Close()
			w, direct := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/wp-json/"+namespace+path, nil)
			direct.Header.Set("Authorization", Authorization(role))
			site.Handler.ServeHTTP(w, direct)
			if r.StatusCode != want[i] || w.Code != want[i] {
				t.Errorf("%s, event %d: %d, by Handler %d, want %d", role, id, r.StatusCode, w.Code, want[i])
			}
		}
	}
}

// TestPasswordsStayHere checks that a client sends the password of its user to no other server.
func TestPasswordsStayHere(t *testing.T) {
	site := New(t)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Header["Authorization"])
	}))
	defer other.Close()
	r := must.Get(site.As(Editor).Get(other.URL))(t)
	defer r.Body.Close()
	if body, _ := io.ReadAll(r.Body); string(body) != "[]" {
		t.Errorf("another server was sent %s", body)
	}
}

// TestSitesAreApart checks that changes of a site and its clock do not affect another site.
func TestSitesAreApart(t *testing.T) {
	changed, other := New(t), New(t)
	body := strings.NewReader(`{"title":"Blues Night"}`)
	r, err := changed.As(Editor).Post(fmt.Sprint(changed.URL, "/events/", EventJazz), "application/json", body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatal(r, err)
	}
	r.Body.Close()
	changed.Clock.Set(time.Date(2030, time.July, 1, 0, 0, 0, 0, time.UTC))
	for site, want := range map[*Site]string{changed: "Blues Night 2", other: "Jazz Night 7"} {
		title := get[struct{ Title string }](t, site.Client(), fmt.Sprint(site.URL, "/events/", EventJazz)).Title
		if got := fmt.Sprint(title, " ", get[list](t, site.Client(), site.URL+"/events").Total); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestClock checks that events are published that are due after the clock was set.
func TestClock(t *testing.T) {
	site := New(t)
	for want, by := range []time.Duration{77 * 24 * time.Hour, 24 * time.Hour} { // until 31 August, 1 September
		site.Clock.Advance(by)
		if n, err := site.Calendar.PublishDue(t.Context()); n != want || err != nil {
			t.Errorf("%s: %d were published, %v", site.Clock.Now(), n, err)
		}
	}
}

// TestOptions checks that the calendar has the host's options, and that invalid ones are errors.
func TestOptions(t *testing.T) {
	site := New(t, func(o *calendar.Options) { o.Namespace = "town/v2" }, func(o *calendar.Options) {
		o.Languages = []calendar.Language{{Tag: "nl", BaseURL: "https://agenda.example.net/api", Mount: "/there"}}
	})
	if !strings.HasSuffix(site.URL, "/there/town/v2") {
		t.Error(site.URL)
	}
	if n := get[list](t, site.Client(), site.URL+"/events").Total; n != 7 {
		t.Errorf("%d events", n)
	}
	if _, err := Open(t.Context(), func(o *calendar.Options) { o.Namespace = "a b" }); err == nil {
		t.Error("a wrong namespace was taken")
	}
}

func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		site := must.Get(Open(b.Context()))(b)
		must.Succeed(b, site.Close())
	}
}

// BenchmarkSeed measures the additional work of the first Open of a process.
func BenchmarkSeed(b *testing.B) {
	for b.Loop() {
		must.Get(snapshot())(b)
	}
}
