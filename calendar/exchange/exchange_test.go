package exchange

import (
	"bytes"
	"context"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// atNoon is the clock of the tests.
func atNoon() time.Time { return time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC) }

// bench is a calendar together with its database.
type bench struct {
	*calendar.Calendar
	db *bun.DB
}

func openBench(t *testing.T, db *bun.DB) bench {
	t.Helper()
	return openWithin(t, db, calendar.Limits{})
}

// openWithin opens a calendar with limits.
func openWithin(t *testing.T, db *bun.DB, limits calendar.Limits) bench {
	t.Helper()
	c, err := calendar.New(t.Context(), calendar.Options{DB: db, Now: atNoon, Logger: slog.New(slog.DiscardHandler), Limits: limits})
	must.Succeed(t, err)
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return bench{c, db}
}

// siteA opens the recorded site.
func siteA(t *testing.T) bench { t.Helper(); return openBench(t, testdb.SiteA(t)) }

// emptySite opens the recorded site without its events and what they link.
func emptySite(t *testing.T) bench {
	t.Helper()
	db := testdb.SiteA(t)
	for _, statement := range []string{
		"DELETE FROM wp_posts", "DELETE FROM wp_postmeta", "DELETE FROM wp_term_relationships", "DELETE FROM wp_term_taxonomy",
		"DELETE FROM wp_terms", "DELETE FROM wp_tec_events", "DELETE FROM wp_tec_occurrences",
	} {
		execSQL(t, db, statement)
	}
	return openBench(t, db)
}

func execSQL(t *testing.T, db *bun.DB, statement string, args ...any) {
	t.Helper()
	must.Get(db.NewRaw(statement, args...).Exec(t.Context()))(t)
}

// editor is a user with all rights.
var editor = calendar.Principal{UserID: 1}

// trusted makes an import trust its source, as if it were the importing user's.
func trusted(im *Importer) { im.Trust = true }

func (b bench) export(t *testing.T, f Format) string {
	t.Helper()
	var out bytes.Buffer
	e := &Exporter{Calendar: b.Calendar, Principal: editor, Format: f}
	must.Get(e.Export(t.Context(), &out))(t)
	return out.String()
}

// load imports a source, and returns the summary and the outcome of each item.
func (b bench) load(t *testing.T, src Source, change ...func(*Importer)) (*Summary, []Outcome) {
	t.Helper()
	var all []Outcome
	im := &Importer{Calendar: b.Calendar, Principal: editor, Source: "test", Done: func(o Outcome) { all = append(all, o) }}
	for _, f := range change {
		f(im)
	}
	s := must.Get(im.Import(t.Context(), src))(t)
	return s, all
}

func TestJSONLinesSurviveAnotherSite(t *testing.T) {
	first, other := siteA(t), emptySite(t)
	want := first.export(t, FormatJSON)
	wantAll(t, other, JSONLines(strings.NewReader(want), "a.jsonl"), Created, trusted)
	sameLines(t, other.export(t, FormatJSON), want)
	wantAll(t, other, JSONLines(strings.NewReader(want), "a.jsonl"), Unchanged, trusted)
}

// wantAll imports a source and checks that the import did the same with each item, and has no problems.
func wantAll(t *testing.T, b bench, src Source, want Action, change ...func(*Importer)) {
	t.Helper()
	_, all := b.load(t, src, change...)
	for _, o := range all {
		if o.Action != want || len(o.Problems) > 0 {
			t.Errorf("%s, want %s: %s %q: %v", o.Action, want, o.Kind, o.Name, o.Problems)
		}
	}
}

// sameLines reports the lines of an export that differ.
func sameLines(t *testing.T, got, want string) {
	t.Helper()
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Errorf("line %d\n%q\nwant\n%q", i, b[i], a[i])
		}
	}
	if len(a) != len(b) {
		t.Errorf("%d lines, want %d", len(b), len(a))
	}
}

var volatile = regexp.MustCompile(`(?m)^(DTSTAMP|LAST-MODIFIED|URL)[:;].*\r\n( .*\r\n)*`)

func TestICalendarSurvivesAnotherSite(t *testing.T) {
	first, other := siteA(t), emptySite(t)
	want := volatile.ReplaceAllString(first.export(t, FormatICalendar), "")
	text := first.export(t, FormatICalendar)
	src := func() Source { return ICalendar(strings.NewReader(text), "a.ics", CalendarOptions{Zone: time.UTC}) }
	wantAll(t, other, src(), Created)
	sameLines(t, volatile.ReplaceAllString(other.export(t, FormatICalendar), ""), want)
	wantUnchanged(t, other, src())
}

// wantUnchanged imports a source again and checks that nothing is changed.
func wantUnchanged(t *testing.T, b bench, src Source) {
	t.Helper()
	_, all := b.load(t, src)
	for _, o := range all {
		if o.Action != Unchanged {
			t.Errorf("again: %s %s %q: %v", o.Action, o.Kind, o.Name, o.Problems)
		}
	}
}

