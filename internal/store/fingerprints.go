package store

import (
	"context"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Stored declares what the items of a kind are stored as: what their fingerprints cover.
type Stored struct {
	Kind       string   // "events", "tags"
	Type       string   // of posts, "" for terms
	Taxonomy   string   // of terms
	Keys       []string // meta keys of posts
	Taxonomies []string // of the terms that are assigned to them
	Dates      bool     // they have rows in the tables of dates
	Languages  bool     // they have a language, where the site stores any
	Shown      bool     // posts that count only while an item of another kind shows them as its image
}

// The parts of a fingerprint, one for each table. A part that an item has no rows for is empty.
const (
	partRow = iota // of the post or the term
	partMeta
	partTerms
	partOccurrences
	partEvents
	partLanguage
	parts
	partImage = parts // no fingerprint: the meta row that names the image
)

// stateRow is a row of the statement that makes fingerprints.
type stateRow struct {
	Part        int    `bun:"part"`
	ID          int64  `bun:"id"`
	Fingerprint string `bun:"fingerprint"`
	Type        string `bun:"type"`
	Status      string `bun:"status"`
	Slug        string `bun:"slug"`
	Number      int64  `bun:"number"` // the author; of an image its meta row
	Value       string `bun:"value"`  // the code of the language; the image
}

// fingerprints makes the fingerprints of items.
type fingerprints struct {
	db      *DB
	form    Form // in which languages are stored
	columns schema.DateColumns
}

// states returns the items that are stored among ids, with their fingerprints. The database makes them, so that contents do
// not leave it, in one statement, so that they are of one moment.
func (f *fingerprints) states(ctx context.Context, conn bun.IConn, k Stored, ids []int64) (map[int64]*schema.JournalObject, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	q := f.items(k, ids)
	for _, part := range f.others(k, ids) {
		q.UnionAll(part)
	}
	if conn != nil {
		q.Conn(conn)
	}
	var rows []stateRow
	err := each(ctx, q, func(r *stateRow) error {
		rows = append(rows, *r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return statesOf(k, rows), nil
}

// statesOf puts rows together. Those of what is no item are left out.
func statesOf(k Stored, rows []stateRow) map[int64]*schema.JournalObject {
	found := map[int64]*schema.JournalObject{}
	prints, images := map[int64]*[parts]string{}, map[int64]int64{}
	for _, r := range rows { // the rows of a UNION have no order
		if r.Part == partRow {
			prints[r.ID] = new([parts]string)
			found[r.ID] = &schema.JournalObject{
				Kind: k.Kind, ID: r.ID, Type: r.Type, Status: r.Status, Author: r.Number, Slug: r.Slug,
			}
		}
	}
	for _, r := range rows {
		o := found[r.ID]
		if o == nil {
			continue
		}
		switch r.Part {
		case partImage: // the lowest row counts
			if first, seen := images[r.ID]; !seen || r.Number < first {
				images[r.ID], o.Image = r.Number, max(phpval.Int(r.Value), 0)
			}
			continue
		case partLanguage:
			o.Language = languageCode(r.Value)
		}
		prints[r.ID][r.Part] = strings.ToLower(r.Fingerprint)
	}
	for id, o := range found {
		o.Fingerprint = strings.Join(prints[id][:], ".")
	}
	return found
}

// part begins the query of a part; what it does not name is empty.
func (f *fingerprints) part(number int, id string, print bun.Safe, values map[string]bun.Safe) *Query {
	q := f.db.Select().ColumnExpr("? AS part, "+id+" AS id", number)
	q.ColumnExpr("? AS fingerprint", f.text(print))
	for _, name := range []string{"type", "status", "slug", "value"} {
		value := bun.Safe("''")
		if values[name] != "" {
			value = f.text(values[name])
		}
		q.ColumnExpr("? AS "+name, value)
	}
	value := bun.Safe("0")
	if values["number"] != "" {
		value = values["number"]
	}
	return q.ColumnExpr("? AS number", value)
}

// text returns a text without its collation.
func (f *fingerprints) text(expr bun.Safe) bun.Safe {
	return "COALESCE(" + plain(f.db.isMySQL(), string(expr)) + ", '')"
}

// binary returns a text that is compared byte by byte.
func (f *fingerprints) binary(expr string) bun.Safe {
	if f.db.isMySQL() {
		return bun.Safe("CAST(" + expr + " AS BINARY)")
	}
	return bun.Safe(expr + " COLLATE BINARY")
}

// Columns that fingerprints cover, in addition to those of dates. A name that ends with "*" is of a column whose texts may be long.
var (
	printedPosts = []string{
		"p.ID", "p.post_author", "CAST(p.post_date AS CHAR)", "CAST(p.post_date_gmt AS CHAR)", "p.post_content*", "p.post_title*",
		"p.post_excerpt*", "p.post_status", "p.post_password", "p.post_name", "CAST(p.post_modified AS CHAR)",
		"CAST(p.post_modified_gmt AS CHAR)", "p.post_parent", "p.guid", "p.menu_order", "p.post_type", "p.post_mime_type",
	}
	printedMeta  = []string{"m.meta_id", "m.post_id", "m.meta_key", "m.meta_value*"}
	printedTerms = []string{
		"t.term_id", "t.name", "t.slug", "t.term_group", "tt.term_taxonomy_id", "tt.taxonomy", "tt.description*", "tt.parent",
	}
	printedRelationships = []string{"r.object_id", "r.term_taxonomy_id", "r.term_order", "tt.term_id", "tt.taxonomy"}
	printedEvents        = []string{
		"te.event_id", "te.post_id", "CAST(te.start_date AS CHAR)", "CAST(te.end_date AS CHAR)", "te.timezone",
		"CAST(te.start_date_utc AS CHAR)", "CAST(te.end_date_utc AS CHAR)", "te.duration",
	}
	printedOccurrences = []string{
		"o.occurrence_id", "o.event_id", "o.post_id", "CAST(o.start_date AS CHAR)", "CAST(o.start_date_utc AS CHAR)",
		"CAST(o.end_date AS CHAR)", "CAST(o.end_date_utc AS CHAR)", "o.duration",
	}
	printedLanguages = []string{
		"il.translation_id", "il.element_type", "il.element_id", "il.trid", "il.language_code", "il.source_language_code",
	}
)

// print returns 64 bits of the SHA-256 of each row, in hexadecimal digits; of several rows their sum without carries.
func (f *fingerprints) print(several bool, columns []string) bun.Safe {
	if !f.db.isMySQL() {
		name := schema.RowFingerprint
		if several {
			name = schema.RowsFingerprint
		}
		return bun.Safe(name + "(" + strings.ReplaceAll(strings.Join(columns, ", "), "*", "") + ")")
	}
	texts := make([]string, len(columns))
	for i, c := range columns {
		texts[i] = printedMySQL(c)
	}
	row := "LEFT(SHA2(CONCAT(" + strings.Join(texts, ", ") + "), 256), 16)"
	if !several {
		return bun.Safe(row)
	}
	return bun.Safe("CONV(BIT_XOR(CAST(CONV(" + row + ", 16, 10) AS UNSIGNED)), 10, 16)")
}

// printedMySQL returns a column as bytes with their length, so that no other columns give the same text. A long text is hashed
// alone: CONCAT is NULL where its result is longer than the server's max_allowed_packet.
func printedMySQL(column string) string {
	column, long := strings.CutSuffix(column, "*")
	text := "CASE WHEN " + column + " IS NULL THEN '-' "
	if long {
		text += "WHEN OCTET_LENGTH(" + column + ") > 65536 THEN CONCAT('#', SHA2(" + column + ", 256)) "
	}
	return text + "ELSE CONCAT('+', OCTET_LENGTH(" + column + "), ':', CAST(" + column + " AS BINARY)) END"
}

// items selects the posts or terms themselves.
func (f *fingerprints) items(k Stored, ids []int64) *Query {
	if k.Type == "" {
		return f.part(partRow, "t.term_id", f.print(false, printedTerms), map[string]bun.Safe{"type": "tt.taxonomy", "slug": "t.slug"}).
			From(TableTerms, "t").Join("JOIN", TableTermTaxonomy, "tt", "tt.term_id = t.term_id").
			Where("t.term_id IN (?)", bun.List(ids)).Where("tt.taxonomy = ?", k.Taxonomy)
	}
	return f.part(partRow, "p.ID", f.print(false, printedPosts), map[string]bun.Safe{
		"type": "p.post_type", "status": "p.post_status", "slug": "p.post_name", "number": "p.post_author",
	}).From(TablePosts, "p").Where("p.ID IN (?)", bun.List(ids)).Where("p.post_type = ?", k.Type)
}

// others selects what the other tables have of posts or terms.
func (f *fingerprints) others(k Stored, ids []int64) (list []*Query) {
	if len(k.Keys) > 0 {
		list = append(list, f.part(partMeta, "m.post_id", f.print(true, printedMeta), nil).From(TablePostMeta, "m").
			Where("m.post_id IN (?)", bun.List(ids)).Where("? IN (?)", f.binary("m.meta_key"), bun.List(k.Keys)).Group("m.post_id"))
	}
	if slices.Contains(k.Keys, schema.MetaThumbnailID) && !k.Shown {
		list = append(list, f.part(partImage, "m.post_id", "''", map[string]bun.Safe{
			"number": "m.meta_id", "value": "SUBSTR(m.meta_value, 1, 20)",
		}).
			From(TablePostMeta, "m").Where("m.post_id IN (?)", bun.List(ids)).
			Where("? = ?", f.binary("m.meta_key"), schema.MetaThumbnailID))
	}
	if len(k.Taxonomies) > 0 {
		list = append(list, f.part(partTerms, "r.object_id", f.print(true, printedRelationships), nil).
			From(TableTermRelationships, "r").Join("JOIN", TableTermTaxonomy, "tt", "tt.term_taxonomy_id = r.term_taxonomy_id").
			Where("r.object_id IN (?)", bun.List(ids)).Where("tt.taxonomy IN (?)", bun.List(k.Taxonomies)).Group("r.object_id"))
	}
	if k.Dates && f.columns.Occurrences {
		list = append(list, f.part(partOccurrences, "o.post_id", f.print(true, f.occurrenceColumns()), nil).From(TableOccurrences, "o").
			Where("o.post_id IN (?)", bun.List(ids)).Group("o.post_id"))
	}
	if k.Dates && f.columns.Events {
		list = append(list, f.part(partEvents, "te.post_id", f.print(true, f.eventColumns()), nil).From(TableEvents, "te").
			Where("te.post_id IN (?)", bun.List(ids)).Group("te.post_id"))
	}
	if q := f.languages(k, ids); q != nil {
		list = append(list, q)
	}
	return list
}

func (f *fingerprints) occurrenceColumns() []string {
	columns := slices.Clone(printedOccurrences)
	for _, c := range occurrenceFlags(f.columns) {
		columns = append(columns, "o."+c)
	}
	return columns
}

func (f *fingerprints) eventColumns() []string {
	if !f.columns.Rset {
		return printedEvents
	}
	return append(slices.Clone(printedEvents), "te.rset*")
}

// languages selects what says in which language items are and of what they are versions, nil where nothing does.
func (f *fingerprints) languages(k Stored, ids []int64) *Query {
	switch {
	case !k.Languages:
	case f.form == TableForm:
		q, id := f.part, "il.element_id"
		if k.Type == "" {
			id = "tt.term_id"
		}
		rows := q(partLanguage, id, f.print(true, printedLanguages), map[string]bun.Safe{"value": "MIN(il.language_code)"}).
			From(TableTranslations, "il")
		if k.Type == "" {
			return rows.Join("JOIN", TableTermTaxonomy, "tt", "tt.term_taxonomy_id = il.element_id AND tt.taxonomy = ?", k.Taxonomy).
				Where("il.element_type = ?", "tax_"+k.Taxonomy).Where("tt.term_id IN (?)", bun.List(ids)).Group(id)
		}
		return rows.Where("il.element_type = ?", "post_"+k.Type).Where("il.element_id IN (?)", bun.List(ids)).Group(id)
	case f.form == TermsForm:
		language, group := taxLanguage, taxPostGroup
		if k.Type == "" {
			language, group = taxTermLanguage, taxTermGroup
		}
		members := "CASE WHEN tt.taxonomy = '" + group + "' THEN tt.description END*"
		return f.part(partLanguage, "r.object_id", f.print(true, append(slices.Clone(printedRelationships), "t.slug", members)),
			map[string]bun.Safe{"value": bun.Safe("MIN(CASE WHEN tt.taxonomy = '" + language + "' THEN t.slug END)")}).
			From(TableTermRelationships, "r").Join("JOIN", TableTermTaxonomy, "tt", "tt.term_taxonomy_id = r.term_taxonomy_id").
			Join("JOIN", TableTerms, "t", "t.term_id = tt.term_id").Where("r.object_id IN (?)", bun.List(ids)).
			Where("tt.taxonomy IN (?)", bun.List([]string{language, group})).Group("r.object_id")
	}
	return nil
}

// ids returns the ids of items of a kind above one, in their order, at most limit.
func (f *fingerprints) ids(ctx context.Context, k Stored, after, limit int64) ([]int64, error) {
	if k.Type == "" {
		return IDs(ctx, f.db.Select().From(TableTermTaxonomy, "tt").Column("tt.term_id").Where("tt.taxonomy = ?", k.Taxonomy).
			Where("tt.term_id > ?", after).Order("tt.term_id").Limit(limit))
	}
	as := "p"
	if f.db.isMySQL() { // else each slice would sort all posts of the type
		as = "p FORCE INDEX (PRIMARY)"
	}
	return IDs(ctx, f.db.Select().From(TablePosts, as).Column("p.ID").Where("p.post_type = ?", k.Type).Where("p.ID > ?", after).
		Order("p.ID").Limit(limit))
}
