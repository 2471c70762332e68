package store

import (
	"context"
	"maps"
	"slices"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store/dberr"
)

// Comments changes the comments and notes of posts, on sites that have the table. If the database account may not read
// or write the table, it does nothing.
type Comments struct{ db *DB }

// commentTrashed is the status of the comments of a post in the trash.
const commentTrashed = "post-trashed"

// CommentStatus is the status of a comment: "1", "0", "spam" or "trash".
type CommentStatus struct {
	ID     int64  `bun:"comment_ID"`
	Status string `bun:"comment_approved"`
}

// Trash puts the comments of a post into the trash with it and returns their previous statuses. It must be called
// within a Write.
func (s *Comments) Trash(ctx context.Context, post int64) ([]CommentStatus, error) {
	q := s.db.Select().From(tableComments, "").Column("comment_ID", "comment_approved").Where("comment_post_ID = ?", post).
		Where("comment_approved <> ?", commentTrashed)
	var had []CommentStatus
	var ids []int64
	err := EachInPortions(ctx, q, "comment_ID", func(c *CommentStatus) int64 { return c.ID }, func(c *CommentStatus) error {
		had, ids = append(had, *c), append(ids, c.ID)
		return nil
	})
	if err == nil && len(ids) > 0 {
		err = s.set(ctx, post, commentTrashed, ids)
	}
	if err != nil && (dberr.IsNoTable(err) || dberr.IsDenied(err)) {
		return nil, nil
	}
	return had, err
}

// Restore gives the comments that Trash put into the trash their previous statuses. It must be called within a Write.
func (s *Comments) Restore(ctx context.Context, post int64, had []CommentStatus) error {
	ids := map[string][]int64{}
	for _, c := range had {
		if c.Status == commentTrashed {
			c.Status = "0"
		}
		ids[c.Status] = append(ids[c.Status], c.ID)
	}
	for _, status := range slices.Sorted(maps.Keys(ids)) {
		if err := s.set(ctx, post, status, ids[status]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Comments) set(ctx context.Context, post int64, status string, ids []int64) error {
	w := s.db.writing(ctx)
	w.changed.Comments(ids...)
	_, err := w.conn().NewUpdate().TableExpr("?(prefix)comments").Set("comment_approved = ?", status).
		Where("comment_post_ID = ?", post).Where("comment_ID IN (?)", bun.List(ids)).Exec(ctx)
	return err
}
