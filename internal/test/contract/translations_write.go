package contract

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/schema"
)

const wholeEvent = `{"title":"Nieuw","start_date":"2030-08-01 10:00","end_date":"2030-08-01 11:00","venue":{"venue":"Place"},"organizer":[{"organizer":"Gens"}],` +
	`"categories":["Jamais vu"],"tags":["Pas encore"]}`

// languageOfWrites proves that what a write makes is recorded in the language of
// its request, with everything that is made beside it.
func languageOfWrites(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
		for i, c := range []struct{ root, query, member, code string }{
			{"fr", "", "", "fr"}, {"en", "", "", "en"}, {"nl", "", "", "nl"},
			{"nl", "?i18n_language=fr", "", "fr"}, {"fr", "", `,"i18n_language":"en"`, "en"},
		} {
			body := strings.ReplaceAll(strings.TrimSuffix(wholeEvent, "}"), "Nieuw", fmt.Sprint("Nieuw ", i)) + c.member + "}"
			for _, name := range []string{"Jamais vu", "Pas encore"} {
				body = strings.ReplaceAll(body, name, fmt.Sprint(name, " ", i))
			}
			a := p.ask("POST", c.root, "/events"+c.query, "admin", body)
			if a.Status != http.StatusCreated || a.Word("language") != c.code || a.At("venue", "language") != `"`+c.code+`"` || a.At("translations") != "[]" {
				t.Fatalf("%s: %d %s", a.Request, a.Status, a.Text)
			}
			for kind, path := range map[string][]string{
				"tribe_events": {"id"}, "tribe_venue": {"venue", "id"}, "tribe_organizer": {"organizer", "0", "id"},
				"tribe_events_cat": {"categories", "0", "id"}, "post_tag": {"tags", "0", "id"},
			} {
				var id int64
				_, _ = fmt.Sscan(a.At(path...), &id)
				if got := p.record(kind, id); got != p.alone(kind, c.code, id) {
					t.Errorf("%s: %s %d is recorded as %q", a.Request, kind, id, got)
				}
			}
			for _, root := range []string{"nl", "en", "fr"} {
				listed := strings.Contains(p.get(root, "/events?start_date=2030-08-01").Summary(), fmt.Sprint("nieuw-", i))
				if listed != (root == c.code) {
					t.Errorf("%s: listed in %s: %v", a.Request, root, listed)
				}
			}
		}
		p.ownGroups()
		p.counts()
		// An update leaves it, whatever the language of its request.
		p.ask("PATCH", "fr", "/events/{concert}", "admin", `{"title":"Concert!"}`)
		p.ask("PATCH", "fr", "/events/{party}", "admin", `{"title":"Party!"}`)
		if got := p.record("tribe_events", p.of("concert")); got != "none" || !strings.HasPrefix(p.record("tribe_events", p.of("party")), "en of en:") {
			t.Errorf("after an update: %s", got)
		}
		// Publishing counts.
		p.ask("PATCH", "fr", "/events/{plan}", "admin", `{"status":"publish"}`)
		p.counts()
	})
}

// ownGroups checks that no two items share a group that nobody put into one.
func (p *polyglot) ownGroups() {
	p.T.Helper()
	if p.form == "table" {
		if shared := p.texts("SELECT trid FROM ?(prefix)icl_translations WHERE trid > ? GROUP BY trid HAVING COUNT(*) > 1", p.groups); len(shared) > 0 {
			p.T.Errorf("groups with several items: %q", shared)
		}
		return
	}
	slugs := p.texts("SELECT t.slug FROM ?(prefix)terms t JOIN ?(prefix)term_taxonomy tt ON tt.term_id = t.term_id WHERE tt.taxonomy = 'term_translations'")
	if slices.Sort(slugs); len(slices.Compact(slices.Clone(slugs))) != len(slugs) {
		p.T.Errorf("groups with one name: %q", slugs)
	}
}

