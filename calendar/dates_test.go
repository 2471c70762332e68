package calendar_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// D67: lists have one item for each date while the site's own settings say so, as these are at the moment of the request, or while
// the host does and the tables have what it takes.
func TestD67FormsOfLists(t *testing.T) {
	t.Parallel()
	db := testdb.SiteDates(t)
	site := func(form calendar.Dates) *apitest.Client {
		return &apitest.Client{T: t, Handler: contract.Handler(t, calendar.Options{
			DB: db, Site: calendar.Site{Dates: form}, Now: func() time.Time { return time.Date(2026, 11, 23, 9, 10, 0, 0, time.UTC) },
		})}
	}
	auto, each, plain := site(calendar.DatesAuto), site(calendar.DatesEach), site(calendar.DatesPlain)
	run := func(statement string) {
		t.Helper()
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	const date = "/events/10000006" // of event 8, on 12 December
	option := func(name, value string) {
		t.Helper()
		run(fmt.Sprintf("UPDATE wp_options SET option_value = '%s' WHERE option_name = '%s'", value, name))
	}
	check := func(when string, c *apitest.Client, total int64, status int) {
		t.Helper()
		list, one := c.Get("", "/events"), c.Get("", date)
		if list.Number("total") != total || one.Status != status {
			t.Errorf("%s: %d events, want %d; %s, want %d", when, list.Number("total"), total, one, status)
		}
	}
	check("its own settings say so", auto, 11, 200)
	check("the host says plain", plain, 4, 404)
	option("tec_events_recurrence_active", "0")
	check("switched off", auto, 4, 404)
	check("the host says each", each, 11, 200)
	option("active_plugins", `a:1:{i:0;s:43:"events-calendar-pro/events-calendar-pro.php";}`)
	check("by the add-on", auto, 11, 200)

	option("permalink_structure", "")
	if got := auto.Get("", date).Word("url"); !strings.HasSuffix(got, "/?tribe_events=many-dates&eventDate=2026-12-12") {
		t.Errorf("the address of a date without permalinks: %s", got)
	}
	run("UPDATE wp_tec_events SET rset = '' WHERE post_id = 8")
	if got := auto.Get("", date).Word("url"); !strings.HasSuffix(got, "/?tribe_events=many-dates") {
		t.Errorf("the address of a date without rset: %s", got)
	}
	before := auto.Get("", date)
	run("UPDATE wp_tec_occurrences SET end_date = '2026-12-12 17:00:00', end_date_utc = '2026-12-12 16:00:00' WHERE occurrence_id = 6")
	after := auto.Get("", date)
	if after.Word("end_date") != "2026-12-12 17:00:00" || after.Header.Get("ETag") == before.Header.Get("ETag") {
		t.Errorf("a date that was moved: %s, %s", after, after.Header)
	}
	for _, state := range []string{
		"post_status = 'draft'", "post_status = 'private'", "post_status = 'trash'", "post_status = 'publish', post_password = 'x'",
		"post_password = '', post_type = 'page'",
	} {
		run("UPDATE wp_posts SET " + state + " WHERE ID = 8")
		for _, as := range []string{"", "admin"} {
			if one, whole := auto.Get(as, date), auto.Get(as, "/events/8"); one.Verdict() != whole.Verdict() {
				t.Errorf("%s, as %q: a date is %s, its event %s", state, as, one, whole)
			}
		}
	}
	run("UPDATE wp_posts SET post_type = 'tribe_events' WHERE ID = 8")
	run("UPDATE wp_posts SET ID = 10000006 WHERE ID = 7")
	if got := auto.Get("", date); got.Word("slug") != "plain-single" {
		t.Errorf("a post with the id of a date: %s", got)
	}
	run("UPDATE wp_posts SET ID = 7 WHERE ID = 10000006")
	run("ALTER TABLE wp_tec_occurrences DROP COLUMN has_recurrence")
	check("without the columns", each, 4, 404)
}
