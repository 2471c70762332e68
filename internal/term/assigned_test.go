package term

import (
	"github.com/agendahq/agenda/internal/store"
)

// row returns a stored term. Its term_taxonomy_id is its id plus 100.
func row(id, parent, count int64, slug, name string) *store.TaxonomyTerm {
	return &store.TaxonomyTerm{ID: id, TaxonomyID: id + 100, Parent: parent, Count: count, Slug: slug, Name: name}
}
