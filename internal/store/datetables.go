package store

import (
	"context"
	"sync/atomic"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// dateTables says whether the tables of dates count.
type dateTables struct {
	there      atomic.Bool // the site has that of occurrences
	unmigrated atomic.Bool // The Events Calendar has not moved all events to them (D92)
}

// UseDates says whether The Events Calendar has moved all events of the site to the tables of dates, as its options say by
// now. Until then dates are those of post meta: of the tables only rows that exist are kept in step. Where the plugin is done
// while this process runs, it may have made the tables since.
func (db *DB) UseDates(ctx context.Context, migrated bool) error {
	if db.dates.unmigrated.Load() != migrated {
		return nil
	}
	if migrated && !db.dates.there.Load() {
		c, err := schema.ReadDateColumnsBy(ctx, func() *bun.SelectQuery { return db.Select().sql })
		if err != nil {
			return err
		}
		db.dates.there.Store(c.Occurrences)
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
	c, err := db.writing(ctx).dateColumns(ctx)
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
