package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

// Lock returns the whole row of a post, nil if it does not exist. The row is locked until the Write ends.
func (s *Posts) Lock(ctx context.Context, id int64) (*schema.Post, error) {
	return One[schema.Post](ctx, s.db.Locked(s.wholePosts().Where("p.ID = ?", id)))
}

// wholePosts selects the posts p with all columns.
func (s *Posts) wholePosts() *Query {
	return s.db.Select().From(TablePosts, "p").
		Column("p.ID", "p.post_author").
		ColumnExpr("CAST(p.post_date AS CHAR) AS post_date, CAST(p.post_date_gmt AS CHAR) AS post_date_gmt").
		Column("p.post_content", "p.post_title", "p.post_excerpt", "p.post_status", "p.comment_status", "p.ping_status",
			"p.post_password", "p.post_name", "p.to_ping", "p.pinged").
		ColumnExpr("CAST(p.post_modified AS CHAR) AS post_modified, CAST(p.post_modified_gmt AS CHAR) AS post_modified_gmt").
		Column("p.post_content_filtered", "p.post_parent", "p.guid", "p.menu_order", "p.post_type", "p.post_mime_type", "p.comment_count")
}

// Insert adds a post and sets its id.
func (s *Posts) Insert(ctx context.Context, p *schema.Post) error {
	w := s.db.writing(ctx)
	err := insertOne(ctx, s.db.withForeign(w.adding(TablePosts).NewInsert().Model(p), "posts"), &p.ID)
	w.touchPost(p)
	return err
}

// Encodable returns a text in the form in which a column of posts can store it: if the column cannot store emoji, with
// character references for them (D93).
func (s *Posts) Encodable(column, text string) string {
	if s.Encodes(column) {
		return wp.EncodeEmoji(text)
	}
	return text
}

// Encodes reports whether Encodable changes texts of a column.
func (s *Posts) Encodes(column string) bool {
	return slices.Contains(s.db.config.Narrow, "posts."+column)
}

// Update writes the named columns of a post.
func (s *Posts) Update(ctx context.Context, p *schema.Post, columns ...string) error {
	w := s.db.writing(ctx)
	_, err := w.conn(TablePosts).NewUpdate().Model(p).Column(columns...).WherePK().Exec(ctx)
	w.touchPost(p)
	return err
}

// MetaRows returns the meta rows of posts, by id: those with one of the keys, or all if there are none.
func (s *Posts) MetaRows(ctx context.Context, posts []int64, keys ...string) ([]*schema.PostMeta, error) {
	if len(posts) == 0 {
		return nil, nil
	}
	q := s.db.Select().From(TablePostMeta, "").Column("meta_id", "post_id", "meta_key", "meta_value").
		Where("post_id IN (?)", bun.List(Distinct(posts)))
	if len(keys) > 0 {
		q.Where("meta_key IN (?)", bun.List(keys))
	}
	type row struct {
		ID    int64          `bun:"meta_id"`
		Post  int64          `bun:"post_id"`
		Key   sql.NullString `bun:"meta_key"`
		Value sql.NullString `bun:"meta_value"`
	}
	var list []*schema.PostMeta
	err := EachInPortions(ctx, q, "meta_id", func(r *row) int64 { return r.ID }, func(r *row) error {
		list = append(list, &schema.PostMeta{ID: r.ID, PostID: r.Post, Key: r.Key.String, Value: r.Value.String})
		return nil
	})
	return list, err
}

// MetaChange is a change of meta rows, made with at most three statements, and one more for each Portion of deleted rows.
type MetaChange struct {
	Delete []int64            // ids of rows, of posts of which another row changes too
	Update []*schema.PostMeta // rows with their new values
	Insert []*schema.PostMeta // new rows, in order
}

// ChangeMeta changes meta rows of posts.
func (s *Posts) ChangeMeta(ctx context.Context, c MetaChange) error {
	w := s.db.writing(ctx)
	for _, rows := range [][]*schema.PostMeta{c.Update, c.Insert} {
		for _, r := range rows {
			w.changed.Posts(r.PostID)
		}
	}
	for some := range slices.Chunk(c.Delete, Portion) {
		_, err := w.conn(TablePostMeta).NewDelete().Model((*schema.PostMeta)(nil)).ModelTableExpr("?(prefix)postmeta").
			Where("meta_id IN (?)", bun.List(some)).Exec(ctx)
		if err != nil {
			return err
		}
	}
	if len(c.Update) > 0 {
		if err := s.upsertMeta(ctx, c.Update); err != nil {
			return err
		}
	}
	if len(c.Insert) == 0 {
		return nil
	}
	_, err := s.db.withForeign(w.conn(TablePostMeta).NewInsert().Model(&c.Insert), "postmeta").Returning("NULL").Exec(ctx)
	return err
}

// upsertMeta writes the values of existing rows with one statement.
func (s *Posts) upsertMeta(ctx context.Context, rows []*schema.PostMeta) error {
	q := s.db.withForeign(s.db.writing(ctx).conn(TablePostMeta).NewInsert().Model(&rows), "postmeta").Returning("NULL")
	if s.db.IsMySQL() {
		q = q.On("DUPLICATE KEY UPDATE").Set("meta_value = VALUES(meta_value)")
	} else {
		q = q.On("CONFLICT (meta_id) DO UPDATE").Set("meta_value = EXCLUDED.meta_value")
	}
	_, err := q.Exec(ctx)
	return err
}

