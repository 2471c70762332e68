package store

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/schema"
)

// dateTables says whether the tables of dates count.
type dateTables struct {
	there      atomic.Bool // the site has that of occurrences
	unmigrated atomic.Bool // The Events Calendar has not moved all events to them (D92)

	mu      sync.Mutex
	version uint64 // change.State.Columns, by which the shape is known; 0: it is not
	shape   shape
}

// shape is what a site has of tables that not all sites have.
type shape struct {
	dates  schema.DateColumns // whether they count or not
	series bool               // there is tableSeries, and the account may read it
}

// shape returns the shape of the site's tables. It is asked once, and again when a look finds that the columns of a table have
// changed. Within a Write it is what was known when that began: nothing of it is asked while other writers wait.
func (db *DB) shape(ctx context.Context) (shape, error) {
	if w := db.writing(ctx); w != nil {
		return w.shape, nil
	}
	version := change.From(ctx).Columns()
	if kept, known := db.dates.known(version); known {
		return kept, nil
	}
	if version == 0 {
		tables := db.Select().From(TableOccurrences, "o").From(TableEvents, "te").ColumnExpr("*").Where("1 = 0")
		return Cached(ctx, db, tables, func() (shape, error) { return db.readShape(ctx) })
	}
	found, err := db.readShape(ctx)
	if err == nil {
		db.dates.keep(version, found)
	}
	return found, err
}

func (db *DB) readShape(ctx context.Context) (found shape, err error) {
	if found.dates, err = schema.ReadDateColumnsBy(ctx, func() *bun.SelectQuery { return db.Select().sql }); err != nil {
		return found, err
	}
	_, err = IDs(ctx, db.Select().From(tableSeries, "").Column("event_post_id").Where("1 = 0"))
	if isUnknown(err) || isDenied(err) {
		return found, nil
	}
	found.series = err == nil
	return found, err
}

// reshaped reports whether an error is that of a statement about a column or table that is no longer there, of those that a
// write knew: then it knows what is there, and can be tried again.
func (db *DB) reshaped(ctx context.Context, err error, known *shape) bool {
	if !isUnknown(err) {
		return false
	}
	found, failed := db.readShape(Outside(ctx))
	if failed != nil || found == *known {
		return false
	}
	*known = found
	return true
}

func (d *dateTables) known(version uint64) (shape, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.shape, version != 0 && version == d.version
}

func (d *dateTables) keep(version uint64, found shape) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.version, d.shape = version, found
}

// UseDates says whether The Events Calendar has moved all events of the site to the tables of dates, as its options say by
// now. Until then dates are those of post meta: of the tables only rows that exist are kept in step. Where the plugin is done
// while this process runs, it may have made the tables since.
func (db *DB) UseDates(ctx context.Context, migrated bool) error {
	if db.dates.unmigrated.Load() != migrated {
		return nil
	}
	if migrated && !db.dates.there.Load() {
		found, err := db.readShape(ctx)
		if err != nil {
			return err
		}
		db.dates.there.Store(found.dates.Occurrences)
	}
	db.dates.unmigrated.Store(!migrated)
	return nil
}

// Dated reports whether the tables of dates count; else dates are those of the events' meta rows.
func (db *DB) Dated() bool { return db.dates.there.Load() && !db.dates.unmigrated.Load() }

// storedDates returns what the tables of dates have for a write: also those that do not count, if they exist.
func (db *DB) storedDates(ctx context.Context) (schema.DateColumns, error) {
	if !db.dates.unmigrated.Load() {
		return db.dateColumns(ctx)
	}
	found, err := db.shape(ctx)
	c := found.dates
	if !c.Events {
		c.Occurrences = false
	}
	return c, err
}

// hasDateRows reports, within a Write, whether there are tables of dates, counting or not.
func (db *DB) hasDateRows(ctx context.Context) (bool, error) {
	if !db.dates.unmigrated.Load() {
		return db.dates.there.Load(), nil
	}
	c, err := db.storedDates(ctx)
	return c.Occurrences, err
}
