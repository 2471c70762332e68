package contract

import (
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// languageLists proves that the lists of a language show its items, whatever
// they are filtered by.
func languageLists(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
		for _, c := range []struct{ path, nl, en, fr string }{
			{"/events", "feest concert zelfde", "party", "fete soiree zelfde"},
			{"/events?per_page=2", "feest concert of 3", "party", "fete soiree of 3"},
			{"/events?per_page=2&page=2", "zelfde of 3", "404 event-archive-page-not-found", "zelfde of 3"},
			{"/events?search=e", "feest concert zelfde", "", "fete soiree zelfde"},
			{"/events?include={feest},{party},{fete},{zelfde}", "feest zelfde", "party", "fete"},
			{"/events?orderby=title&order=desc", "zelfde feest concert", "party", "soiree zelfde fete"},
			{"/venues", "kerk zaal", "hall", "salle"},
			{"/venues?has_events=1", "kerk zaal", "", "salle"},
			{"/venues?has_events=0", "", "hall", ""},
			{"/venues?only_with_upcoming=1", "kerk zaal", "", "salle"},
			{"/venues?search=a", "zaal", "hall", "salle"},
			{"/organizers", "vrienden", "", ""},
			{"/categories", "cat muziek rock theater", "music", "musique rock-fr"},
			{"/categories?per_page=1&page=2", "muziek of 4", "of 1", "rock-fr of 2"},
			{"/categories?parent={musique}", "", "", "rock-fr"},
			{"/categories?parent=0", "cat muziek theater", "music", "musique"},
			{"/categories?slug=music", "", "music", ""},
			{"/tags", "gratis", "", ""},
			{"/tags?hide_empty=0", "gratis tag", "free", "gratuit"},
			{"/tags?include={gratis},{free}&hide_empty=0", "gratis", "free", ""},
			// What is linked to one version of a thing is linked to all.
			{"/events?venue={zaal}", "feest", "party", "fete soiree"},
			{"/events?venue={salle}", "feest", "party", "fete soiree"},
			{"/events?organizer={vrienden}", "feest", "", "fete"},
			{"/events?categories={muziek}", "feest concert", "party", "fete soiree"},
			{"/events?categories={musique}&tags={free}", "feest", "", "fete"},
			{"/events?tags=gratuit", "feest", "", "fete"},
			// The things of an event are those that it shows.
			{"/venues?event={fete}", "zaal", "zaal", "salle"},
			{"/organizers?event={fete}", "vrienden", "vrienden", "vrienden"},
			{"/categories?event={fete}", "muziek theater", "music theater", "musique theater"},
			{"/tags?event={fete}", "gratis", "free", "gratuit"},
		} {
			separator := "?"
			if strings.Contains(c.path, "?") {
				separator = "&"
			}
			for language, want := range map[string]string{"nl": c.nl, "en": c.en, "fr": c.fr} {
				p.want(language, c.path, want)
				p.want("nl", c.path+separator+"i18n_language="+language, want)
			}
		}
	})
}