// languageOfDeleted proves that what is deleted for good leaves its group, the
// last one with the group itself, and that the trash keeps everything.
func languageOfDeleted(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
		feest, party, fete := p.of("feest"), p.of("party"), p.of("fete")
		gone := func(path string) {
			t.Helper()
			if a := p.ask("DELETE", "en", path, "admin", ""); a.Status != http.StatusOK {
				t.Fatalf("%s: %d %s", a.Request, a.Status, a.Text)
			}
		}
		is := func(kind string, id int64, want string) {
			t.Helper()
			if got := p.record(kind, id); got != want {
				t.Errorf("%s %d is recorded as %q, want %q", kind, id, got, want)
			}
		}
		gone("/events/{feest}")
		is("tribe_events", feest, fmt.Sprintf("nl of en:%d fr:%d nl:%d", party, fete, feest))
		if a := p.get("nl", "/events/{fete}"); strings.Contains(a.At("translations"), "nl") {
			t.Errorf("what is in the trash is linked: %s", a.At("translations"))
		}
		gone("/events/{feest}?force=true")
		is("tribe_events", feest, "none")
		is("tribe_events", party, fmt.Sprintf("en of en:%d fr:%d", party, fete))
		if p.form == "table" {
			codes, sources := p.pairs("SELECT language_code, COALESCE(source_language_code, '') FROM ?(prefix)icl_translations WHERE element_type = 'post_tribe_events' "+
				"AND element_id IN (?, ?) ORDER BY 1", party, fete)
			if !slices.Equal(codes, []string{"en", "fr"}) || !slices.Equal(sources, []string{"", "en"}) {
				t.Errorf("%q are translated from %q", codes, sources)
			}
		}
		gone("/events/{party}?force=true")
		gone("/events/{fete}?force=true")
		is("tribe_events", fete, "none")
		gone("/categories/{muziek}")
		is("tribe_events_cat", p.of("music"), fmt.Sprintf("en of en:%d fr:%d", p.of("music"), p.of("musique")))
		gone("/categories/{music}")
		gone("/categories/{musique}")
		gone("/venues/{hall}?force=true")
		is("tribe_venue", p.of("hall"), "none")
		p.counts()
		left := p.texts("SELECT t.name FROM ?(prefix)terms t JOIN ?(prefix)term_taxonomy tt ON tt.term_id = t.term_id WHERE tt.taxonomy LIKE '%_translations' ORDER BY 1")
		want := []string{"group 42", "group 44", "group 46", "group 48", "group 49", "group 50"}
		if p.form == "table" {
			left, want = p.texts("SELECT DISTINCT trid FROM ?(prefix)icl_translations ORDER BY 1"), []string{"42", "43", "44", "46", "48", "49", "50"}
		}
		if !slices.Equal(left, want) {
			t.Errorf("groups %q, want %q", left, want)
		}
	})
}

