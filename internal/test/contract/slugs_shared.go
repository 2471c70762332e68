package contract

import (
	"net/http"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// sharedSlugsOfLanguages proves which of several posts with one slug an address
// of a language names: translations may share theirs (D50).
func sharedSlugsOfLanguages(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
		for name, status := range map[string]string{"nl-live": "publish", "fr-live": "publish", "nl-plan": "draft", "fr-plan": "draft", "nl-mixed": "draft", "fr-mixed": "publish"} {
			p.venue(thing{slug: name, status: status})
			p.Exec("UPDATE ?(prefix)posts SET post_name = ? WHERE ID = ?", name[3:], p.of(name))
		}
		for _, slug := range []string{"live", "plan", "mixed"} {
			p.group("tribe_venue", "nl nl-"+slug+", fr fr-"+slug)
		}
		for _, x := range []struct{ language, slug, as, read, written string }{
			{"nl", "live", "admin", "nl-live", "nl-live"}, {"fr", "live", "admin", "fr-live", "fr-live"}, {"en", "live", "admin", "", "409"},
			{"nl", "plan", "admin", "nl-plan", "nl-plan"}, {"fr", "plan", "admin", "fr-plan", "fr-plan"}, {"en", "plan", "admin", "", "409"},
			{"nl", "mixed", "admin", "fr-mixed", "fr-mixed"}, {"fr", "mixed", "admin", "fr-mixed", "fr-mixed"}, {"nl", "mixed", "", "fr-mixed", ""},
		} {
			path := "/venues/by-slug/" + x.slug
			if a := p.ask(http.MethodGet, x.language, path, x.as, ""); x.read != "" && a.Number("id") != p.of(x.read) {
				t.Errorf("%s as %q: %s, want %s", a.Request, x.as, a.Summary(), x.read)
			}
			if x.as == "" {
				continue
			}
			a := p.ask(http.MethodPatch, x.language, path, x.as, `{"city":"Gent"}`)
			if x.written == "409" && a.Verdict() != "409 rest_ambiguous_slug" || x.written != "409" && a.Number("id") != p.of(x.written) {
				t.Errorf("%s: %s %d, want %s", a.Request, a.Verdict(), a.Number("id"), x.written)
			}
		}
		// Where languages are not told apart, translations are several posts.
		off := p.site.client(calendar.Options{})
		if a := off.Do("admin", http.MethodPatch, "/venues/by-slug/live", `{"city":"Gent"}`); a.Verdict() != "409 rest_ambiguous_slug" {
			t.Errorf("%s: %s", a.Request, a.Verdict())
		}
		p.settle()
	})
}
