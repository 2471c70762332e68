package schema

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/uptrace/bun"
)

// batchSize is the number of events that one transaction of Backfill fills.
const batchSize = 500

// Backfill creates the tables tec_events and tec_occurrences where they are missing and gives every event that lacks a
// row in one of them that row, made from its post meta; names.Event is the post type of events. It returns the number
// of events that got rows. Existing rows are not changed and keep their IDs, also those of events with several dates, so a
// second run returns 0.
//
// Drafts and trashed events get rows too. Left out are the events that the site's own software leaves out: without valid
// dates or UTC dates, ending before they start, longer by their stored duration than by their dates, or without a zone.
// UTC dates are taken as stored.
//
// It refuses with an *UnmigratedError where The Events Calendar has not moved all events to these tables.
//
// The database may belong to another program: run Backfill only when its owner agrees. Each batch is one transaction;
// after an error the batches before stay.
func Backfill(ctx context.Context, db *bun.DB, prefix string, names Names) (int, error) {
	db, err := Bind(db, prefix)
	if err != nil {
		return 0, err
	}
	n, err := backfill(ctx, db, prefix, names)
	if err != nil {
		return n, fmt.Errorf("schema: backfill: %w", err)
	}
	return n, nil
}

func backfill(ctx context.Context, db *bun.DB, prefix string, names Names) (filled int, err error) {
	if names.Event == "" {
		return 0, errors.New("the post type of events is not named")
	}
	// First, since it fails where there is no site with this prefix, before anything is created.
	zone, err := siteZone(ctx, db)
	if err != nil {
		return 0, err
	}
	if err := refuseUnmigrated(ctx, db, prefix); err != nil {
		return 0, err
	}
	dateTables := []string{eventsTable, occurrencesTable}
	absent, _, err := probe(ctx, db, prefix, dateTables)
	if err != nil {
		return 0, err
	}
	if len(absent) > 0 {
		err := withDefinitionMode(ctx, db, func(ctx context.Context, conn bun.IDB) error {
			return createTables(ctx, conn, prefix, tables, dateTables)
		})
		if err != nil {
			return 0, err
		}
	}
	for last := int64(0); ; {
		done, next, err := fillBatch(ctx, db, names.Event, zone, last)
		filled += done
		if err != nil || next == 0 {
			return filled, err
		}
		last = next
	}
}

// refuseUnmigrated returns an error while The Events Calendar has not moved all events to the tables: it fills them itself.
func refuseUnmigrated(ctx context.Context, db *bun.DB, prefix string) error {
	options, _, err := storedOptions(ctx, db, prefix, slices.Concat(DateFormOptions(), MigrationOptions()))
	if err != nil {
		return err
	}
	if phase, unmigrated := Unmigrated(options); unmigrated {
		return &UnmigratedError{phase}
	}
	return nil
}

// UnmigratedError is the error of Backfill while The Events Calendar has not moved all events of the site to its tables.
type UnmigratedError struct{ Phase string } // as the plugin's option says it, "" for none

// Error returns what to do.
func (e *UnmigratedError) Error() string {
	return "The Events Calendar has not moved the site's events to its own tables (phase " + strconv.Quote(e.Phase) +
		"), and fills them itself: finish its migration first"
}

// fillBatch fills the next events with IDs above last, in one transaction, and returns the last of them, 0 at the end.
func fillBatch(ctx context.Context, db *bun.DB, postType, zone string, last int64) (filled int, next int64, err error) {
	err = repeated(func() error {
		filled, next = 0, 0
		return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			gaps, err := findGaps(ctx, tx, postType, last)
			if err != nil || len(gaps) == 0 {
				return err
			}
			next = gaps[len(gaps)-1].PostID
			filled, err = fill(ctx, tx, gaps, zone)
			return err
		})
	})
	if err != nil {
		return 0, 0, err
	}
	return filled, next, nil
}

// gap is an event without a row in at least one of the tables.
type gap struct {
	PostID       int64
	EventID      int64 // of its row in tec_events; 0: none
	OccurrenceOf int64 // the event ID in its occurrences; -1: no occurrence
}

func findGaps(ctx context.Context, tx bun.Tx, postType string, last int64) (gaps []gap, err error) {
	err = tx.NewSelect().Model((*Post)(nil)).
		ColumnExpr("p.ID AS post_id").
		ColumnExpr("COALESCE(MAX(te.event_id), 0) AS event_id").
		ColumnExpr("COALESCE(MAX(oc.event_id), -1) AS occurrence_of").
		Join("LEFT JOIN ?(prefix)tec_events AS te ON te.post_id = p.ID").
		Join("LEFT JOIN ?(prefix)tec_occurrences AS oc ON oc.post_id = p.ID").
		Where("p.post_type = ?", postType).Where("p.ID > ?", last).
		Where("te.post_id IS NULL OR oc.post_id IS NULL").
		GroupExpr("p.ID").OrderExpr("p.ID").Limit(batchSize).
		Scan(ctx, &gaps)
	return gaps, err
}

// fill inserts the missing rows and returns how many events got some.
func fill(ctx context.Context, tx bun.Tx, gaps []gap, zone string) (int, error) {
	metas, err := loadDates(ctx, tx, gaps)
	if err != nil {
		return 0, err
	}
	var valid []gap
	rows := make(map[int64]*EventRow, len(gaps))
	for _, g := range gaps {
		if row, ok := DateRow(g.PostID, metas[g.PostID], zone); ok {
			rows[g.PostID] = row
			valid = append(valid, g)
		}
	}
	if len(valid) == 0 {
		return 0, nil
	}
	if err := insertEvents(ctx, tx, valid, rows); err != nil {
		return 0, err
	}
	return len(valid), insertOccurrences(ctx, tx, valid, rows)
}

// loadDates returns the metas for the rows: by post, then by key. Of several rows of a key the oldest counts.
func loadDates(ctx context.Context, tx bun.Tx, gaps []gap) (map[int64]map[string]string, error) {
	ids := make([]int64, len(gaps))
	for i, g := range gaps {
		ids[i] = g.PostID
	}
	var metas []PostMeta
	err := tx.NewSelect().Model(&metas).Where("pm.post_id IN (?)", bun.List(ids)).
		Where("pm.meta_key IN (?)", bun.List(dateKeys)).Order("pm.meta_id").Scan(ctx)
	if err != nil {
		return nil, err
	}
	byPost := make(map[int64]map[string]string, len(gaps))
	for _, m := range metas {
		of := byPost[m.PostID]
		if of == nil {
			of = make(map[string]string, len(dateKeys))
			byPost[m.PostID] = of
		}
		if _, seen := of[m.Key]; !seen {
			of[m.Key] = m.Value
		}
	}
	return byPost, nil
}
