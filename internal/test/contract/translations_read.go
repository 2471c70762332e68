package contract

import (
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// languageStatements checks that languages add at most two statements, for any number of items.
func languageStatements(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
		sent := func(language, path string) int {
			p.Exec("UPDATE ?(prefix)posts SET comment_count = comment_count + 1 WHERE ID = ?", p.of("fete")) // prevents cached responses
			p.counter.Reset()
			if a := p.get(language, path); a.Status != 200 {
				t.Fatalf("%s: %d", a.Request, a.Status)
			}
			n := 0
			for _, s := range p.counter.Statements() {
				if !strings.Contains(s, "_options") {
					n++
				}
			}
			return n
		}
		paths := []string{
			"/events", "/events?per_page=1", "/events?venue={zaal}&organizer={vrienden}&categories={muziek}&tags=gratis&geoloc=false",
			"/events/{fete}", "/events/{soiree}",
			"/events/{pareil}", "/events/by-slug/zelfde", "/venues", "/venues/{zaal}",
			"/venues?event={fete}&has_events=1&only_with_upcoming=1",
			"/organizers?event={fete}", "/categories", "/categories/{rock}", "/categories?event={fete}", "/tags?hide_empty=0",
			"/tags/{free}", "/tags?event={fete}",
		}
		// First without languages: what is cached meanwhile would reduce the number of statements on a slow machine.
		never := calendar.Cache{Settle: time.Hour, MaxAge: time.Hour}
		p.mount(calendar.Options{Site: calendar.Site{Translations: calendar.TranslationsOff}, Cache: never})
		off := map[string]int{}
		for _, path := range paths {
			for _, language := range []string{"nl", "en", "fr"} {
				off[language+path] = sent(language, path)
			}
		}
		p.mount(calendar.Options{Cache: never})
		for _, path := range paths {
			for _, language := range []string{"nl", "en", "fr"} {
				most := off[language+path] + 2
				with := sent(language, path)
				for range 4 { // additional reads of a busy calendar are not part of the response
					if with > most {
						with = sent(language, path)
					}
				}
				if with > most {
					t.Errorf("%s %s: %d statements, %d without languages", language, path, with, off[language+path])
				}
			}
		}
	})
}