// languageItems proves what items tell about their languages, and that their
// addresses are those of their own one.
func languageItems(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
		feest, party := `"nl":{"id":<feest>,"url":"`+Site+`/event/feest/"}`, `"en":{"id":<party>,"url":"`+Site+`/en/event/party/"}`
		fete := `"fr":{"id":<fete>,"url":"` + Site + `/fr/event/fete/"}`
		for _, c := range []struct{ path, language, url, translations string }{
			{"/events/{feest}", "nl", "/event/feest/", "{" + party + "," + fete + "}"},
			{"/events/{party}", "en", "/en/event/party/", "{" + fete + "," + feest + "}"},
			{"/events/{fete}", "fr", "/fr/event/fete/", "{" + party + "," + feest + "}"},
			{"/events/{concert}", "nl", "/event/concert/", "[]"},
			{"/events/{soiree}", "fr", "/fr/event/soiree/", "[]"}, // the other one is a draft
			{"/venues/{zaal}", "nl", "/venue/zaal/", `{"fr":{"id":<salle>,"url":"` + Site + `/fr/venue/salle/"}}`},
			{"/venues/{salle}", "fr", "/fr/venue/salle/", `{"nl":{"id":<zaal>,"url":"` + Site + `/venue/zaal/"}}`},
			{"/venues/{kerk}", "nl", "/venue/kerk/", "[]"},
			{"/organizers/{vrienden}", "nl", "/organizer/vrienden/", "[]"},
			{"/categories/{rock-fr}", "fr", "/fr/events/category/musique/rock-fr/", `{"nl":{"id":<rock>,"url":"` + Site + `/events/category/muziek/rock/"}}`},
			{"/categories/{cat}", "nl", "/events/category/cat/", "[]"},
			{"/tags/{free}", "en", "/en/tag/free/", `{"fr":{"id":<gratuit>,"url":"` + Site + `/fr/tag/gratuit/"},"nl":{"id":<gratis>,"url":"` + Site + `/tag/gratis/"}}`},
		} {
			for _, root := range []string{"nl", "en", "fr"} {
				a := p.get(root, c.path)
				if a.Word("language") != c.language || a.Word("url") != Site+c.url || a.At("translations") != p.fill(c.translations) {
					t.Errorf("%s: %s %s %s, want %s %s %s", a.Request, a.Word("language"), a.Word("url"), a.At("translations"), c.language, c.url, p.fill(c.translations))
				}
			}
		}
		for path, name := range map[string]string{"/events": "events", "/venues": "venues", "/categories": "categories", "/tags?hide_empty=0": "tags"} {
			list, _ := p.get("fr", path).List()
			for _, item := range list {
				m, _ := item.(map[string]any)
				single := p.get("en", "/"+name+"/"+asText(m["id"]))
				url := asText(m["url"])
				if m["language"] != "fr" || !strings.HasPrefix(url, Site+"/fr/") || single.Word("url") != url || asText(single.Body["translations"]) != asText(m["translations"]) {
					t.Errorf("%s in a list: %v, alone: %s", path, m, single.Text)
				}
			}
		}
	})
}

// languageOfLinks proves that events show their venues, organizers and terms in
// the language that is asked for, as far as there are such.
func languageOfLinks(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
		for _, c := range []struct{ as, event, language, want string }{
			{"", "fete", "nl", "zaal / vrienden / muziek theater / gratis"},
			{"", "fete", "en", "zaal / vrienden / music theater / free"},
			{"", "fete", "fr", "salle / vrienden / musique theater / gratuit"},
			{"editor", "fete", "fr", "salle / amis / musique theater / gratuit"}, // who may read the draft
			{"", "soiree", "nl", "zaal /  / rock / "},
			{"", "party", "fr", "salle /  / musique / "},
			{"", "concert", "fr", "kerk /  / cat rock-fr / "},
		} {
			for _, path := range []string{"/events/{" + c.event + "}", "/events/by-slug/" + c.event} {
				a := p.ask("GET", c.language, path, c.as, "")
				categories := strings.Fields(a.At("categories", "*", "slug"))
				slices.Sort(categories)
				got := a.At("venue", "*", "slug") + " / " + a.At("organizer", "*", "slug") + " / " + strings.Join(categories, " ") + " / " + a.At("tags", "*", "slug")
				if got != c.want {
					t.Errorf("%s: %s, want %s", a.Request, got, c.want)
				}
			}
		}
		a := p.get("fr", "/events/{fete}")
		if a.Word("language") != "fr" {
			t.Errorf("%s: %s", a.Request, a)
		}
		if got := a.At("venue", "language") + a.At("venue", "translations", "nl", "id") + a.At("venue", "url") + a.At("tags", "0", "language"); got !=
			`"fr"`+p.text("zaal")+`"`+Site+`/fr/venue/salle/""fr"` {
			t.Errorf("%s: %s", a.Request, got)
		}
		if got := a.At("json_ld", "location", "name") + a.At("json_ld", "url"); got != `"salle""`+Site+`/fr/event/fete/"` {
			t.Errorf("JSON-LD: %s", got)
		}
		// What is in the trash stands for nothing, not even to who may read it.
		p.Exec("UPDATE ?(prefix)posts SET post_status = 'trash' WHERE ID = ?", p.of("salle"))
		if a := p.ask("GET", "fr", "/events/{fete}", "editor", ""); a.At("venue", "*", "slug") != "zaal" || a.At("venue", "translations") != "[]" {
			t.Errorf("%s: %s", a.Request, a.At("venue"))
		}
		p.Exec("UPDATE ?(prefix)posts SET post_status = 'publish' WHERE ID = ?", p.of("salle"))
		// An event that links two versions of one thing shows it once.
		p.meta("concert", schema.MetaOrganizerID, p.text("amis"))
		p.meta("concert", schema.MetaOrganizerID, p.text("vrienden"))
		p.meta("concert", schema.MetaVenueID, p.text("salle"))
		p.meta("concert", schema.MetaVenueID, p.text("zaal"))
		if a := p.ask("GET", "fr", "/events/{concert}", "editor", ""); a.At("organizer", "*", "slug") != "amis" || a.At("venue", "*", "slug") != "kerk salle" {
			t.Errorf("%s: %s, %s", a.Request, a.At("organizer", "*", "slug"), a.At("venue", "*", "slug"))
		}
	})
}

