package schema_test

import (
	"slices"
	"testing"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/schema"
)

// TestD65SeveralDates checks that recurring events are recognized by their rows, whichever of the columns a site has
// (D65).
func TestD65SeveralDates(t *testing.T) {
	t.Parallel()
	raw := testdb.New(t)
	install(t, raw, "wp_")
	db := bind(t, raw, "wp_")
	run := func(statements ...string) {
		t.Helper()
		runAll(t, db, statements)
	}
	expect := func(want schema.DateColumns, posts ...int64) {
		t.Helper()
		c, err := schema.ReadDateColumns(t.Context(), db)
		var ids []int64
		if err == nil {
			err = db.NewSelect().TableExpr("wp_posts AS p").Column("p.ID").Where("?", c.Several("p.ID")).Order("p.ID").
				Scan(t.Context(), &ids)
		}
		if err != nil || c != want || !slices.Equal(ids, posts) {
			t.Errorf("%+v %v %v, want %+v %v", c, ids, err, want, posts)
		}
	}
	run("ALTER TABLE wp_tec_events DROP COLUMN rset", // as on sites without Events Calendar Pro
		"ALTER TABLE wp_tec_occurrences DROP COLUMN has_recurrence, DROP COLUMN sequence, DROP COLUMN is_rdate")
	const columns = "(event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, hash) "
	runAll(t, testdb.OfOthers(t, raw), []string{"INSERT INTO wp_posts " +
		"(ID, post_type, post_content, post_title, post_excerpt, to_ping, pinged, post_content_filtered) " +
		"WITH RECURSIVE n AS (SELECT 1 AS id UNION ALL SELECT id + 1 FROM n WHERE id < 6) " +
		"SELECT id, 'tribe_events', '', '', '', '', '', '' FROM n"})
	run("INSERT INTO wp_tec_events (event_id, post_id, start_date, start_date_utc, hash) "+
		"SELECT ID, ID, '', '', '' FROM wp_posts WHERE ID < 6",
		"INSERT INTO wp_tec_occurrences "+columns+"SELECT ID, ID, '2030-01-01', '2030-01-01', '2030-01-01', '2030-01-01', ID "+
			"FROM wp_posts WHERE ID < 6",
		"INSERT INTO wp_tec_occurrences "+columns+"VALUES (2, 2, '2030-01-02', '2030-01-02', '2030-01-02', '2030-01-02', 'x')")
	plain := schema.DateColumns{Events: true, Occurrences: true}
	expect(plain, 2)
	run("ALTER TABLE wp_tec_events ADD rset longtext", "UPDATE wp_tec_events SET rset = 'DTSTART:20300101T000000' WHERE post_id = 3",
		"UPDATE wp_tec_events SET rset = '' WHERE post_id = 4")
	plain.Rset = true
	expect(plain, 2, 3)
	run("ALTER TABLE wp_tec_occurrences ADD has_recurrence tinyint(1) DEFAULT 0",
		"UPDATE wp_tec_occurrences SET has_recurrence = 1 WHERE post_id = 5")
	plain.HasRecurrence = true
	expect(plain, 2, 3, 5)
	run("DROP TABLE wp_tec_occurrences")
	expect(schema.DateColumns{Events: true, Rset: true}, 3)
	run("DROP TABLE wp_tec_events")
	expect(schema.DateColumns{})
}

// TestD65Recurs checks that the meta row with the rules is recognized too (D65).
func TestD65Recurs(t *testing.T) {
	golden.Each(t, "recurs.txt", func(value string, want bool) { golden.Equal(t, value, schema.Recurs(value), want) })
}

// TestD66FollowsRules checks whether dates are explicit or follow from rules (D66).
func TestD66FollowsRules(t *testing.T) {
	golden.Each(t, "follows-rules.txt", func(rset, recurrence string, want bool) {
		if got := schema.FollowsRules(rset, recurrence); got != want {
			t.Errorf("%q %s: %v", rset, recurrence, got)
		}
	})
}
