package schema

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/uptrace/bun"
)

// How often Activity polls tables, and how long it pauses in between.
const (
	activityLooks = 3
	activityPause = time.Second
)

// Activity watches for two seconds which of the tables that answers depend on are written continually, so that few
// answers can be cached. It finds nothing on SQLite. Like Diagnose, it only reads.
func Activity(ctx context.Context, db *bun.DB, prefix string) (found []Finding, err error) {
	if isSQLite(db) {
		return nil, nil
	}
	found, err = runCheck(ctx, db, timeLimit, func(ctx context.Context, conn bun.IDB) ([]Finding, error) {
		return watchActivity(ctx, &examinedDB{IDB: conn, prefix: prefix})
	})
	if err != nil {
		return nil, fmt.Errorf("schema: activity: %w", err)
	}
	for i := range found {
		found[i].Section, found[i].Check = sectionServer, "activity"
	}
	return found, nil
}

func watchActivity(ctx context.Context, p *examinedDB) ([]Finding, error) {
	names := prefixed(p.prefix,
		[]string{"posts", "postmeta", "terms", "term_taxonomy", "term_relationships", occurrencesTable, translations.name})
	written := map[string]int{}
	var before map[string]string
	for i := range activityLooks {
		if i > 0 {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(activityPause):
			}
		}
		now, recent, err := updateTimes(ctx, p, names)
		if err != nil {
			return nil, err
		}
		if i == 0 && !recent {
			break
		}
		for name, at := range now {
			if before != nil && at != before[name] {
				written[name]++
			}
		}
		before = now
	}
	return activityFindings(names, written), nil
}

// activityFindings reports the tables that were written between all polls.
func activityFindings(names []string, written map[string]int) []Finding {
	var busy []string
	for _, name := range names {
		if written[name] == activityLooks-1 {
			busy = append(busy, name)
		}
	}
	if len(busy) == 0 {
		return []Finding{finding(OK, "", "", "tables are not written all the time, so responses can be cached")}
	}
	return []Finding{finding(Note, "", "if responses to anonymous readers may be a second older than what others commit, serve "+
		"with --max-stale 1s (Cache.MaxStale): they are then cached", "written every second, so few responses can be cached: %s",
		strings.Join(busy, ", "))}
}

// updateTimes returns when tables were last written, and whether any was within the last seconds.
func updateTimes(ctx context.Context, p *examinedDB, names []string) (times map[string]string, recent bool, err error) {
	q := p.NewSelect().TableExpr("information_schema.TABLES").Where("TABLE_SCHEMA = DATABASE()").
		Where("TABLE_NAME IN (?)", bun.List(names)).
		ColumnExpr("TABLE_NAME AS name, CAST(UPDATE_TIME AS CHAR) AS at, UPDATE_TIME > NOW() - INTERVAL 3 SECOND AS recent")
	var version string
	if err := p.NewRaw("SELECT VERSION()").Scan(ctx, &version); err != nil {
		return nil, false, err
	}
	if !strings.Contains(version, "MariaDB") { // MySQL caches these times for up to a day
		var before int64 // the value is restored later, since some proxies reject the keyword DEFAULT
		if err := p.NewRaw("SELECT @@SESSION.information_schema_stats_expiry").Scan(ctx, &before); err != nil {
			return nil, false, err
		}
		if _, err := p.NewRaw("SET SESSION information_schema_stats_expiry = 0").Exec(ctx); err != nil {
			return nil, false, err
		}
		defer func() {
			if _, restored := p.NewRaw("SET SESSION information_schema_stats_expiry = ?", before).Exec(ctx); err == nil {
				err = restored
			}
		}()
	}
	var rows []struct {
		Name   string
		At     sql.NullString
		Recent sql.NullBool
	}
	if err := q.Scan(ctx, &rows); err != nil {
		return nil, false, err
	}
	times = map[string]string{}
	for _, r := range rows {
		times[r.Name] = r.At.String
		recent = recent || r.Recent.Bool
	}
	return times, recent, nil
}
