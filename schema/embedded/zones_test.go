package embedded

import (
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// manyZoned fills a site with n events, one each minute and each an hour and a half long. The UTC times of events whose
// number is divisible by step are wrong by an hour.
func manyZoned(t testing.TB, n, step int) *bun.DB {
	t.Helper()
	db := memory(t)
	must.Succeed(t, schema.Install(ctx, db, schema.DefaultPrefix))
	const times = "datetime('2037-01-01 20:00:00', n || ' minutes') AS s, datetime('2037-01-01 21:30:00', n || ' minutes') AS e, " +
		"datetime('2037-01-01 11:00:00', n || ' minutes', (n % ?2 = 0) || ' hours') AS su, " +
		"datetime('2037-01-01 12:30:00', n || ' minutes', (n % ?2 = 0) || ' hours') AS eu"
	const rows = "WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < ?1), d AS (SELECT n, " + times + " FROM k) "
	for _, insert := range []string{
		"INSERT INTO wp_tec_events (event_id, post_id, start_date, end_date, timezone, start_date_utc, end_date_utc, duration, hash) " +
			rows + "SELECT 100000 + n, 100000 + n, s, e, 'Asia/Tokyo', su, eu, 5400, '' FROM d",
		"INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash) " +
			rows + "SELECT 100000 + n, 100000 + n, s, su, e, eu, 5400, 'h' || n FROM d",
		"INSERT INTO wp_posts (ID, post_type, post_status, post_title) " + rows + "SELECT 100000 + n, 'tribe_events', 'publish', 'E' " +
			"FROM d",
		"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) " + rows +
			"SELECT 100000 + n, '_EventTimezone', 'Asia/Tokyo' FROM d UNION ALL SELECT 100000 + n, '_EventStartDate', s FROM d UNION ALL " +
			"SELECT 100000 + n, '_EventStartDateUTC', su FROM d UNION ALL SELECT 100000 + n, '_EventEndDate', e FROM d UNION ALL " +
			"SELECT 100000 + n, '_EventEndDateUTC', eu FROM d",
	} {
		exec(t, db, insert, n, step)
	}
	return db
}

// TestD87RepairZones checks that UTC times are recomputed in a file as on a server, in more than one transaction.
func TestD87RepairZones(t *testing.T) {
	db := manyZoned(t, 500, 2)
	changed, calls := 0, 0
	repair := func() {
		t.Helper()
		must.Get(schema.RepairZones(ctx, db, schema.DefaultPrefix, schema.DefaultNames(), func(c []schema.ZoneChange) {
			changed += len(c)
			calls++
		}))(t)
	}
	repair()
	wrong := number(t, db, "SELECT COUNT(*) FROM wp_tec_occurrences o JOIN wp_tec_events e USING (post_id) "+
		"JOIN wp_postmeta s ON s.post_id = o.post_id AND s.meta_key = '_EventStartDateUTC' "+
		"WHERE datetime(o.start_date, '-9 hours') <> o.start_date_utc OR datetime(o.end_date, '-9 hours') <> o.end_date_utc OR "+
		"o.start_date_utc <> e.start_date_utc OR o.end_date_utc <> e.end_date_utc OR o.start_date_utc <> s.meta_value OR o.duration <> "+
		"5400")
	if changed != 250 || calls != 3 || wrong != 0 {
		t.Errorf("%d dates were changed in %d transactions, and %d are wrong", changed, calls, wrong)
	}
	if repair(); changed != 250 || calls != 3 {
		t.Errorf("again: %d dates were changed in %d transactions", changed, calls)
	}
}
