package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// ContentQuery says what Content reads about posts.
type ContentQuery struct {
	IDs        []int64
	NoRows     bool     // their rows are known and not read
	Without    Texts    // texts of posts and of their terms that are not read, and are ""
	Keys       []string // meta keys
	Raw        []string // the Keys whose values are returned as stored
	Taxonomies []string // of the terms that are assigned to the posts
	Embeds     []string // keys of cached embeds, of any post
	Attached   []int64  // posts whose attached images are read, with their meta rows of Keys
	Several    []int64  // events for which to read whether they have several dates
	Dates      []int64  // occurrences of events in IDs, by their ids in answers, which are above DateBase
	DateBase   int64
}

// Content is what is stored about posts, by post id.
type Content struct {
	Posts   map[int64]*Post
	Meta    map[int64]Meta            // texts are decoded; lists, and values of ContentQuery.Raw, are as stored
	Terms   map[int64][]*TaxonomyTerm // by name
	Embeds  map[string]string         // by key
	Several map[int64]*Several        // of recurring events, without their occurrences; Text only if there is a rule
	Dates   map[int64]*Date           // by id in answers
	Digest  string                    // of everything that was read, except occurrences
}

// Texts is a set of columns with long texts.
type Texts uint8

// The long texts of posts, and of terms.
const (
	Contents Texts = 1 << iota
	Excerpts
	Descriptions
	AllTexts Texts = 1<<iota - 1
)

// embedType is the type of the posts that cache embeds. Their slug is the key of the embed.
const embedType = "oembed_cache"

// usualRows is the approximate size of the rows of one post, in bytes.
const usualRows = 4 << 10

// Content reads rows, meta rows and terms of posts with one statement, because one more statement costs a server more
// than a few rows. Large texts need a second statement.
func (s *Posts) Content(ctx context.Context, a ContentQuery) (*Content, error) {
	c := &Content{
		Posts: make(map[int64]*Post, len(a.IDs)), Meta: make(map[int64]Meta, len(a.IDs)),
		Terms: map[int64][]*TaxonomyTerm{}, Embeds: map[string]string{},
		Several: map[int64]*Several{}, Dates: map[int64]*Date{},
	}
	if len(a.IDs) == 0 && len(a.Embeds) == 0 && len(a.Attached) == 0 {
		return c, nil
	}
	a.IDs, a.Attached, a.Several = Distinct(a.IDs), Distinct(a.Attached), Distinct(a.Several)
	var columns schema.DateColumns
	if len(a.Several)+len(a.Dates) > 0 {
		var err error
		if columns, err = s.db.dateColumns(ctx); err != nil {
			return nil, err
		}
	}
	read := contentReaders.Get().(*contentReader)
	defer read.release()
	read.c, read.mysql, read.raw, read.base = c, s.db.IsMySQL(), a.Raw, a.DateBase
	read.left.without, read.fit = a.Without, newFitting(ctx)
	if err := read.fit.claim.Expect(usualRows * int64(len(a.IDs)+len(a.Embeds)+len(a.Attached))); err != nil {
		return nil, err
	}
	rows, err := s.db.Prepared(s.content(a, columns)).within(ctx).Rows(ctx)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	if err := read.readRows(rows); err != nil {
		return nil, err
	}
	_ = rows.Close() // so that the connection can be used for the next statement
	if err := read.long(ctx, s.db); err != nil {
		return nil, err
	}
	read.finish()
	c.Digest = string(read.digest.Sum(nil))
	return c, nil
}

// content builds the statement: a UNION of one query for each kind of rows, all with the columns of contentColumns.
func (s *Posts) content(a ContentQuery, c schema.DateColumns) *Query {
	var parts []*Query
	if len(a.IDs) > 0 && !a.NoRows {
		parts = append(parts, s.contentPosts(a.Without).Where("p.ID IN (?)", bun.List(a.IDs)))
	}
	if len(a.IDs) > 0 && len(a.Keys) > 0 {
		parts = append(parts, s.contentMeta(a))
	}
	if len(a.IDs) > 0 && len(a.Taxonomies) > 0 {
		parts = append(parts, s.contentTerms(a))
	}
	if len(a.Embeds) > 0 {
		parts = append(parts, s.contentPosts(0).Where("p.post_name IN (?)", bun.List(a.Embeds)).
			Where("p.post_type = ?", embedType).Where("p.post_status = ?", schema.StatusPublish))
	}
	if len(a.Attached) > 0 {
		parts = append(parts, attachedTo(s.contentPosts(0), a))
		if len(a.Keys) > 0 {
			meta := s.metaRows().Join("JOIN", TablePosts, "p", "p.ID = m.post_id").Where("COALESCE(m.meta_key, '') IN (?)",
				bun.List(a.Keys))
			parts = append(parts, attachedTo(meta, a))
		}
	}
	parts = s.addDates(parts, a, c)
	q := parts[0].UnionAll(parts[1:]...)
	if len(a.Taxonomies) > 0 && !s.db.IsMySQL() { // see weight
		q = s.db.Select().FromQuery(q, "part").ColumnExpr("part.*").
			OrderExpr("kind, title COLLATE ?", bun.Ident(schema.Collation)).OrderExpr("id")
	}
	return q
}

