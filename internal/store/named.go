package store

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// Named is a post that has some of the requested names in the database's comparison, in which "Zaal" equals "zaal".
type Named struct {
	schema.Post
	Names []bool // for each requested name whether it is the post's
}

// PublishedAs returns the published posts of a type in a language that have one of the names, by id.
func (s *Posts) PublishedAs(ctx context.Context, postType string, in LanguageFilter, names []string) ([]*Named, error) {
	if len(names) == 0 {
		return nil, nil
	}
	q := s.wholePosts().Where("p.post_type = ?", postType).Where("p.post_status = ?", schema.StatusPublish).
		WhereGroup(" AND ", func(q *Query) *Query {
			for _, name := range names {
				q = q.WhereOr("? = ?", s.db.TextColumn("p.post_title", name), name)
			}
			return q
		}).Order("p.ID")
	var same []any
	for _, name := range names {
		same = append(same, s.db.TextColumn("p.post_title", name), name)
	}
	q = q.ColumnExpr("CONCAT("+strings.Repeat(", ? = ?", len(names))[2:]+") AS names", same...) // one digit for each
	var found []*Named
	type row struct {
		schema.Post
		Names string `bun:"names"`
	}
	err := Each(ctx, s.languages.InLanguage(q, in, postType, "p.ID"), func(r *row) error {
		n := &Named{Post: r.Post, Names: make([]bool, len(names))}
		for i := range n.Names {
			n.Names[i] = r.Names[i] == '1'
		}
		found = append(found, n)
		return nil
	})
	return found, err
}

// LockPublished locks posts until the Write ends and returns which of them are published.
func (s *Posts) LockPublished(ctx context.Context, ids []int64) (map[int64]bool, error) {
	published := map[int64]bool{}
	q := s.db.Select().From(TablePosts, "").Column("ID", "post_status").Where("ID IN (?)", bun.List(Distinct(ids)))
	return published, Each(ctx, s.db.Locked(q), func(r *schema.Post) error {
		published[r.ID] = r.Status == schema.StatusPublish
		return nil
	})
}
