package event

import (
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/item"
)

func TestClockOfComparison(t *testing.T) {
	for _, c := range []struct {
		about, zone string
		inSite      bool
		query, want string
		order       bool
	}{
		{"each event's own clock", "Europe/Brussels", false, "starts_after=2026-12-05", "start > 2026-12-05 23:59:59", false},
		{"UTC columns where the site is in UTC", "UTC", false, "starts_after=2026-12-05", "start_utc > 2026-12-05 23:59:59", false},
		{"the site's clock, in winter", "Europe/Brussels", true, "starts_after=2026-12-05", "start_utc > 2026-12-05 22:59:59", true},
		{"the site's clock, in summer", "Europe/Brussels", true, "ends_before=2026-07-05", "end_utc < 2026-07-05 21:59:59", true},
		{"the site's clock, west", "America/New_York", true, "starts_after=2026-12-05", "start_utc > 2026-12-06 04:59:59", true},
		{"the site's clock, strict", "Asia/Tokyo", true, "strict_dates=1&starts_after=2026-12-05 01:00", "start_utc > 2026-12-04 16:00:00",
			true},
		{"the site's clock, UTC", "UTC", true, "starts_after=2026-12-05", "start_utc > 2026-12-05 23:59:59", true},
		{"a strict hour that summer time leaves out", "Europe/Brussels", true, "strict_dates=1&starts_after=2026-03-29 02:30",
			"start_utc > 2026-03-29 01:30:00", true},
	} {
		s := settings(c.zone)
		if c.inSite {
			inSiteZone(s)
		}
		k := events(morning)
		pairs := strings.Split(c.query, "&")
		if _, got := printed(t, k, s, pairs...); got != c.want {
			t.Errorf("%s: %s, want %s", c.about, got, c.want)
		}
		ctx, r, err := read(k, s, pairs...)
		if err != nil {
			t.Fatal(err)
		}
		if f, err := k.query(ctx, &item.View{Call: r}, &call.Page{}); err != nil || f.OrderUTC != c.order {
			t.Errorf("%s: ordered in UTC: %+v, %v", c.about, f, err)
		}
	}
}

func TestDaysThatBeginLate(t *testing.T) {
	k, s := events(morning), settings("Europe/Brussels", cutoff("06:00"))
	for query, want := range map[string]string{
		"start_date=2026-12-05&end_date=2026-12-05": "start >= 2026-12-05 06:00:00 and end <= 2026-12-06 05:59:59",
		"starts_after=2026-12-31":                   "start > 2027-01-01 05:59:59",
		"ends_before=2028-02-28":                    "end < 2028-02-29 05:59:59",
		"strict_dates=1&starts_after=2026-12-05":    "start > 2026-12-05 00:00:00",
	} {
		links, got := printed(t, k, s, strings.Split(query, "&")...)
		if got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
		// Such an address is followed with exact times.
		if _, again := printed(t, k, s, append(strings.Split(links, "&"), "strict_dates=true")...); again != want {
			t.Errorf("D2 %s followed: %s, want %s", query, again, want)
		}
	}
	for _, bad := range []string{"25:00", "6", "noon", "06:00:00", ";"} {
		_, got := printed(t, k, settings("Europe/Brussels", cutoff(bad)), "starts_after=2026-12-05")
		if got != "start > 2026-12-05 23:59:59" {
			t.Errorf("cutoff %q: %s", bad, got)
		}
	}
}

// The process's own zone decides nothing.
func TestProcessZoneDoesNotMatter(t *testing.T) {
	zone := time.Local
	t.Cleanup(func() { time.Local = zone })
	queries := []string{"", "strict_dates=1", "starts_after=tomorrow 10:00", "strict_dates=1&starts_after=tomorrow 10:00",
		"start_date=1796500800", "ends_after=0"}
	first := map[string]string{}
	for _, name := range []string{"UTC", "America/New_York", "Asia/Tokyo"} {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		time.Local = loc
		for _, q := range queries {
			links, compared := printed(t, events(morning.In(loc)), settings("Europe/Brussels"), strings.Split(q, "&")...)
			got := links + " " + compared
			if want, seen := first[q]; seen && got != want {
				t.Errorf("%s in %s: %s, want %s", q, name, got, want)
			}
			first[q] = got
		}
	}
}
