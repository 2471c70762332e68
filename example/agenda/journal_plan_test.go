package main

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestJournalReadsPostsByTheirIDs checks that SQLite finds the posts of which fingerprints are made by their ids, also
// on a database without statistics, and does not read all posts of a type for some of them.
func TestJournalReadsPostsByTheirIDs(t *testing.T) {
	t.Parallel()
	content := snapshotOf(t, "dates", func() *bun.DB { return copiedRows(t, testdb.SiteDates(t), "wp_") })
	counter := &testdb.Counter{}
	db := countedFile(t, fileOf(t, content), counter)
	must.Succeed(t, schema.InstallJournal(t.Context(), db, "wp_"))
	var posts []string
	for id := range 20 {
		posts = append(posts, shortPost(9100+id, "tribe_events", "Concert"))
	}
	must.Get(db.ExecContext(t.Context(), insertedPosts("INSERT", posts...)))(t)
	c, err := calendar.New(t.Context(), calendar.Options{DB: db, JournalShare: calendar.None, Logger: slog.New(slog.DiscardHandler)})
	must.Succeed(t, err)
	defer func() { _ = c.Close(t.Context()) }()
	counter.Reset()
	for range 2 { // the first comparison only records the states
		must.Get(c.ScanJournal(t.Context()))(t)
	}
	several := 0
	for _, statement := range counter.Matching("p.ID IN (") {
		_, list, _ := strings.Cut(statement, "p.ID IN (")
		list, _, _ = strings.Cut(list, ")")
		if strings.Count(list, ",") < 5 { // for a few ids SQLite uses the key of the table in any case
			continue
		}
		several++
		plan := planOf(t, db, statement)
		if strings.Contains(plan, "type_status_date") {
			t.Errorf("%s\n%s", plan, statement)
		}
	}
	if several == 0 {
		t.Error("no statement reads several posts")
	}
}

// planOf returns how SQLite executes a statement.
func planOf(t *testing.T, db *bun.DB, statement string) (plan string) {
	t.Helper()
	rows, err := db.DB.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+statement)
	must.Succeed(t, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id, parent, unused int
		var detail string
		must.Succeed(t, rows.Scan(&id, &parent, &unused, &detail))
		plan += detail + "\n"
	}
	must.Succeed(t, rows.Err())
	return plan
}
