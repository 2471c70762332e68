package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Posts reads and writes posts of all types, with their meta rows and revisions.
type Posts struct {
	db        *DB
	languages *Languages
}

// Post is a row of the posts table as reads need it. Dates are strings "YYYY-MM-DD HH:MM:SS"; zero dates are valid.
type Post struct {
	ID          int64  `bun:"ID"`
	Author      int64  `bun:"post_author"`
	Parent      int64  `bun:"post_parent"`
	Date        string `bun:"post_date"`
	DateUTC     string `bun:"post_date_gmt"`
	Modified    string `bun:"post_modified"`
	ModifiedUTC string `bun:"post_modified_gmt"`
	Title       string `bun:"post_title"`
	Content     string `bun:"post_content"`
	Excerpt     string `bun:"post_excerpt"`
	Status      string `bun:"post_status"`
	Password    string `bun:"post_password"`
	Name        string `bun:"post_name"`
	Type        string `bun:"post_type"`
	MimeType    string `bun:"post_mime_type"`
	GUID        string `bun:"guid"`
	MenuOrder   int64  `bun:"menu_order"`
	Omitted     bool   `bun:"-"` // some of its texts were omitted, because the list that shows the post would exceed its memory limit
}

// Slugs returns the posts of a type that have one of the slugs, in any status and without their texts: first those in
// the language, whose number is native, then by id.
func (s *Posts) Slugs(ctx context.Context, postType string, in LanguageFilter, slugs []string) (found []*Post, native int, err error) {
	q := s.db.Select().From(TablePosts, "p").
		Column("p.ID", "p.post_author", "p.post_parent").
		ColumnExpr("CAST(p.post_date AS CHAR) AS post_date, CAST(p.post_date_gmt AS CHAR) AS post_date_gmt").
		ColumnExpr("CAST(p.post_modified AS CHAR) AS post_modified, CAST(p.post_modified_gmt AS CHAR) AS post_modified_gmt").
		Column("p.post_status", "p.post_password", "p.post_name", "p.post_type", "p.post_mime_type", "p.guid", "p.menu_order").
		Where("p.post_name IN (?)", bun.List(slugs)).Where("p.post_type = ?", postType)
	if where, rows := s.languages.condition(in, "post_"+postType, TaxLanguage, "p.ID"); rows != nil {
		q = q.ColumnExpr("CASE WHEN "+where+" THEN 0 ELSE 1 END AS strange", rows)
	} else {
		q = q.ColumnExpr("0 AS strange")
	}
	foreign := map[*Post]bool{}
	type row struct {
		Post
		Strange bool `bun:"strange"`
	}
	err = Each(ctx, q, func(r *row) error {
		p := r.Post
		if found = append(found, &p); r.Strange {
			foreign[&p] = true
		}
		return nil
	})
	slices.SortFunc(found, func(a, b *Post) int {
		if foreign[a] != foreign[b] {
			return map[bool]int{true: 1, false: -1}[foreign[a]]
		}
		return cmp.Compare(a.ID, b.ID)
	})
	return found, len(found) - len(foreign), err
}

// Meta are the meta rows of one post: the stored values by key.
type Meta map[string][]string

// First returns the first value of a key and whether there is one.
func (m Meta) First(key string) (string, bool) {
	if v := m[key]; len(v) > 0 {
		return v[0], true
	}
	return "", false
}

// Text returns the first value of a key, "" if there is none.
func (m Meta) Text(key string) string {
	v, _ := m.First(key)
	return v
}

// PostAccess are the properties of a post on which rights depend.
type PostAccess struct {
	ID        int64  `bun:"ID"`
	Author    int64  `bun:"post_author"`
	Status    string `bun:"post_status"`
	Type      string `bun:"post_type"`
	Protected bool   `bun:"protected"` // its content has a password
}

// mostAccess is the maximum number of posts whose access a transaction keeps.
const mostAccess = 1000

