package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/demo"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

// demoData is a directory with the demo content; without events, what they link and terms if
// it is emptied.
func demoData(t *testing.T, emptied bool) string {
	t.Helper()
	dir := t.TempDir()
	db, err := embedded.Open(t.Context(), filepath.Join(dir, cli.FileName))
	if err == nil {
		err = schema.Install(t.Context(), db, "wp_")
	}
	if err == nil {
		err = demo.Seed(t.Context(), db, "wp_", time.Now())
	}
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	change(t, db, "UPDATE wp_options SET option_value = 'http://town.example' WHERE option_name IN ('home', 'siteurl')")
	if !emptied {
		return dir
	}
	const languages = "(SELECT term_taxonomy_id FROM wp_term_taxonomy WHERE taxonomy IN ('language', 'term_language'))"
	for _, statement := range []string{
		"DELETE FROM wp_posts", "DELETE FROM wp_postmeta", "DELETE FROM wp_tec_events", "DELETE FROM wp_tec_occurrences",
		"DELETE FROM wp_term_relationships", "DELETE FROM wp_term_taxonomy WHERE term_taxonomy_id NOT IN " + languages,
		"DELETE FROM wp_terms WHERE term_id NOT IN (SELECT term_id FROM wp_term_taxonomy)", "UPDATE wp_term_taxonomy SET count = 0",
	} {
		change(t, db, statement)
	}
	return dir
}

// moved runs a command and returns what it printed.
func moved(t *testing.T, code int, args ...string) string {
	t.Helper()
	var out, errOut bytes.Buffer
	if got := commands.Run(t.Context(), args, &out, &errOut); got != code {
		t.Fatalf("%v: exit code %d, want %d\n%s%s", args, got, code, &out, &errOut)
	}
	return out.String()
}

var moving = regexp.MustCompile(`(?m)^(DTSTAMP|LAST-MODIFIED|URL)[:;].*\r\n( .*\r\n)*`)

// exportOf is an export without what no other site can have.
func exportOf(t *testing.T, dir, name string, more ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	moved(t, 0, append([]string{"export", "--data", dir, file}, more...)...)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return moving.ReplaceAllString(string(text), "")
}

// TestDemoMoves brings the demo in three languages to an empty site and back out.
func TestDemoMoves(t *testing.T) {
	from, to := demoData(t, false), demoData(t, true)
	want := exportOf(t, from, "all.jsonl")
	file := filepath.Join(t.TempDir(), "all.jsonl")
	if err := os.WriteFile(file, []byte(want), 0o600); err != nil {
		t.Fatal(err)
	}
	moved(t, 0, "import", "--data", to, file)
	if got := exportOf(t, to, "all.jsonl"); got != want {
		t.Errorf("JSON lines: %s", firstDifference(got, want))
	}
	for _, language := range []string{"en", "nl", "fr"} {
		want := exportOf(t, from, "all.ics", "--language", language)
		if got := exportOf(t, to, "all.ics", "--language", language); got != want {
			t.Errorf("iCalendar in %s: %s", language, firstDifference(got, want))
		}
	}
	if again := moved(t, 0, "import", "--data", to, file); !regexp.MustCompile(`(?m)^events +0 +0 `).MatchString(again) {
		t.Errorf("again: %s", again)
	}
}

// TestDemoMovesAsICalendar does that with iCalendar, one file for each language.
func TestDemoMovesAsICalendar(t *testing.T) {
	from, to := demoData(t, false), demoData(t, true)
	for _, language := range []string{"en", "nl", "fr"} {
		want := exportOf(t, from, "all.ics", "--language", language)
		file := filepath.Join(t.TempDir(), language+".ics")
		moved(t, 0, "export", "--data", from, "--language", language, file)
		moved(t, 0, "import", "--data", to, "--language", language, file)
		if got := exportOf(t, to, "all.ics", "--language", language); got != want {
			t.Errorf("%s: %s", language, firstDifference(got, want))
		}
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

func TestImportIsRefused(t *testing.T) {
	dir := demoData(t, true)
	for _, args := range [][]string{
		{"import", "--data", dir}, {"import", "--data", dir, "no-such-file.ics"}, {"import", "--data", dir, "--user", "nobody", "-"},
		{"import", "--data", dir, "--expand", "soon", "-"}, {"export", "--data", dir, "--format", "pdf"},
		{"export", "--data", dir, "--query", "categories=none"},
	} {
		moved(t, 2, args...)
	}
	file := filepath.Join(t.TempDir(), "a.jsonl")
	text := `{"kind":"events","uid":"a@x","values":{"title":"A","start_date":"never","end_date":"2031-05-01 10:00:00"}}` + "\nno JSON\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out := moved(t, 1, "import", "--data", dir, file)
	for _, part := range []string{file + `:1: "A" start_date: `, file + ":2: JSON: "} {
		if !strings.Contains(out, part) {
			t.Errorf("%q is not in %s", part, out)
		}
	}
}
