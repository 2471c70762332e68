package store

import (
	"testing"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/schema"
)

// BenchmarkContent reads what a page of ten events needs of their own.
func BenchmarkContent(b *testing.B) {
	db, err := schema.Bind(testdb.SiteA(b), "wp_")
	if err != nil {
		b.Fatal(err)
	}
	names := schema.DefaultNames()
	s := newStore(b, db)
	page, err := s.Links.Page(b.Context(), &LinkedFilter{Type: names.Event, Visible: anyone, Order: LinkedByID, Ascending: true}, 10, 0)
	if err != nil || len(page) != 10 {
		b.Fatal(page, err)
	}
	ask := ContentQuery{IDs: page, Taxonomies: []string{names.Category, names.Tag}, Keys: []string{
		schema.MetaStartDate, schema.MetaEndDate, schema.MetaStartDateUTC, schema.MetaEndDateUTC, schema.MetaTimezone,
		schema.MetaTimezoneAbbr,
		schema.MetaAllDay, schema.MetaCost, schema.MetaURL, schema.MetaShowMap, schema.MetaFeatured, schema.MetaVenueID,
		schema.MetaOrganizerID, schema.MetaThumbnailID,
	}}
	b.ReportAllocs()
	for b.Loop() {
		c, err := s.Posts.Content(b.Context(), ask)
		if err != nil || len(c.Posts) != 10 || len(c.Meta) != 10 {
			b.Fatal(len(c.Posts), err)
		}
	}
}
