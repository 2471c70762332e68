package contract

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/test/replay"
	"github.com/agendahq/agenda/schema"
)

// recordedDates returns the time at which the site with recurring events was recorded.
func recordedDates() time.Time { return time.Date(2026, 11, 23, 9, 10, 0, 0, time.UTC) }

// plainDates returns the options with which the site behaves as when its plugin for recurring events was inactive.
func plainDates(db *bun.DB) calendar.Options {
	return calendar.Options{DB: db, Now: recordedDates, Site: calendar.Site{Dates: calendar.DatesPlain}}
}

// RecordedReadsOfDates replays the recorded reads of a site with recurring events while the plugin for recurring events
// was inactive: one item per event.
func RecordedReadsOfDates(t *testing.T, db *bun.DB) {
	h := Handler(t, plainDates(db))
	result := must.Get(replay.Run(context.Background(), replay.Options{
		Handler: h, Now: recordedDates, Root: Root, Corpus: "reads_dates", Added: added(),
	}))(t)
	if uids, feed := uidsOf(h); len(uids) != 4 {
		t.Errorf("D65 a feed of %d entries, want one for each event\n%s", len(uids), feed)
	}
	otherwise(t, result, 85, []decided{{"D32", []int{38, 40}, `^json`, "7"}, {"D32", []int{39}, `^json`, "8"}})
}

// RecordedReadsOfEachDate replays the recorded reads of that site while the plugin was active: one item per occurrence.
func RecordedReadsOfEachDate(t *testing.T, db *bun.DB) {
	h := Handler(t, calendar.Options{DB: db, Now: recordedDates}) // determined by the site's own settings
	result := must.Get(replay.Run(context.Background(), replay.Options{
		Handler: h, Now: recordedDates, Root: Root, Corpus: "reads_each_date", Added: added(),
	}))(t)
	all, _ := uidsOf(h)
	if first := `^10000010-1796040000-1796043600@`; len(all) != 11 || !regexp.MustCompile(first).MatchString(all[0]) {
		t.Errorf("D67 a feed of %q", all)
	}
	if slices.Sort(all); len(slices.Compact(all)) != 11 {
		t.Errorf("D67 a feed names events twice: %q", all)
	}
	otherwise(t, result, 85, []decided{
		{"D67", []int{19}, "", "[10000012,10000004,10000010,10000011]"},            // include has no bounds
		{"D67", []int{38, 40}, "", "10000008"}, {"D67", []int{39}, "", "10000002"}, // orders are kept
		{"D9", []int{67}, "", "[5]"}, {"D9", []int{77}, "", "[6]"}, // all upcoming events count
	})
	one := httptest.NewRecorder()
	h.ServeHTTP(one, httptest.NewRequest("GET", Root+"/events/10000006?_format=ics", nil))
	if text := one.Body.String(); strings.Count(text, "BEGIN:VEVENT") != 1 ||
		!strings.Contains(text, "DTSTART;TZID=Europe/Brussels:20261212T140000") ||
		!strings.Contains(text, "URL:http://site.test/event/many-dates/2026-12-12/") {
		t.Errorf("D67 one date as a file:\n%s", text)
	}
}

// uidsOf returns the UIDs of a feed, in order, and its text.
func uidsOf(h http.Handler) (uids []string, feed string) {
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, httptest.NewRequest("GET", Root+"/events?_format=ics", nil))
	for _, m := range regexp.MustCompile(`(?m)^UID:(.*)\r$`).FindAllStringSubmatch(answer.Body.String(), -1) {
		uids = append(uids, m[1])
	}
	return uids, answer.Body.String()
}

// RecordedWritesOfDates replays the recorded writes to that site, each case on the original site. Except for writes of
// dates, creation and permanent deletion, they leave all occurrence rows unchanged (D65), even where The Events
// Calendar damaged them.
func RecordedWritesOfDates(t *testing.T, db *bun.DB) {
	db = db.WithNamedArg("prefix", bun.Safe(schema.DefaultPrefix))
	for _, statement := range withSeries {
		must.Get(db.ExecContext(t.Context(), statement))(t)
	}
	kept := keep(t, db, schema.DefaultPrefix)
	was, last := rowsOfDates(t, db), ""
	check := func(group string, _ []string) error {
		if is := rowsOfDates(t, db); is != was && last != "create" && last != "real7-to-date" {
			t.Errorf("D65 %s changes rows of dates\n%s\n%s", last, was, is)
		}
		last = group
		kept.restore()
		return nil
	}
	result := must.Get(replay.Run(context.Background(), replay.Options{
		Handler: Handler(t, plainDates(db)), Now: recordedDates, Root: Root, Corpus: "writes_dates",
		Added: added(), Begin: check,
	}))(t)
	_ = check("", nil)
	otherwise(t, result, 59, []decided{
		{"D14", []int{0, 1, 2, 4, 5, 7, 9, 11, 15, 17, 23, 24, 25, 26, 28, 29, 32}, `(website|organizer|date_utc)$`, ""},
		{"D22", []int{16, 47}, `^status|^json`, "400"},
		{"D66", []int{6, 8, 10, 12, 13, 14, 27, 30}, `^status|^json`, "409"},
		{"D66", []int{7, 9, 11}, `_date(_details\.\w+)?$`, "2026-12-05 19:00:00"},
	})
}

