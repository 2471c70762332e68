package main

import (
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

// TestLanguagesOfTheSite checks that a site without --languages is served in the languages that it stores. If there are
// no texts in a language, the pages are in English and the site's own texts are marked with their language.
func TestLanguagesOfTheSite(t *testing.T) {
	t.Parallel()
	announced := regexp.MustCompile(`(?m)^  (\S+)  pages `)
	golden.Each(t, "languages.txt", func(name, locale string, table, served []string, page, title string) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			out := moved(t, 0, "init", "--data", dir, "--email", "a@example.org", "--locale", locale)
			storeInTable(t, dir, table)
			address, printed, end := printing(t, "--data", dir)
			defer end()
			var tags []string
			for _, m := range announced.FindAllStringSubmatch(printed, -1) {
				tags = append(tags, m[1])
			}
			if !slices.Equal(tags, served) {
				t.Errorf("served in %q", tags)
			}
			if _, front := get(t, address+"/"); !strings.Contains(front, page) {
				t.Errorf("no %s in %.300s", page, front)
			}
			status, answer := create(t, onePassword.FindString(out), address+events,
				`{"title":"Fair","start_date":"2040-01-01 10:00","end_date":"2040-01-01 11:00"}`)
			if status != http.StatusCreated {
				t.Fatalf("%d %s", status, answer)
			}
			slug := regexp.MustCompile(`"slug":"([^"]+)"`).FindStringSubmatch(answer)[1]
			if _, shown := get(t, address+"/event/"+slug+"/"); !strings.Contains(shown, title) {
				t.Errorf("no %s in %s", title, shown)
			}
			for _, prefix := range []string{"/nl/", "/fr/"} {
				want := http.StatusNotFound
				if i := slices.Index(served, strings.Trim(prefix, "/")); i > 0 {
					want = http.StatusOK
				}
				if resp, _ := get(t, address+prefix); resp.StatusCode != want {
					t.Errorf("%s: %d", prefix, resp.StatusCode)
				}
			}
		})
	})
}

// storeInTable stores languages in icl_translations, the table with the language of each item. The first one is the
// default language.
func storeInTable(t *testing.T, dir string, codes []string) {
	t.Helper()
	if len(codes) == 0 {
		return
	}
	db := must.Get(embedded.Open(t.Context(), filepath.Join(dir, cli.FileName)))(t)
	defer db.Close()
	must.Succeed(t, schema.InstallTranslations(t.Context(), db, "wp_"))
	var settings phpval.Array
	settings.Set(phpval.StrKey("default_language"), codes[0])
	change(t, db, "INSERT INTO wp_options (option_name, option_value, autoload) VALUES (?, ?, 'on')", "icl_sitepress_settings",
		phpval.Serialize(&settings))
	for i, code := range codes {
		change(t, db, "INSERT INTO wp_icl_translations (element_type, element_id, trid, language_code) VALUES ('post_page', ?, ?, ?)",
			900+i, 1, code)
	}
}
