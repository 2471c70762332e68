package event

import (
	"strings"
	"testing"
	"unicode/utf8"

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
		if got := listed(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
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
		if got := listed("jazz " + strings.ToUpper(w) + " " + w + "x"); got != "+jazz|+"+w+"x" {
			t.Errorf("%s: %s", w, got)
		}
	}
}

func FuzzTermsOf(f *testing.F) {
	for _, s := range []string{"", "jazz -night", `"a b" c`, "aa bb cc dd ee ff gg hh ii jj", `\`, "-", `""`, "é\xff"} {
		f.Add(s)
	}
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
