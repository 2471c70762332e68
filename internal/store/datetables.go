package store

import (
	"context"
	"sync/atomic"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/schema"
)

// dateTables says whether the tables of dates are in use.
type dateTables struct {
	there      atomic.Bool // the site has the table of occurrences
	unmigrated atomic.Bool // The Events Calendar has not migrated all events to them (D92)

	known atomic.Pointer[knownShape] // nil if none was read
}

// knownShape is the shape of the tables for a change.State.Columns.
type knownShape struct {
	version uint64
	shape
}

// shape describes tables and columns that not all sites have.
type shape struct {
	dates  schema.DateColumns // whether they are in use or not
	series bool               // tableSeries exists and the account may read it
}

// shape returns the shape of the site's tables. It is read once, and again when a poll finds that the columns of a
// table have changed. Within a Write it is the shape that was known when the Write began, so that other writers do not
// wait for its statements.
func (db *DB) shape(ctx context.Context) (shape, error) {
	if w := db.writing(ctx); w != nil {
		return w.shape, nil
	}
	version := change.From(ctx).Columns()
	if known := db.dates.known.Load(); known != nil && known.version == version {
		return known.shape, nil
	}
	if version == 0 {
		tables := db.Select().From(TableOccurrences, "o").From(TableEvents, "te").ColumnExpr("*").Where("1 = 0")
		return Cached(ctx, db, tables, func() (shape, error) { return db.readShape(ctx) })
	}
	found, err := db.readShape(ctx)
	if err == nil {
		db.dates.known.Store(&knownShape{version, found})
	}
	return found, err
}

func (db *DB) readShape(ctx context.Context) (found shape, err error) {
	if found.dates, err = schema.ReadDateColumnsBy(ctx, func() *bun.SelectQuery { return db.Select().sql }); err != nil {
		return found, err
	}
	_, err = IDs(ctx, db.Select().From(tableSeries, "").Column("event_post_id").Where("1 = 0"))
	if dberr.IsUnknown(err) || dberr.IsDenied(err) {
		return found, nil
	}
	found.series = err == nil
	return found, err
}

// reshaped reports whether an error came from a statement about a column or table that existed in the known shape and
// no longer does. Then the shape has been read again, and the write can be retried.
func (db *DB) reshaped(ctx context.Context, err error, known *shape) bool {
	if !dberr.IsUnknown(err) {
		return false
	}
	found, failed := db.readShape(Outside(ctx))
	if failed != nil || found == *known {
		return false
	}
	*known = found
	return true
}

// UseDates says whether The Events Calendar has migrated all events of the site to the tables of dates, according to
// its current options. Until then the dates in post meta are used, and in the tables only existing rows are updated. If
// the plugin completes the migration while this process runs, it may have created the tables since.
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

// Dated reports whether the tables of dates are in use; otherwise the dates are those in the events' meta rows.
func (db *DB) Dated() bool { return db.dates.there.Load() && !db.dates.unmigrated.Load() }

// storedDates returns the columns of the tables of dates for a write, even if the tables are not in use.
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

// hasDateRows reports, within a Write, whether the tables of dates exist, even if they are not in use.
func (db *DB) hasDateRows(ctx context.Context) (bool, error) {
	if !db.dates.unmigrated.Load() {
		return db.dates.there.Load(), nil
	}
	c, err := db.storedDates(ctx)
	return c.Occurrences, err
}