// RecordedWritesOfEachDate replays the recorded writes to that site while the plugin was active, with a host that
// permits writing occurrences. Rows and responses must be as recorded, except for what a decision changes.
func RecordedWritesOfEachDate(t *testing.T, db *bun.DB) {
	for _, statement := range withSeries {
		must.Get(db.ExecContext(t.Context(), statement))(t)
	}
	kept := keep(t, db, schema.DefaultPrefix)
	begin := func(_ string, before []string) error {
		kept.restore()
		for _, table := range []string{"posts", "terms", "term_taxonomy", "tec_events", "tec_occurrences"} {
			kept.exec("ALTER TABLE wp_" + table + " AUTO_INCREMENT = 1") // new rows get the ids after the existing ones
		}
		for _, statement := range before {
			kept.exec(statement)
		}
		return nil
	}
	o := calendar.Options{DB: db, Now: recordedDates, Site: calendar.Site{WriteDates: true}}
	result := must.Get(replay.Run(context.Background(), replay.Options{
		Handler: Handler(t, o), Now: recordedDates, Root: Root, Corpus: "writes_each_date", Added: added(), Begin: begin,
		Dates: func() []string { return recordedRows(t, db) },
	}))(t)
	otherwise(t, result, 101, []decided{
		{"D14", []int{
			0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 23, 24, 25, 26, 27, 28, 29, 32, 34, 35, 36, 37, 38, 39, 42, 43, 44,
			48, 53, 54, 59, 60, 63, 64, 65, 66, 68, 71, 72, 98, 99,
		}, `(website|organizer|\bdate_utc)$`, ""},
		{"D22", []int{16, 47}, `^status|^json`, "400"},
		{"D66", []int{30, 40, 51}, `^status|^json`, "409"},                             // no error is hidden
		{"D66", []int{13, 49}, `utc_|timezone|^dates`, "2026-12-"},                     // the zone applies to all occurrences
		{"D34", []int{14}, `^dates`, "(absent)"},                                       // all-day events have no duration
		{"D34", []int{41}, `^json.*_date|^dates`, "2026-12-09 11:00:00"},               // a single bound is moved
		{"D67", []int{38, 42, 43}, `^json.*_date|url$`, "http://site.test/event/many"}, // shows what was stored
		{"D67", []int{53}, `^json.*_date`, "2026-12-11 18:00:00"},
		{"D67", []int{48}, `^json.venue`, "11"}, {"D67", []int{50}, `^json.cost`, "$12"},
		{"D67", []int{45, 55}, `^status|^json`, "409"},                            // a single occurrence cannot be deleted
		{"D67", []int{89, 90, 91, 99, 100}, `^json`, ""},                          // include has no bounds
		{"D65", []int{71}, `^dates`, "(absent)"}, {"D65", []int{72}, `^json`, ""}, // occurrences are left unchanged
		{"D17", []int{98}, `(url|slug)$`, "http://site.test/event/many-dates/2026-12-09/"}, // a slug in the trash does not count
	})
}

// recordedRows returns the rows of dates in the form of the recording, without values that every write changes.
func recordedRows(t testing.TB, db *bun.DB) (list []string) {
	t.Helper()
	for _, query := range []string{
		"SELECT CONCAT_WS(' ', 'event', event_id, post_id, start_date, end_date, start_date_utc, end_date_utc, duration, timezone, " +
			"COALESCE(rset, '')) FROM wp_tec_events",
		"SELECT CONCAT_WS(' ', 'occurrence', occurrence_id, event_id, post_id, " +
			"CAST(start_date AS CHAR), CAST(end_date AS CHAR), CAST(start_date_utc AS CHAR), CAST(end_date_utc AS CHAR), duration, hash, " +
			"has_recurrence, is_rdate) FROM wp_tec_occurrences",
		"SELECT CONCAT_WS(' ', 'meta', post_id, meta_key, meta_value) FROM wp_postmeta WHERE meta_key IN ('_EventDuration', " +
			"'_EventEndDate', '_EventEndDateUTC', '_EventRecurrence', '_EventStartDate', '_EventStartDateUTC', '_EventTimezone', " +
			"'_EventTimezoneAbbr') AND post_id BETWEEN 7 AND 10",
	} {
		var rows []string
		must.Succeed(t, db.NewRaw(query).Scan(t.Context(), &rows))
		list = append(list, rows...)
	}
	return list
}

