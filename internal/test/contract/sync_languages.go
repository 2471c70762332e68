package contract

import (
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/schema"
)

// syncLanguages follows lists in two languages while the translations of items appear and disappear.
func syncLanguages(t *testing.T, e Engine) {
	for _, form := range polyglotForms {
		t.Run(form, func(t *testing.T) {
			s := newJournaled(t, e)
			s.storeLanguages(form)
			s.group("tribe_events_cat", "nl jazz, fr music")
			s.group("tribe_events", "nl e1, fr e2")
			s.venue(thing{slug: "salle"})
			s.group("tribe_venue", "nl hall, fr salle")
			s.meta("e2", schema.MetaVenueID, s.idText("hall"))
			s.opts.Languages = languages
			s.install()
			french := strings.Replace(Root, Site, Site+"/fr", 1)
			dutch := s.mirror("", "/events")
			mirrors := []*mirror{
				dutch, s.mirror("", french+"/events"), s.mirror("", "/categories"), s.mirror("", "/events?categories=jazz"),
			}
			for _, m := range mirrors {
				m.pull()
			}
			for _, list := range []string{french + "/events", "/categories"} {
				if a := s.Get("", list+"?sync_token="+dutch.token); a.Status != http.StatusBadRequest || a.Fault("sync_token") == "" {
					t.Errorf("%s takes the token of another list: %s", list, a)
				}
			}
			// The translation of a venue is missing while the pages are read that would show it.
			s.Exec(s.fill("UPDATE ?(prefix)posts SET post_title = 'Encore' WHERE ID = {e2}"))
			s.scan()
			s.Exec(s.fill("UPDATE ?(prefix)posts SET post_status = 'trash' WHERE ID = {salle}"))
			began := s.mirror("", french+"/events")
			mirrors[1].pull()
			began.pull()
			s.Exec(s.fill("UPDATE ?(prefix)posts SET post_status = 'publish' WHERE ID = {salle}"))
			s.scan()
			for _, m := range []*mirror{began, mirrors[1]} {
				m.pull()
				m.check("a version of a venue away and back")
			}
			if shown := began.items[s.idText("e2")]; !strings.Contains(shown, `"slug":"salle"`) {
				t.Errorf("the event shows another venue: %s", shown)
			}
			for _, statement := range s.versionsMove() {
				was := dutch.items[s.idText("e1")]
				s.Exec(s.fill(statement))
				s.scan()
				for _, m := range mirrors {
					m.pull()
					m.check(statement)
				}
				if shown := !strings.Contains(statement, "terms SET"); shown && dutch.items[s.idText("e1")] == was {
					t.Errorf("%s: the other version shows nothing of it: %s", statement, was)
				}
			}
		})
	}
}

// versionsMove returns statements that change what the event e1 shows of its French translation e2, or what their
// categories show.
func (s *journaled) versionsMove() []string {
	leaves, returns := "UPDATE ?(prefix)icl_translations SET trid = 99 WHERE element_id = {e2} AND element_type = 'post_tribe_events'",
		"UPDATE ?(prefix)icl_translations SET trid = 42 WHERE element_id = {e2} AND element_type = 'post_tribe_events'"
	gone := "DELETE FROM ?(prefix)icl_translations WHERE element_id = {e2} AND element_type = 'post_tribe_events'"
	if s.form == "terms" {
		group := s.id5("group 42")
		leaves = "DELETE FROM ?(prefix)term_relationships WHERE object_id = {e2} AND term_taxonomy_id = " + group
		returns = "INSERT INTO ?(prefix)term_relationships (object_id, term_taxonomy_id, term_order) VALUES ({e2}, " + group + ", 0)"
		gone = "UPDATE ?(prefix)term_taxonomy SET description = 'a:0:{}' WHERE term_taxonomy_id = " + group
	}
	return []string{
		leaves, returns,
		"UPDATE ?(prefix)posts SET post_status = 'private' WHERE ID = {e2}",
		"UPDATE ?(prefix)posts SET post_status = 'publish' WHERE ID = {e2}",
		"UPDATE ?(prefix)posts SET post_name = 'fete' WHERE ID = {e2}",
		"UPDATE ?(prefix)terms SET slug = 'musique', name = 'Musique' WHERE term_id = {music}",
		gone,
	}
}
