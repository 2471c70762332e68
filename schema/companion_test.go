package schema_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestD94InstallCompanion checks that the table is created only on request, and removed without a trace (D94).
func TestD94InstallCompanion(t *testing.T) {
	db := testdb.SiteA(t, testdb.WithSQLMode(testdb.MySQL8))
	before := checksum(t, db, "wp_")
	check := func() schema.CompanionReport {
		t.Helper()
		return must.Get(schema.CheckCompanion(t.Context(), db, "wp_"))(t)
	}
	if err := schema.InstallCompanion(t.Context(), db, "other_"); err == nil || !strings.Contains(err.Error(), "other_options") {
		t.Errorf("without a site: %v", err)
	}
	if check().Installed {
		t.Error("it is there before it was installed")
	}
	var first int64
	for range 2 {
		must.Succeed(t, schema.InstallCompanion(t.Context(), db, "wp_"))
		if r := check(); !r.Ready() || r.Rows != 1 || first != 0 && first != r.Newest {
			t.Errorf("%+v", r)
		} else {
			first = r.Newest
		}
	}
	for range 2 {
		must.Succeed(t, schema.RemoveCompanion(t.Context(), db, "wp_"))
	}
	if check().Installed || !slices.Equal(checksum(t, db, "wp_"), before) {
		t.Error("something is left, or was changed")
	}
}

// TestD94OldRowsAreMerged checks that rows older than a day are deleted, and that the rows of ten minutes are merged
// without losing names (D94).
func TestD94OldRowsAreMerged(t *testing.T) {
	db := testdb.SiteA(t)
	must.Succeed(t, schema.InstallCompanion(t.Context(), db, "wp_"))
	begin := one[int64](t, db, "SELECT UNIX_TIMESTAMP()") / 600 * 600
	var rows []*schema.CompanionRow
	for i := range int64(500) {
		rows = append(rows, &schema.CompanionRow{
			Number: i + 1, Moment: begin - 1200 + i, Posts: fmt.Sprint(1000 + i), Options: "alpha",
			Terms: fmt.Sprintf("tribe_events_cat:%d", i%7),
		})
	}
	hour := (begin - 7200) / 3600 * 3600
	rows = append(rows, []*schema.CompanionRow{
		{Number: 498_001, Moment: hour + 10, Posts: "3"}, {Number: 498_002, Moment: hour + 2000, Posts: "4"},
		{Number: 501, Moment: begin - 90_000, Posts: "1"}, {Number: 502, Moment: begin + 600, Posts: "2"},
	}...)
	bound := must.Get(schema.Bind(db, "wp_"))(t)
	must.Get(bound.NewInsert().Model(&rows).Exec(t.Context()))(t)
	for range 2 {
		must.Succeed(t, bound.RunInTx(t.Context(), nil, func(ctx context.Context, tx bun.Tx) error {
			return schema.TidyCompanion(ctx, tx, tx,
				"wp_")
		}))
	}
	var left []*schema.CompanionRow
	must.Succeed(t, bound.NewSelect().Model(&left).Order("number").Scan(t.Context()))
	if len(left) != 4 || left[0].Number != 500 || left[1].Number != 502 || left[2].Number != 498_002 || left[2].Posts != "3,4" ||
		left[0].Moment != begin-1200+499 {
		t.Fatalf("%d rows are left: %+v", len(left), left[0])
	}
	if n := strings.Count(left[0].Posts, ",") + 1; n != 500 || strings.Count(left[0].Terms, ",") != 6 || left[0].Options != "alpha" {
		t.Errorf("%d posts, terms %s, options %s", n, left[0].Terms, left[0].Options)
	}
}

