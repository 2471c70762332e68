package store

import (
	"context"
	"strings"
)

// MetaKey is a meta key of the posts of a type, or of the terms of a taxonomy.
type MetaKey struct {
	Key      string
	Type     string // of posts, "" for terms
	Taxonomy string
}

// InUse reports for each meta key, with one statement, whether any post or term, of whatever status, has a value for it
// that is not empty.
func (s *Store) InUse(ctx context.Context, keys []MetaKey) ([]bool, error) {
	used := make([]bool, len(keys))
	if len(keys) == 0 {
		return used, nil
	}
	rows := make([]any, len(keys))
	for i, k := range keys {
		rows[i] = s.rowsOf(k)
	}
	q := s.DB.Select().ColumnExpr("CONCAT("+strings.Repeat(", EXISTS (?)", len(keys))[2:]+") AS used", rows...) // one digit for each
	return used, eachValue(ctx, q, func(digits string) {
		for i := range used {
			used[i] = digits[i] == '1'
		}
	})
}

// rowsOf selects the rows of a meta key that have a value.
func (s *Store) rowsOf(k MetaKey) *Query {
	q := s.DB.Select().ColumnExpr("1")
	if k.Type != "" {
		q = q.From(TablePostMeta, "m").Join("JOIN", TablePosts, "p", "p.ID = m.post_id").Where("p.post_type = ?", k.Type)
	} else {
		q = q.From(TableTermMeta, "m").Join("JOIN", TableTermTaxonomy, "tt", "tt.term_id = m.term_id").Where("tt.taxonomy = ?", k.Taxonomy)
	}
	return q.Where("m.meta_key = ?", k.Key).Where("? = ?", s.DB.Binary("m.meta_key"), k.Key).Where("m.meta_value <> ''")
}
