package rset

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/golden"
)

// stored is a recurrence set or rules as Events Calendar Pro stores them, with what they mean.
type stored struct {
	Rset, Rules string
	Dates       []string
	Ruled       bool
}

func show(list []Period) []string {
	texts := []string{}
	for _, p := range list {
		texts = append(texts, p.Start.Format(time.DateTime)+"/"+p.End.Format(time.DateTime))
	}
	return texts
}

func period(start, end string) (p Period) {
	p.Start, _ = time.Parse(time.DateTime, start)
	p.End, _ = time.Parse(time.DateTime, end)
	return p
}

// TestStored checks that stored values are formatted to the same bytes, both unchanged and built anew from what they
// mean.
func TestStored(t *testing.T) {
	for _, c := range golden.Load[stored](t, "stored.json", 17) {
		if c.Rset != "" {
			s := Parse(c.Rset)
			if s.String() != c.Rset || len(s.Unknown()) > 0 || s.Ruled() != c.Ruled || !slices.Equal(show(s.Dates()), c.Dates) {
				t.Errorf("%s\n %s %v %v %v", c.Rset, s, s.Unknown(), s.Ruled(), show(s.Dates()))
			}
			start, _ := s.Start()
			again := s
			if end, ruled := s.End(); ruled {
				again = NewRule(s.Zone(), Period{start, end}, s.Rule(), s.Dates(), s.Excluded())
			} else if all := s.Dates(); all[len(all)-1].Start.Equal(start) {
				again = New(s.Zone(), all[len(all)-1], all[:len(all)-1])
			}
			if again.String() != c.Rset {
				t.Errorf("%s\n made anew %s", c.Rset, again)
			}
			continue
		}
		r := ParseRules(c.Rules)
		if r.String() != c.Rules || r.Explicit() == c.Ruled || !c.Ruled && !slices.Equal(show(r.Dates()), c.Dates) {
			t.Errorf("%s\n %v %v", c.Rules, r.Explicit(), show(r.Dates()))
		}
		if c.Ruled {
			continue
		}
		own := period("2026-12-05 19:00:00", "2026-12-05 21:00:00")
		all := r.Dates()
		again := ParseRules("")
		again.Set(own, all)
		r.SetOwn(own)
		if again.String() != r.String() {
			t.Errorf("%s\n made anew %s", r, again)
		}
		r.Set(own, slices.Clone(all[1:]))
		r.Set(own, all)
		slices.Reverse(all)
		again.Set(own, all)
		if slices.Reverse(all); !slices.Equal(show(r.Dates()), show(all)) || slices.Equal(show(again.Dates()), show(all)) {
			t.Errorf("%s\n %s", r, again)
		}
	}
}

// TestMoves checks that dates are changed in the same way as by Events Calendar Pro.
func TestMoves(t *testing.T) {
	own, other := period("2026-12-05 19:00:00", "2026-12-05 21:00:00"), period("2026-12-31 22:00:00", "2027-01-01 02:00:00")
	to := period("2026-12-06 19:00:00", "2026-12-08 07:30:05")
	const zone = ";TZID=Europe/Brussels"
	s := New("Europe/Brussels", own, []Period{other})
	check := func(want string) {
		t.Helper()
		if want = strings.ReplaceAll(want, "@", zone); s.String() != want || len(s.Unknown()) > 0 {
			t.Errorf("%s\nwant %s", s, want)
		}
	}
	check("DTSTART@:20261205T190000\nRDATE@;VALUE=PERIOD:20261231T220000/20270101T020000\n" +
		"RDATE@;VALUE=PERIOD:20261205T190000/20261205T210000")
	if !s.Move(other, own) || s.Move(other, own) {
		t.Error("a date is moved once")
	}
	s.MoveOwn(to)
	check("DTSTART@:20261206T190000\nRDATE@;VALUE=PERIOD:20261205T190000/20261205T210000\n" +
		"RDATE@;VALUE=PERIOD:20261206T190000/20261208T073005")
	s.SetZone("UTC+1")
	check(strings.ReplaceAll(s.String(), zone, ";TZID=UTC+1"))
	if s.Zone() != "UTC+1" {
		t.Error(s.Zone())
	}

	r := ParseRules("")
	r.Set(own, []Period{other})
	if !r.Move(other, to) || r.Move(other, to) || !slices.Equal(show(ParseRules(r.String()).Dates()), show([]Period{to})) ||
		!strings.Contains(r.String(), `s:10:"start-time";s:6:"7:00pm";s:8:"end-time";s:9:"7:30:05am";s:7:"end-day";i:2;`) {
		t.Error(r)
	}
	s = Parse("DTSTART:20261205T190000\nRRULE:FREQ=DAILY\nEXDATE:20261206T190000")
	s.MoveOwn(to)
	if got := s.String(); got != "DTSTART:20261206T190000\nRRULE:FREQ=DAILY\n"+
		"RDATE;VALUE=PERIOD:20261206T190000/20261208T073005\nEXDATE:20261206T190000" || len(s.Unknown()) > 0 {
		t.Error(got)
	}
}

