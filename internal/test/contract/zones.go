package contract

import (
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// zonesOfEvents is a site with events of several zones on two days.
func zonesOfEvents(t *testing.T, e Engine) *site {
	s := newSite(t, e)
	for _, p := range []thing{
		{slug: "brussels", start: "2030-12-05 19:30", zone: "Europe/Brussels"},
		{slug: "new-york", start: "2030-12-05 19:30", zone: "America/New_York"},
		{slug: "utc", start: "2030-12-06 00:30", zone: "UTC"},
		{slug: "tokyo", start: "2030-12-06 01:00", zone: "Asia/Tokyo"},
		{slug: "plus", start: "2030-12-06 10:00", zone: "UTC+5.5"},
		{slug: "minus", start: "2030-12-06 10:00", zone: "UTC-3"},
	} {
		s.event(p)
	}
	return s
}

// siteZones proves on which clock dates are compared and ordered.
func siteZones(t *testing.T, e Engine) {
	s := zonesOfEvents(t, e)
	set := func(zone, options string) *client {
		s.option(schema.OptionTimezone, zone)
		s.option(schema.OptionCalendar, options)
		return s.client(calendar.Options{})
	}
	const own, inSite = "a:0:{}", `a:1:{s:26:"tribe_events_timezone_mode";s:4:"site";}`
	both := "/events?start_date=2030-12-05&end_date=2030-12-06"
	set("Europe/Brussels", own).check("", []row{
		{both, "brussels new-york utc tokyo plus minus"},
		{"/events?start_date=2030-12-06&end_date=2030-12-06", "utc tokyo plus minus"},
		{"/events?strict_dates=1&start_date=2030-12-05+19:30&end_date=2030-12-06+02:00", "brussels new-york utc tokyo"},
		{both + "&order=desc", "plus minus tokyo utc brussels new-york"},
	})
	set("America/New_York", own).check("", []row{{both, "brussels new-york utc tokyo plus minus"}})
	// In the site's zone everything is compared as an instant and ordered as one.
	set("Europe/Brussels", inSite).check("", []row{
		{both, "tokyo brussels new-york utc plus minus"},
		{"/events?start_date=2030-12-06&end_date=2030-12-06", "new-york utc plus minus"},
		{"/events?start_date=2030-12-05&end_date=2030-12-05", "tokyo brussels"},
		{"/events?strict_dates=1&start_date=2030-12-05+17:00&end_date=2030-12-05+19:30", "tokyo"},
		{"/events?starts_after=2030-12-05", "new-york utc plus minus"},
		{both + "&order=desc", "minus plus new-york utc brussels tokyo"},
	})
	set("America/New_York", inSite).check("", []row{
		{"/events?start_date=2030-12-05&end_date=2030-12-05", "tokyo brussels new-york utc"},
		{"/events?start_date=2030-12-06&end_date=2030-12-06", "minus"},
	})
	// A site in UTC compares instants too, but keeps the order of the clocks.
	for _, zone := range []string{"UTC", ""} {
		set(zone, own).check("", []row{
			{both, "brussels new-york utc tokyo plus minus"},
			{"/events?start_date=2030-12-05&end_date=2030-12-05", "brussels tokyo"},
			{"/events?start_date=2030-12-06&end_date=2030-12-06", "new-york utc plus minus"},
		})
	}
	s.option(schema.OptionGMTOffset, "-5")
	set("", inSite).check("", []row{{"/events?start_date=2030-12-06&end_date=2030-12-06", "minus"}})
}

// storedZones proves that zones and UTC times are printed as they are stored.
func storedZones(t *testing.T, e Engine) {
	s := newSite(t, e)
	for slug, m := range map[string][3]string{
		"offset": {"UTC+5.5", "UTC+5.5", "2030-07-01 04:30:00"}, "west": {"UTC-3", "UTC-3", "2030-07-01 13:00:00"}, "half": {"UTC+5:30", "", "2030-07-01 04:30:00"},
		"named": {"Europe/Brussels", "CEST", "2030-07-01 08:00:00"}, "stale": {"UTC+2", "EST", "2030-07-01 15:00:00"}, "odd": {"Mars/Olympus", "x", ""}, "none": {"", "", "2030-07-01 10:00:00"},
	} {
		s.event(thing{slug: slug, start: "2030-07-01 10:00", meta: [][2]string{
			{schema.MetaTimezone, m[0]}, {schema.MetaTimezoneAbbr, m[1]}, {schema.MetaStartDateUTC, m[2]},
		}})
		a := s.client(calendar.Options{}).get("/events/by-slug/"+slug, "")
		a.holds(t, [][2]string{
			{"timezone", `"` + m[0] + `"`}, {"timezone_abbr", `"` + m[1] + `"`}, {"utc_start_date", `"` + m[2] + `"`}, {"start_date", `"2030-07-01 10:00:00"`},
		})
	}
}
