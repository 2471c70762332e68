package contract

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// settings are the settings of a plugin, by name.
type settings map[string]any

func (s settings) array() *phpval.Array {
	list := &phpval.Array{}
	for name, value := range s {
		switch v := value.(type) {
		case settings:
			value = v.array()
		case []string:
			words := &phpval.Array{}
			for i, word := range v {
				words.Set(phpval.IntKey(int64(i)), word)
			}
			value = words
		case int:
			value = int64(v)
		}
		list.Set(phpval.StrKey(name), value)
	}
	return list
}

// with returns the settings with others added, which take precedence.
func (s settings) with(others settings) settings {
	all := settings{}
	for _, some := range []settings{s, others} {
		for name, value := range some {
			all[name] = value
		}
	}
	return all
}

// languageSettings checks the table of docs/languages.md: the addresses of an event in Dutch, the default language, of
// one in French, and of its venue, for each setting of the plugins (D90).
func languageSettings(t *testing.T, e Engine) {
	polylang := settings{
		"default_lang": "nl", "force_lang": 1, "hide_default": true, "rewrite": true, "taxonomies": []string{"tribe_events_cat"},
		"post_types": []string{"tribe_events", "tribe_venue", "tribe_organizer"},
	}
	types := func(events, others int) settings {
		return settings{"tribe_events": events, "tribe_venue": others, "tribe_organizer": others}
	}
	wpml := settings{
		"default_language": "nl", "custom_posts_sync_option": types(1, 1),
		"taxonomies_sync_option": settings{"tribe_events_cat": 1, "post_tag": 1},
	}
	domains := settings{"nl": "http://site.test/", "en": "http://english.test", "fr": "http://french.test/"}
	onlyEvents := wpml.with(settings{
		"language_negotiation_type": 1, "custom_posts_sync_option": types(1, 0),
		"taxonomies_sync_option": settings{"tribe_events_cat": 0, "post_tag": 0},
	})
	plain := "site.test/event/feest/ site.test/event/fete/ site.test/venue/salle/"
	for form, cases := range map[string][]struct {
		about   string
		set     settings
		want    string // addresses of a Dutch event, a French one and its venue
		onlyOne bool   // only events have languages
	}{
		"terms": {
			{"in the directory", polylang, "site.test/event/feest/ site.test/fr/event/fete/ site.test/fr/venue/salle/", false},
			{"that of the default too", polylang.with(settings{"hide_default": false}),
				"site.test/nl/event/feest/ site.test/fr/event/fete/ site.test/fr/venue/salle/", false},
			{"not rewritten", polylang.with(settings{"rewrite": false}),
				"site.test/event/feest/ site.test/language/fr/event/fete/ site.test/language/fr/venue/salle/", false},
			{"not rewritten, that of the default too", polylang.with(settings{"rewrite": false, "hide_default": false}),
				"site.test/language/nl/event/feest/ site.test/language/fr/event/fete/ site.test/language/fr/venue/salle/", false},
			{"a subdomain", polylang.with(settings{"force_lang": 2}),
				"site.test/event/feest/ fr.site.test/event/fete/ fr.site.test/venue/salle/", false},
			{"a subdomain, that of the default too", polylang.with(settings{"force_lang": 2, "hide_default": false, "rewrite": false}),
				"nl.site.test/event/feest/ fr.site.test/event/fete/ fr.site.test/venue/salle/", false},
			{"a domain", polylang.with(settings{"force_lang": 3, "domains": domains}),
				"site.test/event/feest/ french.test/event/fete/ french.test/venue/salle/", false},
			{"from the content", polylang.with(settings{"force_lang": 0}), plain, false},
			{"events alone", polylang.with(settings{"post_types": []string{"tribe_events"}, "taxonomies": []string{}}),
				"site.test/event/feest/ site.test/fr/event/fete/ site.test/venue/zaal/", true},
		},
		"table": {
			{"nothing chosen", wpml, plain, false},
			{"in the directory", wpml.with(settings{"language_negotiation_type": 1}),
				"site.test/event/feest/ site.test/fr/event/fete/ site.test/fr/venue/salle/", false},
			{"that of the default too", wpml.with(settings{"language_negotiation_type": "1",
				"urls": settings{"directory_for_default_language": 1}}),
				"site.test/nl/event/feest/ site.test/fr/event/fete/ site.test/fr/venue/salle/", false},
			{"a domain", wpml.with(settings{"language_negotiation_type": 2, "language_domains": settings{"fr": "french.test", "en": ""}}),
				"site.test/event/feest/ french.test/event/fete/ french.test/venue/salle/", false},
			{"a parameter", wpml.with(settings{"language_negotiation_type": 3, "urls": settings{"directory_for_default_language": 1}}),
				"site.test/event/feest/ site.test/event/fete/?lang=fr site.test/venue/salle/?lang=fr", false},
			{"shown where missing", wpml.with(settings{"language_negotiation_type": 1, "custom_posts_sync_option": types(2, 2)}),
				"site.test/event/feest/ site.test/fr/event/fete/ site.test/fr/venue/salle/", false},
			{"events alone", onlyEvents, "site.test/event/feest/ site.test/fr/event/fete/ site.test/venue/zaal/", true},
		},
	} {
		t.Run(form, func(t *testing.T) {
			p := newPolyglot(t, e, form)
			p.mount(calendar.Options{Languages: []calendar.Language{
				{Tag: "nl", BaseURL: Site + "/wp-json"}, {Tag: "en", BaseURL: Site + "/en/wp-json"},
				{Tag: "fr", BaseURL: Site + "/fr/wp-json"},
			}})
			option := map[string]string{"table": schema.OptionWPML, "terms": schema.OptionPolylang}[form]
			for _, c := range cases {
				p.option(option, phpval.Serialize(c.set.array()))
				fete := p.get("fr", "/events/{fete}")
				got := strings.ReplaceAll(fmt.Sprint(p.get("nl", "/events/{feest}").Word("url"), " ", fete.Word("url"), " ",
					answerText(fete, "venue", "url")), "http://", "")
				if got != c.want {
					t.Errorf("%s: %s, want %s", c.about, got, c.want)
				}
				p.ofEventsAlone(c.about, c.onlyOne)
			}
		})
	}
}

