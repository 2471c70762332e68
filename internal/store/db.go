package store

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/schema"
)

// DB is the database of a site, on which all parts of a Store work.
type DB struct {
	config  Config
	pool    *database
	prefix  string
	network schema.Network
	cache   change.Cache
	dates   dateTables
	foreign atomic.Pointer[[]schema.ForeignColumn]
}

// newDB finds out how the server limits reads, and whether the site belongs to a network of sites.
func newDB(ctx context.Context, c Config) (db *DB, err error) {
	limits := unlimited
	if c.LimitReads {
		limits, err = limitsOf(ctx, c.DB)
	}
	if err != nil {
		return nil, err
	}
	db = &DB{config: c, pool: newDatabase(c.DB, limits, c.RoutedReads), prefix: c.DB.QueryGen().FormatQuery("?(prefix)")}
	db.dates.there.Store(c.Occurrences)
	db.foreign.Store(&c.Foreign)
	db.network, err = schema.FindNetwork(ctx, c.DB.NewSelect, db.prefix)
	return db, err
}

// Reach asks the server of a database, which is what a connection to a proxy alone does not.
func Reach(ctx context.Context, db *bun.DB) error {
	_, err := db.NewSelect().TableExpr("information_schema.TABLES").ColumnExpr("1").Where("TABLE_SCHEMA = DATABASE()").Limit(1).Exec(ctx)
	return err
}

// NetworkUnknown reports whether the site seems to belong to a network of sites whose tables may not be read, or whose users
// it shares although the network does not name it.
func (db *DB) NetworkUnknown() bool {
	users, network := db.config.Users, db.network
	return network.Denied || network.Incomplete ||
		network.Table == "" && users != nil && users.QueryGen().FormatQuery("?(prefix)") != db.prefix
}

// postTypes returns the served types of posts, each after a prefix.
func (db *DB) postTypes(prefix string) []string {
	types := []string{prefix + db.config.Names.Event}
	for _, linked := range slices.Sorted(maps.Keys(db.config.Links)) {
		types = append(types, prefix+linked)
	}
	return types
}

// Prefix returns the prefix of the site's tables.
func (db *DB) Prefix() string { return db.prefix }

// Select begins a query of the site's tables.
func (db *DB) Select() *Query { return db.pool.Select() }

// newQuery begins a query of a pool, on which it has no time limit.
func newQuery(pool *bun.DB) *Query { return &Query{sql: pool.NewSelect()} }

// Settled reports whether what a query gives now may be cached.
func (db *DB) Settled(ctx context.Context, q *Query) bool {
	return !q.unwatched() && change.From(ctx).Settled(q.reads())
}

// Total runs a query of one number, or returns what it gave while its tables were as
// they are now.
func (db *DB) Total(ctx context.Context, q *Query) (int64, error) {
	return Cached(ctx, db, q, func() (int64, error) { return Number(ctx, q) })
}

// Cached returns what find returned for a query while the tables that it declares were as
// they are now, or calls find. Within a Write it always does, and where a table is not watched.
func Cached[T any](ctx context.Context, db *DB, q *Query, find func() (T, error)) (T, error) {
	if db.writing(ctx) != nil || q.unwatched() {
		return find()
	}
	return change.Get(ctx, &db.cache, q.String(), q.reads(), find)
}

// writing returns the site's transaction in a context, nil for none.
func (db *DB) writing(ctx context.Context) *write { return writingOn(ctx, db.pool.DB) }

// insertOne adds a row and sets its id to what the database gave it. It does not ask for the id as a row, which takes SQLite longer than
// to insert it.
func insertOne(ctx context.Context, q *bun.InsertQuery, id *int64) error {
	added, err := q.Returning("NULL").Exec(ctx)
	if err != nil {
		return err
	}
	*id, err = added.LastInsertId()
	return err
}

// insert adds one row and sets its id in the model.
func (db *DB) insert(ctx context.Context, row any) error {
	_, err := db.writing(ctx).tx.NewInsert().Model(row).Exec(ctx)
	return err
}

// rowsOf is a table with the column that holds a post's id, and what else its rows have to meet.
type rowsOf struct {
	table, column string
	where         func(*bun.DeleteQuery) *bun.DeleteQuery // nil for nothing
}

// deleteRows deletes the rows of posts in tables.
func (db *DB) deleteRows(ctx context.Context, tables []rowsOf, ids []int64) error {
	for _, t := range tables {
		q := db.writing(ctx).conn().NewDelete().ModelTableExpr("?(prefix)?", bun.Safe(t.table)).
			Where("? IN (?)", bun.Ident(t.column), bun.List(ids))
		if t.where != nil {
			q = t.where(q)
		}
		if _, err := q.Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}
