package store

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// Named is a post that has some of the names that were asked for, which the database
// takes for the same: "Zaal" is "zaal".
type Named struct {
	schema.Post
	Names []bool // for each name that was asked for, whether it is the post's
}

// PublishedAs returns the published posts of a type in a language that have one of the
// names, by id.
func (s *Posts) PublishedAs(ctx context.Context, postType string, in LanguageFilter, names []string) ([]*Named, error) {
	q := s.wholePosts().Where("p.post_type = ?", postType).Where("p.post_status = ?", schema.StatusPublish).
		WhereGroup(" AND ", func(q *bun.SelectQuery) *bun.SelectQuery {
			for _, name := range names {
				q = q.WhereOr("? = ?", s.db.TextColumn("p.post_title", name), name)
			}
			return q
		}).Order("p.ID")
	for _, name := range names {
		q = q.ColumnExpr("? = ?", s.db.TextColumn("p.post_title", name), name)
	}
	if len(names) == 0 {
		return nil, nil
	}
	var found []*Named
	err := Each(ctx, s.languages.InLanguage(q, in, postType, "p.ID"), func(r *sql.Rows) error {
		n := &Named{Names: make([]bool, len(names))}
		into := wholePost(&n.Post)
		for i := range n.Names {
			into = append(into, &n.Names[i])
		}
		found = append(found, n)
		return r.Scan(into...)
	})
	return found, err
}

// LockPublished locks posts until the Write ends and returns those of them that are
// published.
func (s *Posts) LockPublished(ctx context.Context, ids []int64) (map[int64]bool, error) {
	published := map[int64]bool{}
	q := s.db.Select().TableExpr("?(prefix)posts").Column("ID", "post_status").Where("ID IN (?)", bun.List(distinct(ids)))
	return published, Each(ctx, s.db.locked(q), func(r *sql.Rows) error {
		var id int64
		var status string
		err := r.Scan(&id, &status)
		published[id] = status == schema.StatusPublish
		return err
	})
}
