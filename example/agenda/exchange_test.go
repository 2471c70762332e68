package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/demo"
	"github.com/agendahq/agenda/example/internal/progress"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
	"github.com/uptrace/bun"
)

// onBothDatabases runs a test on each engine with the flags of two sites: one with the demo content, and an empty one
// in the same languages.
func onBothDatabases(t *testing.T, test func(t *testing.T, demo, empty []string)) {
	t.Run("embedded", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		db := must.Get(embedded.Open(t.Context(), filepath.Join(dir, cli.FileName)))(t)
		defer db.Close()
		seed(t, db)
		test(t, []string{"--data", dir}, emptySite(t, "--data", t.TempDir()))
	})
	t.Run("MariaDB", func(t *testing.T) {
		t.Parallel()
		db := testdb.New(t)
		seed(t, db)
		test(t, []string{"--dsn", testdb.DSNOf(t, db)}, emptySite(t, "--dsn", testdb.DSN(t)))
	})
}

func seed(t *testing.T, db *bun.DB) {
	t.Helper()
	err := schema.Install(t.Context(), db, "wp_")
	if err == nil {
		err = demo.Seed(t.Context(), db, "wp_", time.Now())
	}
	must.Succeed(t, err)
	change(t, db, "UPDATE wp_options SET option_value = 'http://town.example' WHERE option_name IN ('home', 'siteurl')")
}

// emptySite creates a site in the languages of the demo, and returns the flags that name its database.
func emptySite(t *testing.T, database ...string) []string {
	t.Helper()
	moved(t, 0, append([]string{"init", "--email", "a@example.org", "--locale", "en_US,nl_NL,fr_FR", "--site-url", "http://town.example",
		"--time-zone", "Europe/Brussels"}, database...)...)
	return database
}

// moved runs a command, checks its exit code and returns its output.
func moved(t *testing.T, code int, args ...string) string {
	t.Helper()
	got, out, errOut := ran(t, args...)
	if got != code {
		t.Fatalf("%v: exit code %d, want %d\n%s%s", args, got, code, out, errOut)
	}
	return out
}

var moving = regexp.MustCompile(`(?m)^(DTSTAMP|LAST-MODIFIED|URL)[:;].*\r\n( .*\r\n)*`)

// exportOf returns an export without the parts that differ between sites.
func exportOf(t *testing.T, database []string, name string, more ...string) string {
	t.Helper()
	return exportTo(t, database, filepath.Join(t.TempDir(), name), more...)
}

// exportTo is like exportOf, and leaves the whole export in a file.
func exportTo(t *testing.T, database []string, file string, more ...string) string {
	t.Helper()
	moved(t, 0, slices.Concat([]string{"export", file}, database, more)...)
	text := must.Get(os.ReadFile(file))(t)
	return moving.ReplaceAllString(string(text), "")
}

// created matches the creation time of a draft, which has no publication date. JSON lines, which are compared
// completely, do not contain it.
var created = regexp.MustCompile(`(?m)^CREATED:.*\r\n`)

// TestLongDemoMoves exports the demo in three languages, imports it on an empty site and compares the export of that
// site.
func TestLongDemoMoves(t *testing.T) {
	t.Parallel()
	onBothDatabases(t, func(t *testing.T, from, to []string) {
		want := exportOf(t, from, "all.jsonl")
		file := filepath.Join(t.TempDir(), "all.jsonl")
		writeTestFile(t, file, want)
		load := append([]string{"import", "--trust", file}, to...)
		moved(t, 0, load...)
		if got := exportOf(t, to, "all.jsonl"); got != want {
			t.Errorf("JSON lines: %s", firstDifference(got, want))
		}
		languages := []string{"nl", "en", "fr"}
		if from[0] == "--dsn" {
			languages = languages[:1]
		}
		for _, language := range languages {
			want := created.ReplaceAllString(exportOf(t, from, "all.ics", "--language", language), "")
			if got := created.ReplaceAllString(exportOf(t, to, "all.ics", "--language", language), ""); got != want {
				t.Errorf("iCalendar in %s: %s", language, firstDifference(got, want))
			}
		}
		if again := moved(t, 0, load...); !regexp.MustCompile(`(?m)^events +0 +0 `).MatchString(again) {
			t.Errorf("again: %s", again)
		}
	})
}

// TestExportsAreNotForOthers checks that only the current user can read a new export or copy, whatever the umask is,
// and that an existing file keeps its mode.
func TestExportsAreNotForOthers(t *testing.T) {
	t.Parallel()
	from, dir := emptySite(t, "--data", t.TempDir()), t.TempDir()
	check := func(name string, mode os.FileMode) {
		t.Helper()
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v; want %v", name, info, err, mode)
		}
	}
	for _, name := range []string{"all.jsonl", "all.csv", "all.ics"} {
		export := append([]string{"export", filepath.Join(dir, name)}, from...)
		moved(t, 0, export...)
		check(name, 0o600)
		must.Succeed(t, os.Chmod(filepath.Join(dir, name), 0o644))
		moved(t, 0, export...)
		check(name, 0o644)
	}
	moved(t, 0, "copy", "--from", from[1], "--to", filepath.Join(dir, "backup.db"))
	check("backup.db", 0o600)
	if info, err := os.Stat(filepath.Join(from[1], cli.FileName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("a new database: %v, %v", info, err)
	}
}

