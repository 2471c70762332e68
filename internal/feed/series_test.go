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
	brussels := must.Get(time.LoadLocation("Europe/Brussels"))(t)
	golden.Each(t, "clock-changes.txt", func(name, from, rule string, hours int, want string) {
		start := must.Get(time.Parse(time.DateTime, from))(t)
		in := course{zone: brussels, last: time.Date(2028, 12, 1, 0, 0, 0, 0, time.UTC)}
		length := time.Duration(hours) * time.Hour
		s, err := ruledSeries(rset.Period{Start: start, End: start.Add(length)}, rule, nil, nil, in)
		if err != nil || s.format() != want {
			t.Errorf("%s: %v, %v; want %s", name, s.format(), err, want)
		}
	})
}
