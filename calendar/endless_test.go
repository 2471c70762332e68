package calendar_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	testdb "github.com/agendahq/agenda/internal/test/db"
)

// D84: an event whose rule has no end has at most 1,000 dates, with those added to it, and as time goes on its oldest past ones give
// way to new ones. Where its first date is left out, the next one of the rule is the first, however long past.
func TestD84DatesOfEndlessRules(t *testing.T) {
	t.Parallel()
	db := testdb.SiteDates(t)
	execute(t, db.DB, "DELETE FROM wp_options WHERE option_name IN ('active_plugins', 'tec_events_recurrence_active')")
	execute(t, db.DB, "INSERT INTO wp_options (option_name, option_value) VALUES ('agenda_site', '1')")
	now := time.Date(2026, 11, 23, 9, 10, 0, 0, time.UTC)
	calendars, handlers := processes(t, db, 1, func() time.Time { return now })
	w := send(handlers[0], http.MethodPost, "/events", `{"title":"Open","start_date":"2020-01-01 10:00","end_date":"2020-01-01 12:00",`+
		`"recurrence":{"rrule":"FREQ=DAILY","exdates":["2020-01-01","2026-11-25"]},"dates":[`+
		`{"start_date":"2020-05-05 20:00","end_date":"2020-05-05 21:00"},{"start_date":"2027-05-05 20:00","end_date":"2027-05-05 21:00"}]}`,
		asJSON)
	var a struct{ ID int64 }
	if parse(t, w.Body.String(), &a); w.Code != http.StatusCreated {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	check := func(want string) {
		t.Helper()
		const of = " FROM wp_tec_occurrences WHERE is_rdate = 0 AND post_id = ?"
		var rows, added int
		var first, second, last string
		if err := db.QueryRowContext(t.Context(), "SELECT (SELECT COUNT(*) FROM wp_tec_occurrences WHERE post_id = ?), "+
			"(SELECT COUNT(*) FROM wp_tec_occurrences WHERE is_rdate = 1 AND post_id = ?), (SELECT LEFT(MIN(start_date), 10)"+of+"), "+
			"(SELECT LEFT(MIN(start_date), 10)"+of+" AND start_date > '2020-01-03'), (SELECT LEFT(MAX(start_date), 10)"+of+")",
			a.ID, a.ID, a.ID, a.ID, a.ID).Scan(&rows, &added, &first, &second, &last); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(rows, " ", added, " ", first, " ", second, " ", last); got != want {
			t.Errorf("%s: %s, want %s", now.Format(time.DateOnly), got, want)
		}
	}
	later := func(days int) {
		t.Helper()
		now = now.AddDate(0, 0, days)
		if _, err := calendars[0].PublishDue(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	check("1000 2 2020-01-02 2026-11-24 2029-08-17")
	later(400) // to 2027-12-28, with 599 dates to come
	check("1000 2 2020-01-02 2026-11-24 2029-08-17")
	later(110) // to 2028-04-16, with fewer than half
	check("1000 2 2020-01-02 2028-04-17 2031-01-08")
	var id int64
	if err := db.QueryRowContext(t.Context(), "SELECT MAX(occurrence_id) FROM wp_tec_occurrences WHERE post_id = ?", a.ID).
		Scan(&id); err != nil {
		t.Fatal(err)
	}
	// A date that is moved onto one of the rule that is not stored is explicit.
	w = send(handlers[0], http.MethodPatch, fmt.Sprint("/events/", 10_000_000+id),
		`{"start_date":"2022-02-02 10:00","end_date":"2022-02-02 12:00"}`, asJSON)
	var moved struct {
		Start string `json:"start_date"`
	}
	if parse(t, w.Body.String(), &moved); w.Code != http.StatusOK || moved.Start != "2022-02-02 10:00:00" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	check("1000 3 2020-01-02 2028-04-17 2031-01-07")
}