// TestLongD94RowsOfADay checks that 10,000 writes an hour leave less than 10 MB after a day (D94): it has hours pass, with rows
// merged as writes merge them, and counts what is left of an hour.
func TestLongD94RowsOfADay(t *testing.T) {
	db := testdb.SiteA(t)
	must.Succeed(t, schema.InstallCompanion(t.Context(), db, "wp_"))
	bound := must.Get(schema.Bind(db, "wp_"))(t)
	conn := must.Get(bound.Conn(t.Context()))(t)
	defer conn.Close()
	const perHour, atOnce, hours = 10_000, 200, 4
	begin, written := int64(2_000_000_000)/3600*3600, int64(0)
	for written < perHour*hours {
		rows := make([]*schema.CompanionRow, atOnce)
		var now int64
		for i := range rows {
			now = begin + written*3600/perHour
			rows[i] = &schema.CompanionRow{
				Moment: now, Posts: fmt.Sprint(1_000_000+written, ",", 2_000_000+written%50), Options: "tribe_events_cat_children",
				Terms: fmt.Sprintf("tribe_events_cat:%d,post_tag:%d", 1000+written%70, 2000+written%900), Users: fmt.Sprint(written % 9),
			}
			written++
		}
		must.Get(conn.ExecContext(t.Context(), fmt.Sprint("SET timestamp = ", now)))(t)
		must.Get(conn.NewInsert().Model(&rows).ExcludeColumn("number").Returning("NULL").Exec(t.Context()))(t)
		must.Succeed(t, schema.TidyCompanion(t.Context(), conn, conn, "wp_"))
	}
	const size = "SUM(LENGTH(posts) + LENGTH(terms) + LENGTH(users) + LENGTH(options) + LENGTH(comments) + 80) FROM wp_agenda_told"
	whole := fmt.Sprintf(" WHERE moment >= %d AND moment < %d", begin, begin+3600)
	if n := one[int64](t, db, "SELECT COUNT(*) FROM wp_agenda_told"+whole); n != 1 {
		t.Errorf("%d rows are left of the first hour", n)
	}
	hour, all := one[int64](t, db, "SELECT "+size+whole), one[int64](t, db, "SELECT "+size)
	if day := all + (24-hours)*hour; day > 10<<20 || hour < 8*perHour {
		t.Errorf("an hour leaves %d bytes, a day %d", hour, day)
	}
}

// TestKnownCaches checks that known caches cause a warning until there is a companion, and that finding none is not
// reported as having none.
func TestKnownCaches(t *testing.T) {
	db := testdb.SiteA(t)
	warned := func() string {
		for _, f := range diagnose(t, db, "wp_").Findings {
			if f.Check == "caches" && f.Level == schema.Warning {
				return f.Text + f.Advice
			}
		}
		return ""
	}
	store := func(option, value string) {
		insert := "INSERT INTO wp_options (option_name, option_value) VALUES (?, ?)"
		must.Get(db.ExecContext(t.Context(), insert, option, value))(t)
	}
	golden.Each(t, "caches.txt", func(name string, options map[string]string, want []string) {
		for _, option := range []string{
			"active_plugins", "cron", "objectcache_license", "litespeed.conf.object", "wp_rocket_settings", "wpsc_feed_list",
			"wpsupercache_gc_time",
		} {
			must.Get(db.ExecContext(t.Context(), "DELETE FROM wp_options WHERE option_name = ?", option))(t)
			if value, set := options[option]; set {
				store(option, value)
			}
		}
		found, err := schema.FindCaches(t.Context(), db, "wp_")
		var got []string
		for _, f := range found {
			got = append(got, f.Name+map[bool]string{true: " pages"}[f.Pages])
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
		if text := warned(); (text != "") != (len(want) > 0) || text != "" && !strings.Contains(text, "companion") {
			t.Errorf("%s: the doctor says %q", name, text)
		}
	})
	network := testdb.SiteA(t)
	testdb.SitePrefixed(t, network, "wp_", "wp_2_")
	testdb.Networked(t, testdb.OfOthers(t, network), "wp_2_", 1)
	for value, want := range map[string]string{"1": "[{LiteSpeed Cache false}]", "": "[]"} {
		run(t, network, "DELETE FROM wp_sitemeta WHERE meta_key = 'litespeed.conf.object'")
		run(t, network, "INSERT INTO wp_sitemeta (site_id, meta_key, meta_value) VALUES (1, 'litespeed.conf.object', '"+value+"')")
		if found, err := schema.FindCaches(t.Context(), network, "wp_2_"); err != nil || fmt.Sprint(found) != want {
			t.Errorf("by a setting %q of the network: %v, %v", value, found, err)
		}
	}
	must.Succeed(t, schema.InstallCompanion(t.Context(), db, "wp_"))
	store("objectcache_options", "x")
	golden.Equal(t, "with a companion", warned(), "")
}
