package schema_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestInstallMakesTheJournal checks that Install creates the journal only on sites that Agenda created, and not again
// after it was removed.
func TestInstallMakesTheJournal(t *testing.T) {
	ctx := t.Context()
	is := func(db *bun.DB, want bool, when string) {
		t.Helper()
		if report, err := schema.CheckJournal(ctx, db, "wp_"); err != nil || report.Installed != want || report.Ready() != want {
			t.Errorf("%s: %+v, %v", when, report, err)
		}
	}
	marks := func(db *bun.DB) int64 {
		t.Helper()
		return must.Get(db.NewSelect().TableExpr("wp_options").Where("option_name = ?", schema.OptionNoJournal).Count(ctx))(t)
	}
	own := testdb.New(t)
	must.Succeed(t, schema.Install(ctx, own, "wp_"))
	is(own, true, "a new site")
	must.Succeed(t, schema.Install(ctx, own, "wp_"))
	is(own, true, "installed twice")
	for range 2 {
		must.Succeed(t, schema.RemoveJournal(ctx, own, "wp_"))
		must.Succeed(t, schema.Install(ctx, own, "wp_"))
		is(own, false, "removed")
	}
	must.Succeed(t, schema.InstallJournal(ctx, own, "wp_"))
	is(own, true, "asked for again")
	if n := marks(own); n != 0 {
		t.Errorf("asked for again: %d options say that it was removed", n)
	}
	others := testdb.SiteA(t)
	must.Succeed(t, schema.Install(ctx, others, "wp_"))
	is(others, false, "a site of other software")
	must.Succeed(t, schema.InstallJournal(ctx, others, "wp_"))
	must.Succeed(t, schema.RemoveJournal(ctx, others, "wp_"))
	if n := marks(others); n != 0 {
		t.Errorf("on a site of other software: %d options say that the journal was removed", n)
	}
}

// TestJournalRights checks that a missing journal is distinguished from one that the account may not read or write, and
// that missing privileges are named. An existing site is served without a journal.
func TestJournalRights(t *testing.T) {
	admin, reader := testdb.Granted(t, "GRANT SELECT ON {db}.* TO {user}")
	check := func(account *bun.DB, installed bool, missing ...string) {
		t.Helper()
		report, err := schema.CheckJournal(t.Context(), account, "wp_")
		slices.Sort(report.Missing)
		slices.Sort(missing)
		if err != nil || report.Installed != installed || !slices.Equal(report.Missing, missing) {
			t.Errorf("%+v, %v; want %v", report, err, missing)
		}
	}
	must.Succeed(t, schema.Install(t.Context(), admin, "wp_"))
	must.Get(admin.ExecContext(t.Context(), "INSERT INTO wp_options (option_name, option_value) VALUES (?, '1')", schema.OptionOwn))(t)
	check(reader, false)
	must.Succeed(t, schema.Install(t.Context(), reader, "wp_")) // this account may not create tables
	check(reader, false)
	if err := schema.InstallJournal(t.Context(), reader, "wp_"); err == nil || !strings.Contains(err.Error(), "right to CREATE") {
		t.Errorf("installed without the right: %v", err)
	}
	must.Succeed(t, schema.Install(t.Context(), admin, "wp_"))
	check(admin, true)
	var missing []string
	var unread []string
	for _, table := range []string{"objects", "links", "changes", "journal", "webhooks", "deliveries"} {
		for _, right := range []string{"INSERT", "UPDATE", "DELETE"} {
			missing = append(missing, right+" on wp_agenda_"+table)
		}
		unread = append(unread, "SELECT on wp_agenda_"+table)
	}
	check(reader, true, missing...)
	_, other := testdb.Granted(t, "GRANT SELECT ON {db}.wp_posts TO {user}")
	check(other, false, unread...)
}
