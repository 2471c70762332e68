package store

import (
	"context"
	"crypto/sha256"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/store/timelimit"
	"github.com/agendahq/agenda/schema"
)

// DB is the database of a site, which all parts of a Store use.
type DB struct {
	config  Config
	pool    *Pool
	prefix  string
	network schema.Network
	cache   change.Cache
	dates   dateTables
	foreign atomic.Pointer[[]schema.ForeignColumn]
}

// newDB finds out how the server can limit the duration of reads, and whether the site belongs to a multisite network.
func newDB(ctx context.Context, c Config) (db *DB, err error) {
	limits := timelimit.None
	if c.LimitReads {
		limits, err = timelimit.Find(ctx, c.DB)
	}
	if err != nil {
		return nil, err
	}
	db = &DB{config: c, pool: newPool(c.DB, limits, c.RoutedReads), prefix: c.DB.QueryGen().FormatQuery("?(prefix)")}
	db.dates.there.Store(c.Occurrences)
	db.foreign.Store(&c.Foreign)
	db.network, err = schema.FindNetwork(ctx, c.DB.NewSelect, db.prefix)
	return db, err
}

// Reach checks that the database server answers, which connecting to a proxy does not show.
func Reach(ctx context.Context, db *bun.DB) error {
	_, err := db.NewSelect().TableExpr("information_schema.TABLES").ColumnExpr("1").Where("TABLE_SCHEMA = DATABASE()").Limit(1).Exec(ctx)
	return err
}

// NetworkUnknown reports whether the site seems to belong to a multisite network whose tables the account may not read,
// or which does not list the site although they share users.
func (db *DB) NetworkUnknown() bool {
	users, network := db.config.Users, db.network
	return network.Denied || network.Incomplete ||
		network.Table == "" && users != nil && users.QueryGen().FormatQuery("?(prefix)") != db.prefix
}

// OfNetwork reports whether the site belongs to a multisite network.
func (db *DB) OfNetwork() bool { return db.network.Table != "" }

// Accounts returns the tables in Config.Users, nil without it. Within a Write, its queries are run in the transaction.
func (db *DB) Accounts() *Pool {
	if db.config.Users == nil {
		return nil
	}
	return newPool(db.config.Users, db.pool.limits, db.pool.routed)
}

// PostTypes returns the served post types, each preceded by prefix.
func (db *DB) PostTypes(prefix string) []string {
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

// newQuery begins a query of a pool, without a time limit.
func newQuery(pool *bun.DB) *Query { return &Query{sql: pool.NewSelect()} }

// Settled reports whether the result of a query may be cached now.
func (db *DB) Settled(ctx context.Context, q *Query) bool {
	return !q.unwatched() && change.From(ctx).Settled(q.reads())
}

// Total runs a query that returns one number, or returns the cached result if its tables have not changed since.
func (db *DB) Total(ctx context.Context, q *Query) (int64, error) {
	return Cached(ctx, db, q, func() (int64, error) { return Number(ctx, q) })
}

// Cached returns the cached result of find for a query if the tables that the query declares have not changed since, or
// calls find. Within a Write, or if one of the tables is not watched, it always calls find.
func Cached[T any](ctx context.Context, db *DB, q *Query, find func() (T, error)) (T, error) {
	if db.writing(ctx) != nil || q.unwatched() {
		return find()
	}
	return change.Get(ctx, &db.cache, cacheKey(q.String()), q.reads(), find)
}

// longestKey is the maximal length of a statement that is itself the key of its cached result, in bytes.
const longestKey = 1 << 10

// cacheKey returns the key of the cached result of a statement: the hash of a long one, since a filter may contain the ids
// of all venues, and a thousand keys are kept.
func cacheKey(statement string) string {
	if len(statement) <= longestKey {
		return statement
	}
	sum := sha256.Sum256([]byte(statement))
	return string(sum[:])
}

// writing returns the site's transaction in a context, nil if there is none.
func (db *DB) writing(ctx context.Context) *write { return writingOn(ctx, db.pool.DB) }

// Tx returns the transaction of the Write in a context, and records that some tables are written; without arguments it
// assumes all tables.
func (db *DB) Tx(ctx context.Context, written ...Table) bun.Tx {
	return db.writing(ctx).conn(written...)
}

// insertOne adds a row and sets its id. It does not use RETURNING for the id, because that takes SQLite longer than the
// insertion.
func insertOne(ctx context.Context, q *bun.InsertQuery, id *int64) error {
	added, err := q.Returning("NULL").Exec(ctx)
	if err != nil {
		return err
	}
	*id, err = added.LastInsertId()
	return err
}

// rowsOf is a table with the column that contains a post's id, and a further condition on its rows.
type rowsOf struct {
	table, column string
	where         func(*bun.DeleteQuery) *bun.DeleteQuery // nil for no condition
}

// deleteRows deletes the rows of posts in some tables.
func (db *DB) deleteRows(ctx context.Context, tables []rowsOf, ids []int64) error {
	for _, t := range tables {
		err := DeleteAll(ctx, db.writing(ctx).conn(), func(q *bun.DeleteQuery) *bun.DeleteQuery {
			q = q.ModelTableExpr("?(prefix)?", bun.Safe(t.table)).Where("? IN (?)", bun.Ident(t.column), bun.List(ids))
			if t.where != nil {
				q = t.where(q)
			}
			return q
		})
		if err != nil {
			return err
		}
	}
	return nil
}
