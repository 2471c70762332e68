package eventlist

import (
	"testing"
)

// TestSizesAreGuessedOnce checks that the number of events that link an item is estimated until it has been counted.
func TestSizesAreGuessedOnce(t *testing.T) {
	s, _ := recorded(t)
	one, eleven := asking(venues(8)), asking(organizers(1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 18))
	for f, guess := range map[*Filter]int64{&one: 0, &eleven: manyLinked} {
		if n := s.size(f); n != guess {
			t.Errorf("%v: guessed %d", f, n)
		}
		f.Visible = anyone
		n, err := s.Select(f).Count(still(t))
		if err != nil || n < 5 || s.size(f) != n {
			t.Errorf("%v: counted %d (%v), then %d", f, n, err, s.size(f))
		}
		later := *f
		later.Bounds = []Bound{{Op: ">", Value: "2100-01-01 00:00:00"}}
		if none, err := s.Select(&later).Count(still(t)); none != 0 || err != nil || s.size(&later) != 0 || s.size(f) != n {
			t.Errorf("%v: counted %d (%v), then %d, without bounds %d", later, none, err, s.size(&later), s.size(f))
		}
		if later.Bounds[0].Value = "2100-01-01 23:59:59"; s.size(&later) != 0 {
			t.Errorf("%v: %d at another hour of the day", later, s.size(&later))
		}
	}
}
