package event

import (
	"strings"
	"testing"
	"unicode/utf8"
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
	for text, want := range map[string]string{
		"jazz":                  "+jazz",
		"jazz night":            "+jazz|+night",
		" jazz\tnight,late+mm ": "+jazz|+night|+late|+mm",
		`"jazz night"`:          "+jazz night",
		`free "jazz night" out`: "+free|+jazz night|+out",
		`"jazz night`:           "+jazz night",
		`ab"cd ef"gh`:           "+ab|+cd ef|+gh",
		`""`:                    `+""`,
		`"`:                     `+"`,
		`'jazz'`:                "+jazz",
		`" jazz "`:              "+ jazz ",
		"-jazz night":           "-jazz|+night",
		`-"jazz night"`:         "+jazz night",
		`"-jazz night"`:         "-jazz night",
		"--jazz":                "--jazz",
		"-a":                    "-a",
		"-":                     "nothing",
		"- -":                   "- -",
		"a jazz b":              "+jazz",
		"é jazz":                "+é|+jazz",
		"a":                     "+a",
		"a b":                   "+a b",
		"0 jazz":                "+jazz",
		"00":                    "+00",
		"5 jazz":                "+5|+jazz",
		"the jazz of THE night": "+jazz|+night",
		"the":                   "+the",
		"What Where":            "+What Where",
		`jazz\ nigh\t`:          "+jazz|+night",
		`\`:                     "",
		`\\`:                    "",
		"jazz\r\nnight":         "+jazznight",
		" ":                     "+ ",
		",":                     "+,",
		"100% a_b":              "+100%|+a_b",
		"l'été":                 "+l'été",
		"日本 語":                  "+日本|+語",
		nine:                    "+" + strings.ReplaceAll(nine, " ", "|+"),
		ten:                     "+" + ten,
		"-" + ten:               "-" + ten,
		nine + " the a":         "+" + strings.ReplaceAll(nine, " ", "|+"),
		"' OR 1=1; --":          "+1=1;|--",
	} {
		if got := listed(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
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
