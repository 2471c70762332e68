package event

import (
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/wp/strtotime"
)

// Stored schedules that the requests of these tests change.
var (
	evening = schedule{"2033-04-05 19:30:00", "2033-04-05 22:00:00", "2033-04-05 17:30:00", "2033-04-05 20:00:00", "Europe/Brussels",
		"CEST", false, "9000"}
	days = schedule{"2033-06-01 00:00:00", "2033-06-03 23:59:59", "2033-05-31 22:00:00", "2033-06-03 21:59:59", "Europe/Brussels",
		"CEST", true, ""}
	tokyo = schedule{"2033-04-05 19:30:00", "2033-04-05 22:00:00", "2033-04-05 10:30:00", "2033-04-05 13:00:00", "Asia/Tokyo", "JST",
		false, "9000"}
	twice = schedule{"2033-10-30 02:30:00", "2033-10-30 04:00:00", "2033-10-30 00:30:00", "2033-10-30 03:00:00", "Europe/Brussels",
		"CEST", false, "9000"}
	// Stored by a program that mistakes the offset for a zone with daylight saving time.
	offset = schedule{"2033-07-05 10:00:00", "2033-07-05 12:00:00", "2033-07-05 07:00:00", "2033-07-05 09:00:00", "UTC+2", "UTC+2", false,
		"7200"}
	broken = schedule{start: "soon", end: "2033-04-05 22:00:00", endUTC: "2033-04-05 20:00:00", zone: "Europe/Brussels", abbr: "CET"}
	nodate = schedule{zone: "Europe/Brussels", abbr: "CET"}
	nozone = schedule{"2033-04-05 19:30:00", "2033-04-05 22:00:00", "2033-04-05 17:30:00", "2033-04-05 20:00:00", "", "", false, "9000"}
	lost   = schedule{"2033-04-05 19:30:00", "2033-04-05 22:00:00", "2033-04-05 17:30:00", "2033-04-05 20:00:00", "Mars/Olympus", "MO",
		false, "9000"}
	ended = schedule{"2033-04-05 19:30:00", "2033-04-05 19:30:00", "2033-04-05 17:30:00", "2033-04-05 15:30:00", "Europe/Brussels", "CEST",
		false, "0"}
)

