package store

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"

	"github.com/uptrace/bun"
	bunschema "github.com/uptrace/bun/schema"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// texts returns ids as meta rows store them.
func texts(ids []int64) []string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = strconv.FormatInt(id, 10)
	}
	return list
}

// distinct returns ids in order, each once.
func distinct(ids []int64) []int64 {
	sorted := slices.Clone(ids)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

// metaIDs runs a query of one meta value column that holds ids.
func (s *Store) metaIDs(ctx context.Context, q *bun.SelectQuery) ([]int64, error) {
	var list []int64
	err := each(ctx, q, func(r *sql.Rows) error {
		var value sql.NullString
		err := r.Scan(&value)
		if id := phpval.Int(value.String); id > 0 {
			list = append(list, id)
		}
		return err
	})
	return list, err
}

var likeEscaper = strings.NewReplacer("|", "||", "%", "|%", "_", "|_")

// contains is the pattern of texts that hold s; it goes with ESCAPE '|', since
// the engines read a backslash in a literal differently.
func contains(s string) string { return "%" + likeEscaper.Replace(s) + "%" }

// searchColumns are the columns that hold a post's texts.
var searchColumns = []string{"post_title", "post_excerpt", "post_content"}

// searchIn asks for a term in any of the texts of a post, or in none of them.
func (s *Store) searchIn(q *bun.SelectQuery, posts string, t Term) *bun.SelectQuery {
	column := func(name string) bunschema.QueryAppender { return s.holder(posts+"."+name, t.Text) }
	if t.Not {
		for _, c := range searchColumns {
			q = q.Where("? NOT LIKE ? ESCAPE '|'", column(c), contains(t.Text))
		}
		return q
	}
	return q.WhereGroup(" AND ", func(q *bun.SelectQuery) *bun.SelectQuery {
		for _, c := range searchColumns {
			q = q.WhereOr("? LIKE ? ESCAPE '|'", column(c), contains(t.Text))
		}
		return q
	})
}
