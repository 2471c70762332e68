package contract

import (
	"context"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// languagesOff proves that without a source, or with one that is switched off,
// items are in all languages and tell nothing of them.
func languagesOff(t *testing.T, e Engine) {
	const all = "feest party fete concert soiree zelfde zelfde"
	check := func(t *testing.T, p *polyglot) {
		t.Helper()
		for _, language := range []string{"nl", "en", "fr"} {
			p.want(language, "/events", all)
			p.want(language, "/venues", "kerk hall salle zaal")
			p.want(language, "/tags", "gratis")
			for _, path := range []string{"/events/{fete}", "/venues/{zaal}", "/categories/{muziek}", "/tags/{free}", "/events?per_page=1", "/categories?per_page=1"} {
				if a := p.get(language, path); strings.Contains(a.Text, `"language"`) || strings.Contains(a.Text, `"translations"`) {
					t.Errorf("%s tells of languages: %s", a.Request, a.Text)
				}
			}
		}
		if a := p.get("fr", "/events/by-slug/zelfde"); a.Number("id") != p.of("zelfde") || a.Word("url") != Site+"/fr/event/zelfde/" {
			t.Errorf("%s: %s", a.Request, a.Text)
		}
		was := rowsOf(t, p.host)
		a := p.ask("POST", "fr", "/venues", "admin", `{"venue":"Neuve"}`)
		for _, row := range differences(was, rowsOf(t, p.host)) {
			if strings.Contains(row, "icl_") || strings.Contains(row, "term") {
				t.Errorf("%s: %s", a.Request, row)
			}
		}
	}
	for _, form := range polyglotForms {
		t.Run(form+" switched off", func(t *testing.T) {
			p := newPolyglot(t, e, form)
			p.furnish()
			p.mount(calendar.Options{Site: calendar.Site{Translations: calendar.TranslationsOff}})
			check(t, p)
		})
	}
	t.Run("a taxonomy of the site's own", func(t *testing.T) {
		p := newPolyglot(t, e, "terms")
		p.furnish()
		p.Exec("UPDATE ?(prefix)term_taxonomy SET taxonomy = 'other' WHERE taxonomy IN ('term_language', 'term_translations', 'post_translations')")
		p.Exec("DELETE FROM ?(prefix)options WHERE option_name = 'polylang'")
		p.mount(calendar.Options{})
		check(t, p)
	})
}

// languageOptions proves how the source is chosen, and the default language.
func languageOptions(t *testing.T, e Engine) {
	swapped := []calendar.Language{tongues[2], tongues[0], tongues[1]}
	belgian := []calendar.Language{{Tag: "nl-BE", Code: "NL", BaseURL: Site + "/wp-json"}, tongues[1], tongues[2]}
	inForms(t, e, func(t *testing.T, p *polyglot) {
		setting := map[string]string{"table": "icl_sitepress_settings", "terms": "polylang"}[p.form]
		for _, c := range []struct {
			about, stored string
			opts          calendar.Options
			nl, fr        string
		}{
			{"as stored", "", calendar.Options{Languages: swapped}, "feest concert zelfde", "fete soiree zelfde"},
			{"of an option", "", calendar.Options{Site: calendar.Site{DefaultLanguage: "fr"}}, "feest", "fete concert soiree zelfde zelfde"},
			{"unreadable", "b:0;", calendar.Options{Languages: swapped}, "feest", "fete concert soiree zelfde zelfde"},
			{"not told", "a:0:{}", calendar.Options{}, "feest concert zelfde", "fete soiree zelfde"},
			{"named", "a:0:{}", calendar.Options{Site: calendar.Site{Translations: calendar.Translations(p.form)}}, "feest concert zelfde", "fete soiree zelfde"},
			{"a code that is not the tag", "a:0:{}", calendar.Options{Languages: belgian}, "feest concert zelfde", "fete soiree zelfde"},
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
		if a := p.get("fr", "/events/{fete}"); a.At("translations", "nl-BE", "id") != p.text("feest") || p.get("fr", "/events/{feest}").Word("language") != "nl-BE" {
			t.Errorf("%s: %s", a.Request, a.Text)
		}
		other := map[string]calendar.Translations{"table": calendar.TranslationsTerms, "terms": calendar.TranslationsTable}[p.form]
		for about, opts := range map[string]calendar.Options{
			"a form that is not there": {Site: calendar.Site{Translations: other}}, "an unknown form": {Site: calendar.Site{Translations: "files"}}, "an unknown default": {Site: calendar.Site{DefaultLanguage: "de"}},
			"one code for two": {Languages: []calendar.Language{tongues[0], {Tag: "nl-BE", Code: "nl", BaseURL: Site + "/be"}}},
		} {
			opts.DB = p.host
			if opts.Languages == nil {
				opts.Languages = tongues
			}
			if _, err := calendar.New(context.Background(), opts); err == nil || !strings.HasPrefix(err.Error(), "calendar: options: ") {
				t.Errorf("%s: %v", about, err)
			}
		}
	})
}

// languageOfOneRoot proves that a calendar without languages is one in the
// default language of the site.
func languageOfOneRoot(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
		p.mount(calendar.Options{Languages: []calendar.Language{}})
		if a := p.get("nl", "/events"); a.Summary() != "feest concert zelfde" || a.Header.Get("Content-Language") != "nl" {
			t.Errorf("%s in %s", a.Summary(), a.Header.Get("Content-Language"))
		}
		if a := p.get("nl", "/events/{fete}"); a.Word("language") != "fr" || a.Word("url") != Site+"/event/fete/" || a.At("translations", "nl", "id") != p.text("feest") {
			t.Errorf("an item in another language: %s", a.Text)
		}
	})
}

