package wp

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

// TestLocalesAreComplete checks that no cell is empty, since it would be displayed as an empty string.
func TestLocalesAreComplete(t *testing.T) {
	lines, err := csv.NewReader(strings.NewReader(localesFile)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
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
			if word[0] != word[1] {
				t.Errorf("%s: %q, want %q", name, word[0], word[1])
			}
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
