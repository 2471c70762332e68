// Package store holds all SQL. Queries are built by bun. Dates are bound and selected
// as text. Ids are read first and rows follow in batches, so that the number of
// statements does not grow with a page. Package store decides no rights: it is given
// conditions on what a caller may see.
package store

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/schema"
)

// Store reads and writes the tables of one site.
type Store struct {
	db           *database
	accounts     *bun.DB // of Users, which are read in the same transactions; nil for none
	queue        *writeQueue
	names        schema.Names
	linkKeys     map[string]string // by types of posts that events link
	occurrences  bool
	now          func() time.Time
	form         Form // in which the site stores languages, "" for none
	classified   bool // the site has taxonomies of terms
	readOnly     bool // nothing is written
	utf8mb3      bool // columns lack characters of four bytes
	searchIndex  bool // event lists look words up in a FULLTEXT index
	prefix       string
	clock        *change.Clock // nil where the database cannot tell what changed
	cache        change.Cache
	longestWrite time.Duration // of a transaction, 0 for no limit: see change.Clock

	longestConflict time.Duration // for which a transaction is tried again beyond attempts
	probe           probe
	closing         sync.Once
	logger          *slog.Logger
}

// New returns a store on a database that schema.Bind bound to a table prefix.
// Without the occurrences table, dates are read from the events' meta rows.
// now is the clock.
func New(db *bun.DB, names schema.Names, occurrences bool, now func() time.Time) *Store {
	return &Store{
		db: &database{DB: db}, queue: writeQueueOf(db, tableOptions), names: names, occurrences: occurrences, now: now,
		longestConflict: longestConflict, logger: slog.Default(), prefix: db.QueryGen().FormatQuery("?(prefix)"),
	}
}

// Link declares the types of posts that events link, each with its meta key.
func (s *Store) Link(keys map[string]string) { s.linkKeys = keys }

// postTypes returns the served types of posts, each after a prefix.
func (s *Store) postTypes(prefix string) []string {
	types := []string{prefix + s.names.Event}
	for _, linked := range slices.Sorted(maps.Keys(s.linkKeys)) {
		types = append(types, prefix+linked)
	}
	return types
}

// LogTo sets the logger for panics of background work. Default slog.Default().
func (s *Store) LogTo(logger *slog.Logger) { s.logger = logger }

// Select begins a query of the site's tables.
func (s *Store) Select() *bun.SelectQuery { return s.db.NewSelect() }

// Names returns the names under which the site stores things.
func (s *Store) Names() schema.Names { return s.names }

// Occurrences reports whether the site has the tables of dates.
func (s *Store) Occurrences() bool { return s.occurrences }

// UseSearchIndex makes event lists search words in the FULLTEXT index over the texts
// of posts, which schema.CheckSearchIndex must have found.
func (s *Store) UseSearchIndex() { s.searchIndex = true }

// SearchIndex reports whether UseSearchIndex was called.
func (s *Store) SearchIndex() bool { return s.searchIndex }

// errReadOnly is returned by Write after ReadOnly.
var errReadOnly = errors.New("store: it only reads")

// ReadOnly keeps the Store from writing anything.
func (s *Store) ReadOnly() { s.readOnly = true }

// WritesNothing reports whether ReadOnly was called.
func (s *Store) WritesNothing() bool { return s.readOnly }

// LimitReads makes the server end every read that takes longer than its request may,
// where the server can: see database.
func (s *Store) LimitReads(ctx context.Context) (err error) {
	s.db.routed = hasResolver(s.db.DB)
	s.db.limits, err = limitsOf(ctx, s.db.DB)
	return err
}

// Each runs a query and calls scan for every row. Within a Write it sees what that
// has written.
func Each(ctx context.Context, q *bun.SelectQuery, scan func(*sql.Rows) error) error {
	if w := writingOn(ctx, q.DB()); w != nil {
		q = q.Conn(w.reads)
	}
	rows, err := q.Rows(ctx)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// IDs runs a query of one id column.
func IDs(ctx context.Context, q *bun.SelectQuery) ([]int64, error) {
	var list []int64
	err := Each(ctx, q, func(r *sql.Rows) error {
		var id int64
		err := r.Scan(&id)
		list = append(list, id)
		return err
	})
	return list, err
}

// Number runs a query of one number.
func Number(ctx context.Context, q *bun.SelectQuery) (int64, error) {
	var n int64
	err := Each(ctx, q, func(r *sql.Rows) error { return r.Scan(&n) })
	return n, err
}

// Options returns the stored values of the named options that exist.
func (s *Store) Options(ctx context.Context, names []string) (map[string]string, error) {
	return s.options(ctx, s.db.NewSelect(), names)
}

func (s *Store) options(ctx context.Context, q *bun.SelectQuery, names []string) (map[string]string, error) {
	found := make(map[string]string, len(names))
	q = q.TableExpr("?(prefix)options").
		Column("option_name", "option_value").Where("option_name IN (?)", bun.List(names))
	return found, Each(ctx, q, func(r *sql.Rows) error {
		var name, value string
		err := r.Scan(&name, &value)
		found[name] = value
		return err
	})
}

// Settled reports whether what a query gives now may be cached.
func (s *Store) Settled(ctx context.Context, q *bun.SelectQuery) bool {
	return change.From(ctx).Settled(s.tablesIn(q.String()))
}

// Total runs a query of one number, or returns what it gave while its tables were as
// they are now.
func (s *Store) Total(ctx context.Context, q *bun.SelectQuery) (int64, error) {
	return Cached(ctx, s, q.String(), func() (int64, error) { return Number(ctx, q) })
}

// Cached returns what find returned for a statement while the tables that it names were as
// they are now, or calls find. Within a Write it always does.
func Cached[T any](ctx context.Context, s *Store, statement string, find func() (T, error)) (T, error) {
	if s.Writing(ctx) {
		return find()
	}
	return change.Get(ctx, &s.cache, statement, s.tablesIn(statement), find)
}
