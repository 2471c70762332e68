package store

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/change"
)

// DB is the database of a site, on which all parts of a Store work.
type DB struct {
	config Config
	pool   *database
	prefix string
	cache  change.Cache
}

// newDB finds out how the server limits reads.
func newDB(ctx context.Context, c Config) (db *DB, err error) {
	db = &DB{config: c, pool: &database{DB: c.DB, routed: c.RoutedReads}, prefix: c.DB.QueryGen().FormatQuery("?(prefix)")}
	if c.LimitReads {
		db.pool.limits, err = limitsOf(ctx, c.DB)
	}
	return db, err
}

// postTypes returns the served types of posts, each after a prefix.
func (db *DB) postTypes(prefix string) []string {
	types := []string{prefix + db.config.Names.Event}
	for _, linked := range slices.Sorted(maps.Keys(db.config.Links)) {
		types = append(types, prefix+linked)
	}
	return types
}

// Select begins a query of the site's tables.
func (db *DB) Select() *bun.SelectQuery { return db.pool.NewSelect() }

// Settled reports whether what a query gives now may be cached.
func (db *DB) Settled(ctx context.Context, q *bun.SelectQuery) bool {
	return change.From(ctx).Settled(db.tablesIn(q.String()))
}

// Total runs a query of one number, or returns what it gave while its tables were as
// they are now.
func (db *DB) Total(ctx context.Context, q *bun.SelectQuery) (int64, error) {
	return Cached(ctx, db, q.String(), func() (int64, error) { return Number(ctx, q) })
}

// Cached returns what find returned for a statement while the tables that it names were as
// they are now, or calls find. Within a Write it always does.
func Cached[T any](ctx context.Context, db *DB, statement string, find func() (T, error)) (T, error) {
	if db.writing(ctx) != nil {
		return find()
	}
	return change.Get(ctx, &db.cache, statement, db.tablesIn(statement), find)
}

// writing returns the site's transaction in a context, nil for none.
func (db *DB) writing(ctx context.Context) *write { return writingOn(ctx, db.pool.DB) }

// insert adds one row and sets its id in the model.
func (db *DB) insert(ctx context.Context, row any) error {
	_, err := db.writing(ctx).tx.NewInsert().Model(row).Exec(ctx)
	return err
}

// tablesIn returns the watched tables that a statement may read: all whose names occur in
// its text, wherever they do.
func (db *DB) tablesIn(statement string) (found change.Tables) {
	for i, name := range watched {
		if strings.Contains(statement, db.prefix+name) {
			found |= 1 << i
		}
	}
	return found
}

// metaIDs runs a query of one meta value column that holds ids.
func (db *DB) metaIDs(ctx context.Context, q *bun.SelectQuery) (list []int64, err error) {
	err = eachValue(ctx, q, func(value sql.NullString) { list = append(list, LinkedIDs([]string{value.String})...) })
	return list, err
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
