package calendar_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun"

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
	site := func(form calendar.Dates) *apitest.Client { return siteOfDates(t, db, form) }
	auto, each, plain := site(calendar.DatesAuto), site(calendar.DatesEach), site(calendar.DatesPlain)
	run := func(statement string) {
		t.Helper()
		execute(t, db.DB, statement)
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

func execute(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

func siteOfDates(t *testing.T, db *bun.DB, form calendar.Dates, by ...calendar.Authenticator) *apitest.Client {
	o := calendar.Options{
		DB: db, Site: calendar.Site{Dates: form}, Now: func() time.Time { return time.Date(2026, 11, 23, 9, 10, 0, 0, time.UTC) },
	}
	for _, a := range by {
		o.Authenticator = a
	}
	return &apitest.Client{T: t, Handler: contract.Handler(t, o)}
}

// D67: what is active for the whole network of a site counts as what is active on the site, at the moment of the request.
func TestD67FormsInANetwork(t *testing.T) {
	t.Parallel()
	db := testdb.SiteDates(t)
	const plugins = "wp_sitemeta (meta_id, site_id, meta_key, meta_value) VALUES (1, 1, 'active_sitewide_plugins', '"
	for _, statement := range []string{
		"UPDATE wp_options SET option_value = '' WHERE option_name IN ('active_plugins', 'tec_events_recurrence_active')",
		"CREATE TABLE wp_blogs (blog_id bigint PRIMARY KEY, site_id bigint, archived tinyint DEFAULT 0, " +
			"spam tinyint DEFAULT 0, deleted tinyint DEFAULT 0)", "INSERT INTO wp_blogs (blog_id, site_id) VALUES (1, 1)",
		"CREATE TABLE wp_sitemeta (meta_id bigint PRIMARY KEY, site_id bigint, meta_key varchar(255), meta_value longtext)",
		"INSERT INTO " + plugins + "a:0:{}')",
	} {
		execute(t, db.DB, statement)
	}
	c := siteOfDates(t, db, calendar.DatesAuto)
	for _, now := range []struct {
		plugins string
		total   int64
	}{
		{"a:0:{}", 4}, {`a:1:{s:43:"events-calendar-pro/events-calendar-pro.php";i:1700000000;}`, 11},
		{`a:1:{s:43:"the-events-calendar/the-events-calendar.php";i:1700000000;}`, 4},
	} {
		execute(t, db.DB, "REPLACE INTO "+plugins+now.plugins+"')")
		if got := c.Get("", "/events").Number("total"); got != now.total {
			t.Errorf("%s: %d events, want %d", now.plugins, got, now.total)
		}
	}
}

// D67: on a site of our own lists have one item for each date, and the ids of dates move up before those of posts come near.
func TestD67SitesOfOurOwn(t *testing.T) {
	t.Parallel()
	db := testdb.SiteDates(t)
	execute(t, db.DB, "DELETE FROM wp_options WHERE option_name IN ('active_plugins', 'tec_events_recurrence_active')")
	c := siteOfDates(t, db, calendar.DatesAuto, everyonesEditor{})
	if got := c.Get("", "/events").Number("total"); got != 4 {
		t.Errorf("without a mark: %d events", got)
	}
	execute(t, db.DB, "INSERT INTO wp_options (option_name, option_value) VALUES ('agenda_site', '1')")
	status := func(path string, want int) {
		t.Helper()
		if got := c.Get("", path); got.Status != want {
			t.Errorf("%s: %s, want %d", path, got, want)
		}
	}
	create := func() int64 {
		t.Helper()
		const event = `{"title":"A","start_date":"2026-12-01 10:00:00","end_date":"2026-12-01 11:00:00"}`
		a := c.Do("admin", "POST", "/events", event)
		if a.Status != 201 {
			t.Fatal(a)
		}
		return a.Number("id")
	}
	if got := c.Get("", "/events").Number("total"); got != 11 {
		t.Errorf("of our own: %d events", got)
	}
	create()
	status("/events/10000006", 200)
	execute(t, testdb.OfOthers(t, db).DB, "ALTER TABLE wp_posts AUTO_INCREMENT = 9000001")
	if id := create(); id != 9_000_001 {
		t.Errorf("a post %d", id)
	}
	create()
	status("/events/10000006", 404)
	status("/events/20000006", 200)
	status("/events/9000001", 200)
}

// D69: what an event with several dates shows of them, in each form of lists, and that any other event shows nothing.
func TestD69Members(t *testing.T) {
	t.Parallel()
	db := testdb.SiteDates(t)
	each, plain := siteOfDates(t, db, calendar.DatesEach), siteOfDates(t, db, calendar.DatesPlain)
	members := func(a map[string]any) string {
		t.Helper()
		shown := map[string]any{}
		for _, name := range []string{"dates", "dates_total", "recurrence"} {
			if v, ok := a[name]; ok {
				shown[name] = v
			}
		}
		text, err := json.Marshal(shown)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	want := func(what string, got map[string]any, want string) {
		t.Helper()
		if members(got) != want {
			t.Errorf("%s: %s\nwant %s", what, members(got), want)
		}
	}
	date := func(id int64, day string) string {
		text := fmt.Sprintf(`"start_date":"%[1]s 09:00:00","utc_end_date":"%[1]s 09:00:00","utc_start_date":"%[1]s 08:00:00"}`, day)
		if id != 0 {
			return fmt.Sprintf(`{"end_date":"%s 10:00:00","id":%d,`, day, id) + text
		}
		return fmt.Sprintf(`{"end_date":"%s 10:00:00",`, day) + text
	}
	const rule = `"dates_total":3,"recurrence":{"exdates":[],"rrule":"FREQ=WEEKLY;COUNT=3","text":"every Tuesday, 3 times"}}`
	weekly := `{"dates":[` + date(10000003, "2026-12-01") + "," + date(10000013, "2026-12-08") + "," +
		date(10000014, "2026-12-15") + "]," + rule
	want("an event", each.Get("", "/events/9").Body, weekly)
	want("by its slug", each.Get("", "/events/by-slug/weekly-rule").Body, weekly)
	want("one of its dates", each.Get("", "/events/10000013").Body, weekly)
	want("where dates have no ids", plain.Get("", "/events/9").Body,
		`{"dates":[`+date(0, "2026-12-01")+","+date(0, "2026-12-08")+","+date(0, "2026-12-15")+"],"+rule)
	want("with one date", each.Get("", "/events/7").Body, "{}")
	for name, c := range map[string]*apitest.Client{"each": each, "plain": plain} {
		items := c.Get("", "/events?per_page=50").Body["events"].([]any)
		for _, it := range items {
			event := it.(map[string]any)
			want(name+", in a list", event, map[string]string{
				"Plain single": "{}", "Many dates": `{"dates_total":5,"recurrence":null}`,
				"Starts past": `{"dates_total":4,"recurrence":null}`,
				"Weekly rule": "{" + rule,
			}[fmt.Sprint(event["title"])])
		}
	}
	before := each.Get("", "/events/9")
	execute(t, db.DB, "UPDATE wp_tec_events SET rset = CONCAT(rset, '\nEXDATE:20261208T090000') WHERE post_id = 9")
	execute(t, db.DB, "DELETE FROM wp_tec_occurrences WHERE occurrence_id = 13")
	after := each.Get("", "/events/9")
	want("with a date left out", after.Body, `{"dates":[`+date(10000003, "2026-12-01")+","+date(10000014, "2026-12-15")+
		`],"dates_total":2,"recurrence":{"exdates":["2026-12-08 09:00:00"],"rrule":"FREQ=WEEKLY;COUNT=3",`+
		`"text":"every Tuesday, 2 times, except 8 December 2026"}}`)
	if after.Header.Get("ETag") == before.Header.Get("ETag") {
		t.Error("the ETag is that of other dates")
	}
}

// D69: what a Go value has of several dates is taken by writes.
func TestD69GoValues(t *testing.T) {
	t.Parallel()
	db := testdb.SiteDates(t)
	execute(t, db.DB, "DELETE FROM wp_options WHERE option_name IN ('active_plugins', 'tec_events_recurrence_active')")
	execute(t, db.DB, "INSERT INTO wp_options (option_name, option_value) VALUES ('agenda_site', '1')")
	c, err := calendar.New(t.Context(), calendar.Options{DB: db, Authenticator: everyonesEditor{}})
	if err != nil {
		t.Fatal(err)
	}
	events := c.Kinds().Events
	editor, _ := everyonesEditor{}.Authenticate(nil)
	ctx := calendar.WithPrincipal(t.Context(), editor)
	check := func(e *calendar.Event, err error, total int64, rule string, excluded ...string) *calendar.Event {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if e.DatesTotal != total || int64(len(e.Dates)) != total || rule != "" && (e.Recurrence == nil || e.Recurrence.Rule != rule ||
			!slices.Equal(e.Recurrence.Excluded, excluded)) || rule == "" && e.Recurrence != nil {
			t.Errorf("%d dates %v, %v; want %d, %s", e.DatesTotal, e.Dates, e.Recurrence, total, rule)
		}
		return e
	}
	const rule = "FREQ=WEEKLY;COUNT=4"
	e, err := events.Create(ctx, calendar.Values{"title": "Choir", "start_date": "2031-05-06 20:00", "end_date": "2031-05-06 22:00",
		"recurrence": &calendar.Recurrence{Rule: rule}})
	e = check(e, err, 4, rule)
	again, err := events.Update(ctx, e.ID, calendar.Values{"dates": e.Dates, "recurrence": e.Recurrence})
	if check(again, err, 4, rule); !again.Modified.Equal(e.Modified) {
		t.Errorf("what was read, written back, changed the event at %s", again.Modified)
	}
	less, err := events.Update(ctx, e.ID, calendar.Values{"recurrence": &calendar.Recurrence{Rule: rule, Excluded: []string{"2031-05-20"}}})
	less = check(less, err, 3, rule, "2031-05-20 20:00:00")
	// What is left of a rule begins behind a date that another one replaces.
	longer := less.Dates[1]
	longer.End = longer.End.Add(time.Hour)
	begun, err := events.Update(ctx, e.ID, calendar.Values{"dates": []calendar.EventDate{longer},
		"recurrence": &calendar.Recurrence{Rule: rule, Excluded: []string{"2031-05-06"}}})
	check(begun, err, 3, "FREQ=WEEKLY;COUNT=2")
	given, err := events.Update(ctx, e.ID, calendar.Values{"dates": less.Dates[:2], "recurrence": (*calendar.Recurrence)(nil)})
	given = check(given, err, 2, "")
	// Each date becomes a whole day, and what is then read can be written back.
	whole, err := events.Update(ctx, e.ID, calendar.Values{"all_day": true})
	whole = check(whole, err, 2, "")
	for i, d := range whole.Dates {
		if want := given.Dates[i]; d.Start.Format(time.DateTime) != want.Start.Format(time.DateOnly)+" 00:00:00" ||
			d.End.Format(time.DateTime) != want.End.Format(time.DateOnly)+" 23:59:59" {
			t.Errorf("as a whole day %v is %v", want, d)
		}
	}
	back, err := events.Update(ctx, e.ID, calendar.Values{"all_day": true, "dates": whole.Dates})
	if back = check(back, err, 2, ""); fmt.Sprint(back.Dates) != fmt.Sprint(whole.Dates) {
		t.Errorf("dates of an event of whole days, written back, are %v, were %v", back.Dates, whole.Dates)
	}
}

// D69: the setting of the site says how far ahead the dates of a rule without an end are made, and of no other rule. Processes that
// move that on at the same time make each date once.
func TestD69DatesAhead(t *testing.T) {
	t.Parallel()
	db := testdb.SiteDates(t)
	execute(t, db.DB, "DELETE FROM wp_options WHERE option_name IN ('active_plugins', 'tec_events_recurrence_active')")
	execute(t, db.DB, "INSERT INTO wp_options (option_name, option_value) VALUES ('agenda_site', '1')")
	setMonths := func(months int) {
		t.Helper()
		execute(t, db.DB, "DELETE FROM wp_options WHERE option_name = 'tribe_events_calendar_options'")
		execute(t, db.DB, fmt.Sprintf("INSERT INTO wp_options (option_name, option_value) VALUES "+
			`('tribe_events_calendar_options', 'a:1:{s:24:"recurrenceMaxMonthsAfter";i:%d;}')`, months))
	}
	setMonths(3)
	calendars, handlers := processes(t, db, 2, func() time.Time { return time.Date(2026, 11, 23, 9, 10, 0, 0, time.UTC) })
	create := func(rule string) int64 {
		t.Helper()
		w := send(handlers[0], http.MethodPost, "/events", `{"title":"Choir","start_date":"2026-12-02 20:00",`+
			`"end_date":"2026-12-02 22:00","recurrence":{"rrule":"`+rule+`"}}`, asJSON)
		var a struct{ ID int64 }
		if parse(t, w.Body.String(), &a); w.Code != http.StatusCreated {
			t.Fatalf("%s: %d %s", rule, w.Code, w.Body)
		}
		return a.ID
	}
	endless, ends, until := create("FREQ=WEEKLY"), create("FREQ=YEARLY;COUNT=10"), create("FREQ=YEARLY;UNTIL=20401231")
	check := func(event int64, last string, want int) {
		t.Helper()
		var rows, starts int
		var latest string
		if err := db.QueryRowContext(t.Context(), "SELECT COUNT(*), COUNT(DISTINCT start_date), MAX(CAST(start_date AS CHAR)) "+
			"FROM wp_tec_occurrences WHERE post_id = ?", event).Scan(&rows, &starts, &latest); err != nil {
			t.Fatal(err)
		}
		if rows != want || starts != want || latest != last {
			t.Errorf("%d rows with %d starts to %s, want %d to %s", rows, starts, latest, want, last)
		}
	}
	check(endless, "2027-02-17 20:00:00", 12)
	check(ends, "2035-12-02 20:00:00", 10)
	check(until, "2040-12-02 20:00:00", 15)
	setMonths(24)
	var wg sync.WaitGroup
	for _, c := range calendars {
		wg.Go(func() {
			if _, err := c.PublishDue(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	check(endless, "2028-11-22 20:00:00", 104)
	check(ends, "2035-12-02 20:00:00", 10)
}
