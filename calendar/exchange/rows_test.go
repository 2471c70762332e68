package exchange

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// A database proxy may refuse results of more than 10,000 rows. A site with more events is read, exported and imported
// like any other.
func TestLongMoreEventsThanAProxyReturnsRows(t *testing.T) {
	t.Parallel()
	const more, most = 10_001, 10_000
	counter := new(testdb.Counter)
	db := testdb.SiteA(t, testdb.WithCounter(counter))
	var venue, last int64
	number := func(into any, query string, args ...any) {
		must.Succeed(t, db.NewRaw(query, args...).Scan(t.Context(), into))
	}
	number(&venue, "SELECT MIN(ID) FROM wp_posts WHERE post_type = 'tribe_venue' AND post_status = 'publish'")
	number(&last, "SELECT MAX(ID) FROM wp_posts")
	const digits = "(SELECT 0 n UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 " +
		"UNION SELECT 8 UNION SELECT 9)"
	execSQL(t, db, "CREATE TABLE numbers (id bigint PRIMARY KEY, start datetime) AS SELECT ? + n AS id, "+
		"'2034-01-01 10:00:00' + INTERVAL n MINUTE AS start FROM "+
		"(SELECT 1 + a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n AS n FROM "+
		strings.Join([]string{digits + " a", digits + " b", digits + " c", digits + " d", "(SELECT 0 n UNION SELECT 1) e"}, ", ")+
		") all_numbers WHERE n <= ?", last, more)
	for _, statement := range []string{
		"INSERT INTO wp_posts (ID, post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, " +
			"post_status, post_name, " +
			"to_ping, pinged, post_modified, post_modified_gmt, post_content_filtered, post_type) SELECT id, 1, '2030-01-01 00:00:00', " +
			"'2030-01-01 00:00:00', 'Text', CONCAT('Event ', id), '', 'publish', CONCAT('event-', id), '', '', '2030-01-01 00:00:00', " +
			"'2030-01-01 00:00:00', '', 'tribe_events' FROM numbers",
		"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT id, k.n, CASE k.n WHEN '_EventTimezone' THEN 'UTC' " +
			"ELSE start END " +
			"FROM numbers, (SELECT '_EventStartDate' n UNION SELECT '_EventEndDate' UNION SELECT '_EventStartDateUTC' UNION " +
			"SELECT '_EventEndDateUTC' UNION SELECT '_EventTimezone') k",
		"INSERT INTO wp_tec_events (event_id, post_id, start_date, end_date, timezone, start_date_utc, end_date_utc, duration, hash) " +
			"SELECT id, id, start, start, 'UTC', start, start, 0, id FROM numbers",
		"INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash) " +
			"SELECT id, id, start, start, start, start, 0, id FROM numbers",
	} {
		execSQL(t, db, statement)
	}
	execSQL(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT id, '_EventVenueID', ? FROM numbers", venue)
	var category int64
	number(&category, "SELECT MIN(term_taxonomy_id) FROM wp_term_taxonomy WHERE taxonomy = 'tribe_events_cat'")
	execSQL(t, db, "INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) SELECT id, ? FROM numbers", category)
	execSQL(t, db, "DROP TABLE numbers")
	// Update the statistics of the tables, as they are on a site in use.
	execSQL(t, db, "ANALYZE TABLE wp_posts, wp_postmeta, wp_tec_events, wp_tec_occurrences")
	counter.MaxRows(most)
	b := openWithin(t, db, calendar.Limits{RequestTimeout: 10 * time.Minute}) // generous, because the machine may be busy
	if n := strings.Count(b.export(t, FormatCSV), "Event "); n < more {
		t.Errorf("%d of the events are exported", n)
	}
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	must.Succeed(t, b.Register(router.Group("/wp-json")))
	for _, path := range []string{
		"/events?start_date=2034-01-01&end_date=2035-01-01&_format=ics",
		"/events?start_date=2034-01-01&end_date=2035-01-01&page=201&per_page=50",
		"/venues?has_events=true", "/venues?only_with_upcoming=true", "/events?ticketed=false&start_date=2034-01-01", "/tags",
	} {
		w := httptest.NewRecorder()
		router.ServeHTTP(w, httptest.NewRequest("GET", "/wp-json/vendor/events/v1"+path, nil))
		if w.Code != 200 {
			t.Errorf("%s: %d %.300s", path, w.Code, w.Body)
		}
	}
	ctx := calendar.WithPrincipal(t.Context(), editor)
	must.Get(b.Kinds().Venues.Delete(ctx, venue, calendar.Values{"force": true}))(t)
	var term int64
	number(&term, "SELECT term_id FROM wp_term_taxonomy WHERE term_taxonomy_id = ?", category)
	must.Get(b.Kinds().Categories.Delete(ctx, term, calendar.Values{}))(t)
	var links int
	if number(&links, "SELECT COUNT(*) FROM wp_term_relationships WHERE term_taxonomy_id = ?", category); links > 0 {
		t.Errorf("%d events are still in the category", links)
	}
	if number(&links, "SELECT COUNT(*) FROM wp_postmeta WHERE meta_key = '_EventVenueID' AND meta_value = ?", venue); links > 0 {
		t.Errorf("%d links are left", links)
	}
}