// Holder is the post that has a slug.
type Holder struct {
	ID     int64  `bun:"ID"`
	Status string `bun:"post_status"`
}

// SlugsLike returns, in lower case, the slugs of a type's posts that equal slug or begin with family, with the posts
// that have them. The post except is ignored.
func (s *Posts) SlugsLike(ctx context.Context, postType, slug, family string, except int64) (map[string][]Holder, error) {
	found := map[string][]Holder{}
	q := s.db.Select().From(TablePosts, "p").Column("p.ID", "p.post_status", "p.post_name").
		Where("p.post_type = ?", postType).Where("p.ID <> ?", except).
		Where("(p.post_name = ? OR p.post_name LIKE ? ESCAPE '|')", slug, likeEscaper.Replace(family)+"%")
	type row struct {
		Holder
		Name string `bun:"post_name"`
	}
	return found, Each(ctx, q, func(r *row) error {
		name := strings.ToLower(r.Name)
		found[name] = append(found[name], r.Holder)
		return nil
	})
}

// LockSlug reports whether a post of a type, other than except, has a slug. It reads what is committed, and waits for
// transactions that are about to store the slug. If no post has it, other programs cannot store it until the Write
// ends, although they check and insert without the lock that Write acquires.
func (s *Posts) LockSlug(ctx context.Context, postType, slug string, except int64) (taken bool, err error) {
	q := s.db.Select().From(TablePosts, "p").Column("p.post_name").
		Where("p.post_name = ?", slug).Where("? = ?", s.db.Unindexed("p.post_type"), postType).Where("p.ID <> ?", except)
	err = eachValue(ctx, s.db.Locked(q), func(name string) { taken = taken || strings.ToLower(name) == slug })
	return taken, err
}

// Delete deletes posts with their meta rows, terms, dates and revisions.
func (s *Posts) Delete(ctx context.Context, ids []int64) error {
	s.db.writing(ctx).changed.Posts(ids...)
	tables := []rowsOf{{table: "postmeta", column: "post_id"}, {"term_relationships", "object_id", s.languages.ofPost}}
	there, err := s.db.hasDateRows(ctx)
	if err != nil {
		return err
	}
	if there {
		tables = append(tables, dateRows...)
	}
	return s.db.deleteRows(ctx, append(tables, rowsOf{table: "posts", column: "ID"}), ids)
}

// Revisions returns the ids of a post's revisions, newest first.
func (s *Posts) Revisions(ctx context.Context, post int64) ([]int64, error) {
	q := s.db.Select().From(TablePosts, "").Column("ID").Where("post_parent = ?", post).
		Where("post_type = ?", schema.TypeRevision).OrderExpr("post_date DESC, ID DESC")
	return IDs(ctx, q)
}

// LastRevision returns title, content and excerpt of a post's newest revision, nil if it has none.
func (s *Posts) LastRevision(ctx context.Context, post int64) (*schema.Post, error) {
	q := s.db.Select().From(TablePosts, "").Column("ID", "post_title", "post_content", "post_excerpt").
		Where("post_parent = ?", post).Where("post_type = ?", schema.TypeRevision).
		OrderExpr("post_date DESC, ID DESC").Limit(1)
	return One[schema.Post](ctx, q)
}

// Adopt moves the children of a post, except its revisions, to another parent.
func (s *Posts) Adopt(ctx context.Context, parent, other int64) error {
	if err := s.touchChildren(ctx, parent); err != nil || parent == other { // other programs may have stored such a post
		return err
	}
	return UpdateAll(ctx, s.db.writing(ctx).conn(), func(q *bun.UpdateQuery) *bun.UpdateQuery {
		return q.TableExpr("?(prefix)posts").Set("post_parent = ?", other).
			Where("post_parent = ?", parent).Where("post_type <> ?", schema.TypeRevision)
	})
}

// AttachmentOf returns the id of the uploaded file that has an address or was fetched from it, 0 if there is none.
func (s *Posts) AttachmentOf(ctx context.Context, address string) (int64, error) {
	return Number(ctx, s.attachment().Where("(p.guid = ? OR p.ID IN (?))", address, s.withMeta(schema.MetaOriginalURL, address)))
}

// AttachmentIn returns the id of the uploaded file with a path below the uploads directory, 0 if there is none.
func (s *Posts) AttachmentIn(ctx context.Context, file string) (int64, error) {
	return Number(ctx, s.attachment().Where("p.ID IN (?)", s.withMeta(schema.MetaAttachedFile, file)))
}

// attachment selects the lowest id of an uploaded file.
func (s *Posts) attachment() *Query {
	return s.db.Select().From(TablePosts, "p").ColumnExpr("MIN(p.ID)").Where("p.post_type = ?", schema.TypeAttachment)
}

// withMeta selects the ids of the posts with a meta value.
func (s *Posts) withMeta(key, value string) *Query {
	return s.db.Select().From(TablePostMeta, "").Column("post_id").Where("meta_key = ?", key).Where("meta_value = ?", value)
}

// Due returns the ids above after of the scheduled posts that are due, sorted.
func (s *Posts) Due(ctx context.Context, nowUTC string, after, limit int64) ([]int64, error) {
	q := s.db.Select().From(TablePosts, "").Column("ID").Where("post_type IN (?)", bun.List(s.db.PostTypes(""))).
		Where("post_status = ?", schema.StatusFuture).Where("post_date_gmt <= ?", nowUTC).Where("post_date_gmt > ?", "0001-01-01").
		Where("ID > ?", after).Order("ID").Limit(limit)
	return IDs(ctx, q)
}
