package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// EventLink is a meta row by which an event links a venue or organizer, with the event's slug and status. Row is nil
// for an event that links none.
type EventLink struct {
	Event  int64
	Slug   string
	Status string
	Row    *schema.PostMeta
}

// To returns the rows of a meta key by which events of any status link a post, sorted by event and then by meta_id.
func (s *Links) To(ctx context.Context, key string, id int64) (list []EventLink, err error) {
	where, args := Naming([]int64{id}, false)
	q := linksOf(s.db.Select().From(TablePostMeta, "m").Join("JOIN", TablePosts, "e", "e.ID = m.post_id").
		Where("m.meta_key = ?", key).Where("e.post_type = ?", s.db.config.Names.Event).Where(where, args...))
	err = EachInPortions(ctx, q, "m.meta_id", func(r *linkRow) int64 { return r.ID.Int64 }, func(r *linkRow) error {
		list = append(list, r.link())
		return nil
	})
	slices.SortStableFunc(list, func(a, b EventLink) int { return cmp.Compare(a.Event, b.Event) })
	return list, err
}

// ForEvents returns the rows of a meta key of the events among some posts, sorted by event and then by meta_id. For an event
// without such a row it returns one with a nil Row.
func (s *Links) ForEvents(ctx context.Context, key string, events []int64) (list []EventLink, err error) {
	for some := range slices.Chunk(Distinct(events), Portion/10) { // an event may have several rows
		q := linksOf(s.db.Select().From(TablePosts, "e").
			Join("LEFT JOIN", TablePostMeta, "m", "m.post_id = e.ID AND m.meta_key = ?", key).
			Where("e.post_type = ?", s.db.config.Names.Event).Where("e.ID IN (?)", bun.List(some))).OrderExpr("e.ID, m.meta_id")
		err := Each(ctx, q, func(r *linkRow) error {
			list = append(list, r.link())
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// linkRow is an event with a meta row by which it links an item.
type linkRow struct {
	Event  int64          `bun:"post_id"`
	Slug   string         `bun:"post_name"`
	Status string         `bun:"post_status"`
	ID     sql.NullInt64  `bun:"meta_id"`
	Key    sql.NullString `bun:"meta_key"`
	Value  sql.NullString `bun:"meta_value"`
}

// linksOf adds the columns of a linkRow to a query of events e and meta rows m.
func linksOf(q *Query) *Query {
	return q.ColumnExpr("e.ID AS post_id").Column("e.post_name", "e.post_status", "m.meta_id", "m.meta_key", "m.meta_value")
}

func (r *linkRow) link() EventLink {
	l := EventLink{Event: r.Event, Slug: r.Slug, Status: r.Status}
	if r.ID.Valid {
		l.Row = &schema.PostMeta{ID: r.ID.Int64, PostID: r.Event, Key: r.Key.String, Value: r.Value.String}
	}
	return l
}
