package event_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/schema"
)

// Dates that sites store, and how they are written.
func TestDatesOfFeeds(t *testing.T) {
	c := open(t)
	a := c.create("admin", "Fair", "")
	id, path := a.ID(), eventPath(a)
	for _, x := range []struct {
		about, zone, start, end string
		allDay                  bool
		want                    string // DTSTART and DTEND without their names, - for none
	}{
		{"summer", "Europe/Brussels", "2031-07-01 10:00:00", "2031-07-01 12:00:00", false,
			";TZID=Europe/Brussels:20310701T100000 ;TZID=Europe/Brussels:20310701T120000"},
		{"a name in small letters", "europe/brussels", "2031-07-01 10:00:00", "2031-07-01 12:00:00", false,
			";TZID=Europe/Brussels:20310701T100000 ;TZID=Europe/Brussels:20310701T120000"},
		{"the site's zone", "", "2031-07-01 10:00:00", "2031-07-01 12:00:00", false,
			";TZID=Europe/Brussels:20310701T100000 ;TZID=Europe/Brussels:20310701T120000"},
		{"an hour that is left out", "Europe/Brussels", "2031-03-30 02:30:00", "2031-03-30 04:00:00", false,
			";TZID=Europe/Brussels:20310330T033000 ;TZID=Europe/Brussels:20310330T040000"},
		{"the second of two equal hours", "Europe/Brussels", "2031-10-26 01:30:00", "2031-10-26 02:30:00", false,
			";TZID=Europe/Brussels:20311026T013000 :20311026T013000Z"},
		{"the first of two equal hours", "America/New_York", "2031-11-02 00:30:00", "2031-11-02 01:30:00", false,
			";TZID=America/New_York:20311102T003000 ;TZID=America/New_York:20311102T013000"},
		{"UTC", "UTC", "2031-07-01 10:00:00", "2031-07-01 12:00:00", false, ":20310701T100000Z :20310701T120000Z"},
		{"a fixed offset", "UTC+5.5", "2031-07-01 10:00:00", "2031-07-01 12:00:00", false, ":20310701T043000Z :20310701T063000Z"},
		{"an abbreviation", "CET", "2031-07-01 10:00:00", "2031-07-01 12:00:00", false, ":20310701T090000Z :20310701T110000Z"},
		{"an unknown zone", "Mars/Base", "2031-07-01 10:00:00", "2031-07-01 12:00:00", false, ":20330405T173000Z :20330405T200000Z"},
		{"no length", "UTC", "2031-07-01 10:00:00", "2031-07-01 10:00:00", false, ":20310701T100000Z -"},
		{"an end before the start", "UTC", "2031-07-01 10:00:00", "2031-07-01 09:00:00", false, ":20310701T100000Z -"},
		{"an end that is no date", "UTC", "2031-07-01 10:00:00", "soon", false, ":20310701T100000Z -"},
		{"a far end", "Europe/Brussels", "2031-07-01 10:00:00", "9999-12-31 23:59:59", false,
			";TZID=Europe/Brussels:20310701T100000 :99991231T225959Z"},
		{"a year of five digits", "UTC-5:30", "2031-07-01 10:00:00", "9999-12-31 23:59:59", false, ":20310701T153000Z -"},
		{"a day", "Asia/Tokyo", "2031-03-30 00:00:00", "2031-03-30 23:59:59", true, ";VALUE=DATE:20310330 ;VALUE=DATE:20310331"},
		{"days", "UTC+2", "2031-12-30 00:00:00", "2032-01-01 23:59:59", true, ";VALUE=DATE:20311230 ;VALUE=DATE:20320102"},
		{"a day until midnight", "UTC", "2031-07-01 00:00:00", "2031-07-02 00:00:00", true, ";VALUE=DATE:20310701 ;VALUE=DATE:20310702"},
		{"a day that begins late", "UTC", "2031-07-01 06:00:00", "2031-07-02 05:59:59", true, ";VALUE=DATE:20310701 ;VALUE=DATE:20310702"},
		{"days that begin late", "UTC", "2031-07-01 06:00:00", "2031-07-04 05:59:59", true, ";VALUE=DATE:20310701 ;VALUE=DATE:20310704"},
		{"a day without length", "UTC", "2031-07-01 00:00:00", "2031-07-01 00:00:00", true, ";VALUE=DATE:20310701 ;VALUE=DATE:20310702"},
		{"the last day", "UTC", "2031-07-01 00:00:00", "9999-12-31 23:59:59", true, ";VALUE=DATE:20310701 -"},
	} {
		for key, value := range map[string]string{
			schema.MetaTimezone: x.zone, schema.MetaStartDate: x.start, schema.MetaEndDate: x.end,
		} {
			c.Exec("UPDATE wp_postmeta SET meta_value = ? WHERE post_id = ? AND meta_key = ?", value, id, key)
		}
		c.Exec("DELETE FROM wp_postmeta WHERE post_id = ? AND meta_key = ?", id, schema.MetaAllDay)
		if x.allDay {
			c.Insert(&schema.PostMeta{PostID: id, Key: schema.MetaAllDay, Value: "yes"})
		}
		a := c.Must(http.StatusOK, "", "GET", path+"?_format=ics", "")
		calendar := apitest.ParseCalendar(t, a.Text)
		got := written(calendar.Events()[0], "DTSTART") + " " + written(calendar.Events()[0], "DTEND")
		if got != x.want {
			t.Errorf("%s: %s, want %s", x.about, got, x.want)
		}
		if zones := len(calendar.All("VTIMEZONE")); zones != min(strings.Count(x.want, "TZID"), 1) {
			t.Errorf("%s: %d zones", x.about, zones)
		}
	}
}

