package ical

import (
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/golden"
)

func TestValues(t *testing.T) {
	golden.Each(t, "values.txt", func(text, want string) {
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
	})
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
