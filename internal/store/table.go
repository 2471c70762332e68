package store

import (
	bunschema "github.com/uptrace/bun/schema"

	"github.com/agendahq/agenda/internal/change"
)

// Table is a table of the site.
type Table int

// The tables from which answers are made come first: a tracker watches these, whether they exist or not, since one can
// be created later. The index of each is that of its change.Version.
const (
	TablePosts Table = iota
	TablePostMeta
	TableTerms
	TableTermTaxonomy
	TableTermRelationships
	TableOccurrences
	TableEvents
	TableTranslations
	TableTermMeta
	TableOptions

	// The accounts are not watched: what depends on them is read each time.
	TableUsers
	TableUserMeta
	TableBlogs
	tableIdempotency
	tableComments
	tableSeries // of the series of events, which Events Calendar Pro creates
)

// tableNames are the names of the tables, without their prefix.
var tableNames = [...]string{
	TablePosts: "posts", TablePostMeta: "postmeta", TableTerms: "terms", TableTermTaxonomy: "term_taxonomy",
	TableTermRelationships: "term_relationships", TableOccurrences: "tec_occurrences", TableEvents: "tec_events",
	TableTranslations: "icl_translations", TableTermMeta: "termmeta", TableOptions: "options",
	TableUsers: "users", TableUserMeta: "usermeta", TableBlogs: "blogs", tableIdempotency: "agenda_idempotency",
	tableComments: "comments", tableSeries: "tec_series_relationships",
}

// watched are the names of the tables that a tracker watches.
var watched = tableNames[:TableOptions+1]

// Watched returns the names of the tables that a tracker watches.
func Watched(prefix string) (names []string) {
	for _, name := range watched {
		names = append(names, prefix+name)
	}
	return names
}

// allWatched is the set of these tables.
const allWatched = change.Tables(1)<<(TableOptions+1) - 1

func (t Table) String() string { return tableNames[t] }

// AppendQuery implements bunschema.QueryAppender, so that a Table can be an argument of a condition with a subquery.
func (t Table) AppendQuery(gen bunschema.QueryGen, b []byte) ([]byte, error) {
	return gen.AppendQuery(b, "?(prefix)"+t.String()), nil
}

// Set returns the set that contains only the table.
func (t Table) Set() change.Tables { return 1 << t }
