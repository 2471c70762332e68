package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// fieldsOfTheDocument writes the file of fields that docs/hosts.md shows.
func fieldsOfTheDocument(t *testing.T) string {
	t.Helper()
	text := must.Get(os.ReadFile("../../docs/hosts.md"))(t)
	_, block, found := strings.Cut(string(text), "```toml\n")
	block, _, ended := strings.Cut(block, "```")
	if !found || !ended {
		t.Fatal("docs/hosts.md shows no file")
	}
	file := filepath.Join(t.TempDir(), "fields.toml")
	writeTestFile(t, file, block)
	return file
}

// TestFieldsOfAFile checks that fields declared in a file are served, described in each language, and exported and
// imported on both databases.
func TestFieldsOfAFile(t *testing.T) {
	t.Parallel()
	file := fieldsOfTheDocument(t)
	address, _ := server(t, "--fields", file)
	for path, want := range map[string]string{
		"/wp-json/vendor/events/v1/doc": "How many seats there are.", "/nl/wp-json/vendor/events/v1/doc": "Hoeveel plaatsen er zijn.",
		"/fr/wp-json/vendor/events/v1/doc": "How many seats there are.",
	} {
		if _, body := get(t, address+path); !strings.Contains(body, want) || !strings.Contains(body, `"enum":["yes","no","with help"]`) {
			t.Errorf("%s lacks %q", path, want)
		}
	}
	line := `{"kind":"events","uid":"a@x","values":{"title":"A","start_date":"2031-05-01 10:00:00","end_date":"2031-05-01 11:00:00",` +
		`"seats":7.5,"budget":12},"venues":[{"kind":"venues","uid":"v@x","values":{"venue":"Hall","step_free":"with help"}}]}`
	for _, empty := range [][]string{emptySite(t, "--data", t.TempDir()), emptySite(t, "--dsn", testdb.DSN(t))} {
		lines, ics := filepath.Join(t.TempDir(), "a.jsonl"), filepath.Join(t.TempDir(), "a.ics")
		writeTestFile(t, lines, line)
		before := exportTo(t, empty, ics, "--fields", file) // no event has a value for any of them
		moved(t, 0, append([]string{"import", lines, "--fields", file}, empty...)...)
		for _, name := range []string{"b.jsonl", "b.csv"} {
			text := exportOf(t, empty, name, "--fields", file)
			for _, want := range []string{"7.5", "12", "with help"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s lacks %s:\n%s", name, want, text)
				}
			}
		}
		moved(t, 1, append([]string{"export", ics, "--fields", file}, empty...)...)
		if text, err := os.ReadFile(ics); err != nil || moving.ReplaceAllString(string(text), "") != before {
			t.Errorf("iCalendar, which has no place for them, was replaced: %v\n%s", err, text)
		}
	}
}

// TestWrongFilesOfFieldsAreRefused checks that a file that is not a list of fields is rejected, and that the error has
// its line or the name of the field.
func TestWrongFilesOfFieldsAreRefused(t *testing.T) {
	t.Parallel()
	dir := emptySite(t, "--data", t.TempDir())[1]
	file := filepath.Join(t.TempDir(), "fields.toml")
	for _, text := range []string{
		"[[field]]\nkind = \"events\"\ncolour = 1\n", "[[field]\n", "[[field]]\nkind = 7\n", "[[field]]\nkind = \"events\"\n",
	} {
		writeTestFile(t, file, text)
		moved(t, 2, "export", "--data", dir, "--fields", file)
	}
	moved(t, 2, "export", "--data", dir, "--fields", file+".none")
}

// TestWrongDeclarationsOfAFileAreRefused checks that an invalid declaration in a file is rejected at the start and
// named, like one in Go.
func TestWrongDeclarationsOfAFileAreRefused(t *testing.T) {
	t.Parallel()
	const field = `
[[field]]
kind = "events"
name = "seats"
key = "_host_seats"
type = "number"
description = "How many seats there are."
`
	const filter = `
[[filter]]
kind = "events"
field = "seats"
op = "range"
description = "Events by their seats."
`
	dir := emptySite(t, "--data", t.TempDir())[1]
	file := filepath.Join(t.TempDir(), "fields.toml")
	for want, text := range map[string]string{
		`Fields[0] "seats": Min is greater than Max`:    field + "min = 2\nmax = 1\n",
		`Filters[0] "seats": Op "contains": use one of`: field + strings.Replace(filter, "range", "contains", 1),
		"sql": field + filter + "sql = \"1=1\"\n",
	} {
		writeTestFile(t, file, text)
		says(t, 2, want, "export", "--data", dir, "--fields", file)
	}
}

// TestDoctorOnFilters checks that the doctor lists the filters of a file for which there is no index, with the index
// that would help.
func TestDoctorOnFilters(t *testing.T) {
	t.Parallel()
	const field = "[[field]]\nkind = \"%[1]s\"\nname = \"dress\"\nkey = \"host_dress\"\ntype = \"text\"\ndescription = \"What to wear.\"\n"
	const filter = "[[filter]]\nkind = \"%s\"\nname = \"%s\"\nfield = \"dress\"\nop = \"%s\"\ndescription = \"By it.\"\n"
	file := filepath.Join(t.TempDir(), "fields.toml")
	writeTestFile(t, file, fmt.Sprintf(field, "events")+fmt.Sprintf(field, "tags")+fmt.Sprintf(filter, "events", "dress", "equals")+
		fmt.Sprintf(filter, "events", "dress_has", "contains")+fmt.Sprintf(filter, "tags", "dress", "one-of"))
	db := testdb.SiteA(t)
	database := []string{"--dsn", testdb.DSNOf(t, db), "--fields", file}
	found := func() (lines []string) {
		d, _ := examine(t, database...)
		for _, f := range d.Findings {
			if f.Check == "filters" {
				lines = append(lines, string(f.Level)+" "+f.Subject+" "+f.Advice)
			}
		}
		return lines
	}
	want := []string{"note events dress add the index postmeta.agenda_value", "note events dress_has ", "note tags dress "}
	if got := found(); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	execute(t, db, "CREATE INDEX agenda_value ON wp_postmeta (meta_key(40), meta_value(20), post_id)")
	want[0] = "ok events dress "
	if got := found(); !slices.Equal(got, want) {
		t.Errorf("with the index: found %q, want %q", got, want)
	}
}
