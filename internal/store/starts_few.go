package store

import (
	"fmt"
	"slices"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// Along the starts a page of few events is a long way, most of it past others. So
// where a filter names few of them, the occurrences of these are read from an index
// and put in order; the rest is the same.

// Up to how many events there are few, or many: from then on, so many events on the
// way have a link that each is better looked up than looked for in a list of all.
const (
	fewMembers = 1000
	fewLinked  = 300
	manyLinked = 4000
)

// links stands for what the events of a filter link, "" for nothing.
func (f *EventFilter) links() string {
	if len(f.Venues) == 0 && f.Organizers == nil {
		return ""
	}
	return fmt.Sprint(f.Venues, f.Organizers)
}

// fewFirst selects, with the columns that a filter needs, the occurrences of a list
// of few events that the filter names; nil if there is no such list. Links whose
// number was never counted are taken for few.
func (s *Store) fewFirst(f *EventFilter) *bun.SelectQuery {
	q := s.db.NewSelect().Distinct()
	links := f.links()
	few := slices.IndexFunc(f.Members, func(n int64) bool { return n <= fewMembers })
	switch {
	case few >= 0:
		q = q.TableExpr("?(prefix)term_relationships AS n").Join("? ?(prefix)tec_occurrences AS o ON o.post_id = n.object_id", s.then()).
			Where("n.term_taxonomy_id IN (?)", bun.List(f.Terms[few]))
	case links == "" || s.totals.size(links) > fewLinked:
		return nil
	default:
		key, ids := schema.MetaVenueID, []int64(nil)
		if f.Organizers != nil {
			key, ids = schema.MetaOrganizerID, *f.Organizers
		} else {
			ids = f.Venues[0]
		}
		q = q.TableExpr("?(prefix)postmeta AS n").Join("? ?(prefix)tec_occurrences AS o ON o.post_id = n.post_id", s.then()).
			Where("n.meta_key = ?", key).Where("n.meta_value IN (?)", bun.List(texts(ids)))
	}
	columns := []bun.Ident{"o.post_id", "o.occurrence_id", s.dateColumn(false, f.OrderUTC), s.dateColumn(true, f.OrderUTC)}
	for _, b := range f.Bounds {
		if c := s.dateColumn(b.End, b.UTC); !slices.Contains(columns, c) {
			columns = append(columns, c)
		}
	}
	for _, c := range columns {
		q = q.ColumnExpr("?", c)
	}
	return s.bounded(q, f)
}

// linkedEvents keeps the events that link what a filter asks for.
func (s *Store) linkedEvents(q *bun.SelectQuery, f *EventFilter, oneByOne bool) *bun.SelectQuery {
	size := s.totals.size(f.links())
	link := func(key string, ids []int64) {
		switch {
		case !oneByOne:
			q = q.Where("EXISTS (?)", s.linked(key, ids))
		case size > fewLinked && size <= manyLinked: // as a condition alone, the database would begin with the list
			q = q.Where("(o.post_id IN (?)) IS TRUE", s.linking(key, ids))
		default:
			q = q.Where("(?) IS NOT NULL", s.db.NewSelect().TableExpr("?(prefix)postmeta AS m").ColumnExpr("1").
				Where("m.post_id = o.post_id").Where("m.meta_key = ?", key).Where("m.meta_value IN (?)", bun.List(texts(ids))).Limit(1))
		}
	}
	for _, ids := range f.Venues {
		link(schema.MetaVenueID, ids)
	}
	if f.Organizers != nil {
		link(schema.MetaOrganizerID, *f.Organizers)
	}
	return q
}
