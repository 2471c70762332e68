package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/budget"
)

// largeText is the length in bytes beyond which a text is not read with the row that it is
// in: the row tells its length, so that there is room for it before it is read. Most sites
// have no such texts, and need no statement for them.
const largeText = 64 << 10

// short returns a text of a column if it is not large, else NULL. shown is the expression
// that reads the column.
func short(column string, shown bun.Safe) bun.Safe {
	return bun.Safe(fmt.Sprintf("CASE WHEN OCTET_LENGTH(%s) <= %d THEN %s END", column, largeText, shown))
}

// shortTexts are the texts of posts that are not large, else NULL.
var shortTexts = func() (of [2][3]bun.Safe) {
	for i, column := range []string{"p.post_title", "p.post_content", "p.post_excerpt"} {
		of[0][i], of[1][i] = short(column, bun.Safe(column)), short(column, plainText(column))
	}
	return of
}()

// shortMeta and shortDescription are the same of meta rows and terms.
var (
	shortMeta        = short("m.meta_value", "m.meta_value")
	shortDescription = short("tt.description", "tt.description")
)

// shortTexts returns the title, the content and the excerpt of posts.
func (db *DB) shortTexts() [3]bun.Safe {
	if db.isMySQL() {
		return shortTexts[1]
	}
	return shortTexts[0]
}

// longTexts are the texts of rows that were left out because they are large.
type longTexts struct {
	posts map[int64]*Post
	meta  map[int64]int // places in the rows that were read, by meta_id
	terms map[int64][]*TaxonomyTerm
	bytes int64 // of all
}

func (l *longTexts) post(p *Post, bytes int64) {
	if l.posts == nil {
		l.posts = map[int64]*Post{}
	}
	l.posts[p.ID] = p
	l.bytes += bytes
}

func (l *longTexts) metaRow(id int64, place int, bytes int64) {
	if l.meta == nil {
		l.meta = map[int64]int{}
	}
	l.meta[id] = place
	l.bytes += bytes
}

func (l *longTexts) term(t *TaxonomyTerm, bytes int64) {
	if l.terms == nil {
		l.terms = map[int64][]*TaxonomyTerm{}
	}
	if l.terms[t.TaxonomyID] == nil {
		l.bytes += bytes
	}
	l.terms[t.TaxonomyID] = append(l.terms[t.TaxonomyID], t)
}

// queries are those of the texts: what they are of, its id, and up to three texts.
func (l *longTexts) queries(db *DB) (parts []*bun.SelectQuery) {
	if len(l.posts) > 0 {
		parts = append(parts, db.Select().TableExpr("?(prefix)posts AS p").
			ColumnExpr("0, p.ID, ?, ?, ?", db.plain("p.post_title"), db.plain("p.post_content"), db.plain("p.post_excerpt")).
			Where("p.ID IN (?)", bun.List(slices.Sorted(maps.Keys(l.posts)))))
	}
	if len(l.meta) > 0 {
		parts = append(parts, db.Select().TableExpr("?(prefix)postmeta AS m").
			ColumnExpr("1, m.meta_id, m.meta_value, NULL, NULL").Where("m.meta_id IN (?)", bun.List(slices.Sorted(maps.Keys(l.meta)))))
	}
	if len(l.terms) > 0 {
		parts = append(parts, db.Select().TableExpr("?(prefix)term_taxonomy AS tt").
			ColumnExpr("2, tt.term_taxonomy_id, tt.description, NULL, NULL").
			Where("tt.term_taxonomy_id IN (?)", bun.List(slices.Sorted(maps.Keys(l.terms)))))
	}
	return parts
}

// read claims room for the texts that were left out and reads them, with one statement.
// What is gone by now keeps no text. read is called for each row.
func (l *longTexts) read(ctx context.Context, db *DB, read func(kind byte, id int64, texts [3]sql.RawBytes)) error {
	parts := l.queries(db)
	if len(parts) == 0 {
		return nil
	}
	if err := budget.From(ctx).Rows(l.bytes); err != nil {
		return err
	}
	q := parts[0]
	for _, part := range parts[1:] {
		q = q.UnionAll(part)
	}
	return Each(ctx, q, func(r *sql.Rows) error {
		var kind sql.RawBytes
		var id int64
		var texts [3]sql.RawBytes
		if err := r.Scan(&kind, &id, &texts[0], &texts[1], &texts[2]); err != nil {
			return err
		}
		read(kind[0], id, texts)
		return nil
	})
}

// long reads the texts that the rows of a Content left out.
func (cr *contentReader) long(ctx context.Context, db *DB) error {
	return cr.left.read(ctx, db, func(kind byte, id int64, texts [3]sql.RawBytes) {
		for _, t := range texts {
			_, _ = cr.digest.Write(t)
		}
		switch kind {
		case '0':
			p := cr.left.posts[id]
			p.Title, p.Content, p.Excerpt = string(texts[0]), string(texts[1]), string(texts[2])
			if p.Type == embedType && cr.embed[p.Name] == p.ID {
				cr.c.Embeds[p.Name] = p.Content
			}
		case '1':
			row := &cr.meta[cr.left.meta[id]]
			row.value = cr.value(row.key, string(texts[0]))
		default:
			cr.left.describe(id, string(texts[0]))
		}
	})
}

// describe gives a term its description.
func (l *longTexts) describe(taxonomyID int64, text string) {
	for _, t := range l.terms[taxonomyID] {
		t.Description = text
	}
}
