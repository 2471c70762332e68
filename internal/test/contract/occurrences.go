package contract

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// occurrenceRows proves that lists go by the table of occurrences, and that an
// event with several rows is one item.
func occurrenceRows(t *testing.T, e Engine) {
	s := newSite(t, e)
	s.venue(thing{slug: "v1"})
	s.venue(thing{slug: "v2"})
	for _, p := range []thing{
		{slug: "weekly", start: "2030-07-01 10:00", occurrences: [][2]string{
			{"2030-07-01 10:00:00", "2030-07-01 11:00:00"}, {"2030-07-08 10:00:00", "2030-07-08 11:00:00"}, {"2030-07-15 10:00:00", "2030-07-15 11:00:00"}}},
		{slug: "between", start: "2030-07-05 10:00", venues: []string{"v1"}},
		{slug: "rowless", start: "2030-07-06 10:00", noRow: true, venues: []string{"v2"}},
		{slug: "moved", start: "2030-07-12 10:00", occurrences: [][2]string{{"2030-08-01 10:00:00", "2030-08-01 11:00:00"}}},
	} {
		s.event(p)
	}
	c := s.client(calendar.Options{})
	c.check("", s.rows([]row{
		{"/events", "weekly between moved"},
		{"/events?start_date=2030-07-06", "weekly moved"},
		{"/events?start_date=2030-07-05&end_date=2030-07-09", "between weekly"},
		{"/events?start_date=2030-07-08&end_date=2030-07-15", "weekly"},
		{"/events?start_date=2030-07-02&end_date=2030-07-04", ""},
		{"/events?start_date=2030-08-01&end_date=2030-08-01", "moved"},
		{"/events?order=desc", "moved between weekly"},
		{"/events?per_page=1&page=2", "between of 3"},
		{"/events?include={rowless},{weekly}", "weekly"},
		{"/events?search=rowless", ""},
		{"/events/{rowless}", "rowless"},
		{"/venues?only_with_upcoming=1", "v1"},
		{"/venues?has_events=1", "v2 v1"},
	}))
	c.get("/events?start_date=2030-08-01&end_date=2030-08-01", "").holds(t, [][2]string{{"start_date", `"2030-07-12 10:00:00"`}}, "events", 0)
	s.exec("DELETE FROM ?(prefix)tec_events")
	c.check("", []row{{"/events", "weekly between moved"}})
}

// withoutOccurrences proves that a site without the table answers as with it.
func withoutOccurrences(t *testing.T, e Engine) {
	db := e.Copy(t, "wp_")
	at := func() time.Time { return recordedDay }
	full := newClient(t, calendar.Options{DB: e.Recorded, Now: at})
	drop(t, db, "wp_")
	bare := newClient(t, calendar.Options{DB: db, Now: at})
	rows := rowless(t, e.Recorded)
	compared := 0
	for i, path := range recordedLists(t, full) {
		if i%2 > 0 || !strings.HasPrefix(path, "/events") && !strings.Contains(path, "upcoming") {
			continue
		}
		want, got := full.get(path, ""), bare.get(path, "")
		if slices.ContainsFunc(got.ids(), func(id string) bool { return slices.Contains(rows, id) }) {
			continue // an event without a row: shown by its metas alone
		}
		if compared++; string(want.body) != string(got.body) {
			t.Errorf("%s\n with    %s\n without %s", path, want.summary(), got.summary())
		}
	}
	if compared < 80 {
		t.Errorf("only %d lists compared", compared)
	}
	s := days(t, e)
	drop(t, s.host, "wp_")
	c := s.client(calendar.Options{})
	c.check("", []row{
		{"/events", "running before midnight allday noon night after"},
		{"/events?start_date=2030-07-10&end_date=2030-07-10", "midnight allday noon"},
		{"/events?ends_after=2030-07-10", "running night after long far"},
		{"/events?order=desc&end_date=2030-07-10", "noon midnight allday before"},
		{"/events?per_page=3&page=2", "allday noon night of 7"},
	})
	zones := zonesOfEvents(t, e)
	drop(t, zones.host, "wp_")
	zones.option(schema.OptionCalendar, `a:1:{s:26:"tribe_events_timezone_mode";s:4:"site";}`)
	zones.client(calendar.Options{}).check("", []row{
		{"/events?start_date=2030-12-05&end_date=2030-12-06", "tokyo brussels new-york utc plus minus"},
		{"/events?start_date=2030-12-06&end_date=2030-12-06", "new-york utc plus minus"},
	})
}

// drop removes the tables that sites without the events' own tables lack.
func drop(t *testing.T, db *bun.DB, prefix string) {
	t.Helper()
	for _, table := range []string{"tec_occurrences", "tec_events"} {
		if _, err := db.NewRaw("DROP TABLE ?", bun.Ident(prefix+table)).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// rowless are the recorded events without a row of occurrences, or with one that
// says otherwise than the metas.
func rowless(t *testing.T, db *bun.DB) []string {
	t.Helper()
	pairs := func(query string) map[string]string {
		var rows []struct{ ID, Start string }
		if err := db.NewRaw(query).Scan(t.Context(), &rows); err != nil {
			t.Fatal(err)
		}
		found := map[string]string{}
		for _, r := range rows {
			found[r.ID] = r.Start
		}
		return found
	}
	dates := pairs("SELECT post_id AS id, CAST(start_date AS CHAR) AS start FROM wp_tec_occurrences")
	metas := pairs("SELECT p.ID AS id, m.meta_value AS start FROM wp_posts p JOIN wp_postmeta m ON m.post_id = p.ID" +
		" WHERE p.post_type = 'tribe_events' AND m.meta_key = '_EventStartDate'")
	var ids []string
	for id, start := range metas {
		if dates[id] != start {
			ids = append(ids, id)
		}
	}
	return ids
}
