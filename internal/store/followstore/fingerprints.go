package followstore

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Stored declares how the items of a kind are stored, which their fingerprints cover.
type Stored struct {
	Kind       string   // "events", "tags"
	Type       string   // of posts, "" for terms
	Taxonomy   string   // of terms
	Keys       []string // meta keys
	Taxonomies []string // of the terms that are assigned to them
	Dates      bool     // they have rows in the tables of dates
	Languages  bool     // they have a language, if the site stores languages
	Tickets    bool     // tickets of Event Tickets, which are posts of other types, belong to them
	Shown      bool     // posts that count only while an item of another kind shows them as its image
	Links      []Link   // what items link
}

// Link declares how items link those of a kind: by a meta key or a taxonomy, "" for the parents of terms.
type Link struct{ Kind, By string }

// The parts of a fingerprint, one for each table. A part without rows is empty.
const (
	partRow = iota // of the post or the term
	partMeta
	partTerms
	partOccurrences
	partEvents
	partLanguage
	partTickets
	parts
	partKey // not part of a fingerprint: a meta row that links items
	partTerm
)

// stateRow is a row of the statement that computes fingerprints.
type stateRow struct {
	Part        int    `bun:"part"`
	ID          int64  `bun:"id"`
	Fingerprint string `bun:"fingerprint"`
	Type        string `bun:"type"`
	Status      string `bun:"status"`
	Slug        string `bun:"slug"`
	Number      int64  `bun:"number"` // the author; the meta row; the linked term
	Value       string `bun:"value"`  // the parent of a term; the code of the language; the value of a meta row
}

// fingerprints computes the fingerprints of items.
type fingerprints struct {
	db      *store.DB
	form    store.Form // the form in which languages are stored
	columns schema.DateColumns
}

// states returns those items that exist, with their fingerprints and the other fields of their last known states. The
// database computes the fingerprints, so that contents do not leave it, in one statement, so that they are consistent.
func (f *fingerprints) states(ctx context.Context, conn bun.IConn, k Stored, ids []int64) (map[int64]*schema.JournalObject, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := f.rows(ctx, conn, append(f.parts(k, ids, true, everyPart), f.linked(k, ids)...))
	return statesOf(k, rows), err
}

// rows runs queries as one statement.
func (f *fingerprints) rows(ctx context.Context, conn bun.IConn, queries []*store.Query) ([]stateRow, error) {
	return store.All[stateRow](ctx, queries[0].UnionAll(queries[1:]...).Conn(conn))
}

// statesOf combines the rows of each item to its state. Rows that belong to no item are ignored.
func statesOf(k Stored, rows []stateRow) map[int64]*schema.JournalObject {
	// The rows of a UNION have no order. Those of the items themselves have to come first. Of meta rows the one with the lowest id
	// comes last, because it counts.
	slices.SortStableFunc(rows, func(a, b stateRow) int { return cmp.Or(cmp.Compare(a.Part, b.Part), cmp.Compare(b.Number, a.Number)) })
	found, prints := map[int64]*schema.JournalObject{}, map[int64]*[parts]string{}
	for _, r := range rows {
		if r.Part == partRow && found[r.ID] == nil {
			found[r.ID], prints[r.ID] = &schema.JournalObject{Kind: k.Kind, ID: r.ID}, new([parts]string)
		}
		o := found[r.ID]
		if o == nil {
			continue
		}
		if r.Part < parts {
			prints[r.ID][r.Part] = strings.ToLower(r.Fingerprint)
		}
		switch r.Part {
		case partRow:
			o.Type, o.Status, o.Author, o.Slug = r.Type, r.Status, r.Number, r.Slug
			o.Links = append(o.Links, k.links(o, "", []int64{phpval.Int(r.Value)})...)
		case partLanguage:
			o.Language = store.LanguageCode(r.Value)
		case partKey:
			if r.Type == schema.MetaThumbnailID {
				o.Image = max(phpval.Int(r.Value), 0)
			}
			o.Links = append(o.Links, k.links(o, r.Type, store.LinkedIDs([]string{r.Value}))...)
		case partTerm:
			o.Links = append(o.Links, k.links(o, r.Type, []int64{r.Number})...)
		}
	}
	for id, o := range found {
		o.Fingerprint = strings.Join(prints[id][:], ".")
	}
	return found
}

