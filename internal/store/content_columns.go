package store

import (
	"strings"

	"github.com/uptrace/bun"
)

// The columns of the statement of Posts.Content, which all its queries share; cells is their number. The rows contain:
//
//	posts       kind is 0, post the post, id its author
//	meta rows   kind is 1, post the post, id the row, title the key, text the value
//	terms       kind is 2, post the object, id the term, parent the term_taxonomy_id, menu_order the parent term, title the
//	            name, text the description, excerpt the weight of the name, type the taxonomy
//	events      recurring ones: kind is 3, post the post, parent the number of occurrences, text all dates if there is a rule
//	dates       kind is 4, post, parent and text those of the event, id the occurrence, date and date_utc the start,
//	            modified and modified_utc the end, menu_order the duration, count whether it is one of several, term_group
//	            whether its address contains the day
//
// Columns that a kind of row does not use are NULL, and so is a large text; then length is its length, for a post that
// of all its texts.
const (
	cellKind = iota
	cellPost
	cellID
	cellParent
	cellOrder
	cellCount
	cellGroup
	cellDate
	cellDateUTC
	cellModified
	cellModifiedUTC
	cellTitle
	cellText
	cellExcerpt
	cellStatus
	cellPassword
	cellSlug
	cellType
	cellMimeType
	cellGUID
	cellLength
	cells
)

// contentColumns are the names of the columns.
var contentColumns = [cells]string{
	"kind", "post", "id", "parent", "menu_order", "count", "term_group", "date", "date_utc", "modified", "modified_utc", "title", "text",
	"excerpt", "status", "password", "slug", "type", "mime_type", "guid", "length",
}

// namedColumns returns the columns of a query of the UNION. Those that are not given are NULL.
func namedColumns(given map[int]bun.Safe) string {
	columns := make([]string, cells)
	for i, name := range contentColumns {
		columns[i] = "NULL AS " + name
		if text, ok := given[i]; ok {
			columns[i] = string(text) + " AS " + name
		}
	}
	return strings.Join(columns, ", ")
}

// columnsOfPosts and columnsOfTerms are the columns for an engine, without some texts.
var (
	columnsOfPosts = columnsFor(func(mysql bool, without Texts) map[int]bun.Safe {
		columns := map[int]bun.Safe{
			cellKind: "0", cellPost: "p.ID", cellID: "p.post_author", cellParent: "p.post_parent", cellOrder: "p.menu_order",
			cellDate: "CAST(p.post_date AS CHAR)", cellDateUTC: "CAST(p.post_date_gmt AS CHAR)",
			cellModified: "CAST(p.post_modified AS CHAR)", cellModifiedUTC: "CAST(p.post_modified_gmt AS CHAR)",
			cellTitle: short("p.post_title", WithoutCollation(mysql, "p.post_title")), cellStatus: "p.post_status",
			cellPassword: "p.post_password",
			cellSlug:     WithoutCollation(mysql, "p.post_name"), cellType: WithoutCollation(mysql, "p.post_type"),
			cellMimeType: "p.post_mime_type",
			cellGUID:     "p.guid", cellLength: "OCTET_LENGTH(p.post_title)",
		}
		for _, text := range [...]Texts{Contents, Excerpts} {
			if column := postTexts[text]; without&text == 0 {
				columns[map[Texts]int{Contents: cellText, Excerpts: cellExcerpt}[text]] = short(column, WithoutCollation(mysql, column))
				columns[cellLength] += bun.Safe(" + OCTET_LENGTH(" + column + ")")
			}
		}
		return columns
	})
	columnsOfMeta = namedColumns(map[int]bun.Safe{
		cellKind: "1", cellPost: "m.post_id", cellID: "m.meta_id", cellTitle: "m.meta_key", cellText: short("m.meta_value", "m.meta_value"),
		cellLength: "OCTET_LENGTH(m.meta_value)",
	})
	columnsOfTerms = columnsFor(func(mysql bool, without Texts) map[int]bun.Safe {
		columns := map[int]bun.Safe{
			cellKind: "2", cellPost: "r.object_id", cellID: "t.term_id", cellParent: "tt.term_taxonomy_id", cellOrder: "tt.parent",
			cellCount: "tt.count", cellGroup: "t.term_group", cellTitle: "t.name", cellExcerpt: weight(mysql, "t.name"), cellSlug: "t.slug",
			cellType: "tt.taxonomy",
		}
		if without&Descriptions == 0 {
			columns[cellText], columns[cellLength] = shortDescription, "OCTET_LENGTH(tt.description)"
		}
		return columns
	})
)

// postTexts are the columns of long texts of posts.
var postTexts = map[Texts]string{Contents: "p.post_content", Excerpts: "p.post_excerpt"}

// columnsFor returns a function like columns that calls columns in advance for all arguments.
func columnsFor(columns func(mysql bool, without Texts) map[int]bun.Safe) func(mysql bool, without Texts) string {
	var known [2][AllTexts + 1]string
	for without := range known[0] {
		known[0][without], known[1][without] = namedColumns(columns(false, Texts(without))), namedColumns(columns(true, Texts(without)))
	}
	return func(mysql bool, without Texts) string {
		if mysql {
			return known[1][without]
		}
		return known[0][without]
	}
}