// decided contains differences from a recording that a decision requires.
type decided struct {
	decision string
	lines    []int
	places   string // regular expression
	first    string // prefix of the first differing value at these places, on each of the lines
}

// otherwise checks that responses are as recorded, except for what was decided differently.
func otherwise(t *testing.T, result replay.Result, compared int, all []decided) {
	t.Helper()
	for _, d := range all {
		expression := regexp.MustCompile(d.places)
		first := map[int]string{}
		result.Differences = slices.DeleteFunc(result.Differences, func(found replay.Difference) bool {
			is := slices.Contains(d.lines, found.Line) && expression.MatchString(found.Place)
			if _, seen := first[found.Line]; is && !seen {
				first[found.Line] = found.Got
			}
			return is
		})
		for _, line := range d.lines {
			if got, found := first[line]; !found || !strings.HasPrefix(got, d.first) {
				t.Errorf("%s does not show on line %d: %q", d.decision, line, got)
			}
		}
	}
	if result.Compared != compared || len(result.Differences) > 0 {
		t.Errorf("%d compared, want %d\n%s", result.Compared, compared, result.Report(20))
	}
}

// withSeries creates the table in which the plugin for recurring events stores which events belong together.
var withSeries = []string{
	"CREATE TABLE IF NOT EXISTS wp_tec_series_relationships (relationship_id bigint NOT NULL PRIMARY KEY, " +
		"series_post_id bigint NOT NULL, event_id bigint NOT NULL, event_post_id bigint NOT NULL)",
	"INSERT INTO wp_tec_series_relationships VALUES (1, 90, 2, 8), (2, 90, 3, 9)",
}

// rowsOfDates returns the rows that only writes of dates may change, of some posts or of all, as a string.
func rowsOfDates(t testing.TB, db *bun.DB, posts ...int64) string {
	t.Helper()
	var b strings.Builder
	for _, from := range []struct{ table, post, order string }{
		{"tec_events", "post_id", "event_id"}, {"tec_occurrences", "post_id", "occurrence_id"},
		{"tec_series_relationships", "event_post_id", "relationship_id"}, {"postmeta", "post_id", "meta_id"},
	} {
		q := db.NewSelect().TableExpr("?(prefix)?", bun.Safe(from.table)).ColumnExpr("*").Order(from.order)
		if len(posts) > 0 {
			q = q.Where("? IN (?)", bun.Ident(from.post), bun.List(posts))
		}
		if from.table == "postmeta" {
			q = q.Where("meta_key = ?", schema.MetaRecurrence)
		}
		rows, err := q.Rows(t.Context())
		must.Succeed(t, err)
		writeRows(t, &b, rows)
	}
	return b.String()
}

// writeRows writes rows with the names of their columns.
func writeRows(t testing.TB, b *strings.Builder, rows *sql.Rows) {
	t.Helper()
	defer rows.Close()
	columns, _ := rows.Columns()
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		must.Succeed(t, rows.Scan(into...))
		for i, v := range values {
			fmt.Fprintf(b, "%s=%s ", columns[i], v)
		}
		b.WriteByte('\n')
	}
	must.Succeed(t, rows.Err())
}

// kept contains copies of the rows of a site.
type kept struct {
	t      testing.TB
	db     *bun.DB
	prefix string
}

var keptTables = []string{
	"posts", "postmeta", "terms", "termmeta", "term_taxonomy", "term_relationships", "options", "tec_events", "tec_occurrences",
	"tec_series_relationships",
}

// keep copies the rows of a site, some of which contain zero dates.
func keep(t testing.TB, db *bun.DB, prefix string) *kept {
	k := &kept{t, ofOthers(t, db), prefix}
	for _, table := range keptTables {
		k.exec("CREATE TABLE kept_" + table + " AS SELECT * FROM " + prefix + table)
	}
	return k
}

// restore restores the copied rows of the site.
func (k *kept) restore() {
	k.t.Helper()
	for _, table := range slices.Backward(keptTables) {
		k.exec("DELETE FROM " + k.prefix + table)
		k.exec("INSERT INTO " + k.prefix + table + " SELECT * FROM kept_" + table)
	}
}

func (k *kept) exec(statement string) {
	k.t.Helper()
	if _, err := k.db.ExecContext(k.t.Context(), statement); err != nil {
		k.t.Fatal(statement, err)
	}
}
