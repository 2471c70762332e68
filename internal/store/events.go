package store

import (
	"context"
	"slices"
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

// EventFilter selects events: those of all conditions.
type EventFilter struct {
	Visible    Visible
	Language   Spoken
	Bounds     []Bound
	Unlocked   bool        // leave out password-protected events
	Conditions []Condition // of those that select few events the one that selects fewest comes first
	OrderUTC   bool        // starts are compared in UTC
	Order      EventOrder
	Descending bool
}

// as returns conditions as a strategy needs them, and whether each of them is one
// that the strategy knows.
func as[T Condition](conditions []Condition) (all []T, ok bool) {
	all = make([]T, len(conditions))
	for i, c := range conditions {
		if all[i], ok = c.(T); !ok {
			return nil, false
		}
	}
	return all, true
}

// some reports whether one of the conditions is of a kind.
func some[T Condition](conditions []Condition) bool {
	return slices.ContainsFunc(conditions, func(c Condition) bool { _, is := c.(T); return is })
}

// EventPage returns one page of ids.
func (s *Store) EventPage(ctx context.Context, f *EventFilter, limit, offset int64) ([]int64, error) {
	list, err := s.eventPage(ctx, f, limit, offset)
	return list, unlessUnmatchable(err, some[matching](f.Conditions))
}

func (s *Store) eventPage(ctx context.Context, f *EventFilter, limit, offset int64) ([]int64, error) {
	if conditions, ok := s.inStarts(f); ok {
		return s.startPage(ctx, f, conditions, limit, offset)
	}
	return s.generalPage(ctx, f, limit, offset)
}

// generalPage sorts all that a filter selects.
func (s *Store) generalPage(ctx context.Context, f *EventFilter, limit, offset int64) ([]int64, error) {
	start := s.startColumn(f.OrderUTC)
	q := s.events(f).Column("p.ID").Group("p.ID").Limit(limit).Offset(offset)
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

// events builds the part that a page and its count share: the general strategy.
func (s *Store) events(f *EventFilter) *bun.SelectQuery {
	hidden := s.hidden()
	if some[wordSearch](f.Conditions) {
		hidden = s.once(hidden, "post_id")
	}
	q := s.dated(s.db.NewSelect().TableExpr("?(prefix)posts AS p"), f).Where("p.ID NOT IN (?)", hidden)
	q = s.spokenPosts(s.seen(q, f), f.Language, s.names.Event, "p")
	for _, c := range f.Conditions {
		q = c.general(s, q)
	}
	return q
}

// seen keeps the events p within the bounds that the caller sees.
func (s *Store) seen(q *bun.SelectQuery, f *EventFilter) *bun.SelectQuery {
	q = s.bounded(f.Visible.where(q.Where("p.post_type = ?", s.names.Event), "p"), f)
	if f.Unlocked {
		q = q.Where("p.post_password = ''")
	}
	return q
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

// metaOf selects the rows of an event with a meta key.
func (s *Store) metaOf(key string, event bun.Ident) *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("?(prefix)postmeta AS m").ColumnExpr("1").
		Where("m.post_id = ?", event).Where("m.meta_key = ?", key)
}

// withMeta selects the posts that have a meta key.
func (s *Store) withMeta(key string) *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("?(prefix)postmeta AS m").Column("m.post_id").Where("m.meta_key = ?", key)
}

// ticketKeys are the meta keys by which a ticket names its event.
var ticketKeys = []string{schema.MetaRSVPForEvent, schema.MetaTicketForEvent, schema.MetaWooTicketOfEvent}

// Ticketed returns the ids of the events that a ticket points at.
func (s *Store) Ticketed(ctx context.Context) ([]int64, error) {
	return s.metaIDs(ctx, s.db.NewSelect().TableExpr("?(prefix)postmeta AS m").
		Join("LEFT JOIN ?(prefix)posts AS t ON t.ID = m.post_id").
		ColumnExpr("DISTINCT m.meta_value").Where("m.meta_key IN (?)", bun.List(ticketKeys)).
		Where("(t.ID IS NULL OR t.post_status <> ?)", schema.StatusTrash))
}
