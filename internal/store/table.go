package store

import (
	bunschema "github.com/uptrace/bun/schema"

	"github.com/agendahq/agenda/internal/change"
)

// Table is a table of the site.
type Table int

// The tables that answers are made of come first: they are those that a tracker watches,
// whether they exist or not, since one can be made later. The index of each is that of its
// change.Version.
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
	tableUsers
	tableUserMeta
	tableBlogs
	tableIdempotency
	tableComments
	tableSeries // of the series of events, of software that few sites have
)

// tableNames are the names of the tables, without their prefix.
var tableNames = [...]string{
	TablePosts: "posts", TablePostMeta: "postmeta", TableTerms: "terms", TableTermTaxonomy: "term_taxonomy",
	TableTermRelationships: "term_relationships", TableOccurrences: "tec_occurrences", TableEvents: "tec_events",
	TableTranslations: "icl_translations", TableTermMeta: "termmeta", TableOptions: "options",
	tableUsers: "users", tableUserMeta: "usermeta", tableBlogs: "blogs", tableIdempotency: "agenda_idempotency",
	tableComments: "comments", tableSeries: "tec_series_relationships",
}

// watched are the names of the tables that a tracker watches.
var watched = tableNames[:TableOptions+1]

// allWatched is the set of these tables.
const allWatched = change.Tables(1)<<(TableOptions+1) - 1

func (t Table) String() string { return tableNames[t] }

// AppendQuery implements bunschema.QueryAppender: a Table is an argument of a condition with a
// query in it.
func (t Table) AppendQuery(gen bunschema.QueryGen, b []byte) ([]byte, error) {
	return gen.AppendQuery(b, "?(prefix)"+t.String()), nil
}

// Set returns the set of the table alone.
func (t Table) Set() change.Tables { return 1 << t }