func (s *Posts) contentPosts(without Texts) *Query {
	return s.db.Select().From(TablePosts, "p").ColumnExpr(columnsOfPosts(s.db.IsMySQL(), without))
}

// contentMeta compares an expression instead of the column meta_key: with the column, servers combine two indexes,
// which is slower for a few posts.
func (s *Posts) contentMeta(a ContentQuery) *Query {
	return s.metaRows().Where("m.post_id IN (?)", bun.List(a.IDs)).Where("COALESCE(m.meta_key, '') IN (?)", bun.List(a.Keys))
}

func (s *Posts) metaRows() *Query {
	return s.db.Select().From(TablePostMeta, "m").ColumnExpr(columnsOfMeta)
}

// attachedTo restricts a query to images that are attached to posts and are not read for another reason.
func attachedTo(q *Query, a ContentQuery) *Query {
	q = q.Where("p.post_parent IN (?)", bun.List(a.Attached)).Where("p.post_type = ?", schema.TypeAttachment).
		Where("p.post_status = ?", schema.StatusInherit).Where("p.post_mime_type LIKE 'image/%'")
	if len(a.IDs) > 0 && !a.NoRows {
		q = q.Where("p.ID NOT IN (?)", bun.List(a.IDs))
	}
	return q
}

func (s *Posts) contentTerms(a ContentQuery) *Query {
	return s.db.Select().From(TableTermRelationships, "r").
		Join("JOIN", TableTermTaxonomy, "tt", "tt.term_taxonomy_id = r.term_taxonomy_id").
		Join("JOIN", TableTerms, "t", "t.term_id = tt.term_id").ColumnExpr(columnsOfTerms(s.db.IsMySQL(), a.Without)).
		Where("r.object_id IN (?)", bun.List(a.IDs)).Where("tt.taxonomy IN (?)", bun.List(a.Taxonomies))
}

// contentReader collects the rows of a statement in a Content.
type contentReader struct {
	c     *Content
	mysql bool
	cells [cells]sql.RawBytes // in the order of contentColumns
	into  [cells]any          // destinations, in the order of the statement's columns
	names map[string]string   // strings that many rows have in common
	raw   []string            // keys
	base  int64               // of the ids of occurrences

	digest hash.Hash
	bytes  []byte // of the current row
	meta   []metaRow
	rows   map[int64]int // number of rows in meta, by post
	terms  []weighed
	left   longTexts
	fit    fitting
	embed  map[string]int64 // by key: the id of the post that Embeds contains
}

type metaRow struct {
	id, post   int64
	key, value string
}

type weighed struct {
	post   int64
	weight string
	term   *TaxonomyTerm
}

// contentReaders keeps readers with their buffers.
var contentReaders = sync.Pool{New: func() any {
	return &contentReader{names: map[string]string{}, rows: map[int64]int{}, digest: sha256.New()}
}}

func (cr *contentReader) release() {
	clear(cr.names)
	clear(cr.meta)
	clear(cr.rows)
	clear(cr.terms)
	cr.digest.Reset()
	*cr = contentReader{
		names: cr.names, rows: cr.rows, digest: cr.digest, bytes: cr.bytes[:0], meta: cr.meta[:0], terms: cr.terms[:0],
	}
	contentReaders.Put(cr)
}

// readRows reads the rows of a statement.
func (cr *contentReader) readRows(rows *sql.Rows) error {
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	into := cr.into[:0]
	for i, name := range names {
		cell := i // usually the columns are in the order of contentColumns
		if i >= cells || contentColumns[i] != name {
			cell = slices.Index(contentColumns[:], name)
		}
		if cell < 0 || i >= cells {
			return fmt.Errorf("store: a row of content has no column %q", name)
		}
		into = append(into, &cr.cells[cell])
	}
	terms := iter.Seq[*TaxonomyTerm](cr.termsRead)
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if err := cr.row(terms); err != nil {
			return err
		}
	}
	return rows.Err()
}

