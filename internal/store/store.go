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

// Config says what a Store works on. DB has to be set; the zero value of all else is right
// where its description says nothing.
type Config struct {
	DB *bun.DB // that schema.Bind bound to the site's prefix

	// Users is the database as schema.Bind bound it to the prefix of the accounts' tables, nil for a Store
	// without accounts; Capabilities is the meta key of their rights on this site: see NewUsers.
	Users        *bun.DB
	Capabilities string

	Names       schema.Names      // under which the site stores things
	Links       map[string]string // the meta keys by which events link posts, by types of posts
	Occurrences bool              // the site has the tables of dates, else dates are read from the events' meta rows
	SearchIndex bool              // event lists search words in the FULLTEXT index, which schema.CheckSearchIndex must have found
	UTF8MB3     bool              // columns of the site lack characters of four bytes, such as emoji
	ReadOnly    bool              // nothing is written

	// Translations is the form in which the site's languages are read and written: AnyForm for the one that it
	// has, UnusedForm for none, whatever it has, and "" for none of a site that has none.
	Translations Form

	LimitReads  bool   // the server ends each read that takes longer than its request may, where it can: see database
	RoutedReads bool   // DB has a ConnResolver, which sends reads to other pools
	Watch       *Watch // what is computed of tables is kept for as long as nothing is committed to them; nil for never

	Now    func() time.Time // the clock. Default time.Now
	Logger *slog.Logger     // of background work. Default slog.Default()
}

// Watch says how a Store asks what changed.
type Watch struct {
	Options        []string // the names of the options that answers depend on
	Settle, MaxAge time.Duration
}

// Store reads and writes the tables of one site.
type Store struct {
	// Clock reports changes, nil where that is not asked for, or cannot be done; then Unwatched says why.
	Clock     *change.Clock
	Unwatched string

	Users *Users // the accounts of the site, nil without Config.Users

	Config Config // with its defaults

	db           *database
	queue        *writeQueue
	form         Form // in which the site stores languages, "" for none
	classified   bool // the site has taxonomies of terms
	prefix       string
	cache        change.Cache
	longestWrite time.Duration // of a transaction, 0 for no limit: see change.Clock

	longestConflict time.Duration // for which a transaction is tried again beyond attempts
	probe           probe
	closing         sync.Once
}

// New returns a store that is complete: it asks the server what it can do, and the site how it stores languages, as
// far as the Config wants to know. Close it.
func New(ctx context.Context, c Config) (s *Store, err error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	db := &database{DB: c.DB, routed: c.RoutedReads}
	if c.LimitReads {
		if db.limits, err = limitsOf(ctx, c.DB); err != nil {
			return nil, err
		}
	}
	s = &Store{
		Config: c, db: db, queue: writeQueueOf(c.DB, tableOptions), longestConflict: longestConflict,
		prefix: c.DB.QueryGen().FormatQuery("?(prefix)"),
	}
	if c.Users != nil {
		s.Users = &Users{
			db: &database{c.Users, db.limits, db.routed}, queue: writeQueueOf(c.Users, "usermeta"), readOnly: c.ReadOnly,
			capabilities: c.Capabilities,
		}
	}
	if err := s.findTranslations(ctx, c.Translations); err != nil {
		return nil, err
	}
	if c.Watch != nil {
		s.Clock, s.Unwatched = s.watch(c.Watch)
	}
	return s, nil
}

// postTypes returns the served types of posts, each after a prefix.
func (s *Store) postTypes(prefix string) []string {
	types := []string{prefix + s.Config.Names.Event}
	for _, linked := range slices.Sorted(maps.Keys(s.Config.Links)) {
		types = append(types, prefix+linked)
	}
	return types
}

// Select begins a query of the site's tables.
func (s *Store) Select() *bun.SelectQuery { return s.db.NewSelect() }

// errReadOnly is returned by Write where nothing is written.
var errReadOnly = errors.New("store: it only reads")

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
