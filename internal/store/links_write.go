package store

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// EventLink is a meta row by which an event links a venue or organizer, with
// the event's slug and status. Row is nil for an event that links none.
type EventLink struct {
	Event  int64
	Slug   string
	Status string
	Row    *schema.PostMeta
}

// To returns the rows of a meta key by which events of any status link a post,
// ordered by event, then as stored.
func (s *Links) To(ctx context.Context, key string, id int64) ([]EventLink, error) {
	where, args := Naming([]int64{id}, false)
	q := s.db.Select().From(TablePostMeta, "m").Join("JOIN", TablePosts, "e", "e.ID = m.post_id").
		Where("m.meta_key = ?", key).Where("e.post_type = ?", s.db.config.Names.Event).Where(where, args...)
	return s.eventLinks(ctx, q)
}

// Of returns the rows of a meta key of those of the given posts that are events,
// ordered by event, then as stored. An event without a row has one with a nil Row.
func (s *Links) Of(ctx context.Context, key string, events []int64) ([]EventLink, error) {
	if len(events) == 0 {
		return nil, nil
	}
	q := s.db.Select().From(TablePosts, "e").
		Join("LEFT JOIN", TablePostMeta, "m", "m.post_id = e.ID AND m.meta_key = ?", key).
		Where("e.post_type = ?", s.db.config.Names.Event).Where("e.ID IN (?)", bun.List(distinct(events)))
	return s.eventLinks(ctx, q)
}

func (s *Links) eventLinks(ctx context.Context, q *Query) ([]EventLink, error) {
	q = q.Column("e.ID", "e.post_name", "e.post_status", "m.meta_id", "m.meta_key", "m.meta_value").OrderExpr("e.ID, m.meta_id")
	type row struct {
		Event  int64          `bun:"ID"`
		Slug   string         `bun:"post_name"`
		Status string         `bun:"post_status"`
		ID     sql.NullInt64  `bun:"meta_id"`
		Key    sql.NullString `bun:"meta_key"`
		Value  sql.NullString `bun:"meta_value"`
	}
	var list []EventLink
	err := each(ctx, q, func(r *row) error {
		l := EventLink{Event: r.Event, Slug: r.Slug, Status: r.Status}
		if r.ID.Valid {
			l.Row = &schema.PostMeta{ID: r.ID.Int64, PostID: r.Event, Key: r.Key.String, Value: r.Value.String}
		}
		list = append(list, l)
		return nil
	})
	return list, err
}

// MetaRowsOf returns the meta rows of posts with one key, by id.
func (s *Posts) MetaRowsOf(ctx context.Context, posts []int64, key string) ([]*schema.PostMeta, error) {
	if len(posts) == 0 {
		return nil, nil
	}
	q := s.db.Select().From(TablePostMeta, "").Column("meta_id", "post_id", "meta_key", "meta_value").
		Where("post_id IN (?)", bun.List(distinct(posts))).Where("meta_key = ?", key).Order("meta_id")
	return metaRows(ctx, q)
}
