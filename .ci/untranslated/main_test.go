package main

import (
	"os"
	"slices"
	"testing"
	"testing/fstest"
)

func TestListMissing(t *testing.T) {
	files := fstest.MapFS{
		"a/active.en.toml": {Data: []byte("hello = 'Hello'\nbye = 'Bye'\n[days]\none = '{{.N}} day'\nother = '{{.N}} days'\n")},
		"a/active.nl.toml": {Data: []byte("hello = 'Hallo'\n")},
		"a/active.fr.toml": {Data: []byte("hello = 'Bonjour'\nbye = 'Au revoir'\n[days]\nmany = 'x'\n")},
		"a/locales.go":     {Data: []byte("package locales")},
		"b/en.json":        {Data: []byte(`{"name": "English", "months": ["January"], "words": {"all": "All", "none": "None"}}`)},
		"b/nl.json":        {Data: []byte(`{"name": "Nederlands", "words": {"all": "Alle"}}`)},
		"c/en.json":        {Data: []byte(`{"list": "List"}`)},
		"c/en-forms.json":  {Data: []byte(`{"form": "Form"}`)},
		"c/nl.json":        {Data: []byte(`{"list": "Lijst"}`)},
	}
	got, err := listMissing(files, []string{"a", "b", "c"})
	want := []string{
		`a: nl lacks bye: "Bye"`, `a: nl lacks days: "{{.N}} days"`, `b: nl lacks none: "None"`, `c: nl lacks form: "Form"`,
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	files["b/nl.json"] = &fstest.MapFile{Data: []byte(`{`)}
	if _, err := listMissing(files, []string{"b"}); err == nil {
		t.Error("a broken file is accepted")
	}
	if _, err := listMissing(files, []string{"d"}); err == nil {
		t.Error("a directory that does not exist is accepted")
	}
}

// TestDirectories checks that each directory has texts in the three languages.
func TestDirectories(t *testing.T) {
	for _, dir := range directories {
		languages, err := readLanguages(os.DirFS("../.."), dir)
		if err != nil || len(languages["en"]) < 50 || len(languages["nl"]) < 50 || len(languages["fr"]) < 50 {
			t.Errorf("%s: %d languages, %v", dir, len(languages), err)
		}
	}
}
