package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"iter"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/budget"
)

// largeText is the length in bytes above which a text is not read together with its row: the row contains only its
// length, so that memory can be claimed before the text is read. Most sites have no such texts and need no statement
// for them.
const largeText = 64 << 10

// short returns an expression for the text in a column if it is not large, otherwise NULL. shown is the expression that
// reads the column.
func short(column string, shown bun.Safe) bun.Safe {
	return bun.Safe(fmt.Sprintf("CASE WHEN OCTET_LENGTH(%s) <= %d THEN %s END", column, largeText, shown))
}

// shortDescription is short for the descriptions of terms.
var shortDescription = short("tt.description", "tt.description")

// longTexts are the texts that were not read with their rows because they are large.
type longTexts struct {
	without Texts // texts of posts that are not requested
	posts   map[int64]*Post
	sizes   map[int64]int64 // of the texts of posts
	meta    map[int64]int   // indexes of the rows that were read, by meta_id
	terms   map[int64][]*TaxonomyTerm
	// ofTerms are the sizes of the descriptions of terms, by term_taxonomy_id.
	ofTerms map[int64]int64
	bytes   int64 // total size
}

func (l *longTexts) post(p *Post, bytes int64) {
	if l.posts == nil {
		l.posts, l.sizes = map[int64]*Post{}, map[int64]int64{}
	}
	l.posts[p.ID], l.sizes[p.ID] = p, bytes
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
		l.terms, l.ofTerms = map[int64][]*TaxonomyTerm{}, map[int64]int64{}
	}
	if l.terms[t.TaxonomyID] == nil {
		l.ofTerms[t.TaxonomyID] = bytes
		l.bytes += bytes
	}
	l.terms[t.TaxonomyID] = append(l.terms[t.TaxonomyID], t)
}

type fittingKey struct{}

// Fitting returns a context for the reads of a list, in which a list is never too large: if its texts exceed the memory
// limit, the largest ones are omitted (D97).
func Fitting(ctx context.Context) context.Context { return context.WithValue(ctx, fittingKey{}, true) }

// Part is a text of a post that a list may omit.
type Part int

// The parts of a post.
const (
	ContentPart Part = iota
	ExcerptPart
	TitlePart // only its end is omitted
	parts
)

// keptTitle is the minimum number of bytes of a title that a list shows.
const keptTitle = 200

// Spare returns how many bytes are saved if a part is omitted.
func (p *Post) Spare(part Part) int {
	switch part {
	case ExcerptPart:
		return len(p.Excerpt)
	case TitlePart:
		return max(0, len(p.Title)-keptTitle)
	}
	return len(p.Content)
}

// LeaveOut omits a part, and the content with it: the content is always empty if a part was omitted. It returns how
// many bytes that saves.
func (p *Post) LeaveOut(part Part) (saved int) {
	saved = len(p.Content)
	switch part {
	case ExcerptPart:
		saved += len(p.Excerpt)
		p.Excerpt = ""
	case TitlePart:
		kept := min(keptTitle, len(p.Title))
		for kept > 0 && kept < len(p.Title) && !utf8.RuneStart(p.Title[kept]) {
			kept--
		}
		saved += len(p.Title) - kept
		p.Title = p.Title[:kept]
	}
	p.Content, p.Omitted = "", true
	return saved
}

// largest returns the part of a post whose omission saves most, and how many bytes that is.
func (p *Post) largest() (part Part, n int) {
	for other := range parts {
		if spare := p.Spare(other); spare > n {
			part, n = other, spare
		}
	}
	return part, n
}

// fitting omits the largest texts of a list while its rows are read, if they exceed the memory limit together. It does
// not handle texts longer than largeText: fit omits those that do not fit afterwards.
type fitting struct {
	claim *budget.Claim
	most  int64          // bytes of rows, negative for no limit
	terms map[int64]bool // term_taxonomy_ids whose descriptions were omitted
}

// newFitting returns the limit of one read: half of the remaining bytes, since other reads follow.
func newFitting(ctx context.Context) fitting {
	f := fitting{claim: budget.From(ctx), most: -1}
	if most, stored := f.claim.Max(), f.claim.Stored(); most >= 0 && ctx.Value(fittingKey{}) != nil {
		f.most = stored + max(0, most-stored)/2
	}
	return f
}

// row claims memory for a row of n bytes, after posts and terms were read from it and the rows before it. last is its
// term, nil if it has none.
func (f *fitting) row(n int64, last *TaxonomyTerm, posts map[int64]*Post, terms iter.Seq[*TaxonomyTerm]) error {
	if last != nil && f.terms[last.TaxonomyID] {
		n -= leaveOut(last)
	}
	for f.most >= 0 && f.claim.Stored()+n > f.most {
		post, part, term := longest(posts, terms)
		switch {
		case post != nil && (term == nil || post.Spare(part) >= len(term.Description)):
			n -= int64(post.LeaveOut(part))
		case term != nil:
			for t := range terms { // there is a row for each post that has the term
				if t.TaxonomyID == term.TaxonomyID {
					n -= leaveOut(t)
				}
			}
			if f.terms == nil {
				f.terms = map[int64]bool{}
			}
			f.terms[term.TaxonomyID] = true
		default:
			return f.claim.Row(n)
		}
	}
	return f.claim.Row(n)
}

