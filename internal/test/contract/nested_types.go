package contract

import (
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// closedForComments proves that the calendar's comment option is about events:
// what these link takes no comments, however it is made (A4).
func closedForComments(t *testing.T, e Engine) {
	s := newSite(t, e)
	s.option(schema.OptionCalendar, `a:1:{s:12:"showComments";b:1;}`)
	s.option(schema.OptionDefaultComments, "open")
	c := s.client(calendar.Options{})
	ids := map[string]int64{}
	for path, body := range map[string]string{
		"/venues": `{"venue":"Hall"}`, "/organizers": `{"organizer":"Club"}`,
		"/events": `{"title":"Fair","start_date":"2030-07-01","end_date":"2030-07-01","venue":{"venue":"Barn"},"organizer":[{"organizer":"Choir"}]}`,
	} {
		a := c.ask(http.MethodPost, path, "admin", body)
		if a.status != http.StatusCreated {
			t.Fatalf("%s: %s", a.request, a.verdict())
		}
		ids[path] = a.number("id")
	}
	posts := s.snapshot().posts
	if len(posts) != 5 {
		t.Fatalf("%d posts", len(posts))
	}
	for id, p := range posts {
		want := map[bool]string{true: "open", false: "closed"}[id == ids["/events"]]
		if p.CommentStatus != want || p.PingStatus != "closed" {
			t.Errorf("%s %q: comments %s, pings %s; want %s, closed", p.Type, p.Title, p.CommentStatus, p.PingStatus, want)
		}
	}
}

// nestedTypes proves which types the fields of a venue or organizer in an event
// take: those that its own route takes, and switches as booleans and numbers
// (A6). What is refused is named with the field that it stands in.
func nestedTypes(t *testing.T, e Engine) {
	s := office(t, e)
	s.venue(thing{slug: "hall"})
	s.organizer(thing{slug: "club"})
	s.post(schema.TypeAttachment, thing{slug: "picture", status: schema.StatusInherit})
	s.exec("UPDATE ?(prefix)posts SET post_mime_type = 'image/png' WHERE ID = ?", s.of("picture"))
	c := s.client(calendar.Options{})
	event := `{"title":"E","start_date":"2030-07-01","end_date":"2030-07-01",`
	for _, w := range []struct{ field, shown, want string }{
		{`"venue":{"venue":"N","show_map":true,"show_map_link":false}`, "show_map show_map_link", "true false"},
		{`"venue":{"venue":"N","show_map":false,"show_map_link":1}`, "show_map show_map_link", "false true"},
		{`"venue":[{"venue":"N","show_map":0,"show_map_link":"yes"}]`, "show_map show_map_link", "false true"},
		{`"venue":{"id":<hall>,"show_map":false}`, "show_map show_map_link", "false true"},
		{`"venue":{"venue":"N","author":3,"image":<picture>}`, "author", `"3"`},
		{`"venue":{"venue":"N","date":1893456000}`, "date_utc", `"2030-01-01 00:00:00"`},
		{`"organizer":[{"organizer":"N","author":"3","date_utc":1893456000}]`, "author date", `"3" "2030-01-01 01:00:00"`},
		{`"organizer":{"organizer":"N","image":false}`, "organizer", `"N"`},
	} {
		name, _, _ := strings.Cut(w.field[1:], `"`)
		a := c.ask(http.MethodPost, "/events", "admin", s.filled(event+w.field+"}"))
		var got []string
		for member := range strings.FieldsSeq(w.shown) {
			path := []any{name, 0, member}
			if name == "venue" {
				path = []any{name, member}
			}
			got = append(got, a.at(path...))
		}
		if a.status != http.StatusCreated || strings.Join(got, " ") != w.want {
			t.Errorf("%s: %s, %s is %s, want %s\n%s", w.field, a.verdict(), w.shown, got, w.want, clipped(string(a.body)))
		}
	}
	before := s.snapshot()
	for _, w := range []struct{ field, named string }{
		{`"venue":{"venue":"N","show_map":[true]}`, "venue.show_map"}, {`"venue":{"venue":"N","show_map":null}`, "venue.show_map"},
		{`"venue":{"venue":"N","show_map_link":{"x":1}}`, "venue.show_map_link"}, {`"venue":{"venue":"N","zip":9000}`, "venue.zip"},
		{`"venue":{"venue":"N","phone":true}`, "venue.phone"}, {`"venue":{"venue":5}`, "venue.venue"}, {`"venue":{"venue":"N","description":5}`, "venue.description"},
		{`"venue":{"venue":"N","author":true}`, "venue.author"}, {`"venue":{"venue":"N","date":true}`, "venue.date"}, {`"venue":{"id":<hall>,"status":1}`, "venue.status"},
		{`"organizer":{"organizer":"N","phone":123}`, "organizer.phone"}, {`"organizer":[<club>,{"organizer":"N","email":null}]`, "organizer.email"},
		{`"organizer":{"organizer":"N","website":7}`, "organizer.website"},
	} {
		a := c.ask(http.MethodPost, "/events", "admin", s.filled(event+w.field+"}"))
		name, _, _ := strings.Cut(w.named, ".")
		if text := a.at("data", "params", name); a.verdict() != "400 rest_invalid_param" || !strings.HasPrefix(text, `"`+w.named+": ") {
			t.Errorf("%s: %s %s, want it to name %s", w.field, a.verdict(), text, w.named)
		}
	}
	if table := before.same(s.snapshot()); table != "" {
		t.Errorf("refused, but the table %s changed", table)
	}
	// Its own route takes a switch as a text only.
	for _, body := range []string{`{"venue":"N","show_map":true}`, `{"venue":"N","zip":9000}`} {
		if a := c.ask(http.MethodPost, "/venues", "admin", body); a.verdict() != "400 rest_invalid_param" {
			t.Errorf("%s: %s", body, a.verdict())
		}
	}
}
