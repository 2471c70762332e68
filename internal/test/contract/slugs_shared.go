package contract

import (
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// sharedSlugs proves which of several posts with one slug an address names, and
// that none of them is written by it unless it is certain which is meant (D50).
func sharedSlugs(t *testing.T, e Engine) {
	for _, kind := range []string{"events", "venues", "organizers"} {
		t.Run(kind, func(t *testing.T) { sharedSlugsOf(t, e, kind) })
	}
}

func sharedSlugsOf(t *testing.T, e Engine, kind string) {
	s := office(t, e)
	ids := map[string]int64{}
	add := func(name, slug string, p thing) {
		p.slug, p.title = slug, name
		switch kind {
		case "events":
			p.start = "2030-07-01 10:00"
			ids[name] = s.event(p)
		case "venues":
			ids[name] = s.venue(p)
		default:
			ids[name] = s.organizer(p)
		}
	}
	add("draft before", "live", thing{status: "draft"})
	add("published", "live", thing{password: "x"})
	add("private after", "live", thing{status: "private"})
	add("first draft", "plan", thing{status: "draft"})
	add("author's draft", "plan", thing{status: "draft", author: callerIDs["author"]})
	add("one", "twice", thing{})
	add("other", "twice", thing{})
	add("only draft", "alone", thing{status: "draft"})
	c := s.client(calendar.Options{})
	hidden := "403 " + strings.TrimSuffix(kind, "s") + "-not-accessible"
	locked := map[string]string{"events": "403 event-password-protected"}
	for _, x := range []struct{ as, slug, want string }{
		{"", "live?password=x", "published"}, {"admin", "live?password=x", "published"}, {"author", "live?password=x", "published"}, {"", "live", "published"},
		{"", "plan", ""}, {"author", "plan", "author's draft"}, {"editor", "plan", "first draft"}, {"contributor", "plan", ""},
		{"", "twice", "one"}, {"editor", "twice", "one"}, {"", "alone", ""}, {"editor", "alone", "only draft"},
	} {
		a := c.get("/"+kind+"/by-slug/"+x.slug, x.as)
		switch {
		case x.want == "" && a.summary() != hidden:
			t.Errorf("%s: %s, want %s", a.request, a.summary(), hidden)
		case x.slug == "live" && locked[kind] != "" && a.summary() != locked[kind]:
			t.Errorf("%s: %s, want %s", a.request, a.summary(), locked[kind])
		case x.want != "" && (x.slug != "live" || locked[kind] == "") && a.number("id") != ids[x.want]:
			t.Errorf("%s: %s, %d; want %q, %d", a.request, a.summary(), a.number("id"), x.want, ids[x.want])
		}
	}
	s.sharedSlugsWritten(c, kind, ids)
}

func (s *site) sharedSlugsWritten(c *client, kind string, ids map[string]int64) {
	t, name := s.t, kindOf[kind].name
	t.Helper()
	ambiguous, changed := "409 rest_ambiguous_slug", `{"`+name+`":"Changed"}`
	var list []try
	for _, method := range []string{"PATCH", "PUT", "POST", "DELETE"} {
		for _, slug := range []string{"plan", "twice", "Twice/?force=true"} {
			list = append(list, try{"admin", method, "/" + kind + "/by-slug/" + slug, changed, ambiguous}, try{"", method, "/" + kind + "/by-slug/" + slug, changed, ""})
		}
	}
	list = append(list, try{"editor", "PATCH", "/" + kind + "/by-slug/live", changed, "200"}, try{"admin", "PATCH", "/" + kind + "/by-slug/alone", changed, "200"})
	before := s.snapshot()
	for _, x := range list {
		a := c.ask(x.method, x.path, x.as, x.body)
		if got := a.verdict(); got != x.want && (x.want != "" || a.status != http.StatusUnauthorized && got != ambiguous) {
			t.Errorf("%s: %s, want %s", a.request, got, x.want)
		}
		after := s.snapshot()
		if table := before.same(after); a.status >= 400 && table != "" {
			t.Errorf("%s: refused, but the table %s changed", a.request, table)
		}
		before = after
	}
	for id, p := range before.posts {
		if want := p.Status == schema.StatusInherit || id == ids["published"] || id == ids["only draft"]; (p.Title == "Changed") != want {
			t.Errorf("%d %q: changed is %t, want %t", id, p.Title, !want, want)
		}
	}
	texts := map[string]bool{}
	for _, language := range []string{"en", "nl", "fr"} {
		text := c.ask(http.MethodPatch, "/"+kind+"/by-slug/twice?i18n_language="+language, "admin", changed).text("message")
		if texts[text] = true; !strings.Contains(text, "twice") {
			t.Errorf("%s: %q", language, text)
		}
	}
	if len(texts) != 3 {
		t.Errorf("texts of three languages: %v", texts)
	}
}

// sharedSlugsOfLanguages proves which of several posts with one slug an address
// of a language names: translations may share theirs (D50).
func sharedSlugsOfLanguages(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
		for name, status := range map[string]string{"nl-live": "publish", "fr-live": "publish", "nl-plan": "draft", "fr-plan": "draft", "nl-mixed": "draft", "fr-mixed": "publish"} {
			p.venue(thing{slug: name, status: status})
			p.exec("UPDATE ?(prefix)posts SET post_name = ? WHERE ID = ?", name[3:], p.of(name))
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
			if a := p.ask(http.MethodGet, x.language, path, x.as, ""); x.read != "" && a.number("id") != p.of(x.read) {
				t.Errorf("%s as %q: %s, want %s", a.request, x.as, a.summary(), x.read)
			}
			if x.as == "" {
				continue
			}
			a := p.ask(http.MethodPatch, x.language, path, x.as, `{"city":"Gent"}`)
			if x.written == "409" && a.verdict() != "409 rest_ambiguous_slug" || x.written != "409" && a.number("id") != p.of(x.written) {
				t.Errorf("%s: %s %d, want %s", a.request, a.verdict(), a.number("id"), x.written)
			}
		}
		// Where languages are not told apart, translations are several posts.
		off := p.site.client(calendar.Options{})
		if a := off.ask(http.MethodPatch, "/venues/by-slug/live", "admin", `{"city":"Gent"}`); a.verdict() != "409 rest_ambiguous_slug" {
			t.Errorf("%s: %s", a.request, a.verdict())
		}
		p.settle()
	})
}
