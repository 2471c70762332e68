package calendar_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// datesIn returns the lines of a calendar that say when an event is, without the name of the zone. Components are separated by "-".
func datesIn(text, uid string) (lines []string) {
	for part := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n ", ""), "BEGIN:VEVENT\r\n") {
		if !strings.Contains(part, "\r\nUID:"+uid) {
			continue
		}
		lines = append(lines, "-")
		for line := range strings.SplitSeq(part, "\r\n") {
			name, value, _ := strings.Cut(line, ":")
			name, _, _ = strings.Cut(name, ";")
			if slices.Contains([]string{"DTSTART", "DTEND", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID"}, name) {
				lines = append(lines, name+" "+value)
			}
		}
	}
	return lines
}

// D70: on a site of our own an event with several dates is one component with its rule, and one for each date that differs; with
// dates=each, and on any other site, it is one for each date.
func TestD70Feeds(t *testing.T) {
	t.Parallel()
	db := testdb.SiteDates(t)
	c := siteOfDates(t, db, calendar.DatesAuto)
	const feed = "/events?_format=ics&start_date=2026-01-01&end_date=2030-01-01"
	shared := c.Get("", feed+"&dates=each").Text
	got := c.Get("", feed).Text
	if got != shared || strings.Contains(got, "RRULE:FREQ=WEEKLY") || strings.Count(got, "BEGIN:VEVENT") != 13 {
		t.Errorf("a site that is not our own: %s", got)
	}
	for _, statement := range []string{
		"INSERT INTO wp_options (option_name, option_value) VALUES ('agenda_site', '1')",
		"UPDATE wp_options SET option_value = '' WHERE option_name IN ('tec_events_recurrence_active', 'active_plugins')",
		"UPDATE wp_tec_events SET rset = CONCAT(rset, '\nRDATE;TZID=Europe/Brussels;VALUE=PERIOD:20261209T100000/20261209T113000" +
			"\nEXDATE:20261208T090000') WHERE post_id = 9",
	} {
		execute(t, db.DB, statement)
	}
	check := func(what, text, uid, want string) {
		t.Helper()
		if got := strings.Join(datesIn(text, uid), " "); got != want {
			t.Errorf("%s: %s\nwant %s", what, got, want)
		}
	}
	whole := c.Get("", feed)
	const ruled = "- DTSTART 20261201T090000 DTEND 20261201T100000 RRULE FREQ=WEEKLY;COUNT=3 " +
		"- RECURRENCE-ID 20261208T090000 DTSTART 20261209T100000 DTEND 20261209T113000"
	check("a rule", whole.Text, "9-1796115600-1796119200@site.test", ruled)
	const explicit = "- DTSTART 20261028T120000 DTEND 20261028T130000 RRULE FREQ=DAILY;COUNT=1 RDATE 20261102T120000 " +
		"RDATE 20261130T120000 RDATE 20261207T120000 - RECURRENCE-ID 20261102T120000 DTSTART 20261102T120000 DTEND 20261102T130000 " +
		"- RECURRENCE-ID 20261130T120000 DTSTART 20261130T120000 DTEND 20261130T130000 " +
		"- RECURRENCE-ID 20261207T120000 DTSTART 20261207T120000 DTEND 20261207T130000"
	check("explicit dates", whole.Text, "10-1793188800-1793192400@site.test", explicit)
	check("one date", whole.Text, "7-", "- DTSTART 20261210T180000 DTEND 20261210T200000")
	if n := whole.Header.Get("X-TEC-Total"); n != "4" {
		t.Errorf("%s events", n)
	}
	check("one event", c.Get("", "/events/9?_format=ics").Text, "9-1796115600-1796119200@site.test", ruled)
	check("a date", c.Get("", "/events/10000006?_format=ics").Text, "10000006-", "- DTSTART 20261212T140000 DTEND 20261212T160000")
	if got := c.Get("", feed+"&dates=each").Text; got != shared {
		t.Errorf("each date: %s\nwant %s", got, shared)
	}
	each := c.Get("", "/events/8?_format=ics&dates=each").Text
	for _, p := range []string{"10000002", "10000005", "10000006", "10000007", "10000008"} {
		if len(datesIn(each, p+"-")) != 3 || strings.Count(each, "BEGIN:VEVENT") != 5 {
			t.Errorf("each date of an event: %s", each)
		}
	}
	execute(t, db.DB, "UPDATE wp_tec_events SET timezone = 'UTC+2' WHERE post_id = 9")
	execute(t, db.DB, "UPDATE wp_postmeta SET meta_value = 'UTC+2' WHERE post_id = 9 AND meta_key = '_EventTimezone'")
	again := c.Get("", "/events/9?_format=ics")
	check("a rule in a zone without a name", again.Text, "9-", "- "+
		"DTSTART 20261201T070000Z DTEND 20261201T080000Z RRULE FREQ=DAILY;COUNT=1 "+
		"RDATE 20261208T070000Z RDATE 20261215T070000Z - RECURRENCE-ID 20261208T070000Z DTSTART 20261208T070000Z DTEND 20261208T080000Z "+
		"- RECURRENCE-ID 20261215T070000Z DTSTART 20261215T070000Z DTEND 20261215T080000Z")
	if whole.Header.Get("ETag") == "" || again.Header.Get("ETag") == whole.Header.Get("ETag") {
		t.Errorf("a validator that does not follow the dates: %s", again.Header)
	}
}
