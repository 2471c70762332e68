package strtotime

import (
	"encoding/json"
	"os"
	"testing"
	"time"
)

func TestAbbreviations(t *testing.T) {
	data, err := os.ReadFile("testdata/zone-abbreviations.json")
	if err != nil {
		t.Fatal(err)
	}
	var zones map[string]struct{ Jan, Jul string }
	if err := json.Unmarshal(data, &zones); err != nil {
		t.Fatal(err)
	}
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