// TestChangedSchedules checks D34: what a request omits stays as it is.
func TestChangedSchedules(t *testing.T) {
	for _, c := range []struct {
		about string
		was   schedule
		given timing
		want  string // "" for no change
	}{
		{"nothing", evening, said(), ""},
		{"a start", evening, said("start", "2033-04-05 18:00"),
			"2033-04-05 18:00:00..2033-04-05 22:00:00 2033-04-05 16:00:00..2033-04-05 20:00:00 Europe/Brussels CEST 14400"},
		{"an end", evening, said("end", "2033-04-06"),
			"2033-04-05 19:30:00..2033-04-06 00:00:00 2033-04-05 17:30:00..2033-04-05 22:00:00 Europe/Brussels CEST 16200"},
		{"a start after the end", evening, said("start", "2033-04-05 22:00:01"), "end_date fault_end_before_start"},
		{"a start at the end", evening, said("start", "2033-04-05 22:00:00"),
			"2033-04-05 22:00:00..2033-04-05 22:00:00 2033-04-05 20:00:00..2033-04-05 20:00:00 Europe/Brussels CEST 0"},
		{"an end before the start", evening, said("end", "2033-04-05 19:29:59"), "end_date fault_end_before_start"},
		{"both, in the stored zone", tokyo, said("start", "2033-05-01 10:00", "end", "2033-05-01 11:00"),
			"2033-05-01 10:00:00..2033-05-01 11:00:00 2033-05-01 01:00:00..2033-05-01 02:00:00 Asia/Tokyo JST 3600"},
		{"an instant, in the stored zone", tokyo, said("start", "2033-04-05T10:00:00Z"),
			"2033-04-05 19:00:00..2033-04-05 22:00:00 2033-04-05 10:00:00..2033-04-05 13:00:00 Asia/Tokyo JST 10800"},
		{"winter", evening, said("start", "2033-01-05 19:30", "end", "2033-01-05 22:00"),
			"2033-01-05 19:30:00..2033-01-05 22:00:00 2033-01-05 18:30:00..2033-01-05 21:00:00 Europe/Brussels CET 9000"},
		{"what is stored", evening, said("start", "2033-04-05 19:30:00", "end", "2033-04-05T22:00", "zone", "Europe/Brussels"), ""},
		{"what is stored, not whole days", evening, timing{allDay: new(bool)}, ""},
		{"a zone", evening, said("zone", "Asia/Tokyo"),
			"2033-04-05 19:30:00..2033-04-05 22:00:00 2033-04-05 10:30:00..2033-04-05 13:00:00 Asia/Tokyo JST 9000"},
		{"a zone with the same clock", evening, said("zone", "Europe/Paris"),
			"2033-04-05 19:30:00..2033-04-05 22:00:00 2033-04-05 17:30:00..2033-04-05 20:00:00 Europe/Paris CEST 9000"},
		{"the site's zone", tokyo, said("zone", ""),
			"2033-04-05 19:30:00..2033-04-05 22:00:00 2033-04-05 17:30:00..2033-04-05 20:00:00 Europe/Brussels CEST 9000"},
		{"a zone and a start", evening, said("zone", "Asia/Tokyo", "start", "2033-04-05 19:00"),
			"2033-04-05 19:00:00..2033-04-05 22:00:00 2033-04-05 10:00:00..2033-04-05 13:00:00 Asia/Tokyo JST 10800"},
		{"whole days", evening, said("all_day", "true"),
			"2033-04-05 00:00:00..2033-04-05 23:59:59 2033-04-04 22:00:00..2033-04-05 21:59:59 Europe/Brussels CEST day"},
		{"whole days and an end", evening, said("all_day", "true", "end", "2033-04-07 10:00"),
			"2033-04-05 00:00:00..2033-04-07 23:59:59 2033-04-04 22:00:00..2033-04-07 21:59:59 Europe/Brussels CEST day"},
		{"whole days again", days, said("all_day", "true"), ""},
		{"whole days with their dates again", days, said("all_day", "true", "start", "2033-06-01 00:00:00", "end", "2033-06-03 23:59:59"),
			""},
		{"a start of whole days", days, said("start", "2033-06-02 15:00"),
			"2033-06-02 00:00:00..2033-06-03 23:59:59 2033-06-01 22:00:00..2033-06-03 21:59:59 Europe/Brussels CEST day"},
		{"a zone of whole days", days, said("zone", "UTC+2"),
			"2033-06-01 00:00:00..2033-06-03 23:59:59 2033-05-31 22:00:00..2033-06-03 21:59:59 UTC+2 UTC+2 day"},
		{"no whole days", days, said("all_day", "false"),
			"2033-06-01 00:00:00..2033-06-03 23:59:59 2033-05-31 22:00:00..2033-06-03 21:59:59 Europe/Brussels CEST 259199"},
		{"no whole days, with times", days, said("all_day", "false", "start", "2033-06-01 10:00", "end", "2033-06-01 12:00"),
			"2033-06-01 10:00:00..2033-06-01 12:00:00 2033-06-01 08:00:00..2033-06-01 10:00:00 Europe/Brussels CEST 7200"},
		{"the first of two hours again", twice, said("start", "2033-10-30 02:30:00"), ""},
		{"the second of two hours", twice, said("start", "2033-10-30T02:30:00+01:00"),
			"2033-10-30 02:30:00..2033-10-30 04:00:00 2033-10-30 01:30:00..2033-10-30 03:00:00 Europe/Brussels CET 5400"},
		{"an end earlier by the clock alone", twice, said("end", "2033-10-30T01:10:00Z"), "end_date fault_end_before_start"},
		{"an offset stored otherwise, again", offset, said("start", "2033-07-05 10:00:00", "end", "2033-07-05 12:00:00", "zone", "UTC+2"),
			""},
		{"an end at an offset stored otherwise", offset, said("end", "2033-07-05 13:00"),
			"2033-07-05 10:00:00..2033-07-05 13:00:00 2033-07-05 07:00:00..2033-07-05 11:00:00 UTC+2 UTC+2 14400"},
		{"an end of a broken one", broken, said("end", "2033-04-05 23:00"),
			"soon..2033-04-05 23:00:00 ..2033-04-05 21:00:00 Europe/Brussels CET "},
		{"a start of a broken one", broken, said("start", "2033-04-05 21:00"),
			"2033-04-05 21:00:00..2033-04-05 22:00:00 2033-04-05 19:00:00..2033-04-05 20:00:00 Europe/Brussels CEST 3600"},
		{"a zone of a broken one", broken, said("zone", "UTC"), "soon..2033-04-05 22:00:00 ..2033-04-05 22:00:00 UTC UTC "},
		{"whole days of a broken one", broken, said("all_day", "true"),
			"soon..2033-04-05 23:59:59 ..2033-04-05 21:59:59 Europe/Brussels CET day"},
		{"whole days without dates", nodate, said("all_day", "true"), ".. .. Europe/Brussels CET day"},
		{"dates where there were none", nodate, said("start", "2033-04-05 21:00", "end", "2033-04-05 22:00"),
			"2033-04-05 21:00:00..2033-04-05 22:00:00 2033-04-05 19:00:00..2033-04-05 20:00:00 Europe/Brussels CEST 3600"},
		{"a start without a zone", nozone, said("start", "2033-04-05 21:00"),
			"2033-04-05 21:00:00..2033-04-05 22:00:00 2033-04-05 19:00:00..2033-04-05 20:00:00 Europe/Brussels CEST 3600"},
		{"a start in an unknown zone", lost, said("start", "2033-04-05 21:00"),
			"2033-04-05 21:00:00..2033-04-05 22:00:00 2033-04-05 19:00:00..2033-04-05 20:00:00 Mars/Olympus MO 3600"},
		{"one stored with an end before its start", ended, said("start", "2033-04-05 19:30:00"), ""},
		{"a zone of one stored with an end before its start", ended, said("zone", "UTC"),
			"2033-04-05 19:30:00..2033-04-05 19:30:00 2033-04-05 19:30:00..2033-04-05 19:30:00 UTC UTC 0"},
		{"no date", evening, said("start", "0"), "start_date fault_date"},
		{"no dates", evening, said("start", "0", "end", "0"), "start_date fault_date"},
		{"the last second that can be stored", evening, said("end", "253402300799"),
			"2033-04-05 19:30:00..9999-12-31 23:59:59 2033-04-05 17:30:00..9999-12-31 22:59:59 Europe/Brussels CEST 251405962199"},
		{"a year that no column takes in UTC", evening, said("zone", "UTC-5", "end", "9999-12-31 23:00"), "end_date fault_date"},
		{"a year too far", evening, said("end", "99999999999999"), "end_date fault_date"},
	} {
		s, err := brussels().change(c.was, c.given)
		got := s.text()
		if err != nil {
			got = faultOf(t, err)
		}
		want := c.want
		if want == "" {
			want = c.was.text()
		}
		if got != want {
			t.Errorf("%s:\n got  %s\n want %s", c.about, got, want)
		}
		if err == nil && c.want == "" && s != c.was {
			t.Errorf("%s: changed", c.about)
		}
	}
}

