package contract

import (
	_ "embed" // for the recorded feed
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/ics"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// recordedFeedFile contains the recorded feed of The Events Calendar, with the rows that it was made from.
//
//go:embed testdata/ical.json
var recordedFeedFile []byte

type recordedEvent struct {
	ID int64
	In struct {
		Start, End, Timezone string
		AllDay               string `json:"all_day"`
	}
	Out []string
}

// fixedOffsets contains the zones of recorded events that are not in the zone database, in seconds east of UTC.
var fixedOffsets = map[string]int{"UTC+2": 2 * 3600, "UTC-5:30": -5*3600 - 30*60}

// dates returns the start and the end of a recorded event as our feed contains them. The recorded lines represent
// all-day events as times, and replace a fixed offset by a guessed zone.
func (e recordedEvent) dates(t *testing.T) []string {
	t.Helper()
	var lines []string
	for _, d := range []struct {
		name, text string
		days       int // the end is exclusive
	}{{"DTSTART", e.In.Start, 0}, {"DTEND", e.In.End, 1}} {
		wall := must.Get(time.Parse(time.DateTime, d.text))(t)
		offset, fixed := fixedOffsets[e.In.Timezone]
		switch {
		case e.In.AllDay == "1":
			lines = append(lines, d.name+";VALUE=DATE:"+wall.AddDate(0, 0, d.days).Format("20060102"))
		case fixed || e.In.Timezone == "UTC":
			lines = append(lines, d.name+wall.Add(time.Duration(-offset)*time.Second).Format(":20060102T150405Z"))
		default:
			lines = append(lines, d.name+";TZID="+e.In.Timezone+wall.Format(":20060102T150405"))
		}
	}
	return lines
}

var encodedName = regexp.MustCompile(`CN="[^"]*"`)

// want returns the lines of a recorded event as our feed contains them: with the URL of the tests' site, without an
// empty description, and with the name of an organizer as text. They do not include coordinates, which the recorded
// site lacks.
func (e recordedEvent) want(t *testing.T) (lines []string) {
	t.Helper()
	for _, line := range e.Out {
		line = strings.NewReplacer("http://127.0.0.1:8080/", "http://site.test/", "@127.0.0.1", "@site.test").Replace(line)
		line = encodedName.ReplaceAllStringFunc(line, func(name string) string {
			text := must.Get(url.PathUnescape(name))(t)
			return text
		})
		if name, _, _ := strings.Cut(line, ";"); line != "DESCRIPTION:" && name != "DTSTART" && name != "DTEND" {
			lines = append(lines, line)
		}
	}
	return append(e.dates(t), lines...)
}

// zonesOf returns the zones that an event's lines refer to.
func zonesOf(e *ics.Component) (zones []string) {
	for _, line := range e.Lines {
		if _, rest, ok := strings.Cut(line, ";TZID="); ok {
			zone, _, _ := strings.Cut(rest, ":")
			zones = append(zones, zone)
		}
	}
	return zones
}

// recordedFeed compares the feed, and the files of single events, with the recorded feed.
func recordedFeed(t *testing.T, e Engine) {
	var recorded struct{ Events []recordedEvent }
	if err := json.Unmarshal(recordedFeedFile, &recorded); err != nil || len(recorded.Events) != 60 {
		t.Fatal(err, len(recorded.Events))
	}
	c := newClient(t, e.recorded(calendar.Options{Now: func() time.Time { return recordedDay }}))
	a := c.Must(http.StatusOK, "", "GET", "/events?_format=ics&start_date=2018-01-01&end_date=2036-01-01", "")
	feed := ics.Parse(t, a.Text)
	if total := a.Header.Get("X-TEC-Total"); total != fmt.Sprint(len(feed.Events())) || a.Header.Get("X-TEC-TotalPages") != "1" {
		t.Errorf("%d events, total %s on %s pages", len(feed.Events()), total, a.Header.Get("X-TEC-TotalPages"))
	}
	own := c.Must(http.StatusOK, "", "GET", "/events/ics?start_date=2018-01-01&end_date=2036-01-01", "")
	if own.Text != a.Text || own.Header.Get("Content-Type") != a.Header.Get("Content-Type") {
		t.Errorf("the address of the feed has other %s", own.Header.Get("Content-Type"))
	}
	byID := map[int64]*ics.Component{}
	var defined []string
	for _, zone := range feed.All("VTIMEZONE") {
		defined = append(defined, zone.Value("TZID"))
	}
	var used []string
	for _, event := range feed.Events() {
		byID[feedID(t, event)] = event
		used = append(used, zonesOf(event)...)
	}
	slices.Sort(used)
	if used = slices.Compact(used); !slices.Equal(used, defined) || len(used) < 4 {
		t.Errorf("zones %v, of events %v", defined, used)
	}
	located, compared := 0, 0
	for _, event := range recorded.Events {
		want := event.want(t)
		single := c.Must(http.StatusOK, "", "GET", fmt.Sprintf("/events/%d/ics", event.ID), "")
		parts := ics.Parse(t, single.Text).Events()
		if len(parts) != 1 {
			t.Errorf("event %d: %d alone", event.ID, len(parts))
		}
		if listed := byID[event.ID]; listed != nil { // some are hidden from lists
			parts = append(parts, listed)
		}
		compared += len(parts)
		for _, got := range parts {
			lines := slices.DeleteFunc(slices.Clone(got.Lines), func(line string) bool { return strings.HasPrefix(line, "GEO:") })
			if located += len(got.Lines) - len(lines); !slices.Equal(lines, want) {
				t.Errorf("event %d:\n%s\nwant\n%s", event.ID, strings.Join(lines, "\n"), strings.Join(want, "\n"))
			}
		}
	}
	if located < 10 || compared < 110 {
		t.Errorf("%d events compared, %d have coordinates", compared, located)
	}
	if name := feed.Value("X-WR-CALNAME"); name != "A calendar" {
		t.Errorf("the calendar's name is %q", name)
	}
}

// feedID returns the id in the UID of an event.
func feedID(t testing.TB, e *ics.Component) (id int64) {
	t.Helper()
	if _, err := fmt.Sscanf(e.Value("UID"), "%d-", &id); err != nil {
		t.Fatalf("UID %q: %v", e.Value("UID"), err)
	}
	return id
}

// feedIDs returns the ids of the events in a response, in order.
func feedIDs(t testing.TB, a apitest.Answer) []string {
	t.Helper()
	if a.Status != http.StatusOK {
		t.Errorf("%s: %s", a.Request, a)
		return nil
	}
	ids := []string{}
	for _, e := range ics.Parse(t, a.Text).Events() {
		ids = append(ids, itoa(feedID(t, e)))
	}
	return ids
}

// feedsOfLists compares the feeds for recorded URLs of lists with all pages of the same lists as JSON.
func feedsOfLists(t *testing.T, e Engine) {
	opts := e.recorded(calendar.Options{Now: func() time.Time { return recordedDay }})
	opts.Limits.MaxPageSize = 100000
	c := newClient(t, opts)
	lists, items := 0, 0
	for i, path := range recordedReads(t) {
		if !strings.HasPrefix(path, "/events") || i%4 > 0 {
			continue
		}
		want := c.Get("", with(path, "per_page=100000"))
		if !isList(want) {
			continue
		}
		got := c.Get("", with(path, "_format=ics&per_page=2&page=7"))
		if ids := feedIDs(t, got); !slices.Equal(ids, want.Members("id")) || got.Header.Get("X-TEC-Total") != want.At("total") {
			t.Errorf("%s: %v, total %s\nwant %v", got.Request, ids, got.Header.Get("X-TEC-Total"), want.Members("id"))
		}
		lists, items = lists+1, items+len(want.Members("id"))
	}
	if lists < 40 || items < 400 {
		t.Errorf("%d lists with %d items", lists, items)
	}
}

// eventsOf returns the events of an iCalendar response, each with its lines, except those that only depend on the post's row.
func eventsOf(t testing.TB, a apitest.Answer) string {
	t.Helper()
	var events []string
	for _, e := range ics.Parse(t, a.Text).Events() {
		events = append(events, strings.Join(slices.DeleteFunc(slices.Clone(e.Lines), func(line string) bool {
			name, _, _ := strings.Cut(line, ":")
			return slices.Contains([]string{"DTSTAMP", "CREATED", "LAST-MODIFIED", "UID"}, name)
		}), " "))
	}
	return strings.Join(events, " | ")
}

// feedOfMany checks that a feed ends after 1,000 events, that its header contains the total, and that it takes no more
// statements than any other feed.
func feedOfMany(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.venue(thing{slug: "hall"})
	b.event(thing{slug: "first", start: "2030-06-30 10:00", venues: []string{"hall"}, terms: []string{"cat", "tag"},
		meta: [][2]string{{schema.MetaThumbnailID, b.idText("picture")}}})
	const more = 1004
	var posts []schema.Post
	var metas []schema.PostMeta
	var rows []schema.EventRow
	var occurrences []schema.Occurrence
	start := time.Date(2030, 7, 1, 8, 0, 0, 0, time.UTC)
	for i := range int64(more) {
		id, from := 1000+i, start.Add(time.Duration(i)*time.Hour).Format(time.DateTime)
		posts = append(posts, schema.Post{ID: id, Author: 1, Date: "2030-01-01 00:00:00", DateGMT: "2030-01-01 00:00:00",
			Modified: "2030-01-01 00:00:00", ModifiedGMT: "2030-01-01 00:00:00",
			Title: fmt.Sprint("Event ", i), Name: fmt.Sprint("event-", i), Status: schema.StatusPublish, Type: "tribe_events"})
		for _, key := range []string{schema.MetaStartDate, schema.MetaEndDate, schema.MetaStartDateUTC, schema.MetaEndDateUTC} {
			metas = append(metas, schema.PostMeta{PostID: id, Key: key, Value: from})
		}
		metas = append(metas, schema.PostMeta{PostID: id, Key: schema.MetaTimezone, Value: "UTC"},
			schema.PostMeta{PostID: id, Key: schema.MetaVenueID, Value: b.idText("hall")})
		rows = append(rows, schema.EventRow{
			ID: id, PostID: id, StartDate: from, EndDate: from, Timezone: "UTC", StartDateUTC: from, EndDateUTC: from,
		})
		occurrences = append(occurrences, schema.Occurrence{EventID: id, PostID: id, StartDate: from, StartDateUTC: from, EndDate: from,
			EndDateUTC: from, Hash: itoa(id)})
	}
	b.Insert(&posts)
	b.Insert(&metas)
	b.Insert(&rows)
	b.Insert(&occurrences)
	b.open(calendar.Options{Cache: calendar.Cache{Bytes: calendar.None}})
	ask := func(query string) (apitest.Answer, []string) {
		b.counter.Reset()
		a := b.Must(http.StatusOK, "", "GET", "/events?_format=ics&start_date=2030-06-01&"+query, "")
		return a, b.counter.Statements()
	}
	for query, want := range map[string]int{"end_date=2031-01-01": 1 + more, "end_date=2030-07-11": 1 + 24*11 - 8,
		"end_date=2030-06-30": 1} {
		a, sent := ask(query)
		ids := feedIDs(t, a)
		if len(ids) != min(want, 1000) || ids[0] != b.idText("first") || a.Header.Get("X-TEC-Total") != fmt.Sprint(want) ||
			a.Header.Get("X-TEC-TotalPages") != "1" {
			t.Errorf("%s: %d events, total %s, want %d", query, len(ids), a.Header.Get("X-TEC-Total"), want)
		}
		if len(sent) > 8 {
			t.Errorf("%s: %d statements\n%s", query, len(sent), strings.Join(sent, "\n"))
		}
	}
}