// TestExportForExcel checks that CSV with --excel begins with the byte order mark by which Excel on Windows recognizes
// UTF-8, and that it can be imported like CSV without it.
func TestExportForExcel(t *testing.T) {
	t.Parallel()
	site, dir := emptySite(t, "--data", t.TempDir()), t.TempDir()
	plain, marked := filepath.Join(dir, "plain.csv"), filepath.Join(dir, "marked.csv")
	writeTestFile(t, plain, "title,start_date,end_date\nCafé – Zoo,2031-06-13 10:00,2031-06-13 11:00\n")
	if code, _, errOut := ran(t, append([]string{"import", plain}, site...)...); code != 0 || !strings.Contains(errOut, " 1 items") {
		t.Errorf("an import of one event: exit code %d, %s", code, errOut) // the row of columns is no item
	}
	moved(t, 0, append([]string{"export", plain}, site...)...)
	moved(t, 0, append([]string{"export", "--excel", marked}, site...)...)
	want := must.Get(os.ReadFile(plain))(t)
	if got, err := os.ReadFile(marked); err != nil || string(got) != "\xEF\xBB\xBF"+string(want) ||
		!strings.Contains(string(want), "Café – Zoo") {
		t.Errorf("%v %q, want the mark and %q", err, got, want)
	}
	moved(t, 0, append([]string{"import", marked}, site...)...)
	moved(t, 0, append([]string{"export", plain}, site...)...)
	if again, err := os.ReadFile(plain); err != nil || string(again) != string(want) {
		t.Errorf("after it came back: %v %q", err, again)
	}
	moved(t, 2, append([]string{"export", "--excel", "--format", "jsonl"}, site...)...)
}

// TestLongDemoMovesAsICalendar does the same as TestLongDemoMoves with iCalendar, one file per language.
func TestLongDemoMovesAsICalendar(t *testing.T) {
	t.Parallel()
	onBothDatabases(t, func(t *testing.T, from, to []string) {
		for _, language := range []string{"en", "nl", "fr"} {
			file := filepath.Join(t.TempDir(), language+".ics")
			want := exportTo(t, from, file, "--language", language)
			moved(t, 0, append([]string{"import", "--language", language, file}, to...)...)
			if got := exportOf(t, to, "all.ics", "--language", language); got != want {
				t.Errorf("%s: %s", language, firstDifference(got, want))
			}
		}
	})
}

// manyEvents writes a file with n events.
func manyEvents(t *testing.T, n int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Town//EN\r\n")
	for i := range n {
		at := time.Date(2031, 5, 1, 10, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Hour)
		fmt.Fprintf(&b, "BEGIN:VEVENT\r\nUID:%d@town.test\r\nDTSTAMP:20310101T000000Z\r\nDTSTART:%s\r\nDTEND:%s\r\nSUMMARY:Fair %d\r\n"+
			"LOCATION:Hall %d\r\nCATEGORIES:Fairs\r\nEND:VEVENT\r\n", i, at.Format("20060102T150405Z"),
			at.Add(time.Hour).Format("20060102T150405Z"), i, i%7)
	}
	b.WriteString("END:VCALENDAR\r\n")
	file := filepath.Join(t.TempDir(), "many.ics")
	writeTestFile(t, file, b.String())
	return file
}

// TestLongKilledImportGoesOn kills the program in the middle of an import. Every event that is stored by then is
// complete, and the next run finds it.
func TestLongKilledImportGoesOn(t *testing.T) {
	t.Parallel()
	const n = 800
	file := manyEvents(t, n)
	dir := t.TempDir()
	onServer := testdb.DSN(t)
	for place, database := range map[string][]string{
		filepath.Join(dir, cli.FileName): emptySite(t, "--data", dir), onServer: emptySite(t, "--dsn", onServer),
	} {
		var db *bun.DB
		var err error
		if place == onServer {
			db, err = cli.OpenMySQL(t.Context(), onServer, cli.MySQL{})
		} else {
			db, err = embedded.Open(t.Context(), place)
		}
		must.Succeed(t, err)
		defer db.Close()
		var out output
		importing := program(t, &out, append([]string{"import", file}, database...)...)
		for deadline := time.Now().Add(10 * time.Minute); rowsOf(t, db, "wp_tec_occurrences") < 100; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("the import did not begin: %s", &out)
			}
		}
		must.Succeed(t, importing.Process.Kill())
		_ = importing.Wait()
		made := rowsOf(t, db, "wp_tec_occurrences")
		if made >= n {
			t.Fatalf("the import was not killed in its middle: %d events", made)
		}
		again := moved(t, 0, append([]string{"import", file}, database...)...)
		want := fmt.Sprintf(`(?m)^events +%s +0 +%s +0 +0 +0 +0 *$`, progress.Grouped(n-made), progress.Grouped(made))
		if !regexp.MustCompile(want).MatchString(again) {
			t.Errorf("%d were made before the import was killed; the next one said:\n%s", made, again)
		}
		if all := rowsOf(t, db, "wp_tec_occurrences"); all != n {
			t.Errorf("%d events in the end", all)
		}
	}
}

