package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// record returns what is stored of the language of an item: its language, followed by those of its group, or "none".
func (s *site) record(kind string, id int64) string {
	s.T.Helper()
	if s.form == "table" {
		return s.tableRecord(kind, id)
	}
	language, group := "language", "post_translations"
	if isTaxonomy(kind) {
		language, group = "term_language", "term_translations"
	}
	const related = "FROM ?(prefix)term_relationships r JOIN ?(prefix)term_taxonomy tt ON tt.term_taxonomy_id = r.term_taxonomy_id "
	words := s.Scan("SELECT t.slug "+related+
		"JOIN ?(prefix)terms t ON t.term_id = tt.term_id WHERE r.object_id = ? AND tt.taxonomy = ?", id, language)
	for i := range words {
		words[i] = strings.TrimPrefix(words[i], "pll_")
	}
	for _, description := range s.Scan("SELECT tt.description "+related+"WHERE r.object_id = ? AND tt.taxonomy = ?", id, group) {
		words = append(words, "of")
		list, err := phpval.Unserialize(description)
		if err != nil {
			s.T.Errorf("group %q: %v", description, err)
			continue
		}
		for code, member := range list.(*phpval.Array).All() {
			words = append(words, code.String()+":"+phpval.Text(member))
		}
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, " ")
}

func (s *site) tableRecord(kind string, id int64) string {
	s.T.Helper()
	element, shift := "post_"+kind, int64(0)
	if isTaxonomy(kind) {
		element, shift = "tax_"+kind, id-s.placeOf(kind, id)
	}
	words := s.Scan("SELECT language_code FROM ?(prefix)icl_translations WHERE element_type = ? AND element_id = ?", element, id-shift)
	if len(words) == 0 {
		return "none"
	}
	words = append(words, "of")
	codes, ids := s.pairs("SELECT language_code, element_id FROM ?(prefix)icl_translations WHERE trid IN "+
		"(SELECT trid FROM ?(prefix)icl_translations WHERE element_type = ? AND element_id = ?) ORDER BY language_code", element, id-shift)
	for i, code := range codes {
		var member int64
		must.Get(fmt.Sscan(ids[i], &member))(s.T)
		words = append(words, fmt.Sprintf("%s:%d", code, member+shift))
	}
	return strings.Join(words, " ")
}

// placeOf returns the term_taxonomy_id of a term, or the id itself if the term is gone.
func (s *site) placeOf(taxonomy string, id int64) int64 {
	s.T.Helper()
	places := s.Scan("SELECT term_taxonomy_id FROM ?(prefix)term_taxonomy WHERE term_id = ? AND taxonomy = ?", id, taxonomy)
	if len(places) == 0 {
		return id + termShift
	}
	var place int64
	must.Get(fmt.Sscan(places[0], &place))(s.T)
	return place
}

// pairs reads two columns.
func (s *site) pairs(query string, args ...any) (first, second []string) {
	s.T.Helper()
	if err := s.DB.NewRaw(query, args...).Scan(s.T.Context(), &first, &second); err != nil {
		s.T.Fatalf("%s: %v", query, err)
	}
	return first, second
}

// alone returns the record of an item in a group of its own. If groups are terms, a post without translations has no
// group.
func (s *site) alone(kind, code string, id int64) string {
	if s.form == "terms" && !isTaxonomy(kind) {
		return code
	}
	return fmt.Sprintf("%s of %s:%d", code, code, id)
}

// counts checks the stored counts of languages and groups.
func (s *site) counts() {
	s.T.Helper()
	for taxonomy, counted := range map[string]string{
		"language":      "JOIN ?(prefix)posts p ON p.ID = r.object_id AND p.post_status = 'publish'",
		"term_language": "", "post_translations": "", "term_translations": "",
	} {
		wrong := s.Scan("SELECT t.name FROM ?(prefix)term_taxonomy tt JOIN ?(prefix)terms t ON t.term_id = tt.term_id "+
			"WHERE tt.taxonomy = ? AND tt.count <> (SELECT COUNT(*) FROM ?(prefix)term_relationships r "+
			counted+" WHERE r.term_taxonomy_id = tt.term_taxonomy_id)", taxonomy)
		if slices.Sort(wrong); len(wrong) > 0 {
			s.T.Errorf("counts of %s are wrong: %q", taxonomy, wrong)
		}
	}
}

// ownGroups checks that no two items share a group unless they were put into one.
func (s *site) ownGroups() {
	s.T.Helper()
	if s.form == "table" {
		shared := s.Scan("SELECT trid FROM ?(prefix)icl_translations WHERE trid > ? GROUP BY trid HAVING COUNT(*) > 1", s.groups)
		if len(shared) > 0 {
			s.T.Errorf("groups with several items: %q", shared)
		}
		return
	}
	slugs := s.Scan("SELECT t.slug FROM ?(prefix)terms t JOIN ?(prefix)term_taxonomy tt ON tt.term_id = t.term_id " +
		"WHERE tt.taxonomy = 'term_translations'")
	if slices.Sort(slugs); len(slices.Compact(slices.Clone(slugs))) != len(slugs) {
		s.T.Errorf("groups with one name: %q", slugs)
	}
}

// languageStatements checks that languages add at most two statements, for any number of items.
func languageStatements(t *testing.T, e Engine) {
	inForms(t, e, func(t *testing.T, p *polyglot) {
		sent := func(language, path string) int {
			p.Exec("UPDATE ?(prefix)posts SET comment_count = comment_count + 1 WHERE ID = ?", p.idOf("fete")) // prevents cached responses
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
