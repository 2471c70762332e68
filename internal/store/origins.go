package store

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// Imported is a post that was brought from somewhere, with what names it there.
type Imported struct {
	ID                         int64
	UID, Source, Status, Title string
}

// imported selects the posts of a type that have an origin. They are found by that and not
// by their type: it may be that of all posts.
func (s *Store) imported(postType string) *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("?(prefix)postmeta AS m").
		Join("? ?(prefix)posts AS p ON p.ID = m.post_id", s.Then()).
		Join("LEFT JOIN ?(prefix)postmeta AS o ON o.post_id = m.post_id AND ? = ?", s.unindexed("o.meta_key"), schema.MetaSource).
		ColumnExpr("p.ID, COALESCE(m.meta_value, ''), COALESCE(o.meta_value, ''), p.post_status, p.post_title").
		Where("m.meta_key = ?", schema.MetaSourceUID).Where("? = ?", s.unindexed("p.post_type"), postType).OrderExpr("p.ID, m.meta_id")
}

func eachImported(ctx context.Context, q *bun.SelectQuery, keep func(Imported) bool) (list []Imported, err error) {
	err = Each(ctx, q, func(r *sql.Rows) error {
		var i Imported
		err := r.Scan(&i.ID, &i.UID, &i.Source, &i.Status, &i.Title)
		if keep(i) {
			list = append(list, i)
		}
		return err
	})
	return list, err
}

// ImportedAs returns the posts of a type that have one of the UIDs, by id.
func (s *Store) ImportedAs(ctx context.Context, postType string, uids []string) ([]Imported, error) {
	if len(uids) == 0 {
		return nil, nil
	}
	asked := map[string]bool{}
	for _, uid := range uids {
		asked[uid] = true
	}
	// A collation takes more for equal.
	return eachImported(ctx, s.imported(postType).Where("m.meta_value IN (?)", bun.List(uids)),
		func(i Imported) bool { return asked[i.UID] })
}

// ImportedFrom returns the posts of a type that came from a source and are not in the
// trash, by id, as far as keep says so. The UID is "" of one that had none there.
func (s *Store) ImportedFrom(ctx context.Context, postType, source string, keep func(Imported) bool) ([]Imported, error) {
	q := s.db.NewSelect().TableExpr("?(prefix)postmeta AS o").
		Join("? ?(prefix)posts AS p ON p.ID = o.post_id", s.Then()).
		Join("LEFT JOIN ?(prefix)postmeta AS m ON m.post_id = o.post_id AND ? = ?", s.unindexed("m.meta_key"), schema.MetaSourceUID).
		ColumnExpr("p.ID, COALESCE(m.meta_value, ''), o.meta_value, p.post_status, p.post_title").
		Where("o.meta_key = ?", schema.MetaSource).Where("o.meta_value = ?", source).
		Where("? = ?", s.unindexed("p.post_type"), postType).Where("p.post_status <> ?", schema.StatusTrash).OrderExpr("p.ID, m.meta_id")
	return eachImported(ctx, q, keep)
}

// UIDs returns what names posts where they were brought from, by id.
func (s *Store) UIDs(ctx context.Context, ids []int64) (map[int64]string, error) {
	found := map[int64]string{}
	if len(ids) == 0 {
		return found, nil
	}
	q := s.db.NewSelect().TableExpr("?(prefix)postmeta").Column("post_id", "meta_value").
		Where("post_id IN (?)", bun.List(distinct(ids))).Where("meta_key = ?", schema.MetaSourceUID).OrderExpr("meta_id DESC")
	return found, Each(ctx, q, func(r *sql.Rows) error {
		var id int64
		var uid sql.NullString
		err := r.Scan(&id, &uid)
		found[id] = uid.String
		return err
	})
}

// StartingAt returns the ids of the events that begin at one of the times, each on the
// clock of its zone.
func (s *Store) StartingAt(ctx context.Context, starts []string) ([]int64, error) {
	if len(starts) == 0 {
		return nil, nil
	}
	q := s.db.NewSelect().Column("post_id").Distinct()
	if s.occurrences {
		q = q.TableExpr("?(prefix)tec_occurrences").Where("start_date IN (?)", bun.List(starts))
	} else {
		q = q.TableExpr("?(prefix)postmeta").Where("meta_key = ?", schema.MetaStartDate).Where("meta_value IN (?)", bun.List(starts))
	}
	return IDs(ctx, q.OrderExpr("post_id"))
}

// PostsAfter returns the ids of posts of a type that are not in the trash, after an id.
func (s *Store) PostsAfter(ctx context.Context, postType string, after, limit int64) ([]int64, error) {
	return IDs(ctx, s.db.NewSelect().TableExpr("?(prefix)posts").Column("ID").Where("post_type = ?", postType).
		Where("post_status NOT IN (?)", bun.List([]string{schema.StatusTrash, schema.StatusAutoDraft})).
		Where("ID > ?", after).Order("ID").Limit(limit))
}
