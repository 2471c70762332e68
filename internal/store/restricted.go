package store

import (
	"context"

	"github.com/agendahq/agenda/internal/wp/members"
)

// Restricted returns the posts that the plugin Members restricts to some roles, by id. The result is cached until a
// post changes.
func (s *Posts) Restricted(ctx context.Context) (map[int64]members.Restriction, error) {
	q := s.db.Select().From(TablePostMeta, "r").Join("JOIN", TablePosts, "p", "p.ID = r.post_id").
		Column("r.meta_id", "r.post_id", "p.post_author", "r.meta_value").Where("r.meta_key = ?", members.AccessRole)
	type row struct {
		ID     int64  `bun:"meta_id"`
		Post   int64  `bun:"post_id"`
		Author int64  `bun:"post_author"`
		Role   string `bun:"meta_value"`
	}
	return Cached(ctx, s.db, q, func() (map[int64]members.Restriction, error) {
		found := map[int64]members.Restriction{}
		return found, EachInPortions(ctx, q, "r.meta_id", func(r *row) int64 { return r.ID }, func(r *row) error {
			found[r.Post] = members.Restriction{Author: r.Author, Roles: append(found[r.Post].Roles, r.Role)}
			return nil
		})
	})
}