// idsOfBoth proves that deleting a post leaves the language of a term alone that
// has the same id, also while languages are switched off.
func idsOfBoth(t *testing.T, e Engine) {
	p := newPolyglot(t, e, "terms")
	venue := p.venue(thing{slug: "twin"})
	p.Exec("UPDATE ?(prefix)term_relationships SET object_id = ? WHERE object_id = ? AND term_taxonomy_id IN (SELECT term_taxonomy_id FROM ?(prefix)term_taxonomy WHERE taxonomy LIKE 'term%')",
		venue, p.of("theater"))
	for _, table := range []string{"terms", "term_taxonomy"} {
		p.Exec("UPDATE ?(prefix)"+table+" SET term_id = ? WHERE term_id = ?", venue, p.of("theater"))
	}
	p.Exec("UPDATE ?(prefix)term_taxonomy SET description = ? WHERE description = ?", fmt.Sprintf(`a:1:{s:2:"nl";i:%d;}`, venue), fmt.Sprintf(`a:1:{s:2:"nl";i:%d;}`, p.of("theater")))
	for _, mode := range []calendar.Translations{calendar.TranslationsOff, calendar.TranslationsAuto} {
		p.mount(calendar.Options{Site: calendar.Site{Translations: mode}})
		if a := p.ask("DELETE", "nl", "/venues/{twin}", "admin", ""); a.Status != http.StatusOK {
			t.Fatalf("%s: %d %s", a.Request, a.Status, a.Text)
		}
		p.Exec("UPDATE ?(prefix)posts SET post_status = 'publish' WHERE ID = ?", venue)
		if got := p.record("tribe_events_cat", venue); got != p.alone("tribe_events_cat", "nl", venue) {
			t.Errorf("in the trash: %s", got)
		}
		if a := p.ask("DELETE", "nl", "/venues/{twin}?force=true", "admin", ""); a.Status != http.StatusOK {
			t.Fatalf("%s: %d %s", a.Request, a.Status, a.Text)
		}
		if got := p.record("tribe_events_cat", venue); got != p.alone("tribe_events_cat", "nl", venue) {
			t.Errorf("deleted: %s", got)
		}
		p.counts()
		p.Insert(&schema.Post{ID: venue, Author: 1, Title: "twin", Name: "twin", Status: "publish", Type: "tribe_venue", Date: "2030-01-01 00:00:00", DateGMT: "2030-01-01 00:00:00", Modified: "2030-01-01 00:00:00", ModifiedGMT: "2030-01-01 00:00:00"})
	}
}

// groupsAtOnce proves that items which are made at once get groups of their own.
func groupsAtOnce(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
		p.host.SetMaxOpenConns(16)
		answers := make([]apitest.Answer, writers)
		start := make(chan struct{})
		var wg sync.WaitGroup
		for i := range writers {
			wg.Go(func() {
				<-start
				path, body := "/tags", fmt.Sprintf(`{"name":"at once %d"}`, i)
				if i%2 == 0 {
					path, body = "/venues", `{"venue":"At once"}`
				}
				answers[i] = p.DoWithin(t.Context(), "admin", "POST", path+"?i18n_language="+[]string{"nl", "en", "fr"}[i%3], body)
			})
		}
		close(start)
		wg.Wait()
		p.all(answers, http.StatusCreated)
		p.ownGroups()
		p.counts()
		for i, a := range answers {
			kind := map[bool]string{true: "tribe_venue", false: "post_tag"}[i%2 == 0]
			if got := p.record(kind, a.Number("id")); got != p.alone(kind, []string{"nl", "en", "fr"}[i%3], a.Number("id")) {
				t.Errorf("%s: %s", a.Request, got)
			}
		}
	})
}

// languageWritesFail proves that a write of which any statement fails records no
// language, and a deletion forgets none.
func languageWritesFail(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
		for _, w := range []request{
			{"POST", "/events", wholeEvent}, {"POST", "/categories", `{"name":"Neuf"}`},
			{"DELETE", "/events/{feest}?force=true", ""}, {"DELETE", "/tags/{gratis}", ""},
		} {
			was := p.Rows()
			for n := 1; ; n++ {
				if a := p.get("nl", "/tags"); a.Status != http.StatusOK {
					t.Fatal(a.Text)
				}
				p.counter.Reset()
				reached := false
				p.counter.Before(func(_ context.Context, i int, _ string) error {
					if i != n || p.counter.Transactions().Committed > 0 {
						return nil
					}
					reached = true
					return errors.New("refused")
				})
				a := p.DoWithin(t.Context(), "admin", w.method, p.fill(w.path), p.fill(w.body))
				p.counter.Reset()
				if !reached {
					if a.Status/100 != 2 || n < 10 {
						t.Errorf("%s: %d after %d statements %s", a.Request, a.Status, n, a.Text)
					}
					break
				}
				if lines := was.Differences(p.Rows()); a.Status != http.StatusInternalServerError || len(lines) > 0 {
					t.Errorf("%s, statement %d: %d, rows differ\n%s", a.Request, n, a.Status, strings.Join(lines, "\n"))
				}
				p.log.taken()
			}
		}
	})
}
