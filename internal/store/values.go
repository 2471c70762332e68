package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// distinct returns the ids in order without duplicates.
func distinct(ids []int64) []int64 {
	sorted := slices.Clone(ids)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

// metaIDs runs a query of one meta value column that holds ids.
func (s *Store) metaIDs(ctx context.Context, q *bun.SelectQuery) ([]int64, error) {
	var list []int64
	err := Each(ctx, q, func(r *sql.Rows) error {
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

// Contains returns the pattern for texts that contain s, for use with ESCAPE '|': the
// engines read a backslash in a literal differently.
func Contains(s string) string { return "%" + likeEscaper.Replace(s) + "%" }

// Direction returns the direction of an ordered column.
func Direction(descending bool) bun.Safe {
	if descending {
		return "DESC"
	}
	return "ASC"
}
