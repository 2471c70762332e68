package exchange

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// fieldEvent returns a source with one VEVENT per element of events, whose lines are separated by "|". head contains
// further lines of the calendar.
func fieldEvent(head string, events ...string) Source {
	text := "BEGIN:VCALENDAR|VERSION:2.0|" + head
	for _, lines := range events {
		text += "BEGIN:VEVENT|" + lines + "|END:VEVENT|"
	}
	zone, _ := time.LoadLocation("Europe/Brussels")
	return ICalendar(strings.NewReader(strings.ReplaceAll(text+"END:VCALENDAR|", "|", "\r\n")), "a.ics", CalendarOptions{Zone: zone,
		Now: atNoon()})
}

// records exports the site as JSON lines and returns the items.
func (b bench) records(t *testing.T) (list []jsonRecord) {
	t.Helper()
	for line := range strings.Lines(b.export(t, FormatJSON)) {
		if strings.HasPrefix(line, `{"format"`) {
			continue
		}
		var one jsonRecord
		must.Succeed(t, json.Unmarshal([]byte(line), &one))
		if one.Kind == Events {
			list = append(list, one)
		}
	}
	return list
}

// D70: occurrences that come without their event are one event with these occurrences. Later files recognize and change
// it, and the event itself, when it comes, takes its place.
func TestD70DatesWithoutTheirEvent(t *testing.T) {
	b := ownEmptied(t)
	date := func(id, start, end string) string {
		return "UID:hall1@example.org|RECURRENCE-ID:" + id + "|SUMMARY:Busy|DTSTART:" + start + "|DTEND:" + end
	}
	busy := func() Source {
		return fieldEvent("X-WR-TIMEZONE:Europe/Brussels|", date("20310604T180000Z", "20310604T180000Z", "20310604T200000Z"),
			date("20310611T180000Z", "20310611T180000Z", "20310611T200000Z"), date("20310618T180000Z", "20310618T180000Z",
				"20310618T200000Z"))
	}
	want := func(dates ...string) {
		t.Helper()
		if got := b.listed(t, "Busy"); !slices.Equal(got, dates) {
			t.Errorf("%q, want %q", got, dates)
		}
	}
	first := []string{"2031-06-04 20:00:00/2031-06-04 22:00:00", "2031-06-11 20:00:00/2031-06-11 22:00:00",
		"2031-06-18 20:00:00/2031-06-18 22:00:00"}
	if _, all := b.load(t, busy()); len(all) != 1 || all[0].Action != Created {
		t.Fatalf("%+v", all)
	}
	want(first...)
	wantUnchanged(t, b, busy())
	b.load(t, fieldEvent("", date("20310611T180000Z", "20310612T180000Z", "20310612T190000Z")))
	moved := []string{first[0], "2031-06-12 20:00:00/2031-06-12 21:00:00", first[2]}
	want(moved...)
	b.load(t, fieldEvent("METHOD:CANCEL|", date("20310604T180000Z", "20310604T180000Z", "20310604T200000Z")))
	want(moved[1:]...)
	b.load(t, fieldEvent("X-WR-TIMEZONE:Europe/Brussels|",
		"UID:hall1@example.org|SUMMARY:Busy|DTSTART;TZID=Europe/Brussels:20310604T200000|DURATION:PT2H|RRULE:FREQ=WEEKLY;COUNT=3"))
	want(first...)
	b.load(t, fieldEvent("", date("20310611T180000Z", "20310612T180000Z", "20310612T190000Z")))
	want(moved...)
}