// Access returns the properties on which rights depend for those of some posts that exist, by id. Within a Write it
// reads those of a post once, until the Write changes posts.
func (s *Posts) Access(ctx context.Context, ids []int64) (map[int64]PostAccess, error) {
	var kept map[int64]PostAccess // nil outside of a Write
	if w := s.db.writing(ctx); w != nil {
		kept = w.access
	}
	found, left := make(map[int64]PostAccess, len(ids)), make([]int64, 0, len(ids))
	for _, id := range ids {
		if a, known := kept[id]; known {
			found[id] = a
		} else {
			left = append(left, id)
		}
	}
	if len(left) == 0 && len(ids) > 0 {
		return found, nil
	}
	q := s.db.Select().From(TablePosts, "").Column("ID", "post_author", "post_status", "post_type").
		ColumnExpr("post_password <> '' AS protected").Where("ID IN (?)", bun.List(left))
	return found, Each(ctx, q, func(a *PostAccess) error {
		found[a.ID] = *a
		if kept != nil && len(kept) < mostAccess {
			kept[a.ID] = *a
		}
		return nil
	})
}

// Titles returns the titles of posts, by id.
func (s *Posts) Titles(ctx context.Context, ids []int64) (map[int64]string, error) {
	titles := make(map[int64]string, len(ids))
	q := s.db.Select().From(TablePosts, "").Column("ID", "post_title").Where("ID IN (?)", bun.List(ids))
	return titles, Each(ctx, q, func(p *Post) error {
		titles[p.ID] = p.Title
		return nil
	})
}

// AccessAndMeta returns the properties of a post on which rights depend, the zero PostAccess if it does not exist, and
// its stored values of a meta key.
func (s *Posts) AccessAndMeta(ctx context.Context, id int64, key string) (a PostAccess, values []string, err error) {
	q := s.db.Select().From(TablePosts, "p").
		Join("LEFT JOIN", TablePostMeta, "m", "m.post_id = p.ID AND m.meta_key = ?", key).
		Column("p.ID", "p.post_author", "p.post_status", "p.post_type").ColumnExpr("p.post_password <> '' AS protected").
		Column("m.meta_value").Where("p.ID = ?", id).Order("m.meta_id")
	type row struct {
		PostAccess
		Value sql.NullString `bun:"meta_value"`
	}
	err = Each(ctx, q, func(r *row) error {
		a, values = r.PostAccess, append(values, phpval.TextOf(r.Value.String))
		return nil
	})
	return a, values, err
}

// Visible says which posts of a type a caller sees in lists: all posts with some statuses, and only the caller's own
// with others.
type Visible struct {
	Statuses    []string
	Author      int64
	OwnStatuses []string
	Except      []int64 // posts that are not visible whatever their status; they must not be the caller's own
}

func (v Visible) Where(q *Query, alias string) *Query {
	a := bun.Ident(alias)
	if len(v.Except) > 0 {
		q = q.Where("?.ID NOT IN (?)", a, bun.List(v.Except))
	}
	if v.Author == 0 || len(v.OwnStatuses) == 0 {
		return q.Where("?.post_status IN (?)", a, bun.List(v.Statuses))
	}
	return q.Where("(?.post_status IN (?) OR ?.post_author = ? AND ?.post_status IN (?))",
		a, bun.List(v.Statuses), a, v.Author, a, bun.List(v.OwnStatuses))
}

// After returns the ids above after of posts of a type that are not in the trash, sorted.
func (s *Posts) After(ctx context.Context, postType string, after, limit int64) ([]int64, error) {
	return IDs(ctx, s.db.Select().From(TablePosts, "").Column("ID").Where("post_type = ?", postType).
		Where("post_status NOT IN (?)", bun.List([]string{schema.StatusTrash, schema.StatusAutoDraft})).
		Where("ID > ?", after).Order("ID").Limit(limit))
}