// links returns links of an item by a meta key or a taxonomy, or with "" to its parent.
func (k Stored) links(o *schema.JournalObject, by string, ids []int64) (list []schema.JournalLink) {
	for _, l := range k.Links {
		if l.By != by {
			continue
		}
		for _, id := range ids {
			if id > 0 {
				list = append(list, schema.JournalLink{Kind: o.Kind, ID: o.ID, LinkedKind: l.Kind, LinkedID: id})
			}
		}
	}
	return list
}

// part begins the query of a part. If it is full, it also selects the columns that are not fingerprints; those that are
// not in values are empty.
func (f *fingerprints) part(number int, id string, print bun.Safe, full bool, values map[string]bun.Safe) *store.Query {
	q := f.db.Select().ColumnExpr("? AS part, "+id+" AS id", number).ColumnExpr("? AS fingerprint", f.withoutCollation(print))
	if !full {
		return q
	}
	for _, name := range []string{"type", "status", "slug", "value"} {
		value := bun.Safe("''")
		if values[name] != "" {
			value = f.withoutCollation(values[name])
		}
		q.ColumnExpr("? AS "+name, value)
	}
	value := bun.Safe("0")
	if values["number"] != "" {
		value = values["number"]
	}
	return q.ColumnExpr("? AS number", value)
}

// withoutCollation returns an expression without its collation.
func (f *fingerprints) withoutCollation(expr bun.Safe) bun.Safe {
	return "COALESCE(" + store.WithoutCollation(f.db.IsMySQL(), string(expr)) + ", '')"
}

// Columns that fingerprints cover, in addition to those of dates. The suffix "#" marks a column of numbers or dates,
// "*" a column whose texts may be long.
var (
	printedPosts = []string{
		"p.ID#", "p.post_author#", "CAST(p.post_date AS CHAR)#", "CAST(p.post_date_gmt AS CHAR)#", "p.post_content*", "p.post_title*",
		"p.post_excerpt*", "p.post_status", "p.post_password", "p.post_name", "CAST(p.post_modified AS CHAR)#",
		"CAST(p.post_modified_gmt AS CHAR)#", "p.post_parent#", "p.guid", "p.menu_order#", "p.post_type", "p.post_mime_type",
	}
	printedMeta     = []string{"m.meta_id#", "m.post_id#", "m.meta_key", "m.meta_value*"}
	printedTermMeta = []string{"tm.meta_id#", "tm.term_id#", "tm.meta_key", "tm.meta_value*"}
	printedTerms    = []string{
		"t.term_id#", "t.name", "t.slug", "t.term_group#", "tt.term_taxonomy_id#", "tt.taxonomy", "tt.description*", "tt.parent#",
	}
	printedRelationships = []string{"r.object_id#", "r.term_taxonomy_id#", "r.term_order#", "tt.term_id#", "tt.taxonomy"}
	printedEvents        = []string{
		"te.event_id#", "te.post_id#", "CAST(te.start_date AS CHAR)#", "CAST(te.end_date AS CHAR)#", "te.timezone",
		"CAST(te.start_date_utc AS CHAR)#", "CAST(te.end_date_utc AS CHAR)#", "te.duration#",
	}
	printedOccurrences = []string{
		"o.occurrence_id#", "o.event_id#", "o.post_id#", "CAST(o.start_date AS CHAR)#", "CAST(o.start_date_utc AS CHAR)#",
		"CAST(o.end_date AS CHAR)#", "CAST(o.end_date_utc AS CHAR)#", "o.duration#",
	}
	printedTickets = []string{ // with the rows by which they refer to the event
		"l.meta_id#", "l.post_id#", "l.meta_key", "l.meta_value", "t.post_type", "t.post_status", "t.menu_order#", "m.meta_id#",
		"m.meta_key", "m.meta_value*",
	}
	printedLanguages = []string{ // of all items of a translation group
		"g.translation_id#", "g.element_type", "g.element_id#", "g.trid#", "g.language_code", "g.source_language_code",
	}
)