// An export reports what a CSV row cannot hold: an event with two venues as a whole, and a field that all events may
// have once.
func TestRowsSayWhatTheyLack(t *testing.T) {
	b := siteA(t)
	var event int64
	must.Succeed(t, b.db.NewRaw("SELECT MIN(post_id) FROM wp_tec_occurrences JOIN wp_posts ON ID = post_id "+
		"WHERE post_status = 'publish' AND post_password = '' AND ID NOT IN "+
		"(SELECT post_id FROM wp_postmeta WHERE meta_key = '_EventHideFromUpcoming')").Scan(t.Context(), &event))
	execSQL(t, b.db, "DELETE FROM wp_postmeta WHERE post_id = ? AND meta_key = '_EventVenueID'", event)
	execSQL(t, b.db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ?, '_EventVenueID', ID FROM wp_posts "+
		"WHERE post_type = 'tribe_venue' AND post_status = 'publish' LIMIT 2", event)
	execSQL(t, b.db, "DELETE FROM wp_postmeta WHERE meta_key = '_EventCurrencyCode'")
	execSQL(t, b.db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) "+
		"SELECT post_id, '_EventCurrencyCode', 'EUR' FROM wp_tec_occurrences")
	for form, want := range map[Format]int{FormatCSV: 1, FormatJSON: 0} {
		var out bytes.Buffer
		left := map[string]int{}
		total := int64(0)
		e := &Exporter{
			Calendar: b.Calendar, Principal: editor, Format: form, Progress: func(_, all int64) { total = all },
			Left: func(p *Problem) { left[p.Field+": "+p.Reason]++ },
		}
		n, err := e.Export(t.Context(), &out)
		if left["hide_from_listings: the calendar has 12 events that are hidden from lists, and from exports"] != 1 {
			t.Errorf("%s: hidden ones: %v", form, left)
		}
		venues := left["venue: a row has a cell for only one"]
		if err != nil || n == 0 || int(total-n) != venues+left["password: this format cannot protect it"] {
			t.Errorf("%s: %d of %d events, %v, %v", form, n, total, left, err)
		}
		if venues != want || left["_EventCurrencyCode: a row has no cell for it"] != want {
			t.Errorf("%s: %v", form, left)
		}
	}
}

// If a password protects fields of a venue or an organizer, no export of a user who may not read them contains them,
// and no CSV file does, because it cannot protect them: it contains only the name.
func TestExportsHideWhatPasswordsHide(t *testing.T) {
	b := emptySite(t)
	body := `{"title":"Open","start_date":"2031-05-01 10:00","end_date":"2031-05-01 11:00",` +
		`"venue":{"venue":"Hall","description":"Secret","address":"Secret 1","city":"Secret","phone":"Secret"},` +
		`"organizer":[{"organizer":"Club","description":"Secret","email":"secret@example.org","phone":"Secret"}]}`
	b.make(t, body)
	hidden := regexp.MustCompile("(?i)secret")
	exported := func(f Format, who calendar.Principal) (string, []string) {
		var out bytes.Buffer
		var left []string
		e := &Exporter{Calendar: b.Calendar, Principal: who, Format: f, Left: func(p *Problem) {
			if p.Field == "password" {
				left = append(left, p.Item+": "+p.Reason)
			}
		}}
		if n, err := e.Export(t.Context(), &out); err != nil || n != 1 {
			t.Fatalf("%s: %d events, %v", f, n, err)
		}
		slices.Sort(left)
		return out.String(), left
	}
	for _, f := range []Format{FormatCSV, FormatJSON, FormatICalendar} { // without a password everything is exported
		if text, left := exported(f, calendar.Principal{}); !hidden.MatchString(text) || len(left) > 0 {
			t.Errorf("%s: without passwords: %s, left %q", f, text, left)
		}
	}
	execSQL(t, b.db, "UPDATE wp_posts SET post_password = 'x' WHERE post_type IN ('tribe_venue', 'tribe_organizer')")
	cannot := []string{"Club: this format cannot protect it", "Hall: this format cannot protect it"}
	denied := []string{"Club: " + hiddenByPassword, "Hall: " + hiddenByPassword}
	for _, c := range []struct {
		form  Format
		who   calendar.Principal
		shows bool
		left  []string
	}{
		{FormatCSV, calendar.Principal{}, false, denied}, {FormatJSON, calendar.Principal{}, false, denied},
		{FormatICalendar, calendar.Principal{}, false, nil},
		{FormatCSV, editor, false, cannot}, {FormatJSON, editor, true, nil},
	} {
		text, left := exported(c.form, c.who)
		if hidden.MatchString(text) != c.shows || !strings.Contains(text, "Hall") || !slices.Equal(left, c.left) {
			t.Errorf("%s of user %d: left %q\n%s", c.form, c.who.UserID, left, text)
		}
	}
}
