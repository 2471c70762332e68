package store

import (
	"cmp"
	"context"
	"database/sql"
	"math"

	"github.com/uptrace/bun"
	bunschema "github.com/uptrace/bun/schema"

	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

// Links reads venues and organizers, which events link, and the events that link them.
type Links struct {
	db        *DB
	languages *Languages
	events    *Events
	probe     *Probe
}

// LinkedOrder is the column by which a list of venues or organizers is sorted.
type LinkedOrder string

// Orders of venues and organizers. Ties are sorted by date and id, both descending.
const (
	LinkedByDate     LinkedOrder = "date"
	LinkedByTitle    LinkedOrder = "title"
	LinkedByModified LinkedOrder = "modified"
	LinkedByID       LinkedOrder = "id"
	LinkedByRank     LinkedOrder = "rank" // the order of Ranked
)

// LinkedFilter selects venues or organizers.
type LinkedFilter struct {
	Type      string
	Visible   Visible
	Language  LanguageFilter
	IDs       *[]int64 // one of these
	NotIDs    *[]int64 // none of these
	Linked    []Linked // linked by events that satisfy each of these; needs Links.Regular
	Fragments []string // all in one column or one meta row
	MetaKeys  []string // the meta keys whose values are searched
	Unlocked  bool     // texts that a password protects are not searched
	Meta      []MetaFilter
	Order     LinkedOrder
	Ranked    []int64 // for LinkedByRank
	Ascending bool
}

// selectsAll reports whether a filter selects all posts of its type that the caller may see.
func (f *LinkedFilter) selectsAll() bool {
	return f.IDs == nil && f.NotIDs == nil && len(f.Linked)+len(f.Fragments)+len(f.Meta)+len(f.Ranked) == 0
}

// Linked is the condition that there are events that link a post.
type Linked struct {
	Language LanguageFilter // of the events
	Not      bool           // there are no such events
	Visible  Visible        // which events count
	Unlocked bool           // password-protected events do not count
	Upcoming string         // a UTC time at or after which the events end, "" for any; if set, events hidden from lists do not count
}

// Regular reports whether a LinkedFilter may use Linked: links are regular and have an index.
func (s *Links) Regular(ctx context.Context) bool {
	return s.db.Dated() && s.probe.Invariants(ctx).LinkIndex
}

// InDigits reports whether every link is known to be one id in digits. On a site with many events that is determined in
// the background.
func (s *Links) InDigits(ctx context.Context) bool {
	if s.probe.Invariants(ctx).Links {
		return true
	}
	s.probe.StartIfMany(ctx, manyLinking)
	return false
}

// linkedID is an expression for the id at the beginning of a link m, as all engines parse a number: MySQL skips only
// blanks and tabs before it.
const linkedID bun.Safe = "CAST(REPLACE(REPLACE(REPLACE(REPLACE(m.meta_value, X'0A', ' '), X'0B', ' '), X'0C', ' '), X'0D', ' ') " +
	"AS UNSIGNED INTEGER)"

// Naming returns the condition that rows m of postmeta link one of some posts. Other programs store ids in forms that
// PHP accepts: with blanks and zeros before the number and any text after it, or as a serialized number or list.
// inDigits says that there are no such forms, so that an index can be used.
func Naming(ids []int64, inDigits bool) (where string, args []any) {
	if inDigits {
		return "m.meta_value IN (?)", []any{bun.List(Decimals(ids))}
	}
	const serialized = "m.meta_value LIKE CONCAT('_:', v.ID, ';') OR m.meta_value LIKE CONCAT('a:%;_:', v.ID, ';%}') OR " +
		"m.meta_value LIKE CONCAT('s:', LENGTH(v.ID), ':\"', v.ID, '\";') OR " +
		"m.meta_value LIKE CONCAT('a:%;s:', LENGTH(v.ID), ':\"', v.ID, '\";%}')"
	return "(? IN (?) OR m.meta_value LIKE '_:%' AND EXISTS " +
		"(SELECT 1 FROM ? AS v WHERE v.ID IN (?) AND (" + serialized + ")))", []any{linkedID, bun.List(ids), TablePosts, bun.List(ids)}
}

// RankOfLinks selects the lowest rank, among some ranked ids, of the posts that a post links by a meta key. If it links
// none of them, the rank is after all others.
func (s *Links) RankOfLinks(key string, ranked []int64, post bun.Ident) *Query {
	rank := Rank{linkedID, ranked}
	return s.db.Select().From(TablePostMeta, "m").ColumnExpr("COALESCE(MIN(?), ?)", rank, len(ranked)).Where("m.post_id = ?", post).
		Where("m.meta_key = ?", key)
}

// Page returns the ids of one page.
func (s *Links) Page(ctx context.Context, f *LinkedFilter, limit, offset int64) ([]int64, error) {
	q := s.posts(f).Column("p.ID").Limit(limit).Offset(offset)
	column := map[LinkedOrder]string{LinkedByTitle: "p.post_title", LinkedByModified: "p.post_modified", LinkedByID: "p.ID"}[f.Order]
	if f.Order == LinkedByRank && len(f.Ranked) > 0 {
		q = q.OrderExpr("? ?", Rank{"p.ID", f.Ranked}, Direction(!f.Ascending))
	} else {
		q = q.OrderExpr("? ?", bun.Ident(cmp.Or(column, "p.post_date")), Direction(!f.Ascending))
	}
	if q = q.OrderExpr("p.post_date DESC, p.ID DESC"); f.selectsAll() { // the text is usual
		q = s.db.Prepared(q)
	}
	list, err := IDs(ctx, q)
	return list, dberr.UnlessUnmatchable(err, len(f.Fragments)+len(f.Meta) > 0)
}

// Count returns the number of posts that a filter selects.
func (s *Links) Count(ctx context.Context, f *LinkedFilter) (int64, error) {
	n, err := s.db.Total(ctx, s.posts(f).ColumnExpr("COUNT(*)"))
	return n, dberr.UnlessUnmatchable(err, len(f.Fragments)+len(f.Meta) > 0)
}

func (s *Links) posts(f *LinkedFilter) *Query {
	q := s.db.Select().From(TablePosts, "p").Where("p.post_type = ?", f.Type)
	q = s.languages.InLanguage(f.Visible.Where(q, "p"), f.Language, f.Type, "p.ID")
	if f.IDs != nil {
		q = q.Where("p.ID IN (?)", bun.List(*f.IDs))
	}
	if f.NotIDs != nil && len(*f.NotIDs) > 0 {
		q = q.Where("p.ID NOT IN (?)", bun.List(*f.NotIDs))
	}
	for _, l := range f.Linked {
		q = q.Where(exists(!l.Not), s.linkedBy(f.Type, l))
	}
	for _, m := range f.Meta {
		q = s.db.WhereMeta(q, m, "p.ID")
	}
	if len(f.Meta) > 0 && f.Unlocked { // a password protects the values
		q = q.Where("p.post_password = ''")
	}
	if len(f.Fragments) == 0 {
		return q
	}
	// The title of a protected post stays visible.
	open := bun.Safe("1 = 1")
	if f.Unlocked {
		open = "p.post_password = ''"
	}
	return q.WhereGroup(" AND ", func(q *Query) *Query {
		return q.WhereOr("(?)", s.allIn("p.post_title", f.Fragments)).
			WhereOr("(? AND (?))", open, s.allIn("p.post_content", f.Fragments)).
			WhereOr("(? AND (?))", open, s.allIn("p.post_excerpt", f.Fragments)).
			WhereOr("(? AND EXISTS (?))", open,
				s.db.Select().From(TablePostMeta, "m").ColumnExpr("1").
					Where("m.post_id = p.ID").Where("m.meta_key IN (?)", bun.List(f.MetaKeys)).
					Where("?", s.allIn("m.meta_value", f.Fragments)))
	})
}

// fragments is the condition that a column contains all fragments.
type fragments struct {
	db     *DB
	column string
	texts  []string
}

func (s *Links) allIn(column string, texts []string) fragments { return fragments{s.db, column, texts} }

// AppendQuery makes the condition usable as an argument of a query.
func (f fragments) AppendQuery(g bunschema.QueryGen, b []byte) ([]byte, error) {
	for i, t := range f.texts {
		if i > 0 {
			b = append(b, " AND "...)
		}
		b = g.AppendQuery(b, "? LIKE ? ESCAPE '|'", f.db.TextColumn(f.column, t), Contains(t))
	}
	return b, nil
}

// exists returns the condition that a subquery has rows or, with false, that it has none.
func exists(yes bool) string {
	if yes {
		return "EXISTS (?)"
	}
	return "NOT EXISTS (?)"
}

// Hidden selects the posts that lists of events omit.
func (s *Events) Hidden() *Query {
	return s.db.Select().From(TablePostMeta, "h").Column("h.post_id").Where("h.meta_key = ?", schema.MetaHideFromUpcoming)
}

// TicketKeys are the meta keys by which a ticket refers to its event.
var TicketKeys = []string{schema.MetaRSVPForEvent, schema.MetaTicketForEvent, schema.MetaWooTicketOfEvent}

// Ticketed returns the ids of the events that have tickets.
func (s *Events) Ticketed(ctx context.Context) ([]int64, error) {
	return s.db.linkedIDs(ctx, s.db.Select().From(TablePostMeta, "m").
		Join("LEFT JOIN", TablePosts, "t", "t.ID = m.post_id").Where("m.meta_key IN (?)", bun.List(TicketKeys)).
		Where("(t.ID IS NULL OR t.post_status <> ?)", schema.StatusTrash), "m.meta_value")
}

// linkedBy selects the events that link the post p by its id.
func (s *Links) linkedBy(postType string, l Linked) *Query {
	q := s.db.Select().From(TablePostMeta, "l").ColumnExpr("1").
		Join("JOIN", TablePosts, "e", "e.ID = l.post_id").
		Where("l.meta_key = ?", s.db.config.Links[postType]).Where("l.meta_value = CONCAT(p.ID)").Where("e.post_type = ?",
		s.db.config.Names.Event)
	q = l.where(s.languages.InLanguage(q, l.Language, s.db.config.Names.Event, "e.ID"), "e")
	if l.Upcoming == "" {
		return q
	}
	return q.Join("JOIN", TableOccurrences, "o", "o.post_id = e.ID").
		Where("o.end_date_utc >= ?", l.Upcoming).Where("e.ID NOT IN (?)", s.events.Hidden())
}

// where restricts a query to the events that count.
func (l Linked) where(q *Query, events string) *Query {
	q = l.Visible.Where(q, events)
	if l.Unlocked {
		q = q.Where("?.post_password = ''", bun.Ident(events))
	}
	return q
}

// Linked returns the ids of the venues or organizers that events link, whatever Not says.
func (s *Links) Linked(ctx context.Context, postType string, l Linked) ([]int64, error) {
	if s.Regular(ctx) { // one event is looked up for each existing post
		return allIDs(ctx, s.db.Select().From(TablePosts, "p").Where("p.post_type = ?", postType).
			Where("EXISTS (?)", s.linkedBy(postType, l)), "p.ID")
	}
	// From the links to their events: otherwise all rows of each event are read.
	q := s.db.Select().From(TablePostMeta, "l").
		Join(s.db.Then(), TablePosts, "p", "p.ID = l.post_id").
		Where("l.meta_key = ?", s.db.config.Links[postType]).Where("p.post_type = ?", s.db.config.Names.Event)
	q = l.where(s.languages.InLanguage(q, l.Language, s.db.config.Names.Event, "p.ID"), "p")
	if l.Upcoming == "" {
		return s.ids(ctx, q)
	}
	q = q.Where("p.ID NOT IN (?)", s.events.Hidden())
	if s.db.Dated() {
		q = q.Join(s.db.Then(), TableOccurrences, "o", "o.post_id = p.ID").Where("o.end_date_utc >= ?", l.Upcoming)
	} else {
		q = q.Where("EXISTS (?)", s.db.Select().From(TablePostMeta, "m").ColumnExpr("1").
			Where("m.post_id = p.ID").Where("m.meta_key = ?", schema.MetaEndDateUTC).Where("m.meta_value >= ?", l.Upcoming))
	}
	return s.ids(ctx, q)
}

func (s *Links) ids(ctx context.Context, q *Query) ([]int64, error) {
	list, err := s.db.linkedIDs(ctx, q, "l.meta_value")
	if len(list) > manyLinks {
		s.probe.Start(ctx)
	}
	return list, err
}

// Coordinates are the position of a venue in degrees.
type Coordinates struct{ Lat, Lng float64 }

// Located returns the coordinates of the visible venues that have them and satisfy some filters. If there are several
// rows with one key, the first one counts.
func (s *Links) Located(ctx context.Context, v Visible, filters ...MetaFilter) (map[int64]Coordinates, error) {
	parts := map[int64]map[string]*float64{}
	q := s.db.Select().From(TablePostMeta, "m").Join("JOIN", TablePosts, "p", "p.ID = m.post_id").
		Column("m.meta_id", "m.post_id", "m.meta_key", "m.meta_value").
		Where("p.post_type = ?", s.db.config.Names.Venue).
		Where("p.post_password = ''").
		Where("m.meta_key IN (?)", bun.List([]string{schema.MetaVenueLat, schema.MetaVenueLng}))
	for _, f := range filters {
		q = s.db.WhereMeta(q, f, "p.ID")
	}
	type row struct {
		ID    int64          `bun:"meta_id"`
		Post  int64          `bun:"post_id"`
		Key   string         `bun:"meta_key"`
		Value sql.NullString `bun:"meta_value"`
	}
	err := EachInPortions(ctx, v.Where(q, "p"), "m.meta_id", func(r *row) int64 { return r.ID }, func(r *row) error {
		if parts[r.Post] == nil {
			parts[r.Post] = map[string]*float64{}
		}
		key := schema.MetaVenueLng
		if r.Key == schema.MetaVenueLat {
			key = schema.MetaVenueLat
		}
		if _, known := parts[r.Post][key]; known {
			return nil
		}
		parts[r.Post][key] = nil
		if f, _, ok := wp.Numeric(r.Value.String); ok && !math.IsNaN(f) {
			parts[r.Post][key] = &f
		}
		return nil
	})
	found := make(map[int64]Coordinates, len(parts))
	for id, degrees := range parts {
		if lat, lng := degrees[schema.MetaVenueLat], degrees[schema.MetaVenueLng]; lat != nil && lng != nil {
			found[id] = Coordinates{*lat, *lng}
		}
	}
	return found, err
}
