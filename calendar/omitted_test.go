package calendar_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// listed contains the parts of a list of events that TestD97ListsNeverEndEarly checks.
type listed struct {
	Events []struct {
		ID          int64  `json:"id"`
		Description string `json:"description"`
		Omitted     bool   `json:"description_omitted"`
	} `json:"events"`
	Total int `json:"total"`
}

// TestD97ListsNeverEndEarly checks D97: a list contains all its items even if their texts, as stored or as rendered,
// exceed Limits.MaxAnswer. Then only the largest descriptions are omitted, and the items without them are marked. Pages
// of such events, and lists with _fields, are answered as well.
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
		"titles":            `UPDATE wp_posts SET post_title = REPEAT('" ', 30000) WHERE ID IN (25, 26, 27)`,
		"titles of links":   `UPDATE wp_posts SET post_title = REPEAT('" ', 6000) WHERE post_type IN ('tribe_venue', 'tribe_organizer')`,
		"rows of titles":    "UPDATE wp_posts SET post_title = REPEAT('y', 60000) WHERE post_type IN ('tribe_venue', 'tribe_organizer')",
		"excerpts":          `UPDATE wp_posts SET post_excerpt = REPEAT('a\n', 30000) WHERE ID IN (25, 26, 27)`,
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
			wantStatus(t, get(shown, contract.Site+page), http.StatusOK, name, page)
		}
		wantStatus(t, get(h, path+"&_fields=events.0.id,events.1.title"), http.StatusOK, name)
	}
}

// TestD97ShorterTexts checks that descriptions of less than 64 KiB, which are read with their rows, are omitted in the
// same way if they do not fit together: the largest ones, but not all. An item whose description is omitted is marked.
func TestD97ShorterTexts(t *testing.T) {
	t.Parallel()
	db := testdb.SiteA(t)
	prepare(t, db, "UPDATE wp_posts SET post_password = ''",
		"UPDATE wp_posts SET post_content = REPEAT('y', 997 * (ID % 61)) WHERE post_type IN ('tribe_events', 'tribe_venue')",
		"UPDATE wp_term_taxonomy SET description = REPEAT('y', 997 * (term_id % 61))")
	size := func(id int64) int { return 997 * int(id%61) }
	for _, list := range []struct {
		path  string
		bound int64
	}{
		{"/events?per_page=50&" + everything, 600 << 10}, {"/venues?per_page=50", 64 << 10},
		{"/categories?per_page=50&hide_empty=0", 64 << 10},
	} {
		c := made(t, calendar.Options{DB: db, Now: frozen, Namespace: namespace, Limits: calendar.Limits{MaxAnswer: list.bound}})
		var answer map[string]json.RawMessage
		var items []struct {
			ID          int64
			Description string
			Omitted     bool `json:"description_omitted"`
		}
		w := get(c.Handler(), list.path)
		kind, _, _ := strings.Cut(list.path[1:], "?")
		if err := errors.Join(json.Unmarshal(w.Body.Bytes(), &answer), json.Unmarshal(answer[kind], &items)); w.Code != http.StatusOK ||
			err != nil {
			t.Errorf("%s: %d %v %.200s", list.path, w.Code, err, w.Body)
			continue
		}
		omitted, kept, least, most := 0, 0, int(list.bound), 0
		for _, it := range items {
			switch {
			case it.Omitted:
				omitted, least = omitted+1, min(least, size(it.ID))
			case it.Description != "":
				kept, most = kept+1, max(most, size(it.ID))
			case size(it.ID) != 0:
				t.Errorf("%s: %d has no description, and does not say so", list.path, it.ID)
			}
		}
		if string(answer["total"]) != strconv.Itoa(len(items)) && len(items) != 50 || omitted == 0 || kept == 0 || least < most {
			t.Errorf("%s: of %d, %d are left out, from %d bytes on, and %d are there, up to %d", list.path, len(items), omitted, least,
				kept, most)
		}
	}
}

// TestTextsThatAreNotShownAreNotRead checks that long texts do not limit answers that do not show them: lists with
// _fields contain the same as with short texts, and pages are shown. It tests a size up to which texts are read with
// their rows, 64 KiB, and a larger one.
func TestTextsThatAreNotShownAreNotRead(t *testing.T) {
	t.Parallel()
	const posts = "UPDATE wp_posts SET %s = REPEAT('y', %d) WHERE post_type IN ('tribe_events', 'tribe_venue', 'tribe_organizer')"
	const terms = "UPDATE wp_term_taxonomy SET description = REPEAT('y', %d) WHERE taxonomy IN ('tribe_events_cat', 'post_tag')"
	for _, size := range []int{60_000, 900_000} {
		db := testdb.SiteA(t)
		limits := calendar.Limits{MaxAnswer: 400 << 10}
		c := made(t, calendar.Options{DB: db, Now: frozen, Namespace: namespace, Limits: limits})
		fields := []string{
			"id,title,start_date,description_omitted", "venue.venue,venue.description_omitted,venue.0.city", "organizer.0.email",
			"categories.0.name,tags.1.slug",
		}
		of := func(kind, names string) string {
			var all []string
			for _, name := range strings.Split(names, ",") {
				for i := range 50 {
					all = append(all, fmt.Sprintf("%s.%d.%s", kind, i, name))
				}
			}
			return "/" + kind + "?per_page=50&hide_empty=false&_fields=total," + strings.Join(all[:min(len(all), 199)], ",")
		}
		var paths []string
		for _, names := range fields {
			paths = append(paths, of("events", names)+"&"+everything)
		}
		paths = append(paths, of("venues", "id,venue"), of("organizers", "organizer"), of("categories", "id,name"), of("tags", "slug"))
		shown := func(c *calendar.Calendar) map[string]string {
			all := map[string]string{}
			for _, path := range paths {
				w := get(c.Handler(), path)
				all[path] = fmt.Sprint(w.Code, w.Body)
			}
			for _, page := range []string{"/", "/?month=2026-12", "/sitemap.xml"} {
				w := get(pages.New(c, pages.Options{Now: frozen}), contract.Site+page)
				all[page] = fmt.Sprint(w.Code, w.Body)
			}
			return all
		}
		want := shown(c)
		prepare(t, db, fmt.Sprintf(posts, "post_content", size), fmt.Sprintf(terms, size),
			"UPDATE wp_posts SET post_modified_gmt = post_modified_gmt WHERE post_type = 'tribe_events'")
		c = made(t, calendar.Options{DB: db, Now: frozen, Namespace: namespace, Limits: limits})
		for path, got := range shown(c) {
			if !strings.HasPrefix(got, "200 ") || !strings.HasPrefix(path, "/?") && path != "/" && got != want[path] {
				t.Errorf("%d: %.60s: %.300s\nwant %.300s", size, path, got, want[path])
			}
		}
		// As a control: descriptions do not fit into the limit, excerpts do.
		for names, leaves := range map[string]bool{"excerpt": false, "description": true} {
			w := get(c.Handler(), of("events", names+",description_omitted")+"&"+everything)
			if omitted := strings.Contains(w.Body.String(), "description_omitted"); w.Code != http.StatusOK || omitted != leaves {
				t.Errorf("%d: %s: %d, left out: %v", size, names, w.Code, omitted)
			}
		}
	}
}