// unmarked removes the suffixes from names of columns.
var unmarked = strings.NewReplacer("*", "", "#", "")

// print returns an expression for 64 bits of the SHA-256 of each row, in hexadecimal digits; for several rows it
// combines these with XOR.
func (f *fingerprints) print(several bool, columns []string) bun.Safe {
	if !f.db.IsMySQL() {
		name := schema.RowFingerprint
		if several {
			name = schema.RowsFingerprint
		}
		return bun.Safe(name + "(" + unmarked.Replace(strings.Join(columns, ", ")) + ")")
	}
	row := "LEFT(SHA2(" + printedMySQL(columns) + ", 256), 16)"
	if !several {
		return bun.Safe(row)
	}
	return bun.Safe("CONV(BIT_XOR(CAST(CONV(" + row + ", 16, 10) AS UNSIGNED)), 10, 16)")
}

// printedMySQL returns columns as bytes: their numbers, dates and the lengths of their texts, and then the texts, so
// that the result is unambiguous. The first argument makes the others be treated as bytes, whatever their character
// sets are. A long text is hashed separately: CONCAT is NULL if its result is longer than the server's
// max_allowed_packet.
func printedMySQL(columns []string) string {
	first, texts := []string{"CAST('' AS BINARY)"}, []string{}
	for _, c := range columns {
		c, number := strings.CutSuffix(c, "#")
		c, long := strings.CutSuffix(c, "*")
		switch {
		case number:
			first = append(first, "IFNULL("+c+", '-'), ' '")
			continue
		case long:
			texts = append(texts, "CASE WHEN OCTET_LENGTH("+c+") > 65536 THEN SHA2("+c+", 256) ELSE IFNULL("+c+", '') END")
		default:
			texts = append(texts, "IFNULL("+c+", '')")
		}
		first = append(first, "IFNULL(OCTET_LENGTH("+c+"), '-'), ' '")
	}
	return "CONCAT(" + strings.Join(append(first, texts...), ", ") + ")"
}

// parts selects a set of parts: the posts or terms themselves, and what other tables contain about them.
func (f *fingerprints) parts(k Stored, ids []int64, full bool, of partSet) (list []*store.Query) {
	if of.has(partRow) {
		list = append(list, f.items(k, ids, full))
	}
	return append(list, f.others(k, ids, full, of)...)
}

// items selects the posts or terms themselves.
func (f *fingerprints) items(k Stored, ids []int64, full bool) *store.Query {
	if k.Type == "" {
		return f.part(partRow, "t.term_id", f.print(false, printedTerms), full, map[string]bun.Safe{
			"type": "tt.taxonomy", "slug": "t.slug", "value": "tt.parent",
		}).From(store.TableTerms, "t").Join("JOIN", store.TableTermTaxonomy, "tt", "tt.term_id = t.term_id").
			Where("t.term_id IN (?)", bun.List(ids)).Where("tt.taxonomy = ?", k.Taxonomy)
	}
	postType := bun.Safe("p.post_type")
	if !f.db.IsMySQL() { // without statistics SQLite would read all posts of the type by its index, and not those of the ids
		postType = "+p.post_type"
	}
	return f.part(partRow, "p.ID", f.print(false, printedPosts), full, map[string]bun.Safe{
		"type": "p.post_type", "status": "p.post_status", "slug": "p.post_name", "number": "p.post_author",
	}).From(store.TablePosts, "p").Where("p.ID IN (?)", bun.List(ids)).Where("? = ?", postType, k.Type)
}

