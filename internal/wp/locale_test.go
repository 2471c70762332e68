package wp

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/release"
)

// TestLocalesAreComplete checks that no cell is empty, since it would be displayed as an empty string.
func TestLocalesAreComplete(t *testing.T) {
	lines := must.Get(csv.NewReader(strings.NewReader(localesFile)).ReadAll())(t)
	if len(Locales()) != len(lines)-1 {
		t.Errorf("%d lines, %d locales", len(lines)-1, len(Locales()))
	}
	for _, line := range lines[1:] {
		for i, cell := range line {
			if cell == "" || lines[0][i] == "decimals" && cell != "comma" && cell != "point" {
				t.Errorf("%s: %s is %q", line[0], lines[0][i], cell)
			}
		}
	}
}

// TestLocaleOf checks the recorded words of every locale.
func TestLocaleOf(t *testing.T) {
	for name, want := range golden.Read[golden.Locales](t, "locales.json").Locales {
		l := LocaleOf(name)
		if !KnownLocale(name) {
			t.Errorf("%q is not known", name)
		}
		last := func(words []string) string { return words[len(words)-1] }
		for _, word := range [][2]string{
			{l.Venue, want.Venue}, {l.Organizer, want.Organizer}, {l.Category, want.Category},
			{l.List, last(want.Pages.List)}, {l.Month, last(want.Pages.Month)},
			{l.Day, last(want.Pages.Day)}, {l.Today, last(want.Pages.Today)},
			{l.Free, want.Free}, {l.To, want.Range}, {l.UnitedStates, want.UnitedStates},
		} {
			golden.Equal(t, name, word[0], word[1])
		}
	}
	for _, name := range []string{"xx_XX", "nlx", "_nl", "nl", "de", "de_LI", "DE_de", "pt_PT_ao90"} {
		if LocaleOf(name) != LocaleOf("") || KnownLocale(name) {
			t.Errorf("%q is known", name)
		}
	}
	if !KnownLocale("") || LocaleOf("en_US") != LocaleOf("") || !LocaleOf("fr_BE").DecimalComma || LocaleOf("de_CH").DecimalComma {
		t.Error("English, or the decimals of others")
	}
}

// TestSpellings checks the slugs that were recorded with each release on sites in several languages.
func TestSpellings(t *testing.T) {
	type vector struct {
		In, Locale string
		Expected   map[string]string
	}
	for _, v := range golden.Load[vector](t, "slug-locales.json", 77) {
		for version, want := range v.Expected {
			r, ok := release.OfVersion(version)
			if got := SpellingOf(v.Locale, r).Slug(v.In); !ok || got != want {
				t.Errorf("%s %s: slug of %q is %q, want %q", version, v.Locale, v.In, got, want)
			}
		}
	}
	for locale, want := range map[string]string{
		"de_DE": "aeoeue-aeoeuess", "de_CH_informal": "aeoeue-aeoeuess", "nl_NL": "aou-aous", "": "aou-aous", "da_DK": "aou-aous",
	} {
		golden.Equal(t, locale, SpellingOf(locale, release.Newest).Slug("ÄÖÜ äöüß"), want)
	}
}
