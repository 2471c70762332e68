package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/schema"
)

// TestD27 checks that context=edit shows an editor the stored values next to the rendered ones.
func TestD27(t *testing.T) {
	c := open(t)
	id := c.create("author", "R & D", `,"description":"a\n\nb & c","excerpt":"x & y"`)
	path := fmt.Sprint("/events/", id)
	edit := c.Must(200, "author", "GET", path+"?context=edit", "")
	for name, want := range map[string]string{"title_raw": "R &amp; D", "description_raw": "a\n\nb &amp; c", "excerpt_raw": "x &amp; y"} {
		if edit.Body[name] != want {
			t.Errorf("%s %q, want %q", name, edit.Body[name], want)
		}
	}
	for _, pair := range [][2]string{{`"title":`, `"title_raw":`}, {`"description":`, `"description_raw":`},
		{`"excerpt":`, `"excerpt_raw":`}} {
		_, after, _ := strings.Cut(edit.Text, pair[0])
		if next := strings.Index(after, pair[1]); next < 0 || strings.Contains(after[:next], `":`) {
			t.Errorf("%s does not follow %s", pair[1], pair[0])
		}
	}
	for _, answer := range []apitest.Answer{c.Must(200, "author", "GET", path, ""),
		c.Must(200, "author", "GET", "/events?context=edit&include="+path[8:], "")} {
		if strings.Contains(answer.Text, "_raw") {
			t.Errorf("raw texts: %s", answer.Text)
		}
	}
	c.Must(403, "contributor", "GET", path+"?context=edit", "")
}

// TestD59CostRenderedOnce checks that the rendered cost is cached by what is stored, for lists and single reads alike.
// The bounds between rows and the currency must be part of the cache key.
func TestD59CostRenderedOnce(t *testing.T) {
	c := open(t)
	id := c.create("admin", "Dear", `,"cost":["1","23"]`)
	paths := []string{fmt.Sprint("/events/", id), "/events?start_date=2018-01-01&end_date=2040-01-01&search=Dear"}
	shown := func(want string, misses int64) {
		t.Helper()
		before := c.Env.Texts.Stats().Misses
		for _, path := range paths {
			body := c.Must(200, "admin", "GET", path, "").Body
			if list, ok := body["events"].([]any); ok && len(list) == 1 {
				body = list[0].(map[string]any)
			}
			if body["cost"] != want {
				t.Errorf("%s: %v, want %s", path, body["cost"], want)
			}
		}
		if made := c.Env.Texts.Stats().Misses - before; made != misses {
			t.Errorf("%s: rendered %d times, want %d", want, made, misses)
		}
	}
	for _, path := range paths {
		c.Must(200, "admin", "GET", path, "") // renders the other texts
	}
	shown("€1 – €23", 0)
	c.Exec("DELETE FROM wp_postmeta WHERE post_id = ? AND meta_key = ?", id, schema.MetaCost)
	c.Exec("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, ?, '12'), (?, ?, '3')", id, schema.MetaCost, id,
		schema.MetaCost)
	shown("€3 – €12", 1)
	c.Exec("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, ?, '£')", id, schema.MetaCurrencySymbol)
	shown("£3 – £12", 1)
}

// TestRegionInTheLocaleOfTheSite checks that the name of the United States is that of the site's locale, as recorded.
func TestRegionInTheLocaleOfTheSite(t *testing.T) {
	c := open(t)
	for _, v := range golden.Read[golden.Locales](t, "../../wp/testdata/locales.json").Region.Rows {
		c.Settings.Links.Locale = v.Locale
		body, _ := json.Marshal(v.Body)
		a := c.Must(201, "editor", "POST", "/venues", string(body))
		for name, want := range v.Out {
			if got := a.Body[name]; got != want {
				t.Errorf("%s %s: %s = %v, want %v", v.Locale, body, name, got, want)
			}
		}
	}
}
