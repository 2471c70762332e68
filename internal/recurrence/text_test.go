package recurrence

import (
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/golden"
)

func TestD70Text(t *testing.T) {
	brussels, err := time.LoadLocation("Europe/Brussels")
	if err != nil {
		t.Fatal(err)
	}
	golden.Each(t, "texts.txt", func(rule string, days bool, fewer int, want string) {
		if got := Text(rule, ClockIn(brussels), days, fewer); got != want {
			t.Errorf("%s: %s, want %s", rule, got, want)
		}
	})
	start := time.Date(2031, 5, 1, 10, 0, 0, 0, time.UTC) // a Thursday
	for rule, want := range map[string]bool{
		"FREQ=DAILY": true, "FREQ=WEEKLY;BYDAY=TH": true, "FREQ=WEEKLY;BYDAY=FR": false, "FREQ=MONTHLY;BYDAY=1TH": true,
		"FREQ=MONTHLY;BYDAY=TH,FR;BYSETPOS=2": false, "FREQ=DAILY;BYHOUR=9": false, "FREQ=WEEKLY;INTERVAL=2": true,
	} {
		r, err := Parse(rule, start)
		if err != nil || r.Regular() != want {
			t.Errorf("%s: %v, %v", rule, err, !want)
		}
	}
}