// TestLongImportWithoutItsDatabase stops the database server in the middle of an import.
func TestLongImportWithoutItsDatabase(t *testing.T) {
	t.Parallel()
	alone := testdb.NewAlone(t)
	database := emptySite(t, "--dsn", alone.DSN())
	file := manyEvents(t, 800)
	db := alone.Open(nil)
	code, out := make(chan int, 1), output{}
	go func() { code <- commands.Run(t.Context(), append([]string{"import", file}, database...), &out, &out) }()
	for rowsOf(t, db, "wp_tec_occurrences") < 100 {
		time.Sleep(time.Millisecond)
	}
	alone.Kill()
	if got := <-code; got != 3 {
		t.Errorf("exit code %d: %s", got, &out)
	}
	alone.Start()
	moved(t, 0, append([]string{"import", file}, database...)...)
	if all := rowsOf(t, db, "wp_tec_occurrences"); all != 800 {
		t.Errorf("%d events in the end", all)
	}
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "got " + a[i] + "\nwant " + b[i]
		}
	}
	return "one is longer"
}

// TestD65ExportOfSeveralDates checks that an export contains all dates of an event (D70). An export as iCalendar from a
// site that Agenda did not create ends with exit code 1, names the event and does not change the file (D65).
func TestD65ExportOfSeveralDates(t *testing.T) {
	t.Parallel()
	from, dir := emptySite(t, "--data", t.TempDir()), t.TempDir()
	moved(t, 0, append([]string{"import", manyEvents(t, 2)}, from...)...)
	db := must.Get(embedded.Open(t.Context(), filepath.Join(from[1], cli.FileName)))(t)
	defer db.Close()
	change(t, db, "INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash) "+
		"SELECT event_id, post_id, '2032-01-01 00:00:00', '2031-12-31 23:00:00', '2032-01-02 00:00:00', '2032-01-01 23:00:00', 86400, 'x' "+
		"FROM wp_tec_events LIMIT 1")
	for _, c := range []struct{ name, date string }{
		{"a.jsonl", `{"end_date":"2032-01-02 00:00:00","start_date":"2032-01-01 00:00:00"}`},
		{"a.csv", "2032-01-01 00:00:00/2032-01-02 00:00:00"}, {"a.ics", "\nRECURRENCE-ID"}, {"shared.ics", ""},
	} {
		file := filepath.Join(dir, c.name)
		writeTestFile(t, file, "before")
		if c.date == "" {
			change(t, db, "DELETE FROM wp_options WHERE option_name = 'agenda_site'")
		}
		code, _, errOut := ran(t, append([]string{"export", file}, from...)...)
		text := must.Get(os.ReadFile(file))(t)
		if c.date != "" && (code != 0 || !strings.Contains(string(text), c.date)) {
			t.Errorf("%s: exit code %d, %s\n%s", c.name, code, errOut, text)
		}
		for _, part := range []string{`"Fair 0" (2 dates)`, "recurring events: 1;", "--leave-out dates"} {
			if c.date == "" && (code != 1 || !strings.Contains(errOut, part) || string(text) != "before") {
				t.Errorf("%s: exit code %d, %s lacks %s; the file is %.80s", c.name, code, errOut, part, text)
			}
		}
		said := moved(t, 0, append([]string{"export", file, "--leave-out", "dates"}, from...)...)
		if !strings.HasPrefix(said, "2 events were") {
			t.Errorf("%s: %s", c.name, said)
		}
	}
	if report := moved(t, 0, append([]string{"doctor"}, from...)...); !strings.Contains(report,
		"several: recurring events: 1, of which with explicit dates 1, with rules 0; series: 0") {
		t.Errorf("doctor: %s", report)
	}
}