// longest returns the post with the longest text, which of its texts that is, and the term with the longest
// description; among equal ones those with the lowest ids, and nil if no text is left.
func longest(posts map[int64]*Post, terms iter.Seq[*TaxonomyTerm]) (post *Post, part Part, term *TaxonomyTerm) {
	most := 0
	for _, p := range posts {
		if p.Type == embedType {
			continue
		}
		if largest, n := p.largest(); n > most || n > 0 && n == most && p.ID < post.ID {
			post, part, most = p, largest, n
		}
	}
	for t := range terms {
		if t.Description != "" && (term == nil ||
			cmp.Or(cmp.Compare(len(t.Description), len(term.Description)), cmp.Compare(term.TaxonomyID, t.TaxonomyID)) > 0) {
			term = t
		}
	}
	return post, part, term
}

// leaveOut omits the description of a term and returns its size.
func leaveOut(t *TaxonomyTerm) int64 {
	n := len(t.Description)
	t.Description, t.Omitted = "", t.Omitted || n > 0
	return int64(n)
}

// fit omits the largest texts of posts and terms until the others fit.
func (l *longTexts) fit(ctx context.Context) {
	claim := budget.From(ctx)
	if ctx.Value(fittingKey{}) == nil {
		return
	}
	for !claim.Fits(l.bytes) && len(l.posts)+len(l.terms) > 0 {
		post, term := largest(l.posts, l.sizes), largest(l.terms, l.ofTerms)
		if l.sizes[post] >= l.ofTerms[term] {
			l.posts[post].Omitted = true
			l.bytes -= l.sizes[post]
			delete(l.posts, post)
			continue
		}
		for _, t := range l.terms[term] {
			t.Omitted = true
		}
		l.bytes -= l.ofTerms[term]
		delete(l.terms, term)
	}
}

// largest returns the id of the largest text, the lowest id among equal ones, 0 if there is none.
func largest[T any](texts map[int64]T, sizes map[int64]int64) (found int64) {
	for id := range texts {
		if found == 0 || sizes[id] > sizes[found] || sizes[id] == sizes[found] && id < found {
			found = id
		}
	}
	return found
}

// queries returns the queries of the texts, with the columns of longText.
func (l *longTexts) queries(db *DB) (parts []*Query) {
	if len(l.posts) > 0 {
		mysql := db.IsMySQL()
		shown := func(text Texts) bun.Safe {
			if l.without&text != 0 {
				return "NULL"
			}
			return WithoutCollation(mysql, postTexts[text])
		}
		parts = append(parts, db.Select().From(TablePosts, "p").
			ColumnExpr("0 AS kind, p.ID AS id, ? AS text", shown(Contents)).
			ColumnExpr("? AS title, ? AS excerpt", WithoutCollation(mysql, "p.post_title"), shown(Excerpts)).
			Where("p.ID IN (?)", bun.List(slices.Sorted(maps.Keys(l.posts)))))
	}
	if len(l.meta) > 0 {
		parts = append(parts, db.Select().From(TablePostMeta, "m").
			ColumnExpr("1 AS kind, m.meta_id AS id, m.meta_value AS text, NULL AS title, NULL AS excerpt").Where("m.meta_id IN (?)",
			bun.List(slices.Sorted(maps.Keys(l.meta)))))
	}
	if len(l.terms) > 0 {
		parts = append(parts, db.Select().From(TableTermTaxonomy, "tt").
			ColumnExpr("2 AS kind, tt.term_taxonomy_id AS id, tt.description AS text, NULL AS title, NULL AS excerpt").
			Where("tt.term_taxonomy_id IN (?)", bun.List(slices.Sorted(maps.Keys(l.terms)))))
	}
	return parts
}

// longText is a row with the texts of an item; kind is the same as in contentColumns.
type longText struct {
	Kind    int64        `bun:"kind"`
	ID      int64        `bun:"id"`
	Text    sql.RawBytes `bun:"text"`
	Title   sql.RawBytes `bun:"title"`   // of a post
	Excerpt sql.RawBytes `bun:"excerpt"` // of a post
}

// readTexts claims memory for the large texts and reads them with one statement. Texts of items that no longer exist stay
// empty. found is called for each row.
func (l *longTexts) readTexts(ctx context.Context, db *DB, found func(*longText)) error {
	l.fit(ctx)
	parts := l.queries(db)
	if len(parts) == 0 {
		return nil
	}
	if err := budget.From(ctx).Rows(l.bytes); err != nil {
		return err
	}
	return Each(ctx, parts[0].UnionAll(parts[1:]...), func(r *longText) error {
		found(r)
		return nil
	})
}

// long reads the large texts of a Content.
func (cr *contentReader) long(ctx context.Context, db *DB) error {
	return cr.left.readTexts(ctx, db, func(r *longText) {
		switch r.Kind {
		case 0:
			cr.digested(r.Title, r.Text, r.Excerpt)
			p := cr.left.posts[r.ID]
			p.Title, p.Content, p.Excerpt = string(r.Title), string(r.Text), string(r.Excerpt)
			if p.Type == embedType && cr.embed[p.Name] == p.ID {
				cr.c.Embeds[p.Name] = p.Content
			}
		case 1:
			cr.digested(r.Text)
			row := &cr.meta[cr.left.meta[r.ID]]
			row.value = cr.value(row.key, string(r.Text))
		default:
			cr.digested(r.Text)
			cr.left.describe(r.ID, string(r.Text))
		}
	})
}

func (cr *contentReader) digested(texts ...[]byte) {
	for _, t := range texts {
		_, _ = cr.digest.Write(t)
	}
}

// describe sets the description of a term.
func (l *longTexts) describe(taxonomyID int64, text string) {
	for _, t := range l.terms[taxonomyID] {
		t.Description = text
	}
}