// A source identifies an occurrence by its first start: if later files move it again, move it back or cancel it, it
// stays the same occurrence.
func TestDatesThatAreMovedAgain(t *testing.T) {
	one := func(id, start string) string {
		return "UID:m@example.org|SUMMARY:Busy|RECURRENCE-ID;TZID=Europe/Brussels:" + id + "T200000|DTSTART;TZID=Europe/Brussels:" + start +
			"T200000|DURATION:PT2H"
	}
	series := "UID:m@example.org|SUMMARY:Busy|DTSTART;TZID=Europe/Brussels:20310604T200000|DURATION:PT2H|"
	for name, first := range map[string][]string{
		"a rule":                           {series + "RRULE:FREQ=WEEKLY;COUNT=3"},
		"explicit dates":                   {series + "RDATE;TZID=Europe/Brussels:20310611T200000,20310618T200000"},
		"no event":                         {one("20310604", "20310604"), one("20310611", "20310611"), one("20310618", "20310618")},
		"a rule with a date that is moved": {series + "RRULE:FREQ=WEEKLY;COUNT=3", one("20310611", "20310612")},
		"dates of which one is moved, of no event": {one("20310604", "20310604"), one("20310611", "20310612"), one("20310618", "20310618")},
	} {
		b := ownEmptied(t)
		at := func(source Source, second string) {
			t.Helper()
			b.load(t, source)
			want := []string{"2031-06-04 20:00:00/2031-06-04 22:00:00", "2031-06-18 20:00:00/2031-06-18 22:00:00"}
			if second != "" {
				want = slices.Insert(want, 1, second+" 20:00:00/"+second+" 22:00:00")
			}
			if got := b.listed(t, "Busy"); !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
		b.load(t, fieldEvent("", first...))
		for _, day := range []string{"2031-06-12", "2031-06-13", "2031-06-11", "2031-06-14"} {
			at(fieldEvent("", one("20310611", strings.ReplaceAll(day, "-", ""))), day)
		}
		wantUnchanged(t, b, fieldEvent("", one("20310611", "20310614")))
		at(fieldEvent("METHOD:CANCEL|", one("20310611", "20310614")), "")
		at(fieldEvent("", one("20310611", "20310613")), "2031-06-13")
	}
}

// Occurrences without their event are imported as one event, if no plugin of the site stores their titles. Its title is
// that of a file that contains all of them; a different title of a single occurrence is reported. On other sites each
// occurrence has a title of its own. When the event itself is imported, its title applies to all.
func TestTitlesOfDatesWithoutTheirEvent(t *testing.T) {
	one := func(day, title string) string {
		return "UID:hall2@example.org|RECURRENCE-ID:" + day + "T180000Z|SUMMARY:" + title + "|DTSTART:" + day + "T180000Z|DURATION:PT2H"
	}
	both := func(a, b string) Source { return fieldEvent("", one("20310604", a), one("20310611", b)) }
	own := ownEmptied(t)
	titles := func(b bench) (list []string) {
		for _, rec := range b.records(t) {
			list = append(list, fmt.Sprint(rec.Values[fieldTitle]))
		}
		slices.Sort(list)
		return list
	}
	want := func(b bench, source Source, problems int, want ...string) {
		t.Helper()
		_, all := b.load(t, source)
		n := 0
		for _, o := range all {
			n += len(o.Problems)
		}
		if got := titles(b); !slices.Equal(got, want) || n != problems {
			t.Errorf("%q, %d problems; want %q, %d", got, n, want, problems)
		}
	}
	want(own, both("Busy", "Busy"), 0, "Busy")
	want(own, both("Rehearsal", "Rehearsal"), 0, "Rehearsal")
	want(own, both("Rehearsal", "Concert"), 1, "Rehearsal")
	want(own, fieldEvent("", one("20310611", "Concert")), 1, "Rehearsal")
	event := "UID:hall2@example.org|SUMMARY:Season|DTSTART:20310604T180000Z|DURATION:PT2H|RRULE:FREQ=WEEKLY;COUNT=2"
	want(own, fieldEvent("", event), 0, "Season")
	want(own, fieldEvent("", event, one("20310611", "Season")), 0, "Season")
	other := emptySite(t)
	want(other, both("Rehearsal", "Concert"), 0, "Concert", "Rehearsal")
	wantUnchanged(t, other, both("Rehearsal", "Concert"))
	want(other, both("Rehearsal", "Gala"), 0, "Gala", "Rehearsal")
}

// RFC 5545 3.8.7.4 and RFC 5546 3.2.5: of several revisions of an event the last one counts, and a cancelled event is
// not created.
func TestRevisionsOfEvents(t *testing.T) {
	b := ownEmptied(t)
	one := func(head, more string, days ...string) Source {
		var list []string
		for i, day := range days {
			list = append(list, fmt.Sprintf("UID:seq@example.org|SEQUENCE:%d|SUMMARY:Talk|DTSTART;TZID=Europe/Brussels:%sT180000|"+
				"DTEND;TZID=Europe/Brussels:%sT200000%s", 3*i%5, day, day, more))
		}
		return fieldEvent(head, list...)
	}
	b.load(t, one("METHOD:CANCEL|", "", "20310610"))
	if got := b.records(t); len(got) != 0 {
		t.Errorf("a cancellation alone made %+v", got)
	}
	_, all := b.load(t, one("METHOD:PUBLISH|", "", "20310609", "20310611", "20310610")) // revisions 0, 3 and 1
	if got := b.listed(t, "Talk"); len(all) != 1 || !slices.Equal(got, []string{"2031-06-11 18:00:00/2031-06-11 20:00:00"}) {
		t.Errorf("%q %+v", got, all)
	}
	b.load(t, one("METHOD:CANCEL|", "", "20310611"))
	if got := b.records(t); len(got) != 1 || got[0].State != StateCanceled || got[0].Values["title"] != "Talk" {
		t.Errorf("called off: %+v", got)
	}
	for lines, want := range map[string]string{
		"DTSTART;VALUE=DATE:20310610T000000":                                              "2031-06-10 00:00:00/2031-06-10 23:59:59",
		"DTSTART;TZID=Eastern Time (US & Canada):20310610T120000|DTEND:|LOCATION:|RRULE:": "2031-06-10 12:00:00/2031-06-10 12:00:00",
		"DTSTART;TZID=EDT:20310610T120000|URL:www.example.org":                            "2031-06-10 12:00:00/2031-06-10 12:00:00",
	} {
		b.clear(t)
		_, all := b.load(t, fieldEvent("", "UID:x@example.org|SUMMARY:Form|"+lines))
		if got := b.listed(t, "Form"); len(all) != 1 || len(all[0].Problems) > 0 || !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q %+v", lines, got, all)
		}
	}
}

