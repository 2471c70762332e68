package calendar_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// datesAtRandom adds random events to a site, some of which are recurring, and creates random requests for lists of
// them.
type datesAtRandom struct {
	*rand.Rand
	t  *testing.T
	db *bun.DB
}

func (r datesAtRandom) oneOf(list ...string) string { return list[r.IntN(len(list))] }

func (r datesAtRandom) moment() time.Time {
	return time.Date(2026, 11, 1+r.IntN(90), 8+r.IntN(4), 30*r.IntN(2), 0, 0, time.UTC)
}

// fill adds events with different states, venues, categories and titles. Two thirds of them are recurring.
func (r datesAtRandom) fill() {
	r.t.Helper()
	others := testdb.OfOthers(r.t, r.db)
	run := func(statement string, args ...any) {
		r.t.Helper()
		if _, err := others.NewRaw(statement, args...).Exec(r.t.Context()); err != nil {
			r.t.Fatalf("%s: %v", statement, err)
		}
	}
	for id := int64(50); id < 80; id++ {
		run("INSERT INTO wp_posts (ID, post_type, post_status, post_author, post_name, post_title, post_content, post_excerpt, to_ping, "+
			"pinged, post_content_filtered, post_date, post_date_gmt, post_modified, post_modified_gmt) VALUES (?0, 'tribe_events', ?1, "+
			"1, ?2, ?3, '', '', '', '', '', ?4, ?4, ?4, ?4)", id, r.oneOf("publish", "publish", "draft", "private", "trash"),
			fmt.Sprint("e-", id), r.oneOf("Choir", "Market", "Choir and market"),
			time.Date(2026, 1, 1+r.IntN(3), 0, 0, 0, 0, time.UTC).Format(time.DateTime))
		several := r.IntN(3)
		first := r.moment()
		for n := range 1 + several*(1+r.IntN(5)) {
			from := first.AddDate(0, 0, n*(1+r.IntN(9)))
			to := from.Add(time.Duration(1+r.IntN(50)) * time.Hour)
			wall := func(at time.Time, hours int) string {
				return at.Add(time.Duration(hours) * time.Hour).Format(time.DateTime)
			}
			if n == 0 {
				run("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?0, '_EventStartDate', ?1), "+
					"(?0, '_EventEndDate', ?2), (?0, '_EventStartDateUTC', ?3), (?0, '_EventEndDateUTC', ?4), "+
					"(?0, '_EventTimezone', 'Europe/Brussels')",
					id, wall(from, 1), wall(to, 1), wall(from, 0), wall(to, 0))
				run("INSERT INTO wp_tec_events (post_id, start_date, end_date, start_date_utc, end_date_utc, timezone, duration, hash, "+
					"rset) VALUES (?, ?, ?, ?, ?, 'Europe/Brussels', 7200, '', ?)",
					id, wall(from, 1), wall(to, 1), wall(from, 0), wall(to, 0),
					strings.Repeat("DTSTART:20261101T090000\nRDATE:20261201T090000", min(several, 1)))
			}
			run("INSERT IGNORE INTO wp_tec_occurrences (event_id, post_id, start_date, end_date, start_date_utc, end_date_utc, "+
				"duration, hash, has_recurrence) SELECT event_id, post_id, ?, ?, ?, ?, 7200, ?, ? FROM wp_tec_events WHERE post_id = ?",
				wall(from, 1), wall(to, 1), wall(from, 0), wall(to, 0), fmt.Sprint(id, "-", n), min(several, 1), id)
		}
		if r.IntN(2) == 0 {
			run("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, '_EventVenueID', '5')", id)
		}
		if r.IntN(2) == 0 {
			run("INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) SELECT ?, term_taxonomy_id FROM wp_term_taxonomy "+
				"WHERE term_id = 2", id)
		}
		if r.IntN(9) == 0 {
			run("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, '_EventHideFromUpcoming', 'yes')", id)
		}
	}
}

// listedRow contains the members of an occurrence in a list that the test compares.
type listedRow struct {
	ID       int64  `bun:"id"`
	Start    string `bun:"start_date"`
	End      string `bun:"end_date"`
	StartUTC string `bun:"start_date_utc"`
	EndUTC   string `bun:"end_date_utc"`
}