func TestImportIsRefused(t *testing.T) {
	t.Parallel()
	dir := emptySite(t, "--data", t.TempDir())[1]
	for _, args := range [][]string{
		{"import", "--data", dir}, {"import", "--data", dir, "no-such-file.ics"}, {"import", "--data", dir, "--user", "nobody", "-"},
		{"import", "--data", dir, "--expand", "soon", "-"}, {"export", "--data", dir, "--format", "pdf"},
		{"export", "--data", dir, "--query", "categories=none"}, {"export", "--data", dir, "--query", "per_page=1"},
		{"export", "--data", dir, "--leave-out", "title"},
		{"import", "--data", dir, "--dates", "ymd", "-"}, {"import", "--data", dir, "--zone", "Local", "-"},
		{"import", "--data", dir, "--language", "xx", os.DevNull, "--format", "jsonl"}, {"export", "--data", dir, "--language", "xx"},
	} {
		moved(t, 2, args...)
	}
	file := filepath.Join(t.TempDir(), "a.jsonl")
	text := `{"kind":"events","uid":"a@x","values":{"title":"A","start_date":"never","end_date":"2031-05-01 10:00:00"}}` + "\nno JSON\n"
	writeTestFile(t, file, text)
	out := moved(t, 1, "import", "--data", dir, file)
	for _, part := range []string{file + `:1: "A" start_date: `, file + ":2: JSON: "} {
		if !strings.Contains(out, part) {
			t.Errorf("%q is not in %s", part, out)
		}
	}
}

// TestUnknownColumnsAreNoEvents checks that an import names a column that it does not know, and counts no event for it.
func TestUnknownColumnsAreNoEvents(t *testing.T) {
	t.Parallel()
	town, file := emptySite(t, "--data", t.TempDir()), filepath.Join(t.TempDir(), "a.csv")
	writeTestFile(t, file, "title,start_date,end_date,shoe\nTalk,2031-06-13,2031-06-13,43\n")
	for _, more := range []string{"--dry-run=true", "--dry-run=false"} {
		out := moved(t, 1, slices.Concat([]string{"import", file, more}, town)...)
		if !strings.Contains(out, file+":1: shoe: is an unknown column") || strings.Contains(out, "refused") ||
			!strings.Contains(out, "events  1        0        0          0 ") {
			t.Errorf("%s: %s", more, out)
		}
	}
}

// TestZoneOfRows checks that --zone holds for rows of CSV without a time zone, and that without it stored events keep the
// one that they have.
func TestZoneOfRows(t *testing.T) {
	t.Parallel()
	town, file := emptySite(t, "--data", t.TempDir()), filepath.Join(t.TempDir(), "a.csv")
	writeTestFile(t, file, "uid,title,start_date,end_date\n1@example.org,Talk,2031-06-13 10:00,2031-06-13 12:00\n")
	for _, more := range [][]string{{"--zone", "America/New_York"}, nil} {
		moved(t, 0, slices.Concat([]string{"import", file}, town, more)...)
		if out := exportOf(t, town, "a.csv"); !strings.Contains(out, "America/New_York") {
			t.Errorf("after an import with %q: %s", more, out)
		}
	}
}

// TestD77RefusalsNameCommands runs imports of which some records are rejected, and then the commands that their output
// suggests.
func TestD77RefusalsNameCommands(t *testing.T) {
	t.Parallel()
	town, dir := emptySite(t, "--data", t.TempDir())[1], t.TempDir()
	line := `{"kind":"events","uid":"a@x","values":{"title":"A","status":"private","start_date":"2031-05-01 10:00:00",` +
		`"end_date":"2031-05-01 11:00:00"},"password":"p"}` + "\n"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, line) }))
	t.Cleanup(server.Close)
	at := strings.Replace(server.URL, "//", "//ann:geheim@", 1) + "/feed?token=geheim"
	first, second := filepath.Join(dir, "first.jsonl"), filepath.Join(dir, "it's.jsonl")
	weekly := filepath.Join(dir, "weekly.ics")
	writeTestFile(t, weekly,
		"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:w\r\nSUMMARY:Choir\r\nDTSTART:20310501T100000Z\r\nRRULE:FREQ=WEEKLY\r\n"+
			"RRULE:FREQ=MONTHLY\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
	writeTestFile(t, first, line)
	writeTestFile(t, second, strings.ReplaceAll(line, `,"password":"p"`, ""))
	quoted := `'` + strings.ReplaceAll(second, `'`, `'\''`) + `'`
	host := strings.TrimPrefix(server.URL, "http")
	values := strings.NewReplacer("{at}", at, "{shown}", server.URL+"/feed?token=…", "{host}", host, "{town}", town, "{weekly}", weekly,
		"{first}", first, "{second}", second, "{quoted}", quoted)
	golden.Each(t, "suggested.txt", func(code int, args []string, want string) {
		for i := range args {
			args[i] = values.Replace(args[i])
		}
		out := says(t, code, values.Replace(want), slices.Concat([]string{"import", "--data", town}, args)...)
		if strings.Contains(out, "geheim") {
			t.Errorf("%v: %s", args, out)
		}
	})
}