// Revisions of an occurrence are recognized if they write its RECURRENCE-ID in UTC and in a time zone.
func TestRevisionsOfOccurrences(t *testing.T) {
	b := ownEmptied(t)
	later := "UID:rev@example.org|SUMMARY:Talk|RECURRENCE-ID:20310611T180000Z|SEQUENCE:2|DTSTART:20310611T100000Z|DURATION:PT1H"
	before := "UID:rev@example.org|SUMMARY:Talk|RECURRENCE-ID;TZID=Europe/Brussels:20310611T200000|SEQUENCE:1|" +
		"DTSTART:20310611T080000Z|DURATION:PT1H"
	series := "UID:rev@example.org|SUMMARY:Talk|DTSTART;TZID=Europe/Brussels:20310604T200000|DURATION:PT1H|RRULE:FREQ=WEEKLY;COUNT=2"
	want := []string{"2031-06-04 20:00:00/2031-06-04 21:00:00", "2031-06-11 12:00:00/2031-06-11 13:00:00"}
	for _, list := range [][]string{{series, later, before}, {before, later, series}} {
		b.clear(t)
		b.load(t, fieldEvent("", list...))
		if got := b.listed(t, "Talk"); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The feed of The Events Calendar encodes the names of organizers, and writes all-day events with times.
func TestFeedOfThePlugin(t *testing.T) {
	b := ownEmptied(t)
	b.load(t, fieldEvent("PRODID:-//Town - ECPv6.17.2//NONSGML v1.0//EN|",
		"UID:11-1938902400-1939075199@town.example.org|SUMMARY:Fair|DTSTART;TZID=Europe/Brussels:20310611T000000|"+
			"DTEND;TZID=Europe/Brussels:20310612T235959|ORGANIZER;CN=\"Zo%C3%AB & Co\":MAILTO:zoe@example.org"))
	got := b.records(t)
	if len(got) != 1 || got[0].Values["all_day"] != true || got[0].Values["end_date"] != "2031-06-12 23:59:59" ||
		!strings.Contains(b.export(t, FormatCSV), "Zoë & Co") {
		t.Errorf("%+v\n%s", got, b.export(t, FormatCSV))
	}
}

// CSV files of The Events Calendar are read: files of venues, and ids and names that contain commas.
func TestFilesOfThePlugin(t *testing.T) {
	b := ownEmptied(t)
	load := func(text string) []Outcome {
		_, all := b.load(t, CSV(strings.NewReader(text), "a.csv", TableOptions{Calendar: b.Calendar}))
		for _, o := range all {
			if len(o.Problems) > 0 {
				t.Errorf("%v", o.Problems)
			}
		}
		return all
	}
	const venues = "Venue Name,Venue Description,Venue Country,Venue Address,Venue Address 2,Venue City,Venue State/Province,Venue Zip," +
		"Venue Phone,Venue Website,Venue Featured Image\nTown Hall,%s,Belgium,Markt 1,First floor,Gent,East Flanders,9000,09 " +
		"123,www.hall.example.org,\n"
	for _, c := range []struct {
		text string
		want Action
	}{{"Old hall", Created}, {"Old hall", Unchanged}, {"New hall", Updated}} {
		if all := load(fmt.Sprintf(venues, c.text)); len(all) != 1 || all[0].Kind != Venues || all[0].Action != c.want {
			t.Errorf("%s: %+v", c.text, all)
		}
	}
	load("Organizer Name,Organizer Email\n\"Smith, Jones\",a@example.org\nAnna,b@example.org\n")
	id := b.texts(t, "SELECT ID FROM wp_posts WHERE post_title = 'Anna'")[0]
	load("Event Name,Event Start Date,Event End Date,Event Venue Name,Event Organizer Name(s) or ID(s),Allow Comments\n" +
		"i1,2031-06-10 10:00,2031-06-10 11:00,Town Hall,\"" + id + "\",TRUE\ni2,2031-06-10 10:00,2031-06-10 11:00,Town Hall,\"Smith, " +
		"Jones\",\ni3,2031-06-10 10:00,2031-06-10 11:00,Town Hall,\"Anna, Smith, Jones\",\n")
	if got := b.texts(t, "SELECT post_title FROM wp_posts WHERE post_type IN ('tribe_organizer', 'tribe_venue') ORDER BY "+
		"1"); !slices.Equal(got,
		[]string{"Anna", "Smith, Jones", "Town Hall"}) {
		t.Errorf("%q", got)
	}
	if text := b.export(t, FormatCSV); !strings.Contains(text, "Markt 1 First floor") || !strings.Contains(text,
		"http://www.hall.example.org") {
		t.Error(text)
	}
}

// What a file of venues or organizers has and the import cannot use counts among these, not among events. An unknown
// column is no item.
func TestRejectedRowsCountUnderTheirKind(t *testing.T) {
	b := ownEmptied(t)
	for text, kind := range map[string]Collection{
		"Venue Name,Shoe Size\nTown Hall,43\n,44\n":                                               Venues,
		"Organizer Name,Shoe Size\nAnna,43\n,44\n":                                                Organizers,
		"Event Name,Event Start Date,Shoe Size\nFair,2031-06-10 10:00,43\n,2031-06-10 10:00,44\n": Events,
	} {
		s, all := b.load(t, CSV(strings.NewReader(text), "a.csv", TableOptions{Calendar: b.Calendar}))
		want := map[Collection]map[Action]int64{kind: {Refused: 1, Created: 1}} // the row without a name
		if fmt.Sprint(s.Counts) != fmt.Sprint(want) || s.Problems != 2 || !strings.Contains(all[0].Problems[0].Error(), "Shoe Size") {
			t.Errorf("%s: %v, want %v: %v", kind, s.Counts, want, all)
		}
	}
}

// D85: an event that its source marks as private is stored as private, and so are items that only private events link,
// until a public event links them.
func TestD85PrivateIsPrivate(t *testing.T) {
	b := ownEmptied(t)
	const event = "UID:%s@example.org|SUMMARY:%s|DTSTART:20310610T180000Z|LOCATION:Studio|ORGANIZER;CN=Ann:mailto:ann@example.org|" +
		"CATEGORIES:Secret|CLASS:%s"
	stored := func() string {
		return strings.Join(b.texts(t, "SELECT CONCAT(post_title, ' ', post_status) FROM wp_posts WHERE post_type LIKE 'tribe%' ORDER "+
			"BY 1"), ", ")
	}
	load := func(want string, class ...string) {
		t.Helper()
		var list []string
		for i, c := range class {
			list = append(list, fmt.Sprintf(event, fmt.Sprint(i), fmt.Sprintf("Event %d", i), c))
		}
		_, all := b.load(t, fieldEvent("", list...))
		for _, o := range all {
			if len(o.Problems) > 0 {
				t.Errorf("%v", o.Problems)
			}
		}
		golden.Equal(t, class, stored(), want)
	}
	load("Ann private, Event 0 private, Studio private", "PRIVATE")
	if n := b.texts(t, "SELECT name FROM wp_terms WHERE name = 'Secret'"); len(n) != 0 {
		t.Error("a category that a private event alone has was made")
	}
	load("Ann private, Event 0 private, Studio private", "PRIVATE")
	load("Ann publish, Event 0 private, Event 1 publish, Studio publish", "PRIVATE", "PUBLIC")
	load("Ann publish, Event 0 publish, Event 1 private, Studio publish", "PUBLIC", "CONFIDENTIAL")
	execSQL(t, b.db, "UPDATE wp_posts SET post_status = 'draft' WHERE post_title = 'Event 1'")
	load("Ann publish, Event 0 publish, Event 1 draft, Studio publish", "PUBLIC", "PUBLIC")
	b.clear(t)
	_, _ = b.load(t, fieldEvent("", fmt.Sprintf(event, "a", "A", "PRIVATE"), fmt.Sprintf(event, "b", "B", "PUBLIC")),
		func(im *Importer) { im.Status = "publish" })
	golden.Equal(t, "with a status", stored(), "A publish, Ann publish, B publish, Studio publish")
	b.clear(t)
	b.load(t, jsonl(`,"status":"draft"}`, `},"password":"sesame"`))
	golden.Equal(t, "of JSON lines", stored(), "Item 0 draft, Item 1 private")
	b.clear(t)
	b.load(t, fieldEvent("", "UID:w@example.org|SUMMARY:Weekly|DTSTART:20310610T180000Z|RRULE:FREQ=WEEKLY;COUNT=3",
		"UID:w@example.org|SUMMARY:Weekly|RECURRENCE-ID:20310617T180000Z|DTSTART:20310617T180000Z|CLASS:PRIVATE",
		"UID:t@example.org|SUMMARY:Perhaps|DTSTART:20310610T180000Z|STATUS:TENTATIVE"))
	if got := b.listed(t, "Weekly"); len(got) != 2 || stored() != "Perhaps pending, Weekly publish" {
		t.Errorf("%q %s", got, stored())
	}
}

// Titles in the answers of an API are stored with characters instead of entities, so that searches find them; markup
// stays escaped.
func TestTitlesOfAnswers(t *testing.T) {
	for title, want := range map[string]string{
		"Rock &amp; Roll – it&#8217;s &#8220;live&#8221; &#8212; 5&#215;10": "Rock & Roll – it’s “live” — 5×10",
		"O&#8217;Neill &#038; Sons":                 "O’Neill & Sons",
		"a &lt;b&gt; &amp;lt; &amp;amp; &nosuch; &": "a &lt;b&gt; &amp;lt; &amp;amp; &nosuch; &",
	} {
		golden.Equal(t, title, characters(title), want)
	}
}

// D84: an endless rule is stored with at most MaxDates occurrences.
func TestD84EndlessRules(t *testing.T) {
	b := ownEmptied(t)
	for start, first := range map[string]string{"20261201T090000": "2026-12-01", "19900101T090000": "1990-01-01"} {
		b.clear(t)
		_, all := b.load(t, fieldEvent("", "UID:d@example.org|SUMMARY:Open|DTSTART;TZID=Europe/Brussels:"+start+"|RRULE:FREQ=DAILY"))
		if len(all) != 1 || all[0].Action != Created || len(all[0].Problems) > 0 {
			t.Fatalf("%+v", all)
		}
		n := b.texts(t, "SELECT CONCAT(COUNT(*), ' ', LEFT(MIN(start_date), 10)) FROM wp_tec_occurrences")
		if n[0] != "1000 "+first || b.records(t)[0].Values["recurrence"] == nil {
			t.Errorf("%s: %q", start, n)
		}
	}
}

// RFC 5546 3.2.5: a cancellation needs neither a title nor a start. It cancels an event, a date of an event, and a date
// that came without its event, which is an event of its own on sites whose events have one date.
func TestCancellationsWithoutTitles(t *testing.T) {
	single := "UID:single@example.org|SUMMARY:Single|DTSTART:20310610T180000Z"
	orphan := "UID:orphan@example.org|SUMMARY:Orphan|RECURRENCE-ID:20310612T180000Z|DTSTART:20310612T180000Z"
	canceled := func(b bench) (list []string) {
		for _, rec := range b.records(t) {
			if rec.State == StateCanceled {
				list = append(list, fmt.Sprint(rec.Values[fieldTitle]))
			}
		}
		slices.Sort(list)
		return list
	}
	message := func() Source {
		return fieldEvent("METHOD:CANCEL|", "UID:single@example.org|SEQUENCE:1", "UID:weekly@example.org|RECURRENCE-ID:20310617T180000Z",
			"UID:orphan@example.org|RECURRENCE-ID:20310612T180000Z", "UID:unknown@example.org|DTSTART:20310610T180000Z")
	}
	own, other := ownEmptied(t), emptySite(t)
	for name, b := range map[string]bench{"own": own, "other": other} {
		first := []string{single, orphan}
		if name == "own" {
			first = append(first, "UID:weekly@example.org|SUMMARY:Weekly|DTSTART:20310610T180000Z|RRULE:FREQ=WEEKLY;COUNT=3")
		}
		b.load(t, fieldEvent("", first...))
		_, all := b.load(t, message())
		for _, o := range all {
			if len(o.Problems) > 0 || o.Action == Created {
				t.Errorf("%s: %+v %v", name, o, o.Problems)
			}
		}
		if got := canceled(b); !slices.Equal(got, []string{"Orphan", "Single"}) {
			t.Errorf("%s: canceled: %q", name, got)
		}
		wantUnchanged(t, b, message())
	}
	if got := own.listed(t, "Weekly"); len(got) != 2 {
		t.Errorf("%q", got)
	}
	const two = "UID:two@example.org|SUMMARY:Two|"
	_, all := other.load(t, fieldEvent("", two+"STATUS:CANCELLED|RECURRENCE-ID:20310612T180000Z|DTSTART:20310612T180000Z",
		two+"RECURRENCE-ID:20310619T180000Z|DTSTART:20310619T180000Z"))
	if got := canceled(other); len(all) < 2 || all[1].Action != Created || !slices.Equal(got, []string{"Orphan", "Single"}) {
		t.Errorf("the date beside one that is cancelled: %+v, canceled: %q", all, got)
	}
}

// TestD85ExportsKeepPrivateVenues checks that an export that comes back does not publish a venue that is private since only
// private events name it.
func TestD85ExportsKeepPrivateVenues(t *testing.T) {
	b := ownEmptied(t)
	b.load(t, fieldEvent("", "UID:p@example.org|SUMMARY:Secret|DTSTART:20310610T180000Z|LOCATION:Studio|CLASS:PRIVATE"))
	var out strings.Builder
	e := &Exporter{Calendar: b.Calendar, Principal: editor, Format: FormatJSON, Query: url.Values{"status": {"private"}}}
	must.Get(e.Export(t.Context(), &out))(t)
	for _, change := range []func(*Importer){func(*Importer) {}, trusted} {
		b.load(t, JSONLines(strings.NewReader(out.String()), "a.jsonl"), change)
		if got := b.texts(t, "SELECT post_status FROM wp_posts WHERE post_title = 'Studio'"); !slices.Equal(got, []string{"private"}) {
			t.Errorf("the venue is %q", got)
		}
	}
}