func TestNewSchedules(t *testing.T) {
	for _, c := range []struct {
		about string
		p     planner
		given timing
		want  string
	}{
		{"a gap in the west", brussels(), said("start", "2030-03-10 02:30", "end", "2030-03-10 04:00", "zone", "America/New_York"),
			"2030-03-10 03:30:00..2030-03-10 04:00:00 2030-03-10 07:30:00..2030-03-10 08:00:00 America/New_York EDT 1800"},
		{"an overlap in the west", brussels(), said("start", "2030-11-03 01:30", "end", "2030-11-03 03:00", "zone", "America/New_York"),
			"2030-11-03 01:30:00..2030-11-03 03:00:00 2030-11-03 05:30:00..2030-11-03 08:00:00 America/New_York EDT 9000"},
		{"an overlap in the east", brussels(), said("start", "2030-10-27 01:30", "end", "2030-10-27 03:30"),
			"2030-10-27 01:30:00..2030-10-27 03:30:00 2030-10-26 23:30:00..2030-10-27 02:30:00 Europe/Brussels CEST 10800"},
		{"an instant in the first of two hours", brussels(), said("start", "2030-10-27T00:30:00Z", "end", "2030-10-27T01:30:00Z"),
			"2030-10-27 02:30:00..2030-10-27 02:30:00 2030-10-27 00:30:00..2030-10-27 01:30:00 Europe/Brussels CEST 3600"},
		{"offsets", brussels(), said("start", "2033-05-01T10:00:00+05:00", "end", "2033-05-01 10:00 America/New_York"),
			"2033-05-01 07:00:00..2033-05-01 16:00:00 2033-05-01 05:00:00..2033-05-01 14:00:00 Europe/Brussels CEST 32400"},
		{"a timestamp", brussels(), said("start", "@1950000000", "end", "@1950003600"),
			"2031-10-17 12:40:00..2031-10-17 13:40:00 2031-10-17 10:40:00..2031-10-17 11:40:00 Europe/Brussels CEST 3600"},
		{"whole days by an instant", brussels(), said("start", "2033-06-01T22:30:00Z", "end", "2033-06-02T22:30:00Z", "all_day", "true"),
			"2033-06-02 00:00:00..2033-06-03 23:59:59 2033-06-01 22:00:00..2033-06-03 21:59:59 Europe/Brussels CEST day"},
		{"a bare number", brussels(), said("start", "1894701600", "end", " 1894705200"),
			"2030-01-15 10:00:00..2030-01-15 11:00:00 2030-01-15 09:00:00..2030-01-15 10:00:00 Europe/Brussels CET 3600"},
		{"D58 a number with an exponent", brussels(), said("start", "1e9", "end", "2026-11-22"), "start_date fault_date"},
		{"relative texts", brussels(), said("start", "tomorrow 9am", "end", "+1 week"),
			"2026-11-22 09:00:00..2026-11-28 06:24:00 2026-11-22 08:00:00..2026-11-28 05:24:00 Europe/Brussels CET 509040"},
		{"no dates at all", brussels(), said("start", "0", "end", "0"), ".. .. Europe/Brussels CET "},
		{"one date only", brussels(), said("start", "0", "end", "2033-05-01"), "start_date fault_date"},
		{"whole days that end before they start", brussels(), said("start", "2033-05-02", "end", "2033-05-01", "all_day", "true"),
			"end_date fault_end_before_start"},
		{"a midnight that is left out", planner{now: morning, site: strtotime.SiteZone("America/Havana", 0)},
			said("start", "2030-03-10", "end", "2030-03-10", "all_day", "true"),
			"2030-03-10 01:00:00..2030-03-10 23:59:59 2030-03-10 05:00:00..2030-03-11 03:59:59 America/Havana CDT day"},
	} {
		s, err := c.p.create(c.given)
		got := s.text()
		if err != nil {
			got = faultOf(t, err)
		}
		if got != c.want {
			t.Errorf("%s:\n got  %s\n want %s", c.about, got, c.want)
		}
	}
}

