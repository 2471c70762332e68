package event

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/test/golden"
)

// listed formats the terms of a search, in order, as +word and -word.
func listed(text string) string {
	terms, impossible := termsOf(text)
	if impossible {
		return "nothing"
	}
	var parts []string
	for _, t := range terms {
		sign := "+"
		if t.Not {
			sign = "-"
		}
		parts = append(parts, sign+t.Text)
	}
	return strings.Join(parts, "|")
}

func TestTermsOf(t *testing.T) {
	nine, ten := "aa bb cc dd ee ff gg hh ii", "aa bb cc dd ee ff gg hh ii jj"
	check := func(text, want string) {
		golden.Equal(t, text, listed(text), want)
	}
	golden.Each(t, "terms.txt", check)
	check(nine, "+"+strings.ReplaceAll(nine, " ", "|+"))
	check(ten, "+"+ten)
	check("-"+ten, "-"+ten)
	check(nine+" the a", "+"+strings.ReplaceAll(nine, " ", "|+"))
}

// TestStopwords checks that stopwords are recognized whatever their case, and that longer words which begin with them
// are not ignored.
func TestStopwords(t *testing.T) {
	if len(stopwords) != 29 {
		t.Errorf("%d stopwords", len(stopwords))
	}
	for w := range stopwords {
		golden.Equal(t, w, listed("jazz "+strings.ToUpper(w)+" "+w+"x"), "+jazz|+"+w+"x")
	}
}

func FuzzTermsOf(f *testing.F) {
	golden.Seed(f, "", "jazz -night", `"a b" c`, "aa bb cc dd ee ff gg hh ii jj", `\`, "-", `""`, "é\xff")
	f.Fuzz(func(t *testing.T, s string) {
		terms, impossible := termsOf(s)
		if impossible && terms != nil || len(terms) > maxTerms {
			t.Fatalf("%q: %v %v", s, terms, impossible)
		}
		for _, x := range terms {
			if x.Text == "" && !x.Not || utf8.ValidString(s) && !utf8.ValidString(x.Text) {
				t.Errorf("%q: %q", s, x.Text)
			}
		}
	})
}

// morning is the current time in these tests.
var morning = time.Date(2026, 11, 21, 5, 24, 0, 0, time.UTC)

func TestDistance(t *testing.T) {
	golden.Each(t, "distances.txt", func(about string, lat1, lng1, lat2, lng2, km, within float64) {
		if got := item.Distance(lat1, lng1, lat2, lng2); math.IsNaN(got) || math.Abs(got-km) > within {
			t.Errorf("%s: %g km, want %g", about, got, km)
		}
	})
}

func FuzzDistance(f *testing.F) {
	f.Add(51.0, 3.0, -51.0, -177.0)
	f.Fuzz(func(t *testing.T, lat1, lng1, lat2, lng2 float64) {
		for _, v := range [...]float64{lat1, lng1, lat2, lng2} {
			if !(v >= -180 && v <= 180) {
				return
			}
		}
		lat1, lat2 = lat1/2, lat2/2
		there, back := item.Distance(lat1, lng1, lat2, lng2), item.Distance(lat2, lng2, lat1, lng1)
		if !(there >= 0 && there <= math.Pi*6371.0088+1) || math.Abs(there-back) > 0.001 {
			t.Errorf("%g %g to %g %g: %g, back %g", lat1, lng1, lat2, lng2, there, back)
		}
	})
}
