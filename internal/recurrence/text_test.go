package recurrence

import (
	"testing"
	"time"
)

func TestD70Text(t *testing.T) {
	brussels, err := time.LoadLocation("Europe/Brussels")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rule  string
		days  bool
		fewer int
		want  string
	}{
		{" freq=weekly; byday=mo,TU;;", false, 0, "FREQ=WEEKLY;BYDAY=MO,TU"},
		{"FREQ=DAILY;COUNT=5", false, 1, "FREQ=DAILY;COUNT=4"},
		{"FREQ=DAILY;UNTIL=20310710", false, 0, "FREQ=DAILY;UNTIL=20310710T215959Z"},
		{"FREQ=DAILY;UNTIL=20310110T100000", false, 0, "FREQ=DAILY;UNTIL=20310110T090000Z"},
		{"FREQ=DAILY;UNTIL=20310110T100000Z", false, 0, "FREQ=DAILY;UNTIL=20310110T100000Z"},
		{"FREQ=DAILY;UNTIL=20310110T233000Z;BYHOUR=10", true, 0, "FREQ=DAILY;UNTIL=20310111"},
		{"FREQ=DAILY;UNTIL=20310110T233000", true, 0, "FREQ=DAILY;UNTIL=20310110"},
	} {
		if got := Text(c.rule, ClockIn(brussels), c.days, c.fewer); got != c.want {
			t.Errorf("%s: %s, want %s", c.rule, got, c.want)
		}
	}
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
