package measure

import (
	"slices"
	"testing"
	"time"
)

func TestQuantile(t *testing.T) {
	upTo := func(n int) (list []time.Duration) {
		for i := range n {
			list = append(list, time.Duration(i+1))
		}
		return list
	}
	for _, c := range []struct {
		list  []time.Duration
		share float64
		want  time.Duration
	}{
		{nil, 0.5, 0}, {upTo(1), 0.5, 1}, {upTo(1), 0.99, 1}, {upTo(1), 0, 1}, {upTo(2), 0.5, 1}, {upTo(2), 0.51, 2}, {upTo(3), 0.5, 2},
		{upTo(4), 0.5, 2}, {upTo(100), 0.5, 50}, {upTo(100), 0.99, 99}, {upTo(100), 1, 100}, {upTo(101), 0.99, 100},
		{upTo(1000), 0.99, 990},
		{upTo(50), 0.99, 50}, {[]time.Duration{1, 1, 1, 9}, 0.75, 1}, {[]time.Duration{1, 1, 1, 9}, 0.76, 9},
	} {
		if got := quantile(c.list, c.share); got != c.want {
			t.Errorf("%g of %d: %d, want %d", c.share, len(c.list), got, c.want)
		}
	}
	// At least the given share of the values is at most the quantile, and less than that share is below it.
	list := []time.Duration{5, 3, 8, 1, 9, 2, 7, 7, 4, 6, 6}
	if got := median(slices.Clone(list)); got != 6 {
		t.Errorf("median %d", got)
	}
	slices.Sort(list)
	for percent := 1; percent <= 100; percent++ {
		q := quantile(list, float64(percent)/100)
		atMost, below := 0, 0
		for _, d := range list {
			if d <= q {
				atMost++
			}
			if d < q {
				below++
			}
		}
		if atMost*100 < percent*len(list) || below*100 >= percent*len(list) {
			t.Errorf("%d percent: %d has %d at most and %d below", percent, q, atMost, below)
		}
	}
}

func TestFigures(t *testing.T) {
	var m measured
	m.addSample(responses{[]time.Duration{3 * time.Millisecond, time.Millisecond}, time.Second, 100},
		figures{Statements: 1<<32 - 3, Allocs: 10, AllocBytes: 1000, CPU: 5, RSS: 1, Peak: 9}, // a counter of 32 bits overflows
		figures{Statements: 1, Allocs: 30, AllocBytes: 3000, CPU: 25, RSS: 7, Peak: 9})
	m.addSample(responses{[]time.Duration{2 * time.Millisecond, 4 * time.Millisecond}, time.Second, 300},
		figures{Statements: 1, Allocs: 40, AllocBytes: 4000, CPU: 25}, figures{Statements: 13, Allocs: 60, AllocBytes: 6000, CPU: 45,
			RSS: 6, Peak: 8})
	want := Figures{Requests: 4, PerSecond: 2, P50: 2, P99: 4, Statements: 4, Bytes: 100, Allocs: 10, AllocBytes: 1000, CPU: 10,
		RSS: 6, Peak: 9}
	if got := m.figures(); got == nil || *got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := (&measured{}).figures(); got != nil {
		t.Errorf("of nothing: %+v", got)
	}
}