// TestCutoffGrowsNothing checks that with days that begin at a cutoff time, the times of an all-day event are adjusted
// to the day only once.
func TestCutoffGrowsNothing(t *testing.T) {
	p := brussels()
	p.cutoff = "05:00"
	s, err := p.create(said("start", "2033-06-01 10:00", "end", "2033-06-02 12:00", "all_day", "true"))
	want := "2033-06-01 05:00:00..2033-06-03 04:59:59 2033-06-01 03:00:00..2033-06-03 02:59:59 Europe/Brussels CEST day"
	if err != nil || s.text() != want {
		t.Fatalf("%s %v, want %s", s.text(), err, want)
	}
	again, err := p.change(s, said("all_day", "true"))
	if err != nil || again != s {
		t.Errorf("%s %v", again.text(), err)
	}
	if again, err = p.change(s, said("start", "2033-06-02")); err != nil || again.start != "2033-06-02 05:00:00" || again.end != s.end {
		t.Errorf("%s %v", again.text(), err)
	}
}

func TestZoneNames(t *testing.T) {
	for _, name := range []string{"Europe/Brussels", "america/new_york", "EST", "CEST", "GMT", "Z", "+02:00", "+2", "UTC", "UTC+2", "UTC-5",
		"UTC+5.5", "UTC+5:30", "UTC-12", "UTC+14", "", "0"} {
		want := name
		if name == "0" {
			want = ""
		}
		if got, err := checkZone(t.Context(), name); err != nil || got != want {
			t.Errorf("%q: %v %v", name, got, err)
		}
	}
	for _, v := range []any{"Bogus/Zone", "utc+2", " Europe/Paris ", "UTC+99", "UTC+14:30", "UTC-12.5", "UTCx", "UTC 2", true, int64(5),
		2.5, []any{"UTC"}} {
		if got, err := checkZone(t.Context(), v); err == nil {
			t.Errorf("%v: %v", v, got)
		}
	}
}

// TestElapsedTime checks that a duration is the time that really passes, also when clocks change.
func TestElapsedTime(t *testing.T) {
	for day, want := range map[string]time.Duration{"2033-03-27": time.Hour, "2033-03-28": 2 * time.Hour, "2033-10-30": 3 * time.Hour} {
		s, err := brussels().create(said("start", day+" 01:30", "end", day+" 03:30"))
		if got, parsed := time.ParseDuration(s.duration + "s"); err != nil || parsed != nil || got != want {
			t.Errorf("%s: %s %v", day, s.duration, err)
		}
	}
}