// brokenLanguages proves that what is stored wrongly hurts nobody: groups that
// list what does not exist or is something else, or are no lists.
func brokenLanguages(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
		p.Exec("DELETE FROM ?(prefix)posts WHERE post_name IN ('salle', 'amis')")
		p.Exec("UPDATE ?(prefix)posts SET post_type = 'page' WHERE ID = ?", p.of("party"))
		p.Exec("DELETE FROM ?(prefix)terms WHERE slug = 'musique'")
		if p.form == "terms" {
			p.Exec("UPDATE ?(prefix)term_taxonomy SET description = 'broken' WHERE term_id = ?", p.of("group 50"))
			p.Exec("UPDATE ?(prefix)term_taxonomy SET description = ? WHERE term_id = ?", `a:2:{s:2:"nl";a:0:{}s:2:"fr";s:1:"x";}`, p.of("group 48"))
		} else {
			p.Exec("UPDATE ?(prefix)icl_translations SET element_id = NULL WHERE element_id = ?", p.of("gratuit")+termShift)
			p.Exec("UPDATE ?(prefix)icl_translations SET trid = 43 WHERE trid = 50 AND language_code = 'nl'")
			if a := p.get("nl", "/events/{pareil}"); a.At("translations") != "[]" {
				t.Errorf("an event and a tag in one group: %s", a.At("translations"))
			}
		}
		for path, status := range map[string]int{
			"/events": 200, "/events/{feest}": 200, "/events/{fete}": 200, "/events/{party}": 400, "/venues": 200, "/venues/{zaal}": 200, "/organizers": 200,
			"/categories": 200, "/categories/{muziek}": 200, "/tags?hide_empty=0": 200, "/tags/{gratis}": 200, "/events?categories={muziek}&venue={zaal}": 200,
		} {
			for _, language := range []string{"nl", "en", "fr"} {
				if a := p.get(language, path); a.Status != status {
					t.Errorf("%s: %d %s", a.Request, a.Status, a.Text)
				}
			}
		}
		a := p.get("fr", "/events/{fete}")
		if a.At("venue", "slug") != `"zaal"` || a.At("translations", "en") != "absent" || a.At("translations", "nl", "id") != p.text("feest") {
			t.Errorf("%s: %s", a.Request, a.Text)
		}
		for _, path := range []string{"/events/{feest}?force=true", "/tags/{gratis}", "/categories/{rock}", "/venues/{zaal}?force=true"} {
			if a := p.ask("DELETE", "nl", path, "admin", ""); a.Status != 200 {
				t.Errorf("%s: %d %s", a.Request, a.Status, a.Text)
			}
		}
	})
}
