package strtotime

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

func TestZoneFixed(t *testing.T) {
	for name, want := range map[string]int{
		"UTC+0": 0, "UTC-0": 0, "UTC+2": 7200, "UTC-12": -43200, "UTC+14": 50400, "UTC+5.5": 19800, "UTC-3.5": -12600,
		"UTC+12.75": 45900, "UTC+5:30": 19800, "UTC-3:30": -12600, "UTC+05:45": 20700, "+02:00": 7200, "-05:30": -19800,
		"+2": 7200, "+0200": 7200, "Z": 0, "CEST": 7200, "EST": -18000, "CET": 3600, "GMT": 0,
	} {
		loc, ok := Zone(name)
		if !ok {
			t.Errorf("Zone(%q) not found", name)
			continue
		}
		for _, month := range []time.Month{time.January, time.July} {
			if _, got := time.Date(2031, month, 1, 0, 0, 0, 0, loc).Zone(); got != want {
				t.Errorf("Zone(%q) in %v: %d, want %d", name, month, got, want)
			}
		}
		if loc.String() != name {
			t.Errorf("Zone(%q) is called %q", name, loc)
		}
	}
}

func TestZoneNamed(t *testing.T) {
	for name, want := range map[string]string{
		"UTC": "UTC", "utc": "UTC", "europe/brussels": "Europe/Brussels", "AMERICA/NEW_YORK": "America/New_York",
		"America/Port-au-Prince": "America/Port-au-Prince", "Etc/GMT+3": "Etc/GMT+3", "est5edt": "EST5EDT",
		"Asia/Katmandu": "Asia/Katmandu",
	} {
		for range 2 { // the second time from the cache
			loc, ok := Zone(name)
			if !ok || loc.String() != want {
				t.Errorf("Zone(%q) = %v, %v", name, loc, ok)
			}
		}
	}
}

func TestZoneRefused(t *testing.T) {
	for _, name := range []string{
		"", " ", "Local", "local", "localtime", "../x", "/etc/passwd", "../../etc/passwd", "Europe", "Europe/", "Europe/Brussels ",
		" Europe/Paris ", "Bogus/Zone", "posixrules", "right/UTC", "UTC+15", "UTC+14:01", "UTC-13", "UTC-12.25", "UTC+99", "UTCx", "UTC ",
		"UTC 2",
		"UTC+", "UTC+.5", "UTC+5.", "UTC+5.5:30", "UTC+5:60", "UTC+5:3", "UTC+1e1", "utc+2", "+", "+02:", "+2.5", "+15:00", "-12:01", "++2",
		"+020", "UTC+0530", "UTC+-2", "UTC+２", "Europe\x00/Brussels", strings.Repeat("a", 100_000),
	} {
		if loc, ok := Zone(name); ok {
			t.Errorf("Zone(%.40q) = %v", name, loc)
		}
	}
}

func TestEveryListedZoneLoads(t *testing.T) {
	previous := ""
	for _, name := range zoneNames() {
		if phpval.Lower(name) <= previous {
			t.Errorf("%s is out of order", name)
		}
		previous = phpval.Lower(name)
		if loc, ok := namedZone(strings.ToUpper(name)); !ok || loc.String() != name {
			t.Errorf("%s: %v, %v", name, loc, ok)
		}
	}
	if n := len(zoneNames()); n < 590 {
		t.Errorf("only %d names", n)
	}
}

func TestSiteZone(t *testing.T) {
	for _, c := range []struct {
		name   string
		offset float64
		want   string
	}{
		{"Europe/Brussels", 5, "Europe/Brussels"}, {"", 2, "UTC+2"}, {"", -3, "UTC-3"}, {"", 5.5, "UTC+5.5"}, {"", 5.75, "UTC+5.75"},
		{"", 0, "UTC+0"}, {"", math.Copysign(0, -1), "UTC+0"}, {"", -0.5, "UTC-0.5"}, {"UTC", 3, "UTC"}, {"UTC-3", 0, "UTC-3"},
		{"Bogus/Zone", 2, "UTC+2"}, {"", 99, "UTC"}, {"", math.NaN(), "UTC"}, {"", math.Inf(1), "UTC"}, {"Local", 99, "UTC"},
	} {
		if got := SiteZone(c.name, c.offset).String(); got != c.want {
			t.Errorf("SiteZone(%q, %v) = %s, want %s", c.name, c.offset, got, c.want)
		}
	}
}

func TestAbbreviations(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/zone-abbreviations.json"))(t)
	var zones map[string]struct{ Jan, Jul string }
	must.Succeed(t, json.Unmarshal(data, &zones))
	if len(zones) != 231 {
		t.Fatalf("%d zones", len(zones))
	}
	delete(zones, "Factory") // means that no zone is set; events do not have it
	for name, want := range zones {
		for month, want := range map[time.Month]string{time.January: want.Jan, time.July: want.Jul} {
			if got, ok := Abbreviation(name, time.Date(2030, month, 15, 12, 0, 0, 0, time.UTC)); got != want || !ok {
				t.Errorf("%s in %s: %q %v, want %q", name, month, got, ok, want)
			}
		}
	}
	listed := oldAbbreviations()
	for name := range listed {
		if _, ok := zones[name]; !ok {
			t.Errorf("%s is listed, but not recorded", name)
		}
	}
	if len(listed) != 59 {
		t.Errorf("%d zones with letters of their own", len(listed))
	}
}

func TestAbbreviationForms(t *testing.T) {
	winter, summer := time.Date(2030, 1, 15, 12, 0, 0, 0, time.UTC), time.Date(2030, 7, 15, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name string
		at   time.Time
		want string
	}{
		{"Europe/Brussels", winter, "CET"}, {"Europe/Brussels", summer, "CEST"}, {"europe/brussels", summer, "CEST"},
		{"America/New_York", winter, "EST"}, {"Asia/Dubai", winter, "+04"}, {"Etc/GMT+3", winter, "-03"},
		{"Europe/Brussels", time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC), "WET"},
		{"Europe/Istanbul", time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC), "EET"}, // it had an abbreviation at that time
		{"UTC", winter, "UTC"}, {"UTC+2", summer, "UTC+2"}, {"UTC-3.5", winter, "UTC-3.5"}, {"UTC+0", winter, "UTC+0"},
		{"CET", summer, "CET"}, {"est", winter, "EST"}, {"Z", winter, "Z"}, {"GMT", winter, "GMT"},
		{"+02:00", winter, "GMT+0200"}, {"-03:30", winter, "GMT-0330"}, {"+2", winter, "GMT+0200"},
		{"UTC+99", winter, ""}, {"Mars/Olympus", winter, ""}, {"", winter, ""},
	} {
		got, ok := Abbreviation(c.name, c.at)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s at %s: %q %v, want %q", c.name, c.at, got, ok, c.want)
		}
	}
}
