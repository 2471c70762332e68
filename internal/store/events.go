package store

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// Bound is a condition on an event's start or end: text compares with text.
type Bound struct {
	End   bool   // on the end, else on the start
	UTC   bool   // on the UTC time, else on the event's own wall clock
	Op    string // ">=", "<=", ">" or "<"
	Value string // "YYYY-MM-DD HH:MM:SS"
}

// Term is one word or phrase of a search.
type Term struct {
	Text string
	Not  bool
}

// EventOrder is the column that a list of events is ordered by.
type EventOrder string

// Orders of events. Ties: start, publication date, id.
const (
	ByStart    EventOrder = "start"
	ByPostDate EventOrder = "date"
	ByTitle    EventOrder = "title"
	ByModified EventOrder = "modified"
	ByID       EventOrder = "id"
)

// EventFilter selects events. Nil pointers and empty lists do not filter,
// unless said otherwise.
type EventFilter struct {
	Visible    Visible
	Language   Spoken
	Bounds     []Bound
	Search     []Term
	Unlocked   bool      // leave out password-protected events
	Terms      [][]int64 // of each list one term_taxonomy_id has to be assigned
	Members    []int64   // how many posts have one of each list, as far as that is known
	Venues     [][]int64 // of each list one is linked; an empty list matches nothing
	NoVenues   *[]int64  // none of these is linked
	Organizers *[]int64
	Featured   *bool
	Parent     *int64
	Include    *[]int64
	Ticketed   *bool
	OrderUTC   bool // starts are compared in UTC
	Order      EventOrder
	Descending bool

	tickets *[]int64 // the events that tickets point at, once they were read
}

// EventPage returns one page of ids.
func (s *Store) EventPage(ctx context.Context, f *EventFilter, limit, offset int64) ([]int64, error) {
	list, err := s.eventPage(ctx, f, limit, offset)
	return list, unlessUnmatchable(err, len(f.Search) > 0)
}

func (s *Store) eventPage(ctx context.Context, f *EventFilter, limit, offset int64) ([]int64, error) {
	if s.inStarts(f) {
		return s.startPage(ctx, f, limit, offset)
	}
	q, err := s.events(ctx, f)
	if err != nil {
		return nil, err
	}
	start := s.startColumn(f.OrderUTC)
	q = q.Column("p.ID").Group("p.ID").Limit(limit).Offset(offset)
	first := map[EventOrder]string{ByPostDate: "post_date", ByModified: "post_modified"}[f.Order]
	switch {
	case f.Order == ByTitle: // MIN would lose the column's collation on SQLite
		q = q.Group("p.post_title").OrderExpr("p.post_title ?", direction(f.Descending))
	case first != "":
		q = q.OrderExpr("MIN(p.?) ?", bun.Ident(first), direction(f.Descending))
	case f.Order == ByID:
		q = q.OrderExpr("p.ID ?", direction(f.Descending))
	default:
		q = q.OrderExpr("MIN(?) ?", start, direction(f.Descending))
	}
	if f.Order != ByPostDate {
		q = q.OrderExpr("MIN(?)", start)
	}
	return ids(ctx, q.OrderExpr("MIN(p.post_date)").OrderExpr("p.ID"))
}

func direction(descending bool) bun.Safe {
	if descending {
		return "DESC"
	}
	return "ASC"
}

// events builds the part that a page and its count share.
func (s *Store) events(ctx context.Context, f *EventFilter) (*bun.SelectQuery, error) {
	hidden := s.hidden()
	if s.inSearchIndex(f) {
		hidden = s.once(hidden, "post_id")
	}
	q := s.dated(s.db.NewSelect().TableExpr("?(prefix)posts AS p"), f).Where("p.ID NOT IN (?)", hidden)
	return s.filtered(ctx, q, f, anyOrder)
}

// filtered adds the conditions of a filter: see anyOrder.
func (s *Store) filtered(ctx context.Context, q *bun.SelectQuery, f *EventFilter, event bun.Ident) (*bun.SelectQuery, error) {
	q = f.Visible.where(q.Where("p.post_type = ?", s.names.Event), "p")
	if event == anyOrder {
		q = s.spokenPosts(q, f.Language, s.names.Event, "p")
	} else {
		q = s.spokenOneByOne(q, f.Language, s.names.Event)
	}
	q = s.searching(s.bounded(q, f), f.Search)
	if f.Unlocked {
		q = q.Where("p.post_password = ''")
	}
	for _, list := range f.Terms {
		assigned := s.db.NewSelect().TableExpr("?(prefix)term_relationships AS r").Where("r.term_taxonomy_id IN (?)", bun.List(list))
		if event == anyOrder {
			q = q.Where("EXISTS (?)", assigned.ColumnExpr("1").Where("r.object_id = p.ID"))
		} else { // EXISTS would be turned into a list of all that have the terms
			q = q.Where("(?) IS NOT NULL", assigned.ColumnExpr("1").Where("r.object_id = ?", event).Limit(1))
		}
	}
	q = s.linkedEvents(q, f, event)
	if f.NoVenues != nil {
		q = q.Where("NOT EXISTS (?)", s.linked(schema.MetaVenueID, *f.NoVenues))
	}
	if f.Featured != nil && event == anyOrder {
		q = q.Where(exists(*f.Featured), s.metaOf(schema.MetaFeatured))
	} else if f.Featured != nil {
		q = q.Where("((?) IS NOT NULL) = ?", s.metaOf(schema.MetaFeatured).Limit(1), *f.Featured)
	}
	if f.Parent != nil {
		q = q.Where("p.post_parent = ?", *f.Parent)
	}
	if f.Include != nil {
		q = q.Where("p.ID IN (?)", bun.List(*f.Include))
	}
	if f.Ticketed != nil {
		return s.ticketed(ctx, q, f)
	}
	return q, nil
}