// others selects what the other tables contain about posts or terms.
func (f *fingerprints) others(k Stored, ids []int64, full bool, of partSet) (list []*store.Query) {
	switch {
	case !of.has(partMeta) || len(k.Keys) == 0:
	case k.Type == "":
		list = append(list, f.part(partMeta, "tm.term_id", f.print(true, printedTermMeta), full, nil).From(store.TableTermMeta, "tm").
			Where("tm.term_id IN (?)", bun.List(ids)).Where("? IN (?)", f.db.Binary("tm.meta_key"), bun.List(k.Keys)).Group("tm.term_id"))
	default:
		list = append(list, f.part(partMeta, "m.post_id", f.print(true, printedMeta), full, nil).From(store.TablePostMeta, "m").
			Where("m.post_id IN (?)", bun.List(ids)).Where("? IN (?)", f.db.Binary("m.meta_key"), bun.List(k.Keys)).Group("m.post_id"))
	}
	if of.has(partTerms) && len(k.Taxonomies) > 0 {
		list = append(list, f.part(partTerms, "r.object_id", f.print(true, printedRelationships), full, nil).
			From(store.TableTermRelationships, "r").
			Join(f.db.Then(), store.TableTermTaxonomy, "tt", "tt.term_taxonomy_id = r.term_taxonomy_id").
			Where("r.object_id IN (?)", bun.List(ids)).Where("tt.taxonomy IN (?)", bun.List(k.Taxonomies)).Group("r.object_id"))
	}
	if of.has(partOccurrences) && k.Dates && f.columns.Occurrences {
		list = append(list, f.part(partOccurrences, "o.post_id", f.print(true, f.occurrenceColumns()), full, nil).
			From(store.TableOccurrences, "o").Where("o.post_id IN (?)", bun.List(ids)).Group("o.post_id"))
	}
	if of.has(partEvents) && k.Dates && f.columns.Events {
		list = append(list, f.part(partEvents, "te.post_id", f.print(true, f.eventColumns()), full, nil).From(store.TableEvents, "te").
			Where("te.post_id IN (?)", bun.List(ids)).Group("te.post_id"))
	}
	if q := f.languages(k, ids, full); q != nil && of.has(partLanguage) {
		list = append(list, q)
	}
	if of.has(partTickets) && k.Tickets {
		list = append(list, f.tickets(ids, full))
	}
	return list
}

// linked selects the rows that contain links of posts.
func (f *fingerprints) linked(k Stored, ids []int64) (list []*store.Query) {
	if k.Type == "" || k.Shown {
		return nil
	}
	var keys, taxonomies []string
	for _, l := range k.Links {
		if slices.Contains(k.Taxonomies, l.By) {
			taxonomies = append(taxonomies, l.By)
		} else {
			keys = append(keys, l.By)
		}
	}
	if len(keys) > 0 {
		list = append(list, f.part(partKey, "m.post_id", "''", true, map[string]bun.Safe{
			"type": "m.meta_key", "number": "m.meta_id", "value": "SUBSTR(m.meta_value, 1, 20000)",
		}).From(store.TablePostMeta, "m").Where("m.post_id IN (?)", bun.List(ids)).
			Where("? IN (?)", f.db.Binary("m.meta_key"), bun.List(keys)))
	}
	if len(taxonomies) > 0 {
		list = append(list, f.part(partTerm, "r.object_id", "''", true, map[string]bun.Safe{"type": "tt.taxonomy", "number": "tt.term_id"}).
			From(store.TableTermRelationships, "r").
			Join(f.db.Then(), store.TableTermTaxonomy, "tt", "tt.term_taxonomy_id = r.term_taxonomy_id").
			Where("r.object_id IN (?)", bun.List(ids)).Where("tt.taxonomy IN (?)", bun.List(taxonomies)))
	}
	return list
}

func (f *fingerprints) occurrenceColumns() []string {
	columns := slices.Clone(printedOccurrences)
	for _, c := range store.OccurrenceFlags(f.columns) {
		columns = append(columns, "o."+c+"#")
	}
	return columns
}

func (f *fingerprints) eventColumns() []string {
	if !f.columns.Rset {
		return printedEvents
	}
	return append(slices.Clone(printedEvents), "te.rset*")
}

