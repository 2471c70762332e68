package contract

import "github.com/agendahq/agenda/schema"

// term inserts a term. A category may have a parent.
func (s *site) term(taxonomy, slug, name, parent string) {
	s.T.Helper()
	s.next++
	above := int64(0)
	if parent != "" {
		above = s.of(parent)
	}
	s.id[slug] = s.next
	s.Insert(&schema.Term{ID: s.next, Name: name, Slug: slug})
	s.Insert(&schema.TermTaxonomy{ID: s.next + termShift, TermID: s.next, Taxonomy: taxonomy, Parent: above})
}

// termShift is the difference between the two ids of a term, so that a test fails if the code confuses them.
const termShift = 5000

func (s *site) categories(slugs ...string) {
	s.T.Helper()
	for _, slug := range slugs {
		s.term("tribe_events_cat", slug, slug, "")
	}
}

func (s *site) tags(slugs ...string) {
	s.T.Helper()
	for _, slug := range slugs {
		s.term("post_tag", slug, slug, "")
	}
}

func (s *site) assign(post int64, term string, counted bool) {
	s.T.Helper()
	id := s.of(term) + termShift
	s.Insert(&schema.TermRelationship{ObjectID: post, TermTaxonomyID: id})
	if counted {
		s.Exec("UPDATE ?(prefix)term_taxonomy SET count = count + 1 WHERE term_taxonomy_id = ?", id)
	}
}