// answerText is a text within an answer.
func answerText(a apitest.Answer, path ...string) string { return strings.Trim(a.At(path...), `"`) }

// ofEventsAlone checks that venues and categories are listed, found and created in the language of the root, or that
// they have no languages.
func (p *polyglot) ofEventsAlone(about string, alone bool) {
	p.T.Helper()
	venues, categories, named := "salle", "musique rock-fr", "salle"
	if alone {
		venues, categories, named = "kerk hall salle zaal", "cat music musique muziek rock rock-fr theater", "zaal"
	}
	if got := p.get("fr", "/events").Summary(); got != "fete soiree zelfde" {
		p.T.Errorf("%s: events %s", about, got)
	}
	for path, want := range map[string]string{"/venues": venues, "/categories": categories} {
		if got := p.get("fr", path).Summary(); got != want {
			p.T.Errorf("%s: %s has %s, want %s", about, path, got, want)
		}
	}
	if got := answerText(p.get("fr", "/events/{fete}"), "venue", "slug"); got != named {
		p.T.Errorf("%s: the venue is %s", about, got)
	}
	made := p.sendTo("POST", "fr", "/events", "admin", `{"title":"Neuf","start_date":"2031-01-01 10:00","end_date":"2031-01-01 11:00",`+
		`"status":"draft","venue":{"venue":"Lieu neuf"},"categories":["Classe neuve"]}`)
	if made.Status != http.StatusCreated {
		p.T.Fatalf("%s: %s", about, made)
	}
	if of, venue := made.Word("language"), answerText(made, "venue", "language"); of != "fr" || (venue == "fr") == alone {
		p.T.Errorf("%s: made in %q, its venue in %q", about, of, venue)
	}
	for _, kind := range []string{"venue", "categories/0"} {
		path := map[string]string{"venue": "/venues/", "categories/0": "/categories/"}[kind]
		path += made.At(append(strings.Split(kind, "/"), "id")...)
		if a := p.sendTo("DELETE", "fr", path+"?force=true", "admin", ""); a.Status != http.StatusOK {
			p.T.Fatalf("%s: %s", about, a)
		}
	}
	if a := p.sendTo("DELETE", "fr", "/events/"+itoa(made.ID())+"?force=true", "admin", ""); a.Status != http.StatusOK {
		p.T.Fatalf("%s: %s", about, a)
	}
}

// languageOptions checks which options are rejected.
func languageOptions(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
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
