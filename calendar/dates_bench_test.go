package calendar_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// siteOfMany returns a client of a calendar without a cache on the site of manyEvents.
func siteOfMany(b *testing.B, events, dates int) *apitest.Client {
	b.Helper()
	_, h := contract.Mount(b, calendar.Options{DB: manyEvents(b, events, dates), Cache: calendar.Cache{Bytes: calendar.None}})
	return &apitest.Client{T: b, Handler: h}
}

// manyEvents returns the database of a new site with the given number of published events. Each event has the given
// number of occurrences, and ten occurrences of the site start on each day.
func manyEvents(b *testing.B, events, dates int) *bun.DB {
	b.Helper()
	db := testdb.New(b)
	must.Succeed(b, schema.Install(b.Context(), db, "wp_"))
	others := testdb.OfOthers(b, db)
	run := func(statement string, args ...any) {
		b.Helper()
		if _, err := others.NewRaw(statement, args...).Exec(b.Context()); err != nil {
			b.Fatalf("%s: %v", statement, err)
		}
	}
	run("CREATE TABLE n (id int PRIMARY KEY)")
	run("INSERT INTO n VALUES (0)")
	for n := 1; n < max(events, dates); n *= 2 {
		run("INSERT INTO n SELECT id + ? FROM n", n)
	}
	// Occurrence d of event e is number e + d * events of all occurrences, in the order of their starts.
	const start = "TIMESTAMP('2025-01-01 10:00:00') + INTERVAL (e.id + d.id * ?1) DIV 10 DAY"
	run("INSERT INTO wp_posts (ID, post_type, post_status, post_author, post_name, post_title, post_content, post_excerpt, to_ping, "+
		"pinged, post_content_filtered, post_date, post_date_gmt, post_modified, post_modified_gmt) SELECT 100 + id, 'tribe_events', "+
		"'publish', 1, CONCAT('event-', id), CONCAT('Event ', id), 'An evening.', '', '', '', '', '2024-01-01', '2024-01-01', "+
		"'2024-01-01', '2024-01-01' FROM n WHERE id < ?0", events)
	const own = "TIMESTAMP('2025-01-01 10:00:00') + INTERVAL e.id DIV 10 DAY"
	for key, value := range map[string]string{
		schema.MetaStartDate: own, schema.MetaStartDateUTC: own, schema.MetaEndDate: own + " + INTERVAL 2 HOUR",
		schema.MetaEndDateUTC: own + " + INTERVAL 2 HOUR", schema.MetaTimezone: "'UTC'", schema.MetaDuration: "7200",
	} {
		run("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT 100 + e.id, ?1, ?2 FROM n AS e WHERE e.id < ?0",
			events, key, bun.Safe(value))
	}
	run("INSERT INTO wp_tec_events (post_id, start_date, end_date, timezone, start_date_utc, end_date_utc, duration, hash, rset) SELECT "+
		"m.post_id, m.meta_value, CAST(m.meta_value AS DATETIME) + INTERVAL 2 HOUR, 'UTC', m.meta_value, CAST(m.meta_value AS DATETIME) "+
		"+ INTERVAL 2 HOUR, 7200, '', ?1 "+
		"FROM wp_postmeta AS m WHERE m.meta_key = ?0", schema.MetaStartDate, map[bool]string{true: "RDATE:20250101T100000"}[dates > 1])
	run("INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash, "+
		"has_recurrence) SELECT te.event_id, te.post_id, "+start+", "+start+", "+start+" + INTERVAL 2 HOUR, "+start+
		" + INTERVAL 2 HOUR, 7200, CONCAT(e.id, '-', d.id), ?2 FROM n AS e JOIN n AS d ON d.id < ?0 "+
		"JOIN wp_tec_events AS te ON te.post_id = 100 + e.id "+
		"WHERE e.id < ?1", dates, events, map[bool]int{true: 1}[dates > 1])
	run("ANALYZE TABLE wp_posts, wp_postmeta, wp_tec_events, wp_tec_occurrences")
	return db
}

// BenchmarkListsOfDates requests lists of ten events that are not cached, from another day each time, from four sites
// in turn. It reports two ratios. several/single is the rate of lists with 10,000 events of 20 occurrences each,
// divided by the rate with 200,000 single events; it should be at least 0.9. growth is the time of a list with
// 1,000,000 occurrences, divided by the time with 10,000; it should be at most 2. With -benchtime 1x, which shows only
// that the benchmark works, the sites are small and there are no pauses.
func BenchmarkListsOfDates(b *testing.B) {
	part, rounds, settling := 1, 100, 3*time.Second
	if flag.Lookup("test.benchtime").Value.String() == "1x" {
		part, rounds, settling = 20, 5, 0
	}
	sites := []struct {
		name string
		*apitest.Client
		took time.Duration
	}{
		{"single", siteOfMany(b, 200_000/part, 1), 0}, {"several", siteOfMany(b, 10_000/part, 20), 0},
		{"small", siteOfMany(b, 500/part, 20), 0}, {"large", siteOfMany(b, 50_000/part, 20), 0},
	}
	ask := func(site, n int) {
		path := fmt.Sprintf("/events?per_page=10&start_date=%s", time.Date(2025, 1, 1+n%900, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
		began := time.Now()
		a := sites[site].Get("", path)
		sites[site].took += time.Since(began)
		if list, _ := a.Body["events"].([]any); len(list) != 10 {
			b.Fatalf("%s: %s", sites[site].name, a)
		}
	}
	// The tables are probed some time after their last change, and what does not depend on a request is read once.
	for n := range rounds {
		for i := range sites {
			ask(i, n)
		}
		if n%20 == 0 {
			time.Sleep(settling)
		}
	}
	for i := range sites {
		sites[i].took = 0
	}
	n := 0
	for b.Loop() {
		for i := range sites {
			ask((i+n)%len(sites), n)
		}
		n++
	}
	for _, site := range sites {
		b.ReportMetric(float64(site.took.Microseconds())/float64(n), site.name+"-µs")
	}
	b.ReportMetric(sites[0].took.Seconds()/sites[1].took.Seconds(), "several/single")
	b.ReportMetric(sites[3].took.Seconds()/sites[2].took.Seconds(), "growth")
}
