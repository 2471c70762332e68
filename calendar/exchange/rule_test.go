package exchange

import (
	"strings"
	"testing"
	"time"
)

// Rules as RFC 5545 shows them.
func TestRules(t *testing.T) {
	for _, c := range []struct{ start, rule, want string }{
		{"19970902T090000", "FREQ=DAILY;COUNT=3", "0902 0903 0904"},
		{"19970902T090000", "FREQ=DAILY;INTERVAL=10;COUNT=3", "0902 0912 0922"},
		{"19980101T090000", "FREQ=DAILY;BYMONTH=1;COUNT=2", "0101 0102"},
		{"19970902T090000", "FREQ=WEEKLY;INTERVAL=2;WKST=SU;COUNT=3", "0902 0916 0930"},
		{"19970902T090000", "FREQ=WEEKLY;COUNT=4;WKST=SU;BYDAY=TU,TH", "0902 0904 0909 0911"},
		{"19970805T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "0805 0810 0819 0824"},
		{"19970805T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "0805 0817 0819 0831"},
		{"19970905T090000", "FREQ=MONTHLY;COUNT=3;BYDAY=1FR", "0905 1003 1107"},
		{"19970907T090000", "FREQ=MONTHLY;INTERVAL=2;COUNT=4;BYDAY=1SU,-1SU", "0907 0928 1102 1130"},
		{"19970922T090000", "FREQ=MONTHLY;COUNT=3;BYDAY=-2MO", "0922 1020 1117"},
		{"19970928T090000", "FREQ=MONTHLY;BYMONTHDAY=-3;COUNT=3", "0928 1029 1128"},
		{"19970930T090000", "FREQ=MONTHLY;COUNT=4;BYMONTHDAY=1,-1", "0930 1001 1031 1101"},
		{"19970131T090000", "FREQ=MONTHLY;COUNT=3", "0131 0331 0531"},
		{"19970610T090000", "FREQ=YEARLY;COUNT=3;BYMONTH=6,7", "0610 0710 0610"},
		{"19970101T090000", "FREQ=YEARLY;INTERVAL=3;COUNT=4;BYYEARDAY=1,100,200", "0101 0410 0719 0101"},
		{"19970519T090000", "FREQ=YEARLY;BYDAY=20MO;COUNT=2", "0519 0518"},
		{"19970512T090000", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3", "0512 0511 0517"},
		{"19970512T090000", "FREQ=YEARLY;BYWEEKNO=20;COUNT=3", "0512 0511 0517"},
		{"19970313T090000", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH;COUNT=4", "0313 0320 0327 0305"},
		{"19980213T090000", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3", "0213 0313 1113"},
		{"19961105T090000", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8;COUNT=2", "1105 1107"},
		{"19970904T090000", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "0904 1007 1106"},
		{"19970929T090000", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2;COUNT=3", "0929 1030 1127"},
		{"19970902T090000", "FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,20;COUNT=3", "0902 0902 0902"},
		{"20240229T090000", "FREQ=YEARLY;COUNT=2", "0229 0229"},
		{"19970902T090000", "FREQ=WEEKLY;BYDAY=FR;COUNT=2", "0902 0905"}, // the start counts, whatever the rule says
		{"20260101T090000", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "0101"},
	} {
		start, _ := parseMoment(c.start)
		r, err := parseRule(c.rule, start.wall)
		if err != nil {
			t.Fatalf("%s: %v", c.rule, err)
		}
		got := ""
		r.each(start.wall, start.wall, start.wall.AddDate(100, 0, 0), func(at time.Time) bool {
			got += at.Format(" 0102")
			return true
		})
		if strings.TrimSpace(got) != c.want {
			t.Errorf("%s: %s, want %s", c.rule, got, c.want)
		}
	}
	for rule, want := range map[string]string{
		"": "has no FREQ", "FREQ=SECONDLY": "FREQ=SECONDLY is not supported", "FREQ=HOURLY;COUNT=2": "FREQ=HOURLY is not supported",
		"FREQ=DAILY;INTERVAL=0": `INTERVAL: "0" is no number from 1 to 100000`, "FREQ=DAILY;X=1": "X is not supported",
		"FREQ=DAILY;BYDAY=XX": `BYDAY: "XX" is no day of the week`, "FREQ=DAILY;BYDAY=0MO": `BYDAY: "0" is none of -53 to 53`,
		"FREQ=DAILY;UNTIL=soon": "UNTIL: is no date", "FREQ=DAILY;BYMONTH=13": `BYMONTH: "13" is none of 1 to 12`,
		"FREQ=DAILY;BYMINUTE=0,1,2,3,4,5,6,7,8,9;BYSECOND=0,1,2,3,4,5,6,7,8,9;BYHOUR=1,2": "has too many times in a day",
	} {
		if _, err := parseRule(rule, time.Date(2031, 5, 1, 0, 0, 0, 0, time.UTC)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", rule, err, want)
		}
	}
}

// A rule that is asked for late years only gives the same times.
func TestRulesFromLater(t *testing.T) {
	start := time.Date(1601, 1, 1, 2, 0, 0, 0, time.UTC)
	from, end := time.Date(2030, 3, 1, 0, 0, 0, 0, time.UTC), time.Date(2034, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, text := range []string{"FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10", "FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,SU", "FREQ=DAILY;INTERVAL=7",
		"FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=31", "FREQ=YEARLY;INTERVAL=3"} {
		r, err := parseRule(text, start)
		if err != nil {
			t.Fatal(err)
		}
		collect := func(first time.Time) (list []string) {
			r.each(start, first, end, func(at time.Time) bool {
				if !at.Before(from) {
					list = append(list, at.Format(time.DateTime))
				}
				return true
			})
			return list
		}
		if all, later := collect(start), collect(from); len(all) == 0 || strings.Join(all, " ") != strings.Join(later, " ") {
			t.Errorf("%s: %v, want %v", text, later, all)
		}
	}
}

func TestMoments(t *testing.T) {
	for text, want := range map[string]string{
		"20310501": "2031-05-01 00:00:00 day", "20310501T100000": "2031-05-01 10:00:00", "20310501t100000z": "2031-05-01 10:00:00 utc",
		"2031-05-01T10:00:00+02:00": "2031-05-01 08:00:00 utc", "2031-05-01 10:00": "2031-05-01 10:00:00",
		"20310501T1000": "2031-05-01 10:00:00", "20310501T240000": "2031-05-02 00:00:00", "20310501T235960": "2031-05-01 23:59:59",
		"2031-05-01T10:00:00.000Z": "2031-05-01 10:00:00 utc", "20310228T": "2031-02-28 00:00:00 day",
		"": "", "T": "", "20310229": "", "20311301": "", "20310501T250000": "", "20310501T24000": "", "2031050": "", "-0310501": "",
		"20310501T100000+x": "", "tomorrow": "", "20310501T106000": "", "20310501T240001": "",
	} {
		m, ok := parseMoment(text)
		got := ""
		if ok {
			got = m.wall.Format(time.DateTime)
			if m.day {
				got += " day"
			}
			if m.utc {
				got += " utc"
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]span{
		"PT1H30M": {time: 90 * time.Minute}, "P1D": {days: 1}, "P2W": {days: 14}, "P1DT1S": {days: 1, time: time.Second},
		"-P1D": {days: -1}, "+pt0s": {},
	} {
		if s, ok := parseSpan(text); !ok || s != want {
			t.Errorf("%s: %v %v", text, s, ok)
		}
	}
	for _, text := range []string{"", "P", "1D", "PD", "PT1D", "P1H", "P99999999D", "PT1H1", "P1Y"} {
		if s, ok := parseSpan(text); ok {
			t.Errorf("%s: %v", text, s)
		}
	}
	brussels, err := time.LoadLocation("Europe/Brussels")
	if err != nil {
		t.Fatal(err)
	}
	for wall, want := range map[string]string{
		"20310330T023000": "2031-03-30 03:30:00 +0200", "20311026T023000": "2031-10-26 02:30:00 +0200",
		"20310330T030000": "2031-03-30 03:00:00 +0200", "20311026T030000": "2031-10-26 03:00:00 +0100",
		"20310701T120000": "2031-07-01 12:00:00 +0200", "20311026T015959": "2031-10-26 01:59:59 +0200",
	} {
		m, _ := parseMoment(wall)
		at := instant(m.wall, brussels)
		if got := at.Format("2006-01-02 15:04:05 -0700"); got != want || !wallOf(at).Equal(m.wall) && wall != "20310330T023000" {
			t.Errorf("%s: %s, want %s", wall, got, want)
		}
	}
}
