package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar/exchange"
	"github.com/agendahq/agenda/internal/test/ics"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestFeedsComeBack checks that an event from a feed, once imported, is the same in the feed of the importing site,
// except for the times of writing, the URL, and the id in the UID.
func TestFeedsComeBack(t *testing.T) {
	c := open(t)
	var paths []string
	for _, more := range []string{
		`,"description":"<p>One</p>\n<p>Two<br>lines &amp; \"quotes\"</p>"`,
		`,"description":"<!-- wp:paragraph -->\n<p>A</p>\n<!-- /wp:paragraph -->\n\n` +
			`<!-- wp:list -->\n<ul><li>x</li>\n\n<li>y</li></ul>\n<!-- /wp:list -->"`,
		`,"description":"Plain -- text\n\nhttps://example.org/x\n\n<pre>\"raw\" 9x9 -- it's</pre>"`,
		`,"timezone":"Asia/Tokyo"`, `,"timezone":"UTC+5.5"`, `,"timezone":"UTC"`, `,"timezone":"CET"`,
		`,"all_day":true`, `,"all_day":true,"timezone":"Asia/Tokyo"`,
		`,"start_date":"2033-10-30 02:30","end_date":"2033-10-30 02:45"`, `,"start_date":"2033-10-30 01:30","end_date":"2033-10-30 02:30"`,
		`,"start_date":"2033-10-30 01:30","end_date":"2033-10-30 01:30"`, `,"start_date":"2033-03-27 02:30","end_date":"2033-03-27 04:30"`,
		`,"venue":{"venue":"Hall, the \"big\" one","address":"Street 1","city":"Gent","zip":"9000"},` +
			`"categories":["Dans & Beweging","a, b"]`,
		`,"organizer":{"organizer":"Peeters & co","email":"a@b.c"},"website":"https://example.org/"`,
	} {
		// If a field occurs twice, the last one counts.
		paths = append(paths, fmt.Sprint("/events/", c.create("admin", "Fair <em>&</em> more", more)))
	}
	feed := func(path string) string {
		event := ics.Parse(t, c.Must(http.StatusOK, "admin", "GET", path+"?_format=ics", "").Text).Events()[0]
		lines := slices.DeleteFunc(slices.Clone(event.Lines), func(line string) bool {
			name, _, _ := strings.Cut(line, ":")
			return name == "DTSTAMP" || name == "LAST-MODIFIED" || name == "URL"
		})
		text := strings.Join(lines, "\n")
		id := strings.TrimPrefix(path, "/events/")
		return strings.Replace(text, "UID:"+id+"-", "UID:", 1)
	}
	for _, path := range paths {
		text := c.Must(http.StatusOK, "admin", "GET", path+"?_format=ics", "").Text
		s := exchange.ICalendar(strings.NewReader(text), path, exchange.CalendarOptions{Zone: c.Settings.Location, Now: c.Now})
		rec, err := s.Next(t.Context())
		if err != nil || len(rec.Problems) > 0 {
			t.Fatalf("%s: %v %v", text, err, rec)
		}
		if _, err := s.Next(t.Context()); err != io.EOF {
			t.Fatal(err)
		}
		values := maps.Clone(rec.Values)
		for name, kind := range map[string]exchange.Collection{"venue": exchange.Venues, "organizer": exchange.Organizers} {
			for _, one := range rec.Linked[kind] {
				values[name] = one.Values
			}
		}
		var categories []any
		for _, one := range rec.Linked[exchange.Categories] {
			categories = append(categories, one.Values["name"])
		}
		values["categories"] = categories
		body := must.Get(json.Marshal(values))(t)
		again := fmt.Sprint("/events/", c.Must(http.StatusCreated, "admin", "POST", "/events", string(body)).ID())
		if before, after := feed(path), feed(again); before != after {
			t.Errorf("%s\nbecame\n%s\nby %s", before, after, fmt.Sprint(string(body)))
		}
	}
}
