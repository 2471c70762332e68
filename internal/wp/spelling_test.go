package wp

import (
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/release"
)

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
		if got := SpellingOf(locale, release.Newest).Slug("ÄÖÜ äöüß"); got != want {
			t.Errorf("%q: %q, want %q", locale, got, want)
		}
	}
}