// written returns a line without its name, "-" if there is none.
func written(e *apitest.Component, name string) string {
	for _, line := range e.Lines {
		if rest, ok := strings.CutPrefix(line, name); ok {
			return rest
		}
	}
	return "-"
}

// An event without a date is in no calendar, which is still one; a draft has the moments of its
// local times.
func TestRowsOfFeeds(t *testing.T) {
	c := open(t)
	a := c.create("admin", "Rock &amp; roll, <em>live</em>; again", `,"status":"draft"`)
	path := eventPath(a) + "?_format=ics"
	c.Exec("UPDATE wp_posts SET post_date = '2030-07-01 12:00:00', post_date_gmt = '0000-00-00 00:00:00', "+
		"post_modified = '2030-12-01 12:00:00', post_modified_gmt = '0000-00-00 00:00:00', post_name = '' WHERE ID = ?", a.ID())
	got := c.Must(http.StatusOK, "admin", "GET", path, "")
	event := apitest.ParseCalendar(t, got.Text).Events()[0]
	for name, want := range map[string]string{
		"SUMMARY": `Rock & roll\, live\; again`, "CREATED": "20300701T100000Z", "DTSTAMP": "20301201T110000Z",
		"LAST-MODIFIED": "20301201T110000Z", "UID": fmt.Sprintf("%d-1996342200-1996351200@site.test", a.ID()),
	} {
		if value := event.Value(name); value != want {
			t.Errorf("%s is %q, want %q", name, value, want)
		}
	}
	if file := got.Header.Get("Content-Disposition"); file != fmt.Sprintf(`attachment; filename="event-%d.ics"`, a.ID()) {
		t.Errorf("Content-Disposition %s", file)
	}
	c.Exec("UPDATE wp_posts SET post_date = '0000-00-00 00:00:00', post_modified = '0000-00-00 00:00:00' WHERE ID = ?", a.ID())
	event = apitest.ParseCalendar(t, c.Must(http.StatusOK, "admin", "GET", path, "").Text).Events()[0]
	if event.Value("CREATED") != "" || event.Value("DTSTAMP") != "19700101T000000Z" {
		t.Errorf("without any moment: %q", event.Lines)
	}
	c.Settings.Name = "Rock &amp; Roll&#039;s"
	c.Exec("UPDATE wp_postmeta SET meta_value = 'soon' WHERE post_id = ? AND meta_key = ?", a.ID(), schema.MetaStartDate)
	calendar := apitest.ParseCalendar(t, c.Must(http.StatusOK, "admin", "GET", path, "").Text)
	if len(calendar.Events()) != 0 || len(calendar.Parts) != 1 || calendar.Parts[0].Value("TZID") != "UTC" ||
		calendar.Value("PRODID") != "-//Rock & Roll's - Agenda//NONSGML v1.0//EN" {
		t.Errorf("without a date: %s", calendar.Lines)
	}
}

// An event that does not take place as planned says so, and moves in calendars by another UID.
func TestStatusOfFeeds(t *testing.T) {
	c := open(t)
	a := c.create("admin", "Fair", "")
	path := eventPath(a) + "?_format=ics"
	c.Insert(&schema.PostMeta{PostID: a.ID(), Key: schema.MetaEventStatus, Value: ""})
	for stored, want := range map[string]string{"": "-", "scheduled": "-", "canceled": ":CANCELLED", "postponed": ":TENTATIVE"} {
		c.Exec("UPDATE wp_postmeta SET meta_value = ? WHERE post_id = ? AND meta_key = ?", stored, a.ID(), schema.MetaEventStatus)
		event := apitest.ParseCalendar(t, c.Must(http.StatusOK, "", "GET", path, "").Text).Events()[0]
		if got := written(event, "STATUS"); got != want {
			t.Errorf("%q: STATUS%s, want %s", stored, got, want)
		}
	}
	before := c.Must(http.StatusOK, "", "GET", path, "")
	c.Must(http.StatusOK, "admin", "PATCH", eventPath(a), `{"end_date":"2033-04-05 23:00"}`)
	after := c.Must(http.StatusOK, "", "GET", path, "", "If-None-Match", before.Header.Get("ETag"))
	uid := func(a apitest.Answer) string { return apitest.ParseCalendar(t, a.Text).Events()[0].Value("UID") }
	if uid(before) == uid(after) || !strings.HasPrefix(uid(after), fmt.Sprint(a.ID(), "-")) {
		t.Errorf("UID %s, then %s", uid(before), uid(after))
	}
}
