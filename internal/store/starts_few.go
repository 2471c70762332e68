package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// Along the starts a page of few events is a long way, most of it past others. So
// where a filter names few of them, the occurrences of these are read from an index
// and put in order; the rest is the same.

// Up to how many events there are few. Many are linked from where so many events on
// the way have a link that each is better looked up than looked for in a list of all;
// fewer than many are also counted one by one.
const (
	fewMembers = 1000
	fewLinked  = 300
	manyLinked = 4000
	fewIDs     = 10 // that a filter names
)

// The conditions of a filter are either left to the database, which may begin with
// any of them, or looked up one by one for events that stand in an order: by a column
// of the first table of the query or, where that table is sorted before anything else
// is read, by one of the next.
const (
	anyOrder    bun.Ident = ""
	alongStarts bun.Ident = "o.post_id"
	afterSort   bun.Ident = "p.ID"
)

// links tells that a filter asks for what events link, or are marked by.
func (f *EventFilter) links() bool {
	return len(f.Venues) > 0 || f.Organizers != nil || f.Featured != nil && *f.Featured
}

// sizeKey stands for what decides how many events a filter selects, to the day: a way
// that is short for a venue may be long for what one category has there in a month.
func (f *EventFilter) sizeKey() string {
	days := make([]string, len(f.Bounds))
	for i, b := range f.Bounds {
		days[i] = fmt.Sprint(b.End, b.UTC, b.Op, b.Value[:min(len(b.Value), len("YYYY-MM-DD"))])
	}
	featured := f.Featured != nil && *f.Featured
	return fmt.Sprint(days, f.Venues, f.NoVenues, f.Organizers, featured, f.Terms, f.Search, f.Language, f.Visible, f.Unlocked)
}

// size is about how many events a filter of links selects. Where they were never
// counted, few ids are taken to be linked by few, and others by neither few nor many.
func (s *Store) size(f *EventFilter) int64 {
	n, known := s.totals.size(f.sizeKey())
	if known {
		return n
	}
	ids := 0
	for _, list := range f.Venues {
		ids += len(list)
	}
	if f.Organizers != nil {
		ids += len(*f.Organizers)
	}
	if ids > fewIDs {
		return manyLinked
	}
	return 0
}

// fewFirst selects, with the columns that a filter needs, the occurrences of a list
// of few events that the filter names, and returns what else the filter asks for; nil
// if there is no such list.
func (s *Store) fewFirst(f *EventFilter, mostLinked int64) (q *bun.SelectQuery, rest *EventFilter) {
	q, rest = s.db.NewSelect().Distinct(), new(*f)
	few := slices.IndexFunc(f.Members, func(n int64) bool { return n <= fewMembers })
	switch {
	case few >= 0:
		q = q.TableExpr("?(prefix)term_relationships AS n").Join("? ?(prefix)tec_occurrences AS o ON o.post_id = n.object_id", s.then()).
			Where("n.term_taxonomy_id IN (?)", bun.List(f.Terms[few]))
		rest.Terms = slices.Concat(f.Terms[:few], f.Terms[few+1:])
	case !f.links() || s.size(f) > mostLinked:
		return nil, f
	default:
		q = q.TableExpr("?(prefix)postmeta AS n").Join("? ?(prefix)tec_occurrences AS o ON o.post_id = n.post_id", s.then())
		switch {
		case f.Organizers != nil:
			q = q.Where("n.meta_key = ?", schema.MetaOrganizerID).Where("n.meta_value IN (?)", bun.List(texts(*f.Organizers)))
			rest.Organizers = nil
		case len(f.Venues) > 0:
			q = q.Where("n.meta_key = ?", schema.MetaVenueID).Where("n.meta_value IN (?)", bun.List(texts(f.Venues[0])))
			rest.Venues = f.Venues[1:]
		default:
			q = q.Where("n.meta_key = ?", schema.MetaFeatured)
			rest.Featured = nil
		}
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
	return s.bounded(q, f), rest
}

// fromStarts selects visible events p by their occurrences o, which come in the order
// of an index or, where a filter names few events, are those of these. It may select
// an event by more than one of its occurrences.
func (s *Store) fromStarts(ctx context.Context, f *EventFilter, mostLinked int64) (q *bun.SelectQuery, few bool, err error) {
	q = s.db.NewSelect()
	from, rest := s.fewFirst(f, mostLinked)
	event := alongStarts
	if from != nil {
		q, event = q.TableExpr("(?) AS o", from), afterSort
	} else {
		q = q.TableExpr("?(prefix)tec_occurrences AS o")
	}
	q = q.Join("? ?(prefix)posts AS p ON p.ID = o.post_id", s.then()).
		Join("LEFT JOIN ?(prefix)postmeta AS h ON h.post_id = o.post_id AND h.meta_key = ?", schema.MetaHideFromUpcoming).
		Where("h.meta_id IS NULL")
	q, err = s.filtered(ctx, q, rest, event)
	return q, from != nil, err
}

// linkedEvents keeps the events that link what a filter asks for.
func (s *Store) linkedEvents(q *bun.SelectQuery, f *EventFilter, event bun.Ident) *bun.SelectQuery {
	inList := false
	if event == alongStarts && f.links() {
		n := s.size(f)
		inList = n > fewLinked && n <= manyLinked
	}
	link := func(key string, ids []int64) {
		switch {
		case event == anyOrder:
			q = q.Where("EXISTS (?)", s.linked(key, ids))
		case inList: // as a condition alone, the database would begin with the list
			q = q.Where("(o.post_id IN (?)) IS TRUE", s.linking(key, ids))
		default:
			q = q.Where("(?) IS NOT NULL", s.db.NewSelect().TableExpr("?(prefix)postmeta AS m").ColumnExpr("1").
				Where("m.post_id = ?", event).Where("m.meta_key = ?", key).Where("m.meta_value IN (?)", bun.List(texts(ids))).Limit(1))
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
