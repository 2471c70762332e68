package contract

import (
	"context"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// languageOptions checks which form of storage is read, and which language is the default.
func languageOptions(t *testing.T, e Engine) {
	swapped := []calendar.Language{languages[2], languages[0], languages[1]}
	belgian := []calendar.Language{{Tag: "nl-BE", Code: "NL", BaseURL: Site + "/wp-json"}, languages[1], languages[2]}
	inForms(t, e, func(t *testing.T, p *polyglot) {
		setting := map[string]string{"table": "icl_sitepress_settings", "terms": "polylang"}[p.form]
		named := calendar.Site{Translations: calendar.Translations(p.form)}
		for _, c := range []struct {
			about, stored string
			opts          calendar.Options
			nl, fr        string
		}{
			{"as stored", "", calendar.Options{Languages: swapped}, "feest concert zelfde", "fete soiree zelfde"},
			{"of an option", "", calendar.Options{Site: calendar.Site{DefaultLanguage: "fr"}}, "feest",
				"fete concert soiree zelfde zelfde"},
			{"unreadable", "b:0;", calendar.Options{Languages: swapped, Site: named}, "feest", "fete concert soiree zelfde zelfde"},
			{"not told", "a:0:{}", calendar.Options{Site: named}, "feest concert zelfde", "fete soiree zelfde"},
			{"named", "a:0:{}", calendar.Options{Site: named}, "feest concert zelfde", "fete soiree zelfde"},
			{"a code that is not the tag", "a:0:{}", calendar.Options{Languages: belgian, Site: named}, "feest concert zelfde",
				"fete soiree zelfde"},
		} {
			if c.stored != "" {
				p.option(setting, c.stored)
			}
			p.mount(c.opts)
			for language, want := range map[string]string{"nl": c.nl, "fr": c.fr} {
				if a := p.get(language, "/events"); a.Summary() != want {
					t.Errorf("%s: %s is %s, want %s", c.about, language, a.Summary(), want)
				}
			}
		}
		a, other := p.get("fr", "/events/{fete}"), p.get("fr", "/events/{feest}")
		if a.At("translations", "nl-BE", "id") != p.text("feest") || other.Word("language") != "nl-BE" {
			t.Errorf("%s: %s", a.Request, a.Text)
		}
		absent := map[string]calendar.Translations{"table": calendar.TranslationsTerms, "terms": calendar.TranslationsTable}[p.form]
		for about, opts := range map[string]calendar.Options{
			"a form that is not there": {Site: calendar.Site{Translations: absent}},
			"an unknown form":          {Site: calendar.Site{Translations: "files"}},
			"an unknown default":       {Site: calendar.Site{DefaultLanguage: "de"}},
			"one code for two":         {Languages: []calendar.Language{languages[0], {Tag: "nl-BE", Code: "nl", BaseURL: Site + "/be"}}},
		} {
			opts.DB, opts.Site.Prefix = p.host, p.prefix
			if opts.Languages == nil {
				opts.Languages = languages
			}
			if _, err := calendar.New(context.Background(), opts); err == nil || !strings.HasPrefix(err.Error(), "calendar: options: ") {
				t.Errorf("%s: %v", about, err)
			}
		}
	})
}
