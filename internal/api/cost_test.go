package api_test

import (
	"fmt"
	"testing"

	"github.com/agendahq/agenda/schema"
)

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
