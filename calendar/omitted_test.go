package calendar_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// listed are the events of a list, as far as TestD97ListsNeverEndEarly reads them.
type listed struct {
	Events []struct {
		ID          int64  `json:"id"`
		Description string `json:"description"`
		Omitted     bool   `json:"description_omitted"`
	} `json:"events"`
	Total int `json:"total"`
}

// TestD97ListsNeverEndEarly: a list has all its items. Of descriptions that do not fit together the largest are left out, and said, whether
// the rows or what is rendered of them is too much; the Go API and the pages show the same. An item alone is whole.
func TestD97ListsNeverEndEarly(t *testing.T) {
	t.Parallel()
	const small = "UPDATE wp_posts SET post_content = 'Small' WHERE post_type IN ('tribe_events', 'tribe_venue')"
	const three = "UPDATE wp_posts SET post_content = REPEAT('%s', %d) WHERE ID IN (25, 26, 27)"
	const venues = "UPDATE wp_posts SET post_content = REPEAT('%s', %d) WHERE post_type = 'tribe_venue'"
	const terms = "UPDATE wp_term_taxonomy SET description = REPEAT('%s', %d)"
	for name, large := range map[string]string{
		"rows":              fmt.Sprintf(three, "y", 900_000),
		"rendered":          fmt.Sprintf(three, "&", 60_000),
		"players":           fmt.Sprintf(three, `[video src="x.mp4"]`, 3000),
		"rows of links":     fmt.Sprintf(venues, "y", 900_000),
		"rendered of links": fmt.Sprintf(venues, "&", 5000),
		"rows of terms":     fmt.Sprintf(terms, "y", 900_000),
	} {
		db := testdb.SiteA(t)
		prepare(t, db, small, large)
		c := made(t, calendar.Options{DB: db, Now: frozen, Namespace: namespace, Limits: calendar.Limits{MaxAnswer: 400 << 10},
			Languages: []calendar.Language{{Tag: "nl", BaseURL: contract.Site + "/wp-json"}}})
		h, path := c.Handler(), "/events?"+everything+"&per_page=50"
		var l listed
		w := get(h, path)
		if err := json.Unmarshal(w.Body.Bytes(), &l); w.Code != http.StatusOK || err != nil {
			t.Errorf("%s: %d %v %.200s", name, w.Code, err, w.Body)
			continue
		}
		if len(l.Events) != min(l.Total, 50) {
			t.Errorf("%s: %d of %d events", name, len(l.Events), l.Total)
		}
		small, omitted := 0, strings.Count(w.Body.String(), `"description_omitted":true`)
		for _, e := range l.Events {
			if e.Omitted && e.Description != "" || e.Omitted && e.ID > 27 {
				t.Errorf("%s: %+v", name, e)
			}
			if strings.Contains(e.Description, "Small") {
				small++
			}
		}
		if small < len(l.Events)-4 || omitted == 0 && name != "players" {
			t.Errorf("%s: %d small ones and %d left out, of %d", name, small, omitted, len(l.Events))
		}
		shown := pages.New(c, pages.Options{Now: frozen})
		for _, page := range []string{"/", "/?month=2026-12", "/?view=list", "/?day=2026-12-01", "/sitemap.xml"} {
			if w := get(shown, contract.Site+page); w.Code != http.StatusOK {
				t.Errorf("%s: %s: %d", name, page, w.Code)
			}
		}
		if w := get(h, path+"&_fields=events.0.id,events.1.title"); w.Code != http.StatusOK {
			t.Errorf("%s: _fields: %d", name, w.Code)
		}
	}
}