// bounded keeps the dates within the bounds.
func (s *Store) bounded(q *bun.SelectQuery, f *EventFilter) *bun.SelectQuery {
	for _, b := range f.Bounds {
		q = q.Where("? ? ?", s.dateColumn(b.End, b.UTC), bun.Safe(operator(b.Op)), storable(b.Value))
	}
	return q
}

func exists(yes bool) string {
	if yes {
		return "EXISTS (?)"
	}
	return "NOT EXISTS (?)"
}

// dated joins what holds the dates: the occurrences table, or the meta rows
// where a site has none.
func (s *Store) dated(q *bun.SelectQuery, f *EventFilter) *bun.SelectQuery {
	if s.occurrences {
		return q.Join("JOIN ?(prefix)tec_occurrences AS o ON o.post_id = p.ID")
	}
	need := map[string]string{"ls": schema.MetaStartDate}
	if f.OrderUTC {
		need["us"] = schema.MetaStartDateUTC
	}
	for _, b := range f.Bounds {
		alias, key := metaDate(b.End, b.UTC)
		need[alias] = key
	}
	for _, alias := range []string{"ls", "le", "us", "ue"} {
		if key := need[alias]; key != "" {
			q = q.Join("JOIN ?(prefix)postmeta AS ? ON ?.post_id = p.ID AND ?.meta_key = ? AND ?.meta_value > '0'",
				bun.Ident(alias), bun.Ident(alias), bun.Ident(alias), key, bun.Ident(alias))
		}
	}
	return q
}

func metaDate(end, utc bool) (alias, key string) {
	switch {
	case end && utc:
		return "ue", schema.MetaEndDateUTC
	case end:
		return "le", schema.MetaEndDate
	case utc:
		return "us", schema.MetaStartDateUTC
	}
	return "ls", schema.MetaStartDate
}

func (s *Store) startColumn(utc bool) bun.Ident { return s.dateColumn(false, utc) }

func (s *Store) dateColumn(end, utc bool) bun.Ident {
	if !s.occurrences {
		alias, _ := metaDate(end, utc)
		return bun.Ident(alias + ".meta_value")
	}
	name := "o.start_date"
	if end {
		name = "o.end_date"
	}
	if utc {
		name += "_utc"
	}
	return bun.Ident(name)
}

func operator(op string) string {
	switch op {
	case ">=", "<=", ">", "<":
		return op
	}
	return "="
}

// storable moves a date outside the range of the database's dates to its edge.
func storable(date string) string {
	switch {
	case strings.HasPrefix(date, "-") || date < "0001-01-01":
		return "0001-01-01 00:00:00"
	case len(date) > len("YYYY-MM-DD HH:MM:SS"):
		return "9999-12-31 23:59:59"
	}
	return date
}

// metaOf selects the rows of the event p with a meta key.
func (s *Store) metaOf(key string) *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("?(prefix)postmeta AS m").ColumnExpr("1").
		Where("m.post_id = p.ID").Where("m.meta_key = ?", key)
}

// linked selects the rows that link the event p to one of the ids.
func (s *Store) linked(key string, ids []int64) *bun.SelectQuery {
	return s.metaOf(key).Where("m.meta_value IN (?)", bun.List(texts(ids)))
}

// ticketKeys are the meta keys by which a ticket names its event.
var ticketKeys = []string{schema.MetaRSVPForEvent, schema.MetaTicketForEvent, schema.MetaWooTicketOfEvent}

// ticketed keeps the events that a ticket points at, or the others.
func (s *Store) ticketed(ctx context.Context, q *bun.SelectQuery, f *EventFilter) (*bun.SelectQuery, error) {
	if f.tickets == nil {
		events, err := s.metaIDs(ctx, s.db.NewSelect().TableExpr("?(prefix)postmeta AS m").
			Join("LEFT JOIN ?(prefix)posts AS t ON t.ID = m.post_id").
			ColumnExpr("DISTINCT m.meta_value").Where("m.meta_key IN (?)", bun.List(ticketKeys)).
			Where("(t.ID IS NULL OR t.post_status <> ?)", schema.StatusTrash))
		if err != nil {
			return nil, err
		}
		f.tickets = &events
	}
	switch events := *f.tickets; {
	case *f.Ticketed:
		return q.Where("p.ID IN (?)", bun.List(events)), nil
	case len(events) > 0:
		return q.Where("p.ID NOT IN (?)", bun.List(events)), nil
	}
	return q, nil
}