// row processes the cells of a row, each of which is converted once. terms are those of the rows read so far.
func (cr *contentReader) row(terms iter.Seq[*TaxonomyTerm]) error {
	cr.bytes = cr.bytes[:0]
	for _, cell := range cr.cells {
		cr.bytes = append(binary.AppendUvarint(cr.bytes, uint64(len(cell))), cell...)
	}
	var term *TaxonomyTerm
	kind := cr.cells[cellKind][0]
	if kind <= '2' {
		_, _ = cr.digest.Write(cr.bytes)
	}
	switch kind {
	case '0':
		cr.post()
	case '1':
		if cr.lacks(cellText) {
			cr.left.metaRow(cr.number(cellID), len(cr.meta), cr.number(cellLength))
		}
		key := cr.name(cellTitle)
		cr.meta = append(cr.meta, metaRow{cr.number(cellID), cr.number(cellPost), key, cr.value(key, cr.cell(cellText))})
	case '3':
		cr.set()
	case '4':
		cr.date()
	default:
		term = &TaxonomyTerm{
			ID: cr.number(cellID), TaxonomyID: cr.number(cellParent), Parent: cr.number(cellOrder), Count: cr.number(cellCount),
			Group: cr.number(cellGroup), Name: cr.cell(cellTitle), Description: cr.cell(cellText), Slug: cr.cell(cellSlug),
			Taxonomy: cr.name(cellType),
		}
		if cr.lacks(cellText) {
			cr.left.term(term, cr.number(cellLength))
		}
		cr.terms = append(cr.terms, weighed{cr.number(cellPost), cr.cell(cellExcerpt), term})
	}
	return cr.fit.row(int64(len(cr.bytes)), term, cr.c.Posts, terms)
}

// termsRead yields the terms of the rows read so far.
func (cr *contentReader) termsRead(yield func(*TaxonomyTerm) bool) {
	for _, t := range cr.terms {
		if !yield(t.term) {
			return
		}
	}
}

// lacks reports whether a cell is NULL because its text is large.
func (cr *contentReader) lacks(i int) bool {
	return cr.cells[i] == nil && cr.number(cellLength) > largeText
}

// value returns the value of a meta row.
func (cr *contentReader) value(key, stored string) string {
	if slices.Contains(cr.raw, key) {
		return stored
	}
	return phpval.TextOf(stored)
}

func (cr *contentReader) number(i int) int64 {
	n, _ := strconv.ParseInt(string(cr.cells[i]), 10, 64)
	return n
}

func (cr *contentReader) cell(i int) string { return string(cr.cells[i]) }

// name returns a string that is shared with other rows.
func (cr *contentReader) name(i int) string {
	if known, ok := cr.names[string(cr.cells[i])]; ok {
		return known
	}
	text := cr.cell(i)
	cr.names[text] = text
	return text
}

func (cr *contentReader) post() {
	p := &Post{
		ID: cr.number(cellPost), Author: cr.number(cellID), Parent: cr.number(cellParent), MenuOrder: cr.number(cellOrder),
		Date: cr.cell(cellDate), DateUTC: cr.cell(cellDateUTC), Modified: cr.cell(cellModified), ModifiedUTC: cr.cell(cellModifiedUTC),
		Title: cr.cell(cellTitle), Content: cr.cell(cellText), Excerpt: cr.cell(cellExcerpt), Status: cr.name(cellStatus),
		Password: cr.cell(cellPassword), Name: cr.cell(cellSlug), Type: cr.name(cellType), MimeType: cr.name(cellMimeType),
		GUID: cr.cell(cellGUID),
	}
	cr.c.Posts[p.ID] = p
	if cr.lacks(cellTitle) || cr.lacks(cellText) || cr.lacks(cellExcerpt) {
		cr.left.post(p, cr.number(cellLength))
	}
	if p.Type != embedType {
		return
	}
	if first, seen := cr.embed[p.Name]; !seen || p.ID < first {
		if cr.embed == nil {
			cr.embed = map[string]int64{}
		}
		cr.embed[p.Name], cr.c.Embeds[p.Name] = p.ID, p.Content
	}
}

// finish sorts meta rows and terms, because the rows of a UNION have no order.
func (cr *contentReader) finish() {
	slices.SortFunc(cr.meta, func(a, b metaRow) int { return cmp.Compare(a.id, b.id) })
	values := make([]string, len(cr.meta))
	for _, row := range cr.meta {
		cr.rows[row.post]++
	}
	for i, row := range cr.meta {
		m := cr.c.Meta[row.post]
		if m == nil {
			m = make(Meta, cr.rows[row.post])
			cr.c.Meta[row.post] = m
		}
		if m[row.key] == nil { // most keys have one row
			values[i] = row.value
			m[row.key] = values[i : i+1 : i+1]
		} else {
			m[row.key] = append(m[row.key], row.value)
		}
	}
	if cr.mysql {
		slices.SortFunc(cr.terms, func(a, b weighed) int {
			return cmp.Or(strings.Compare(a.weight, b.weight), cmp.Compare(a.term.ID, b.term.ID))
		})
	}
	for _, t := range cr.terms {
		cr.c.Terms[t.post] = append(cr.c.Terms[t.post], t.term)
	}
}
