package term

import (
	"github.com/agendahq/agenda/internal/store"
)

// row is a stored term, whose taxonomy id is its id and 100.
func row(id, parent, count int64, slug, name string) *store.TaxonomyTerm {
	return &store.TaxonomyTerm{ID: id, TaxonomyID: id + 100, Parent: parent, Count: count, Slug: slug, Name: name}
}