// languageOfSlugs proves that a slug means the item in the root's language, and
// another one where there is none.
func languageOfSlugs(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
		for _, c := range []struct{ language, path, id string }{
			{"nl", "/events/by-slug/zelfde", "zelfde"}, {"en", "/events/by-slug/zelfde", "zelfde"}, {"fr", "/events/by-slug/zelfde", "pareil"},
			{"nl", "/events/by-slug/zelfde?i18n_language=fr", "pareil"}, {"fr", "/events/by-slug/zelfde?i18n_language=nl", "zelfde"},
			{"fr", "/events/by-slug/concert", "concert"}, {"nl", "/venues/by-slug/salle", "salle"}, {"en", "/organizers/by-slug/vrienden", "vrienden"},
		} {
			if a := p.get(c.language, c.path); a.Number("id") != p.of(c.id) {
				t.Errorf("%s: %d %s, want %d", a.Request, a.Number("id"), a.Word("code"), p.of(c.id))
			}
		}
		// Of terms with one name it is the root's, too.
		p.term("post_tag", "jazz", "Jazz", "")
		p.term("post_tag", "jazz-fr", "Jazz", "")
		p.group("post_tag", "nl jazz")
		p.group("post_tag", "fr jazz-fr")
		p.assign(p.of("soiree"), "jazz-fr", true)
		p.want("fr", "/events?tags=Jazz", "soiree")
		p.want("fr", "/events?tags=jazz", "soiree")
		p.want("fr", "/events?tags={jazz}", "")
		p.want("nl", "/events?tags=Jazz", "")
		if a := p.ask("PATCH", "fr", "/events/by-slug/zelfde", "admin", `{"tags":["Jazz"]}`); a.Number("id") != p.of("pareil") || a.At("tags", "*", "slug") != "jazz-fr" {
			t.Errorf("%s: %s", a.Request, a.Text)
		}
	})
}

// languageStatements proves that languages take two statements more at most,
// however much there is.
func languageStatements(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
		sent := func(language, path string) int {
			p.counter.Reset()
			if a := p.get(language, path); a.Status != 200 {
				t.Fatalf("%s: %d", a.Request, a.Status)
			}
			n := 0
			for _, s := range p.counter.Statements() {
				if !strings.Contains(s, "wp_options") {
					n++
				}
			}
			return n
		}
		paths := []string{
			"/events", "/events?per_page=1", "/events?venue={zaal}&organizer={vrienden}&categories={muziek}&tags=gratis&geoloc=false", "/events/{fete}", "/events/{soiree}",
			"/events/{pareil}", "/events/by-slug/zelfde", "/venues", "/venues/{zaal}", "/venues?event={fete}&has_events=1&only_with_upcoming=1",
			"/organizers?event={fete}", "/categories", "/categories/{rock}", "/categories?event={fete}", "/tags?hide_empty=0", "/tags/{free}", "/tags?event={fete}",
		}
		with := map[string]int{}
		for _, path := range paths {
			for _, language := range []string{"nl", "en", "fr"} {
				with[language+path] = sent(language, path)
			}
		}
		p.mount(calendar.Options{Site: calendar.Site{Translations: calendar.TranslationsOff}})
		for _, path := range paths {
			for _, language := range []string{"nl", "en", "fr"} {
				if off := sent(language, path); with[language+path] > off+2 {
					t.Errorf("%s %s: %d statements, %d without languages", language, path, with[language+path], off)
				}
			}
		}
	})
}
