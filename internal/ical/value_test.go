package ical

import (
	"testing"
	"time"
)

func TestValues(t *testing.T) {
	for text, want := range map[string]string{
		"20310501": "2031-05-01 00:00:00 day", "20310501T100000": "2031-05-01 10:00:00", "20310501t100000z": "2031-05-01 10:00:00 utc",
		"2031-05-01T10:00:00+02:00": "2031-05-01 08:00:00 utc", "2031-05-01 10:00": "2031-05-01 10:00:00",
		"20310501T1000": "2031-05-01 10:00:00", "20310501T240000": "2031-05-02 00:00:00", "20310501T235960": "2031-05-01 23:59:59",
		"2031-05-01T10:00:00.000Z": "2031-05-01 10:00:00 utc", "20310228T": "2031-02-28 00:00:00 day",
		"": "", "T": "", "20310229": "", "20311301": "", "20310501T250000": "", "20310501T24000": "", "2031050": "", "-0310501": "",
		"20310501T100000+x": "", "tomorrow": "", "20310501T106000": "", "20310501T240001": "",
	} {
		d, ok := ParseDateTime(text)
		got := ""
		if ok {
			got = d.Wall.Format(time.DateTime)
			if d.Day {
				got += " day"
			}
			if d.UTC {
				got += " utc"
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]Duration{
		"PT1H30M": {Time: 90 * time.Minute}, "P1D": {Days: 1}, "P2W": {Days: 14}, "P1DT1S": {Days: 1, Time: time.Second},
		"-P1D": {Days: -1}, "+pt0s": {},
	} {
		if d, ok := ParseDuration(text); !ok || d != want {
			t.Errorf("%s: %v %v", text, d, ok)
		}
	}
	for _, text := range []string{"", "P", "1D", "PD", "PT1D", "P1H", "P99999999D", "PT1H1", "P1Y"} {
		if d, ok := ParseDuration(text); ok {
			t.Errorf("%s: %v", text, d)
		}
	}
}
