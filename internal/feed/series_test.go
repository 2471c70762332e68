package feed

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/wp/rset"
)

// text shows a series: what its first component says, and the others.
func (s *series) text() string {
	period := func(p rset.Period) string { return p.Start.Format("0102T1504") + "+" + p.End.Sub(p.Start).String() }
	parts := []string{period(s.Period), fmt.Sprintf("%s-%d", s.rule, s.fewer)}
	for _, at := range s.added {
		parts = append(parts, "added "+at.Format("0102T1504"))
	}
	for _, at := range s.left {
		parts = append(parts, "left "+at.Format("0102T1504"))
	}
	for _, c := range s.changed {
		parts = append(parts, c.of.Format("0102T1504")+" is "+period(c.Period))
	}
	return strings.Join(parts, ", ")
}

func TestD70Series(t *testing.T) {
	for name, c := range map[string]struct{ set, want string }{
		"rule": {"DTSTART:20310501T100000\nDTEND:20310501T120000\nRRULE:FREQ=WEEKLY;COUNT=5", "0501T1000+2h0m0s, FREQ=WEEKLY;COUNT=5-0"},
		"left out": {"DTSTART:20310501T100000\nDTEND:20310501T120000\nRRULE:FREQ=WEEKLY\nEXDATE:20310515T100000\nEXDATE:20310516T100000",
			"0501T1000+2h0m0s, FREQ=WEEKLY-0, left 0515T1000"},
		"moved": {"DTSTART:20310501T100000\nDTEND:20310501T120000\nRRULE:FREQ=WEEKLY\n" +
			"RDATE;VALUE=PERIOD:20310516T110000/20310516T120000\nEXDATE:20310515T100000\nEXDATE:20310529T100000",
			"0501T1000+2h0m0s, FREQ=WEEKLY-0, left 0529T1000, 0515T1000 is 0516T1100+1h0m0s"},
		"first moved": {"DTSTART:20310501T100000\nDTEND:20310501T120000\nRRULE:FREQ=WEEKLY\n" +
			"RDATE;VALUE=PERIOD:20310430T110000/20310430T130000\nEXDATE:20310501T100000",
			"0501T1000+2h0m0s, FREQ=WEEKLY-0, 0501T1000 is 0430T1100+2h0m0s"},
		"added": {"DTSTART:20310501T100000\nDTEND:20310501T120000\nRRULE:FREQ=WEEKLY\n" +
			"RDATE;VALUE=PERIOD:20310516T110000/20310516T130000",
			"0501T1000+2h0m0s, FREQ=WEEKLY-0, added 0516T1100, 0516T1100 is 0516T1100+2h0m0s"},
		"longer": {"DTSTART:20310501T100000\nDTEND:20310501T120000\nRRULE:FREQ=WEEKLY\n" +
			"RDATE;VALUE=PERIOD:20310508T100000/20310508T130000\nRDATE;VALUE=PERIOD:20310515T100000/20310515T120000",
			"0501T1000+2h0m0s, FREQ=WEEKLY-0, 0508T1000 is 0508T1000+3h0m0s"},
		"irregular start": {"DTSTART:20310501T100000\nDTEND:20310501T120000\nRRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=3",
			"0502T1000+2h0m0s, FREQ=WEEKLY;BYDAY=FR;COUNT=3-1, added 0501T1000, 0501T1000 is 0501T1000+2h0m0s"},
		"nothing follows": {"DTSTART:20310501T100000\nDTEND:20310501T120000\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
			"0501T1000+2h0m0s, -0"},
		"explicit": {"DTSTART:20310508T100000\nRDATE;VALUE=PERIOD:20310501T100000/20310501T110000\n" +
			"RDATE;VALUE=PERIOD:20310508T100000/20310508T120000",
			"0501T1000+1h0m0s, FREQ=DAILY;COUNT=1-0, added 0508T1000, 0508T1000 is 0508T1000+2h0m0s"},
		"one explicit": {"DTSTART:20310508T100000\nRDATE;VALUE=PERIOD:20310508T100000/20310508T120000", "0508T1000+2h0m0s, -0"},
	} {
		set := rset.Parse(c.set)
		start, _ := set.Start()
		end, _ := set.End()
		s, err := explicitSeriesOf(set), error(nil)
		if set.Rule() != "" {
			s, err = ruledSeries(rset.Period{Start: start, End: end}, set.Rule(), set.Dates(), set.Excluded())
		}
		if err != nil || s.text() != c.want {
			t.Errorf("%s: %v, %v; want %s", name, s.text(), err, c.want)
		}
	}
	if s, err := ruledSeries(rset.Period{Start: time.Unix(0, 0).UTC()}, "FREQ=HOURLY", nil, nil); err == nil {
		t.Error(s.text())
	}
}

func explicitSeriesOf(set *rset.Set) *series {
	if dates := set.Dates(); len(dates) > 0 {
		return explicitSeries(dates)
	}
	return nil
}
