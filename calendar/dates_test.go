package calendar_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/atonce"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// processes returns n calendars on one database that share nothing else, like those of separate processes: each uses
// separate connections.
func processes(t *testing.T, db *bun.DB, n int, now func() time.Time) (calendars []*calendar.Calendar, handlers []http.Handler) {
	t.Helper()
	for range n {
		c, h := contract.Mount(t, calendar.Options{DB: testdb.Reopen(t, db), Now: now, Authenticator: administrator(), Logger: quiet()})
		calendars, handlers = append(calendars, c), append(handlers, h)
	}
	return calendars, handlers
}

func execute(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	must.Get(db.ExecContext(t.Context(), statement))(t)
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

// TestD67SitesOfOurOwn checks D67: on a site that Agenda created, the ids of occurrences are moved up before the ids of
// posts reach them.
func TestD67SitesOfOurOwn(t *testing.T) {
	t.Parallel()
	db := testdb.SiteDates(t)
	execute(t, db.DB, "DELETE FROM wp_options WHERE option_name IN ('active_plugins', 'tec_events_recurrence_active')")
	execute(t, db.DB, "INSERT INTO wp_options (option_name, option_value) VALUES ('agenda_site', '1')")
	c := siteOfDates(t, db, calendar.DatesAuto, everyonesEditor{})
	status := func(path string, want int) {
		t.Helper()
		if got := c.Get("", path); got.Status != want {
			t.Errorf("%s: %s, want %d", path, got, want)
		}
	}
	create := func() int64 {
		t.Helper()
		const event = `{"title":"A","start_date":"2026-12-01 10:00:00","end_date":"2026-12-01 11:00:00"}`
		return c.Must(201, "admin", "POST", "/events", event).ID()
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

// TestD69GoValues checks D69: writes accept the dates and the rule of a Go value in the form in which they were read.
func TestD69GoValues(t *testing.T) {
	t.Parallel()
	db := testdb.SiteDates(t)
	execute(t, db.DB, "DELETE FROM wp_options WHERE option_name IN ('active_plugins', 'tec_events_recurrence_active')")
	execute(t, db.DB, "INSERT INTO wp_options (option_name, option_value) VALUES ('agenda_site', '1')")
	c := must.Get(calendar.New(t.Context(), calendar.Options{DB: db, Authenticator: everyonesEditor{}}))(t)
	events := c.Kinds().Events
	editor, _ := everyonesEditor{}.Authenticate(nil)
	ctx := calendar.WithPrincipal(t.Context(), editor)
	check := func(e *calendar.Event, err error, total int64, rule string, excluded ...string) *calendar.Event {
		t.Helper()
		must.Succeed(t, err)
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
	// The first of the remaining dates is replaced by a longer one, so the rule covers only the two dates after it.
	longer := less.Dates[1]
	longer.End = longer.End.Add(time.Hour)
	begun, err := events.Update(ctx, e.ID, calendar.Values{"dates": []calendar.EventDate{longer},
		"recurrence": &calendar.Recurrence{Rule: rule, Excluded: []string{"2031-05-06"}}})
	check(begun, err, 3, "FREQ=WEEKLY;COUNT=2")
	given, err := events.Update(ctx, e.ID, calendar.Values{"dates": less.Dates[:2], "recurrence": (*calendar.Recurrence)(nil)})
	given = check(given, err, 2, "")
	// Each date becomes a whole day, and the resulting dates can be written back.
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

// TestD69DatesAhead checks D69: a setting of the site says how many months ahead the dates of an endless rule are
// added, and does not affect other rules. Processes that add dates at the same time add each date once.
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
		must.Succeed(t, db.QueryRowContext(t.Context(), "SELECT COUNT(*), COUNT(DISTINCT start_date), MAX(CAST(start_date AS CHAR)) "+
			"FROM wp_tec_occurrences WHERE post_id = ?", event).Scan(&rows, &starts, &latest))
		if rows != want || starts != want || latest != last {
			t.Errorf("%d rows with %d starts to %s, want %d to %s", rows, starts, latest, want, last)
		}
	}
	check(endless, "2027-02-17 20:00:00", 12)
	check(ends, "2035-12-02 20:00:00", 10)
	check(until, "2040-12-02 20:00:00", 15)
	setMonths(24)
	atonce.Run(len(calendars), func(i int) {
		c := calendars[i]
		if _, err := c.PublishDue(t.Context()); err != nil {
			t.Error(err)
		}
	})
	check(endless, "2028-11-22 20:00:00", 104)
	check(ends, "2035-12-02 20:00:00", 10)
}

// datesIn returns the lines with the dates and rules of an event in an iCalendar text, without the names of time zones.
// The lines of each component follow a line "-".
func datesIn(text, uid string) (lines []string) {
	for part := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n ", ""), "BEGIN:VEVENT\r\n") {
		if !strings.Contains(part, "\r\nUID:"+uid) {
			continue
		}
		lines = append(lines, "-")
		for line := range strings.SplitSeq(part, "\r\n") {
			name, value, _ := strings.Cut(line, ":")
			name, _, _ = strings.Cut(name, ";")
			if slices.Contains([]string{"DTSTART", "DTEND", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID"}, name) {
				lines = append(lines, name+" "+value)
			}
		}
	}
	return lines
}

// TestD70Feeds checks D70: on a site that Agenda created, a recurring event is one component with its rule, and one for
// each occurrence that differs. With dates=each, and on all other sites, it is one component for each occurrence.
func TestD70Feeds(t *testing.T) {
	t.Parallel()
	db := testdb.SiteDates(t)
	c := siteOfDates(t, db, calendar.DatesAuto)
	const feed = "/events?_format=ics&start_date=2026-01-01&end_date=2030-01-01"
	shared := c.Get("", feed+"&dates=each").Text
	got := c.Get("", feed).Text
	if got != shared || strings.Contains(got, "RRULE:FREQ=WEEKLY") || strings.Count(got, "BEGIN:VEVENT") != 13 {
		t.Errorf("a site that is not our own: %s", got)
	}
	for _, statement := range []string{
		"INSERT INTO wp_options (option_name, option_value) VALUES ('agenda_site', '1')",
		"UPDATE wp_options SET option_value = '' WHERE option_name IN ('tec_events_recurrence_active', 'active_plugins')",
		"UPDATE wp_tec_events SET rset = CONCAT(rset, '\nRDATE;TZID=Europe/Brussels;VALUE=PERIOD:20261209T100000/20261209T113000" +
			"\nEXDATE:20261208T090000') WHERE post_id = 9",
	} {
		execute(t, db.DB, statement)
	}
	check := func(what, text, uid, want string) {
		t.Helper()
		if got := strings.Join(datesIn(text, uid), " "); got != want {
			t.Errorf("%s: %s\nwant %s", what, got, want)
		}
	}
	whole := c.Get("", feed)
	const ruled = "- DTSTART 20261201T090000 DTEND 20261201T100000 RRULE FREQ=WEEKLY;COUNT=3 " +
		"- RECURRENCE-ID 20261208T090000 DTSTART 20261209T100000 DTEND 20261209T113000"
	check("a rule", whole.Text, "9-1796115600-1796119200@site.test", ruled)
	const explicit = "- DTSTART 20261028T120000 DTEND 20261028T130000 RRULE FREQ=DAILY;COUNT=1 RDATE 20261102T120000 " +
		"RDATE 20261130T120000 RDATE 20261207T120000 - RECURRENCE-ID 20261102T120000 DTSTART 20261102T120000 DTEND 20261102T130000 " +
		"- RECURRENCE-ID 20261130T120000 DTSTART 20261130T120000 DTEND 20261130T130000 " +
		"- RECURRENCE-ID 20261207T120000 DTSTART 20261207T120000 DTEND 20261207T130000"
	check("explicit dates", whole.Text, "10-1793188800-1793192400@site.test", explicit)
	check("one date", whole.Text, "7-", "- DTSTART 20261210T180000 DTEND 20261210T200000")
	if n := whole.Header.Get("X-TEC-Total"); n != "4" {
		t.Errorf("%s events", n)
	}
	check("one event", c.Get("", "/events/9?_format=ics").Text, "9-1796115600-1796119200@site.test", ruled)
	check("a date", c.Get("", "/events/10000006?_format=ics").Text, "10000006-", "- DTSTART 20261212T140000 DTEND 20261212T160000")
	if got := c.Get("", feed+"&dates=each").Text; got != shared {
		t.Errorf("each date: %s\nwant %s", got, shared)
	}
	each := c.Get("", "/events/8?_format=ics&dates=each").Text
	for _, p := range []string{"10000002", "10000005", "10000006", "10000007", "10000008"} {
		if len(datesIn(each, p+"-")) != 3 || strings.Count(each, "BEGIN:VEVENT") != 5 {
			t.Errorf("each date of an event: %s", each)
		}
	}
	execute(t, db.DB, "UPDATE wp_tec_events SET timezone = 'UTC+2' WHERE post_id = 9")
	execute(t, db.DB, "UPDATE wp_postmeta SET meta_value = 'UTC+2' WHERE post_id = 9 AND meta_key = '_EventTimezone'")
	again := c.Get("", "/events/9?_format=ics")
	check("a rule in a zone without a name", again.Text, "9-", "- "+
		"DTSTART 20261201T070000Z DTEND 20261201T080000Z RRULE FREQ=DAILY;COUNT=1 "+
		"RDATE 20261208T070000Z RDATE 20261215T070000Z - RECURRENCE-ID 20261208T070000Z DTSTART 20261208T070000Z DTEND 20261208T080000Z "+
		"- RECURRENCE-ID 20261215T070000Z DTSTART 20261215T070000Z DTEND 20261215T080000Z")
	if whole.Header.Get("ETag") == "" || again.Header.Get("ETag") == whole.Header.Get("ETag") {
		t.Errorf("a validator that does not follow the dates: %s", again.Header)
	}
}
