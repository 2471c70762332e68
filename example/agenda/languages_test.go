package main

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Without --languages a site is served in the languages that it stores, as far as there are texts in them, else in English words around its
// own texts, which are marked as what they are.
func TestLanguagesOfTheSite(t *testing.T) {
	announced := regexp.MustCompile(`(?m)^  (\S+)  pages `)
	for name, c := range map[string]struct {
		locale string
		tags   []string
		page   string // the beginning of the front page
		title  string // of an event
	}{
		"Dutch":             {"nl_NL", []string{"nl"}, `<html lang="nl">`, `<h1>Fair</h1>`},
		"German":            {"de_DE", []string{"en"}, `<html lang="en">`, `<h1 lang="de-DE">Fair</h1>`},
		"Arabic":            {"ar", []string{"en"}, `<html lang="en">`, `<h1 lang="ar" dir="rtl">Fair</h1>`},
		"several":           {"fr_FR,de_DE,nl_NL", []string{"fr", "nl"}, `<html lang="fr">`, `<h1>Fair</h1>`},
		"German and French": {"de_DE,fr_FR", []string{"de", "fr"}, `<html lang="en">`, `<h1 lang="de">Fair</h1>`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			code, out, errOut := ran(t, "init", "--data", dir, "--email", "a@example.org", "--locale", c.locale)
			if code != 0 {
				t.Fatal(errOut)
			}
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
