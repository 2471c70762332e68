// Package sourcestore reads and writes from where posts were imported.
package sourcestore

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// Sources reads and writes the sources from which posts were imported.
type Sources struct {
	db    *store.DB
	posts *store.Posts
}

// New returns the Sources of a site.
func New(st *store.Store) *Sources { return &Sources{st.DB, st.Posts} }

// Source is where posts were imported from.
type Source struct {
	Name string `bun:"source"`    // a path, a name, or a URL without its secrets
	ID   string `bun:"source_id"` // hash of the whole URL; "" for other sources, and in rows of earlier versions
}

// Imported is a post that was imported, with its identifier in the source.
type Imported struct {
	ID                 int64
	UID, Status, Title string
	Source             Source
}

// origin joins the row of a meta key of the post of another row, with an alias.
func (s *Sources) origin(q *store.Query, alias, of, key string) *store.Query {
	return q.Join("LEFT JOIN", store.TablePostMeta, alias, "?.post_id = ?.post_id AND ? = ?",
		bun.Ident(alias), bun.Ident(of), s.db.Unindexed(alias+".meta_key"), key)
}

// imported are the columns of Imported, from the rows m of UIDs, o of sources, i of their ids and p of posts.
const imported = "p.ID, " +
	"COALESCE(m.meta_value, '') AS uid, COALESCE(o.meta_value, '') AS source, COALESCE(i.meta_value, '') AS source_id, " +
	"p.post_status, p.post_title"

func eachImported(ctx context.Context, q *store.Query, keep func(Imported) bool) (list []Imported, err error) {
	type row struct {
		Source
		Post   int64  `bun:"ID"`
		UID    string `bun:"uid"`
		Status string `bun:"post_status"`
		Title  string `bun:"post_title"`
	}
	err = store.Each(ctx, q, func(r *row) error {
		i := Imported{ID: r.Post, UID: r.UID, Status: r.Status, Title: r.Title, Source: r.Source}
		if keep(i) {
			list = append(list, i)
		}
		return nil
	})
	return list, err
}

// ImportedAs returns the posts of a type that have one of the UIDs, by id. The query uses the index of UIDs instead of
// that of types, because all posts may have the same type.
func (s *Sources) ImportedAs(ctx context.Context, postType string, uids []string) ([]Imported, error) {
	if len(uids) == 0 {
		return nil, nil
	}
	asked := map[string]bool{}
	for _, uid := range uids {
		asked[uid] = true
	}
	q := s.db.Select().From(store.TablePostMeta, "m").Join(s.db.Then(), store.TablePosts, "p", "p.ID = m.post_id")
	q = s.origin(s.origin(q, "o", "m", schema.MetaSource), "i", "m", schema.MetaSourceID).ColumnExpr(imported).
		Where("m.meta_key = ?", schema.MetaSourceUID).Where("m.meta_value IN (?)", bun.List(uids)).
		Where("? = ?", s.db.Unindexed("p.post_type"), postType).OrderExpr("p.ID, m.meta_id")
	// The collation also matches texts that differ.
	return eachImported(ctx, q, func(i Imported) bool { return asked[i.UID] })
}

// ImportedFrom returns the posts of a type that came from sources with these names and are not in the trash, by id, if
// keep returns true for them. The UID of a post without one in its source is "". Posts that existed here before they
// did in the source are not returned.
func (s *Sources) ImportedFrom(ctx context.Context, postType string, names []string, keep func(Imported) bool) ([]Imported, error) {
	if len(names) == 0 {
		return nil, nil
	}
	q := s.db.Select().From(store.TablePostMeta, "o").Join(s.db.Then(), store.TablePosts, "p", "p.ID = o.post_id")
	q = s.origin(s.origin(q, "m", "o", schema.MetaSourceUID), "i", "o", schema.MetaSourceID)
	q = s.origin(q, "a", "o", schema.MetaAdopted).ColumnExpr(imported).
		Where("o.meta_key = ?", schema.MetaSource).Where("o.meta_value IN (?)", bun.List(names)).
		Where("a.meta_id IS NULL").Where("? = ?", s.db.Unindexed("p.post_type"), postType).
		Where("p.post_status <> ?", schema.StatusTrash).OrderExpr("p.ID, m.meta_id")
	return eachImported(ctx, q, keep)
}

// SourceRow is the meta row of a post's source, with that of the source's id.
type SourceRow struct {
	Source
	Post  int64 `bun:"post_id"`
	Row   int64 `bun:"meta_id"`
	IDRow int64 `bun:"id_row"` // 0 if there is none
}

// Rows returns the rows of sources for which keep returns true, by id: those of earlier versions, which contain whole
// URLs and no ids, or with all every row.
func (s *Sources) Rows(ctx context.Context, all bool, keep func(Source) bool) (rows []SourceRow, err error) {
	q := s.db.Select().From(store.TablePostMeta, "o")
	q = s.origin(q, "i", "o", schema.MetaSourceID).
		ColumnExpr("o.post_id, o.meta_id, COALESCE(i.meta_id, 0) AS id_row").
		ColumnExpr("COALESCE(o.meta_value, '') AS source, COALESCE(i.meta_value, '') AS source_id").
		Where("o.meta_key = ?", schema.MetaSource)
	if !all {
		q = q.Where("i.meta_id IS NULL").Where("(o.meta_value LIKE 'http%' OR o.meta_value LIKE 'webcal%')")
	}
	err = store.EachInPortions(ctx, q, "o.meta_id", func(r *SourceRow) int64 { return r.Row }, func(r *SourceRow) error {
		if keep(r.Source) {
			rows = append(rows, *r)
		}
		return nil
	})
	return rows, err
}

// Rename changes the source in some rows.
func (s *Sources) Rename(ctx context.Context, rows []SourceRow, to Source) error {
	var c store.MetaChange
	for _, r := range rows {
		c.Update = append(c.Update, &schema.PostMeta{ID: r.Row, PostID: r.Post, Key: schema.MetaSource, Value: to.Name})
		id := &schema.PostMeta{ID: r.IDRow, PostID: r.Post, Key: schema.MetaSourceID, Value: to.ID}
		switch {
		case r.IDRow == 0 && to.ID != "":
			c.Insert = append(c.Insert, id)
		case r.IDRow != 0 && to.ID == "":
			c.Delete = append(c.Delete, r.IDRow)
		case r.IDRow != 0:
			c.Update = append(c.Update, id)
		}
	}
	return s.posts.ChangeMeta(ctx, c)
}

// UIDs returns the identifiers of posts in their sources, by post id.
func (s *Sources) UIDs(ctx context.Context, ids []int64) (map[int64]string, error) {
	found := map[int64]string{}
	if len(ids) == 0 {
		return found, nil
	}
	q := s.db.Select().From(store.TablePostMeta, "").Column("post_id", "meta_value").
		Where("post_id IN (?)", bun.List(store.Distinct(ids))).Where("meta_key = ?", schema.MetaSourceUID).OrderExpr("meta_id DESC")
	type row struct {
		Post int64          `bun:"post_id"`
		UID  sql.NullString `bun:"meta_value"`
	}
	return found, store.Each(ctx, q, func(r *row) error {
		found[r.Post] = r.UID.String
		return nil
	})
}
