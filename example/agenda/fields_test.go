package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fieldsOfTheDocument writes the file that docs/hosts.md shows.
func fieldsOfTheDocument(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/hosts.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, found := strings.Cut(string(text), "```toml\n")
	block, _, ended := strings.Cut(block, "```")
	if !found || !ended {
		t.Fatal("docs/hosts.md shows no file")
	}
	file := filepath.Join(t.TempDir(), "fields.toml")
	write(t, file, block)
	return file
}

// The fields of a file are served, in the texts of each language, and move in files on both databases.
func TestFieldsOfAFile(t *testing.T) {
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
	onBothDatabases(t, func(t *testing.T, _, empty []string) {
		lines := filepath.Join(t.TempDir(), "a.jsonl")
		write(t, lines, line)
		moved(t, 0, append([]string{"import", lines, "--fields", file}, empty...)...)
		for _, name := range []string{"b.jsonl", "b.csv"} {
			text := exportOf(t, empty, name, "--fields", file)
			for _, want := range []string{"7.5", "12", "with help"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s lacks %s:\n%s", name, want, text)
				}
			}
		}
	})
}

// A file that is no list of fields is refused, with its line or the name of the field.
func TestWrongFilesOfFieldsAreRefused(t *testing.T) {
	dir := emptySite(t, "--data", t.TempDir())[1]
	file := filepath.Join(t.TempDir(), "fields.toml")
	for _, text := range []string{
		"[[field]]\nkind = \"events\"\ncolour = 1\n", "[[field]\n", "[[field]]\nkind = 7\n", "[[field]]\nkind = \"events\"\n",
	} {
		write(t, file, text)
		moved(t, 2, "export", "--data", dir, "--fields", file)
	}
	moved(t, 2, "export", "--data", dir, "--fields", file+".none")
}