// TestUnknown checks that what is not understood is reported and kept.
func TestUnknown(t *testing.T) {
	golden.Each(t, "unknown.txt", func(text string) {
		if s := Parse(text); len(s.Unknown()) == 0 || s.String() != text {
			t.Errorf("%q: %q, understood", text, s)
		}
	})
	rules := ParseRules("")
	rules.Set(period("2026-12-05 19:00:00", "2026-12-05 21:00:00"), []Period{period("2026-12-31 22:00:00", "2027-01-01 02:00:00")})
	whole := rules.String()
	golden.Each(t, "unknown-rules.txt", func(from, to string) {
		text := strings.Replace(whole, from, to, 1)
		if (text == whole) != (from == to) {
			t.Errorf("%s is no part of %s", from, whole)
		}
		r := ParseRules(text)
		if r.Explicit() != (text == whole) || r.String() != text {
			t.Errorf("%s\n %v", text, r.Explicit())
		}
		if text == whole {
			return
		}
		r.SetOwn(Period{})
		r.Set(Period{}, []Period{{}})
		if r.Move(Period{}, Period{}); r.String() != text {
			t.Errorf("%s\n changed: %s", text, r)
		}
	})
	for text, empty := range map[string]bool{"": true, `a:1:{s:5:"rules";a:0:{}}`: true, "a:0:{}": true, "b:0;": false, whole: false} {
		if r := ParseRules(text); r.Empty() != empty {
			t.Errorf("%q: %v", text, r.Empty())
		}
	}
}

func FuzzSet(f *testing.F) {
	for _, c := range golden.Load[stored](f, "stored.json", 17) {
		f.Add(c.Rset)
	}
	f.Add("DTSTART:20261205T190000\nDTEND:20261205T190000\nRRULE:FREQ=DAILY\nEXRULE:X\nEXDATE:20261206T190000")
	f.Fuzz(func(t *testing.T, text string) {
		s := Parse(text)
		if s.String() != text {
			t.Fatalf("%q is printed as %q", text, s)
		}
		if len(s.Unknown()) > 0 || s.Empty() {
			return
		}
		before, start := len(s.Dates()), Period{}
		start.Start, _ = s.Start()
		to := period("2030-01-01 10:00:00", "2030-01-02 10:00:00")
		s.MoveOwn(to)
		if got, _ := s.Start(); !got.Equal(to.Start) || len(s.Dates())-before > 1 || len(Parse(s.String()).Unknown()) > 0 {
			t.Fatalf("%q becomes %q", text, s)
		}
	})
}

func FuzzRules(f *testing.F) {
	for _, c := range golden.Load[stored](f, "stored.json", 17) {
		f.Add(c.Rules)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := ParseRules(text)
		if r.String() != text {
			t.Fatalf("%q is printed as %q", text, r)
		}
		if !r.Explicit() {
			return
		}
		own := period("2030-01-01 10:00:00", "2030-01-02 10:00:00")
		dates := append(r.Dates(), own)
		r.Set(own, dates)
		if again := ParseRules(r.String()); !again.Explicit() || !slices.Equal(show(again.Dates()), show(dates)) {
			t.Fatalf("%q becomes %q", text, r)
		}
	})
}
