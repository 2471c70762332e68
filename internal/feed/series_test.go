package feed

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/rset"
)

// format formats a series: the content of its first component, and the other ones.
func (s *series) format() string {
	period := func(p rset.Period) string { return p.Start.Format("0102T1504") + "+" + p.End.Sub(p.Start).String() }
	parts := []string{period(s.Period), fmt.Sprintf("%s-%d", s.rule, s.fewer)}
	for _, at := range s.added {
		parts = append(parts, "added "+at.Format("0102T1504"))
	}
	for _, at := range s.left {
		parts = append(parts, "left "+at.Format("0102T1504"))
	}
	for _, c := range s.changed {
		of := c.of.Format("0102T1504")
		if !c.between.IsZero() {
			of = c.between.Format("0102T1504Z")
		}
		parts = append(parts, of+" is "+period(c.Period))
	}
	return strings.Join(parts, ", ")
}

func TestD70Series(t *testing.T) {
	golden.Each(t, "series.txt", func(name, stored, want string) {
		set := rset.Parse(stored)
		start, _ := set.Start()
		end, _ := set.End()
		s, err := explicitSeriesOf(set), error(nil)
		if set.Rule() != "" {
			s, err = ruledSeries(rset.Period{Start: start, End: end}, set.Rule(), set.Dates(), set.Excluded(), course{})
		}
		if err != nil || s.format() != want {
			t.Errorf("%s: %v, %v; want %s", name, s.format(), err, want)
		}
	})
	if s, err := ruledSeries(rset.Period{Start: time.Unix(0, 0).UTC()}, "FREQ=HOURLY", nil, nil, course{}); err == nil {
		t.Error(s.format())
	}
}

func explicitSeriesOf(set *rset.Set) *series {
	if dates := set.Dates(); len(dates) > 0 {
		return explicitSeries(dates)
	}
	return nil
}

// TestD70SeriesAtAChangeOfClocks checks that occurrences at a change of clocks, for which programs compute other times,
// are components of their own.
func TestD70SeriesAtAChangeOfClocks(t *testing.T) {
	brussels, err := time.LoadLocation("Europe/Brussels")
	must.Succeed(t, err)
	for name, c := range map[string]struct {
		start, rule string
		length      time.Duration
		want        string
	}{
		"left out": {"2028-03-25 02:30:00", "FREQ=DAILY;COUNT=3", time.Hour,
			"0325T0230+1h0m0s, FREQ=DAILY;UNTIL=20280327T023000-0, 0326T0230 is 0326T0330+1h0m0s"},
		"left out of an endless rule": {"2028-03-19 02:30:00", "FREQ=WEEKLY", time.Hour,
			"0319T0230+1h0m0s, FREQ=WEEKLY-0, left 1029T0230, 0326T0230 is 0326T0330+1h0m0s, 1029T0100Z is 1029T0230+1h0m0s"},
		"the first one left out": {"2028-03-26 02:30:00", "FREQ=DAILY;COUNT=3", time.Hour,
			"0327T0230+1h0m0s, FREQ=DAILY;COUNT=3-1, added 0326T0230, 0326T0230 is 0326T0230+1h0m0s"},
		"shown twice": {"2028-10-28 02:30:00", "FREQ=DAILY;COUNT=3", time.Hour,
			"1028T0230+1h0m0s, FREQ=DAILY;COUNT=3-0, left 1029T0230, 1029T0100Z is 1029T0230+1h0m0s"},
		"an end shown twice": {"2028-10-28 01:30:00", "FREQ=DAILY;COUNT=3", time.Hour,
			"1028T0130+1h0m0s, FREQ=DAILY;COUNT=3-0, 1029T0130 is 1029T0130+1h0m0s"},
		"a night": {"2028-03-24 22:00:00", "FREQ=DAILY;COUNT=3", 8 * time.Hour,
			"0324T2200+8h0m0s, FREQ=DAILY;COUNT=3-0, 0325T2200 is 0325T2200+8h0m0s"},
		"an evening": {"2028-03-25 20:00:00", "FREQ=DAILY;COUNT=3", 2 * time.Hour, "0325T2000+2h0m0s, FREQ=DAILY;COUNT=3-0"},
	} {
		start, err := time.Parse(time.DateTime, c.start)
		must.Succeed(t, err)
		in := course{zone: brussels, last: time.Date(2028, 12, 1, 0, 0, 0, 0, time.UTC)}
		s, err := ruledSeries(rset.Period{Start: start, End: start.Add(c.length)}, c.rule, nil, nil, in)
		if err != nil || s.format() != c.want {
			t.Errorf("%s: %v, %v; want %s", name, s.format(), err, c.want)
		}
	}
}
