package schema

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/uptrace/bun"
)

// batchSize is the number of events that Backfill processes in one transaction.
const batchSize = 500

// Backfill creates the tables tec_events and tec_occurrences if they are missing, and inserts a row into each of them
// for every event that has none, made from its post meta. names.Event is the post type of events. It returns the number
// of events for which it inserted rows. Existing rows and their ids are not changed, including those of recurring
// events, so a second run returns 0.
//
// Drafts and trashed events get rows too. Like The Events Calendar, Backfill leaves out events that have no valid dates
// or UTC dates, that end before they start, whose stored duration is longer than their dates, or that have no time
// zone. UTC dates are used as stored.
//
// If The Events Calendar has not migrated all events to these tables, Backfill returns an *UnmigratedError.
//
// The database may belong to another program, so run Backfill only if its owner agrees. Each batch is one transaction;
// if there is an error, the batches before it remain.
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
	// This comes first, because it fails if there is no site with this prefix, before anything is created.
	zone, err := siteZone(ctx, db)
	if err != nil {
		return 0, err
	}
	if err := refuseUnmigrated(ctx, db, prefix); err != nil {
		return 0, err
	}
	absent, _, err := probe(ctx, db, prefix, []string{eventsTable, occurrencesTable})
	if err != nil {
		return 0, err
	}
	if len(absent) > 0 {
		err := withDefinitionMode(ctx, db, func(ctx context.Context, conn bun.IDB) error {
			return createTables(ctx, conn, prefix, tableOf(eventsTable), tableOf(occurrencesTable))
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

// refuseUnmigrated returns an *UnmigratedError if The Events Calendar has not migrated all events to its tables, which
// it fills itself.
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

// UnmigratedError is the error of Backfill if The Events Calendar has not migrated all events of the site to its
// tables.
type UnmigratedError struct{ Phase string } // as in the plugin's option; "" if the migration has not begun

// Error says what to do.
func (e *UnmigratedError) Error() string {
	return "The Events Calendar has not moved the site's events to its own tables (phase " + strconv.Quote(e.Phase) +
		"), and fills them itself: finish its migration first"
}

// fillBatch processes the next batch of events, those with ids above last, in one transaction. next is the greatest id
// in the batch, 0 at the end.
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

// gap is an event that has no row in at least one of the tables.
type gap struct {
	PostID       int64
	EventID      int64 // id of its row in tec_events; 0 if there is none
	OccurrenceOf int64 // event_id in its occurrences; -1 if there are none
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

// fill inserts the missing rows and returns the number of events for which it inserted some.
func fill(ctx context.Context, tx bun.Tx, gaps []gap, zone string) (int, error) {
	ids := make([]int64, len(gaps))
	for i, g := range gaps {
		ids[i] = g.PostID
	}
	metas, err := oldestMetas(ctx, tx, ids, dateKeys)
	if err != nil {
		return 0, err
	}
	var valid []gap
	rows := make(map[int64]*EventRow, len(gaps))
	for _, g := range gaps {
		values := map[string]string{}
		for key, m := range metas[g.PostID] {
			values[key] = m.Value
		}
		if row, ok := DateRow(g.PostID, values, zone); ok {
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

// oldestMetas returns the meta rows of posts with some keys, by post and key. If a key has several rows, the oldest
// counts.
func oldestMetas(ctx context.Context, tx bun.Tx, posts []int64, keys []string) (map[int64]map[string]*PostMeta, error) {
	var rows []*PostMeta
	err := tx.NewSelect().Model(&rows).Where("pm.post_id IN (?)", bun.List(posts)).
		Where("pm.meta_key IN (?)", bun.List(keys)).Order("pm.meta_id").Scan(ctx)
	if err != nil {
		return nil, err
	}
	found := make(map[int64]map[string]*PostMeta, len(posts))
	for _, m := range rows {
		if found[m.PostID] == nil {
			found[m.PostID] = make(map[string]*PostMeta, len(keys))
		}
		if found[m.PostID][m.Key] == nil {
			found[m.PostID][m.Key] = m
		}
	}
	return found, nil
}
