package event

import (
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/golden"
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
	stored := map[string]schedule{"evening": evening, "days": days, "tokyo": tokyo, "twice": twice, "offset": offset, "broken": broken,
		"nodate": nodate, "nozone": nozone, "lost": lost, "ended": ended}
	golden.Each(t, "changes.txt", func(about, name, request, want string) {
		was, known := stored[name]
		s, err := brussels().change(was, given(request))
		got := s.format()
		if err != nil {
			got = faultOf(t, err)
		}
		if want == "" && s == was {
			want = was.format()
		}
		if !known || got != want {
			t.Errorf("%s:\n got  %s\n want %s", about, got, want)
		}
	})
}

func TestNewSchedules(t *testing.T) {
	golden.Each(t, "schedules.txt", func(about, zone, request, want string) {
		s, err := planner{now: morning, site: strtotime.SiteZone(zone, 0)}.create(given(request))
		got := s.format()
		if err != nil {
			got = faultOf(t, err)
		}
		golden.Equal(t, about, got, want)
	})
}

// given returns the timing that a request says, as start=2033-04-05|zone=UTC.
func given(request string) timing {
	var pairs []string
	for pair := range strings.SplitSeq(request, "|") {
		name, value, _ := strings.Cut(pair, "=")
		pairs = append(pairs, name, value)
	}
	return said(pairs...)
}

// TestCutoffGrowsNothing checks that with days that begin at a cutoff time, the times of an all-day event are adjusted
// to the day only once.
func TestCutoffGrowsNothing(t *testing.T) {
	p := brussels()
	p.cutoff = "05:00"
	s, err := p.create(said("start", "2033-06-01 10:00", "end", "2033-06-02 12:00", "all_day", "true"))
	want := "2033-06-01 05:00:00..2033-06-03 04:59:59 2033-06-01 03:00:00..2033-06-03 02:59:59 Europe/Brussels CEST day"
	if err != nil || s.format() != want {
		t.Fatalf("%s %v, want %s", s.format(), err, want)
	}
	again, err := p.change(s, said("all_day", "true"))
	if err != nil || again != s {
		t.Errorf("%s %v", again.format(), err)
	}
	if again, err = p.change(s, said("start", "2033-06-02")); err != nil || again.start != "2033-06-02 05:00:00" || again.end != s.end {
		t.Errorf("%s %v", again.format(), err)
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
