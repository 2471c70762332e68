package store

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/schema"
)

// Companion records for WordPress what each write changed, in the transaction of the write: it inserts a row into the
// table of the companion plugin, and deletes the rows of Yoast SEO's index, which that plugin creates again when the
// page is next viewed. On a site without these tables, writes only look for them every few seconds. See
// schema.InstallCompanion.
type Companion struct {
	pool   *Pool  // that contains the site's tables
	prefix string // of the tables
	now    func() time.Time

	mu     sync.Mutex
	there  map[string]bool // the tables that exist, by name
	asked  time.Time       // when some were last found missing
	writes int             // number of recorded writes
}

const (
	companionAsked = 2 * time.Second // how often to look for missing tables
	companionTidy  = 64              // number of rows after which old ones are merged
	yoastIndex     = "yoast_indexable"
)

// companionTables are the tables to which a Companion writes, without their prefix.
var companionTables = []string{schema.CompanionTable, yoastIndex}

// NewCompanion returns the Companion of a site, given a database that schema.Bind bound to its prefix.
func NewCompanion(db *bun.DB) *Companion {
	return &Companion{pool: NewPool(db), prefix: db.QueryGen().FormatQuery("?(prefix)"), now: time.Now}
}

// Find checks which of the tables exist, unless that is known. It must not be called in a transaction. An error means
// that the write must fail, because its changes could not be recorded.
func (c *Companion) Find(ctx context.Context) error {
	if c == nil {
		return nil
	}
	now := time.Now() // not the clock of the site, which may stand still
	c.mu.Lock()
	known := len(c.there) == len(companionTables) || !c.asked.IsZero() && now.Sub(c.asked) < companionAsked
	c.mu.Unlock()
	if known {
		return nil
	}
	names := make([]string, len(companionTables))
	for i, t := range companionTables {
		names[i] = c.prefix + t
	}
	q := c.pool.Select().FromExpr("sqlite_master").Column("name").Where("name IN (?)", bun.List(names))
	if c.pool.DB.Dialect().Name() == dialect.MySQL {
		q = c.pool.Select().FromExpr("information_schema.TABLES").Column("TABLE_NAME").Where("TABLE_SCHEMA = DATABASE()").
			Where("TABLE_NAME IN (?)", bun.List(names))
	}
	there := map[string]bool{}
	if err := eachValue(ctx, q, func(name string) { there[strings.TrimPrefix(name, c.prefix)] = true }); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked, c.there = now, there
	return nil
}

// has reports whether one of the tables exists.
func (c *Companion) has(table string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.there[table]
}

// lacks records that one of the tables was removed.
func (c *Companion) lacks(table string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.there, table)
	c.asked = c.now()
}

// Leave records the changes of a write, in its transaction.
func (c *Companion) Leave(ctx context.Context, tx bun.Tx, changed *schema.Touched) error {
	if c == nil || changed.Empty() {
		return nil
	}
	if c.has(yoastIndex) {
		if err := c.dropIndexed(ctx, tx, changed); err != nil {
			return err
		}
	}
	if !c.has(schema.CompanionTable) {
		return nil
	}
	err := changed.Insert(ctx, tx, c.prefix)
	if err != nil && dberr.IsNoTable(err) {
		c.lacks(schema.CompanionTable)
		return nil
	}
	if err != nil || !c.due() {
		return err
	}
	if err = schema.TidyCompanion(ctx, tx, c.pool.within(tx), c.prefix); err != nil && dberr.IsNoTable(err) {
		return nil // the account may only add rows
	}
	return err
}

// due counts a row and reports whether old ones are to be merged: at the first row of a process, and then at intervals.
func (c *Companion) due() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writes++
	return c.writes%companionTidy == 1
}

// dropIndexed deletes the rows of Yoast SEO about posts and terms. If the account may not delete them, they stay.
func (c *Companion) dropIndexed(ctx context.Context, tx bun.IDB, changed *schema.Touched) error {
	for kind, ids := range map[string][]int64{"post": changed.PostIDs(), "term": changed.TermIDs()} {
		if len(ids) == 0 {
			continue
		}
		_, err := tx.NewDelete().ModelTableExpr("?", bun.Ident(c.prefix+yoastIndex)).Where("object_type = ?", kind).
			Where("object_id IN (?)", bun.List(ids)).Exec(ctx)
		if err != nil && dberr.IsNoTable(err) {
			c.lacks(yoastIndex)
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}
