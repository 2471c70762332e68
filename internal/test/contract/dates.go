package contract

import (
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// days is a site with events around three days of July.
func days(t *testing.T, e Engine) *site {
	s := newSite(t, e)
	for _, p := range []thing{
		{slug: "running", start: "2030-07-08 12:00", end: "2030-07-11 12:00"},
		{slug: "before", start: "2030-07-09 20:00", end: "2030-07-09 23:59:59"},
		{slug: "midnight", start: "2030-07-10 00:00", end: "2030-07-10 01:00"},
		{slug: "allday", start: "2030-07-10 00:00", end: "2030-07-10 23:59:59", posted: "2030-01-02 00:00:00"},
		{slug: "noon", start: "2030-07-10 12:00", end: "2030-07-10 13:00"},
		{slug: "night", start: "2030-07-10 23:00", end: "2030-07-11 01:00"},
		{slug: "after", start: "2030-07-11 00:00", end: "2030-07-11 02:00"},
		{slug: "far", start: "2040-01-01 10:00"},
		{slug: "long", start: "2030-07-12 10:00", end: "2040-07-12 10:00"},
	} {
		s.event(p)
	}
	return s
}

// dateParameters proves what each bound keeps, and how bounds go together.
func dateParameters(t *testing.T, e Engine) {
	s := days(t, e)
	c := s.client(calendar.Options{})
	c.check("", []row{
		{"/events", "running before midnight allday noon night after"},
		{"/events?start_date=2030-07-10", "midnight allday noon night after"},
		{"/events?start_date=2030-07-09&end_date=2030-07-10", "before midnight allday noon"},
		{"/events?end_date=2030-07-10", "before midnight allday noon"},
		{"/events?start_date=2030-07-08&end_date=2030-07-11", "running before midnight allday noon night after"},
		{"/events?start_date=2030-07-10&end_date=2030-07-10", "midnight allday noon"},
		{"/events?start_date=2030-07-10+12:00&end_date=2030-07-10+12:00", "midnight allday noon"},
		{"/events?start_date=2039-01-01", ""},
		{"/events?end_date=2030-01-01", ""},
		{"/events?start_date=2031-01-01&end_date=2030-01-01", ""},
		{"/events?starts_after=2030-07-10", "after long far"},
		{"/events?starts_after=2030-07-09", "midnight allday noon night after long far"},
		{"/events?starts_before=2030-07-09", "running before"},
		{"/events?starts_before=2030-07-10", "running before midnight allday noon night"},
		{"/events?ends_after=2030-07-10", "running night after long far"},
		{"/events?ends_before=2030-07-10", "before midnight noon"},
		{"/events?ends_before=2030-07-09", ""},
		{"/events?end_date=2030-07-10&starts_after=2030-07-08", "before midnight allday noon"},
		{"/events?ends_after=2040-01-01", "long"},
		{"/events?ends_after=2039-12-31", "long far"},
		// starts_after takes the place of start_date, ends_before that of end_date.
		{"/events?start_date=2030-07-11&starts_after=2030-07-09", "midnight allday noon night after long far"},
		{"/events?start_date=2030-07-01&starts_after=2030-07-10", "after long far"},
		{"/events?end_date=2030-07-09&ends_before=2030-07-10", "before midnight noon"},
		{"/events?end_date=2030-07-09&starts_before=2030-07-10", "before"},
		{"/events?start_date=2030-07-10&ends_after=2030-07-10", "night after long far"},
		{"/events?start_date=2030-07-10&starts_before=2030-07-10", "midnight allday noon night"},
		{"/events?starts_after=2030-07-09&starts_before=2030-07-10&ends_after=2030-07-10&ends_before=2030-07-11", "night"},
		// The day is taken in UTC.
		{"/events?start_date=2030-07-10T23:30:00-05:00&end_date=2030-07-11", "after"},
		{"/events?start_date=2030-07-10T00:30:00%2B09:00&end_date=2030-07-09", "before"},
		{"/events?strict_dates=false&start_date=2030-07-10+12:00&end_date=2030-07-10+12:00", "midnight allday noon"},
	})
	for _, name := range []string{"start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after"} {
		for _, bad := range []string{"", "abc", "13/05/2026", "2026-13-01", "2026-12-32", "2026-12-05+25:00", "5+d%C3%A9c+2026", "1970-01-01"} {
			c.check("", []row{{"/events?" + name + "=" + bad, "400 rest_invalid_param " + name}})
		}
		c.check("", []row{{"/events?" + name + "[]=2030-07-10", "400 rest_invalid_param " + name}})
	}
	c.check("", []row{
		{"/events?ends_after=abc&page=0&start_date=def&per_page=-1&categories=nope&featured=maybe", "400 rest_invalid_param page,per_page,start_date,ends_after,categories"},
		{"/events?geoloc=x&featured=maybe", "400 rest_invalid_param geoloc,featured"},
	})
}

// strictDates proves that exact times are those of the site's clock.
func strictDates(t *testing.T, e Engine) {
	s := days(t, e)
	c := s.client(calendar.Options{})
	c.check("", []row{
		{"/events?strict_dates=true&start_date=2030-07-10+12:00:00&end_date=2030-07-10+13:00:00", "noon"},
		{"/events?strict_dates=true&start_date=2030-07-10+12:00:01&end_date=2030-07-11", ""},
		{"/events?strict_dates=true&start_date=2030-07-10+12:00:01&end_date=2030-07-11+02:00", "night after"},
		{"/events?strict_dates=true&start_date=2030-07-10T10:00:00Z&end_date=2030-07-10T11:00:00Z", "noon"},
		{"/events?strict_dates=true&start_date=2030-07-10T06:00:00-04:00&end_date=2030-07-10T13:00:00%2B02:00", "noon"},
		{"/events?strict_dates=true&start_date=2030-07-10T10:00:01Z&end_date=2030-07-10T23:59:00Z", "night"},
		{"/events?strict_dates=1&starts_after=2030-07-10+12:00&ends_before=2030-07-11+01:00:01", "night"},
		{"/events?strict_dates=1&starts_after=2030-07-10+11:59:59&ends_before=2030-07-10+13:00:01", "noon"},
		{"/events?strict_dates=1&starts_before=2030-07-10&ends_after=2030-07-10", "running"},
		{"/events?strict_dates=1&start_date=1909908000&end_date=1909911600", "noon"},
	})
	wide, narrow := "before midnight allday noon", "midnight noon"
	for word, want := range map[string]string{
		"1": narrow, "true": narrow, "TRUE": narrow, "on": narrow, "yes": narrow, "Yes": narrow,
		"0": wide, "false": wide, "banana": wide, "no": wide, "2": wide, "00": wide,
	} {
		c.check("", []row{{"/events?start_date=2030-07-09+22:00&end_date=2030-07-10+13:00&strict_dates=" + word, want}})
	}
	c.check("", []row{{"/events?strict_dates=", "400 rest_invalid_param strict_dates"}, {"/events?strict_dates[]=1", "400 rest_invalid_param strict_dates"}})
	a := c.get("/events?strict_dates=true&start_date=2030-12-05+18:30:00&end_date=2030-12-05T18:30:00Z", "")
	got := c.queryOf("/events?strict_dates=true&start_date=2030-12-05+18:30:00&end_date=2030-12-05T18:30:00Z", "rest_url")
	if got.Get("start_date") != "2030-12-05 18:30:00" || got.Get("end_date") != "2030-12-05 19:30:00" || got.Get("strict_dates") != "true" {
		t.Errorf("%s: rest_url has %v", a.request, got)
	}
	// The hour that the clock leaves out is a time to compare with all the same.
	if got := c.queryOf("/events?strict_dates=true&start_date=2030-03-31+02:30:00", "rest_url"); got.Get("start_date") != "2030-03-31 02:30:00" {
		t.Errorf("rest_url has start_date %s", got.Get("start_date"))
	}
	s.option(schema.OptionCalendar, `a:1:{s:14:"multiDayCutoff";s:5:"06:00";}`)
	s.client(calendar.Options{}).check("", []row{
		{"/events?start_date=2030-07-10&end_date=2030-07-10", "noon night after"},
		{"/events?start_date=2030-07-09&end_date=2030-07-09", "before midnight"},
		{"/events?starts_after=2030-07-09&starts_before=2030-07-10", "noon night after"},
		{"/events?strict_dates=true&start_date=2030-07-10+00:00&end_date=2030-07-10+13:00", "midnight noon"},
	})
}

// texts are spellings of dates and the day that they mean, at the moment of
// recordedDay.
var dateTexts = []struct{ text, day string }{
	{"2026-12-05", "2026-12-05"}, {"2026/12/05", "2026-12-05"}, {"2026-12-5", "2026-12-05"}, {"26-12-05", "2026-12-05"}, {"+2026-12-05+", "2026-12-05"},
	{"2026-12-05+19:30", "2026-12-05"}, {"2026-12-05+19:30:00.123", "2026-12-05"}, {"2026-12-05T19:30:00Z", "2026-12-05"}, {"20261205T193000", "2026-12-05"},
	{"2026-12-05+19:30:00+America/New_York", "2026-12-06"}, {"2026-12", "2026-12-01"}, {"December+2026", "2026-12-01"}, {"12/05/2026", "2026-12-05"},
	{"05/12/2026", "2026-05-12"}, {"05-12-2026", "2026-12-05"}, {"05.12.2026", "2026-12-05"}, {"5+December+2026", "2026-12-05"}, {"Dec+5+2026", "2026-12-05"},
	{"Sat,+05+Dec+2026+10:00:00+%2B0000", "2026-12-05"}, {"1796500800", "2026-12-05"}, {"@1796500800", "2026-12-05"}, {"-86400", "1969-12-31"},
	{"now", "2026-11-21"}, {"today", "2026-11-21"}, {"midnight", "2026-11-21"}, {"noon", "2026-11-21"}, {"19:30", "2026-11-21"}, {"7pm", "2026-11-21"},
	{"tomorrow", "2026-11-22"}, {"tomorrow+10:00", "2026-11-22"}, {"yesterday", "2026-11-20"}, {"%2B1+week", "2026-11-28"}, {"next+monday", "2026-11-23"},
	{"monday", "2026-11-23"}, {"first+day+of+next+month", "2026-12-01"}, {"last+day+of+february+2027", "2027-02-28"}, {"2026-W49", "2026-11-30"},
	{"2026-339", "2026-12-05"}, {"2026-02-30", "2026-03-02"}, {"2026-12-05+24:00:00", "2026-12-06"}, {"2026", "1970-01-01"}, {"20261205", "1970-08-23"},
	{"0", "2026-11-21"}, {"+", "2026-11-21"},
}

// dateDefaults proves the range of a list without dates, and the days that
// texts mean.
func dateDefaults(t *testing.T, e Engine) {
	s := newSite(t, e)
	at := func(now time.Time) *client { return s.client(calendar.Options{Now: func() time.Time { return now }}) }
	printed := func(c *client, path string) string {
		q := c.queryOf(path, "rest_url")
		var days []string
		for _, name := range []string{"start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after"} {
			if q.Has(name) {
				days = append(days, name+" "+q.Get(name))
			}
		}
		return strings.Join(days, ", ")
	}
	c := at(recordedDay)
	for _, x := range dateTexts {
		day := x.day
		want := map[string]string{"start_date": day + " 00:00:00", "ends_after": day + " 23:59:59"}
		if x.day == "1970-01-01" {
			want["start_date"] = day + " 00:00:01" // the first moment itself is no date
		}
		for name, wall := range want {
			if got := printed(c, "/events?end_date=2027-01-01&"+name+"="+x.text); !strings.Contains(got, name+" "+wall) {
				t.Errorf("%s=%s means %s, want %s", name, x.text, got, wall)
			}
		}
	}
	for path, want := range map[string]string{
		"/events":                                              "start_date 2026-11-21 00:00:00, end_date 2028-11-21 23:59:59",
		"/events?start_date=2026-12-01":                        "start_date 2026-12-01 00:00:00, end_date 2028-11-21 23:59:59",
		"/events?end_date=2026-12-01":                          "start_date 2026-11-21 00:00:00, end_date 2026-12-01 23:59:59",
		"/events?starts_after=2026-12-01":                      "starts_after 2026-12-01 23:59:59",
		"/events?ends_before=2026-12-01&start_date=2026-11-01": "start_date 2026-11-01 00:00:00, ends_before 2026-12-01 23:59:59",
		"/events?starts_before=2026-12-01&end_date=2027-01-01": "end_date 2027-01-01 23:59:59, starts_before 2026-12-01 23:59:59",
		"/events?strict_dates=true":                            "start_date 2026-11-21 00:59:00, end_date 2028-11-21 05:57:00",
	} {
		if got := printed(c, path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	for zone, start := range map[string]string{
		"UTC": "2026-11-20", "America/New_York": "2026-11-20", "Asia/Tokyo": "2026-11-21", "Asia/Kolkata": "2026-11-21",
		"gmt_offset 2": "2026-11-21", "gmt_offset 5.5": "2026-11-21", "gmt_offset -3": "2026-11-20", "gmt_offset 0": "2026-11-20",
	} {
		name, offset, _ := strings.Cut(zone, " ")
		if offset != "" {
			name = ""
		}
		s.option(schema.OptionTimezone, name)
		s.option(schema.OptionGMTOffset, offset)
		if got, want := printed(at(recordedDay), "/events"), "start_date "+start+" 00:00:00, end_date 2028-11-21 23:59:59"; got != want {
			t.Errorf("in %s: %s, want %s", zone, got, want)
		}
	}
}
