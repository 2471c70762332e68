package main

import (
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/example/internal/cli"
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
	for name, c := range map[string]struct {
		locale string
		table  []string // the languages of items in icl_translations, the default one first
		tags   []string
		page   string // the beginning of the front page
		title  string // the title of an event
	}{
		"Dutch":             {"nl_NL", nil, []string{"nl"}, `<html lang="nl">`, `<h1>Fair</h1>`},
		"German":            {"de_DE", nil, []string{"en"}, `<html lang="en">`, `<h1 lang="de-DE">Fair</h1>`},
		"Arabic":            {"ar", nil, []string{"en"}, `<html lang="en">`, `<h1 lang="ar" dir="rtl">Fair</h1>`},
		"several":           {"fr_FR,de_DE,nl_NL", nil, []string{"fr", "nl"}, `<html lang="fr">`, `<h1>Fair</h1>`},
		"German and French": {"de_DE,fr_FR", nil, []string{"de", "fr"}, `<html lang="en">`, `<h1 lang="de">Fair</h1>`},
		"several in a table": {"nl_NL", []string{"nl", "ar", "de", "fr", "en"}, []string{"nl", "en", "fr"}, `<html lang="nl">`,
			`<h1>Fair</h1>`},
		"German and French in a table": {"de_DE", []string{"de", "fr"}, []string{"de", "fr"}, `<html lang="en">`,
			`<h1 lang="de">Fair</h1>`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			code, out, errOut := ran(t, "init", "--data", dir, "--email", "a@example.org", "--locale", c.locale)
			if code != 0 {
				t.Fatal(errOut)
			}
			storeInTable(t, dir, c.table)
			address, printed, end := printing(t, "--data", dir)
			defer end()
			var tags []string
			for _, m := range announced.FindAllStringSubmatch(printed, -1) {
				tags = append(tags, m[1])
			}
			if !slices.Equal(tags, c.tags) {
				t.Errorf("served in %q", tags)
			}
			if _, front := get(t, address+"/"); !strings.Contains(front, c.page) {
				t.Errorf("no %s in %.300s", c.page, front)
			}
			status, answer := create(t, onePassword.FindString(out), address+events,
				`{"title":"Fair","start_date":"2040-01-01 10:00","end_date":"2040-01-01 11:00"}`)
			if status != http.StatusCreated {
				t.Fatalf("%d %s", status, answer)
			}
			slug := regexp.MustCompile(`"slug":"([^"]+)"`).FindStringSubmatch(answer)[1]
			if _, page := get(t, address+"/event/"+slug+"/"); !strings.Contains(page, c.title) {
				t.Errorf("no %s in %s", c.title, page)
			}
			for _, prefix := range []string{"/nl/", "/fr/"} {
				want := http.StatusNotFound
				if i := slices.Index(c.tags, strings.Trim(prefix, "/")); i > 0 {
					want = http.StatusOK
				}
				if resp, _ := get(t, address+prefix); resp.StatusCode != want {
					t.Errorf("%s: %d", prefix, resp.StatusCode)
				}
			}
		})
	}
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