// listQuery returns random parameters of a list, and the rows that the list must contain. The rows come from plain SQL.
func (r datesAtRandom) listQuery() (query url.Values, rows []listedRow) {
	r.t.Helper()
	const id = "CASE WHEN o.has_recurrence = 1 THEN 10000000 + o.occurrence_id ELSE o.post_id END"
	q := r.db.NewSelect().TableExpr("wp_tec_occurrences AS o").Join("JOIN wp_posts AS p ON p.ID = o.post_id").ColumnExpr(id + " AS id").
		ColumnExpr("CAST(o.start_date AS CHAR) AS start_date, CAST(o.end_date AS CHAR) AS end_date").
		ColumnExpr("CAST(o.start_date_utc AS CHAR) AS start_date_utc, CAST(o.end_date_utc AS CHAR) AS end_date_utc").
		Where("p.post_type = 'tribe_events'").
		Where("NOT EXISTS (SELECT 1 FROM wp_postmeta AS h WHERE h.post_id = p.ID AND h.meta_key = '_EventHideFromUpcoming')")
	query = url.Values{"strict_dates": {"true"}}
	include := r.IntN(4) == 0 // include makes a list ignore the bounds on dates
	if include {
		var ids []int64
		for range 6 {
			ids = append(ids, 50+r.Int64N(30), 10_000_001+r.Int64N(60))
		}
		text := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(ids)), ","), "[]")
		query.Set("include", text)
		q = q.Where("(o.post_id IN (?) OR 10000000 + o.occurrence_id IN (?))", bun.List(ids), bun.List(ids))
	}
	bound := func(name, condition string) {
		at := r.moment().Format(time.DateTime)
		if query.Set(name, at); !include {
			q = q.Where(condition, at)
		}
	}
	if r.IntN(3) == 0 {
		bound("starts_after", "o.start_date > ?")
	} else {
		bound("start_date", "o.start_date >= ?")
	}
	query.Set("end_date", "2027-06-01 00:00:00")
	for _, b := range [][2]string{
		{"starts_before", "o.start_date < ?"}, {"ends_before", "o.end_date < ?"}, {"ends_after", "o.end_date > ?"},
	} {
		if r.IntN(4) == 0 {
			bound(b[0], b[1])
		}
	}
	status := []string{"publish", "draft", "private"}[:1+r.IntN(3)]
	query.Set("status", strings.Join(status, ","))
	q = q.Where("p.post_status IN (?)", bun.List(status))
	if r.IntN(3) == 0 {
		query.Set("venue", "5")
		q = q.Where("EXISTS (SELECT 1 FROM wp_postmeta AS v WHERE v.post_id = p.ID AND v.meta_key = '_EventVenueID' " +
			"AND v.meta_value = '5')")
	}
	if r.IntN(3) == 0 {
		query.Set("categories", "2")
		q = q.Where("EXISTS (SELECT 1 FROM wp_term_relationships AS tr JOIN wp_term_taxonomy AS tt USING (term_taxonomy_id) " +
			"WHERE tr.object_id = p.ID AND tt.term_id = 2)")
	}
	if r.IntN(3) == 0 {
		word := r.oneOf("choir", "market", "dates")
		query.Set("search", word)
		q = q.Where("p.post_title LIKE ?", "%"+word+"%")
	}
	q = q.OrderExpr("o.start_date, p.post_date, p.ID, o.occurrence_id")
	if err := q.Scan(r.t.Context(), &rows); err != nil {
		r.t.Fatal(err)
	}
	return query, rows
}

// rowOf returns the row from which an item of an answer was made.
func rowOf(item map[string]any) listedRow {
	id, _ := item["id"].(json.Number).Int64()
	text := func(name string) string { return fmt.Sprint(item[name]) }
	return listedRow{id, text("start_date"), text("end_date"), text("utc_start_date"), text("utc_end_date")}
}

// TestD67ListsAreRows checks D67: the pages of a list together contain the rows that plain SQL finds with the same
// filters, in the same order and with their total, and each occurrence can be read by its id with the values of its
// row.
func TestD67ListsAreRows(t *testing.T) {
	t.Parallel()
	db := testdb.SiteDates(t)
	listed := 0
	for seed := range uint64(2) {
		r := datesAtRandom{rand.New(rand.NewPCG(seed, 67)), t, db}
		execute(t, db.DB, "DELETE FROM wp_posts WHERE ID BETWEEN 50 AND 79")
		for _, table := range []string{"wp_postmeta", "wp_tec_events", "wp_tec_occurrences"} {
			execute(t, db.DB, "DELETE FROM "+table+" WHERE post_id BETWEEN 50 AND 79")
		}
		execute(t, db.DB, "DELETE FROM wp_term_relationships WHERE object_id BETWEEN 50 AND 79")
		r.fill()
		c := siteOfDates(t, db, calendar.DatesEach, everyonesEditor{})
		for range 40 {
			query, want := r.listQuery()
			size := 4 + r.IntN(12)
			query.Set("per_page", strconv.Itoa(size))
			got := pagesOf(t, c, query, int64(len(want)))
			if query.Has("include") { // the list is ordered by the dates of posts: compare in any order
				byID := func(a, b listedRow) int { return int(a.ID - b.ID) }
				slices.SortStableFunc(got, byID)
				slices.SortStableFunc(want, byID)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("/events?%s\n%v\nwant\n%v", query.Encode(), got, want)
			}
			if listed += len(want); len(want) > 0 {
				row := want[r.IntN(len(want))]
				if a := c.Get("admin", fmt.Sprint("/events/", row.ID)); a.Status != 200 || rowOf(a.Body) != row {
					t.Fatalf("%s\nwant %v", a, row)
				}
			}
		}
	}
	if listed < 500 {
		t.Errorf("%d rows are too few to show anything", listed)
	}
}

// pagesOf returns the rows of all pages of a list, and checks the total on each page.
func pagesOf(t *testing.T, c *apitest.Client, query url.Values, total int64) (rows []listedRow) {
	t.Helper()
	for page := 1; page == 1 || int64(len(rows)) < total; page++ {
		query.Set("page", strconv.Itoa(page))
		a := c.Get("admin", "/events?"+query.Encode())
		items, _ := a.Body["events"].([]any)
		if a.Status != 200 || a.Number("total") != total || len(items) == 0 && total > 0 {
			t.Fatalf("/events?%s: %d in all, want %d", query.Encode(), a.Number("total"), total)
		}
		for _, item := range items {
			rows = append(rows, rowOf(item.(map[string]any)))
		}
	}
	return rows
}