// languages selects the languages of items and their translation groups, nil if there are none. All members of a group
// are selected, because an item shows the other members until they leave the group.
func (f *fingerprints) languages(k Stored, ids []int64, full bool) *store.Query {
	switch {
	case !k.Languages:
	case f.form == store.TableForm:
		q, id := f.part, "il.element_id"
		if k.Type == "" {
			id = "tt.term_id"
		}
		rows := q(partLanguage, id, f.print(true, printedLanguages), full, map[string]bun.Safe{"value": "MIN(il.language_code)"}).
			From(store.TableTranslations, "il").
			Join("JOIN", store.TableTranslations, "g", "g.trid = il.trid AND g.element_type = il.element_type")
		if k.Type == "" {
			return rows.Join("JOIN", store.TableTermTaxonomy, "tt", "tt.term_taxonomy_id = il.element_id AND tt.taxonomy = ?", k.Taxonomy).
				Where("il.element_type = ?", "tax_"+k.Taxonomy).Where("tt.term_id IN (?)", bun.List(ids)).Group(id)
		}
		return rows.Where("il.element_type = ?", "post_"+k.Type).Where("il.element_id IN (?)", bun.List(ids)).Group(id)
	case f.form == store.TermsForm:
		language, group := store.TaxLanguage, store.TaxPostGroup
		if k.Type == "" {
			language, group = store.TaxTermLanguage, store.TaxTermGroup
		}
		members := "CASE WHEN tt.taxonomy = '" + group + "' THEN tt.description END*"
		return f.part(partLanguage, "r.object_id",
			f.print(true, append(slices.Clone(printedRelationships), "t.slug", members, "m.object_id#")), full,
			map[string]bun.Safe{"value": bun.Safe("MIN(CASE WHEN tt.taxonomy = '" + language + "' THEN t.slug END)")}).
			From(store.TableTermRelationships, "r").
			Join(f.db.Then(), store.TableTermTaxonomy, "tt", "tt.term_taxonomy_id = r.term_taxonomy_id").
			Join("JOIN", store.TableTerms, "t", "t.term_id = tt.term_id").
			Join("LEFT JOIN", store.TableTermRelationships, "m",
				"m.term_taxonomy_id = CASE WHEN tt.taxonomy = ? THEN tt.term_taxonomy_id END", group).
			Where("r.object_id IN (?)", bun.List(ids)).
			Where("tt.taxonomy IN (?)", bun.List([]string{language, group})).Group("r.object_id")
	}
	return nil
}

// tickets selects the tickets of events and, for published ones, what answers show.
func (f *fingerprints) tickets(ids []int64, full bool) *store.Query {
	number := "INTEGER"
	if f.db.IsMySQL() {
		number = "SIGNED"
	}
	return f.part(partTickets, "CAST(l.meta_value AS "+number+")", f.print(true, printedTickets), full, nil).From(store.TablePostMeta, "l").
		Join("LEFT JOIN", store.TablePosts, "t", "t.ID = l.post_id").
		Join("LEFT JOIN", store.TablePostMeta, "m", "m.post_id = t.ID AND t.post_status = ? AND ? IN (?)", schema.StatusPublish,
			f.db.Binary("m.meta_key"), bun.List(store.OfferKeys)).
		Where("l.meta_key IN (?)", bun.List(store.TicketKeys)).Where("l.meta_value IN (?)", bun.List(store.Decimals(ids))).
		Group("l.meta_value")
}

// ids returns the ids above after of items of a kind, sorted, at most limit.
func (f *fingerprints) ids(ctx context.Context, k Stored, after, limit int64) ([]int64, error) {
	if k.Type == "" {
		return store.IDs(ctx, f.db.Select().From(store.TableTermTaxonomy, "tt").Column("tt.term_id").Where("tt.taxonomy = ?", k.Taxonomy).
			Where("tt.term_id > ?", after).Order("tt.term_id").Limit(limit))
	}
	as := "p"
	if f.db.IsMySQL() { // otherwise each slice would sort all posts of the type
		as = "p FORCE INDEX (PRIMARY)"
	}
	return store.IDs(ctx, f.db.Select().From(store.TablePosts, as).Column("p.ID").Where("p.post_type = ?", k.Type).Where("p.ID > ?", after).
		Order("p.ID").Limit(limit))
}
