package calendar_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// TestSearchIndexIsMissing checks that New fails with Site.SearchIndex if wp_posts does not have exactly this index,
// and that the error contains the statement that creates it. Without the option New succeeds.
func TestSearchIndexIsMissing(t *testing.T) {
	for name, statements := range map[string]string{
		"none":     "DO 0",
		"fewer":    "ALTER TABLE wp_posts ADD FULLTEXT KEY words (post_title, post_content)",
		"more":     "ALTER TABLE wp_posts ADD FULLTEXT KEY words (post_title, post_excerpt, post_content, post_name)",
		"no words": "ALTER TABLE wp_posts ADD KEY words (post_title(10), post_excerpt(10), post_content(10))",
		"ignored": "ALTER TABLE wp_posts ADD FULLTEXT KEY words (post_title, post_excerpt, post_content) " +
			"/*M! IGNORED */ /*!80000 INVISIBLE */",
		"of another": "ALTER TABLE wp_links ADD FULLTEXT KEY words (link_name, link_url, link_notes)",
		"one by one": "ALTER TABLE wp_posts ADD FULLTEXT KEY (post_title); ALTER TABLE wp_posts ADD FULLTEXT KEY (post_excerpt); " +
			"ALTER TABLE wp_posts ADD FULLTEXT KEY (post_content)",
		"other engine": "ALTER TABLE wp_posts ENGINE=MyISAM, ADD FULLTEXT KEY words (post_title, post_excerpt, post_content)",
	} {
		t.Run(name, func(t *testing.T) {
			db := testdb.SiteA(t)
			if name == "of another" {
				exec(t, db, "CREATE TABLE wp_links (link_name text, link_url text, link_notes text)")
			}
			prepare(t, testdb.OfOthers(t, db), strings.Split(statements, "; ")...)
			_, err := calendar.New(t.Context(), calendar.Options{DB: db, Site: calendar.Site{SearchIndex: true}})
			if err == nil || !strings.HasPrefix(err.Error(), "calendar: options: Site.SearchIndex: ") ||
				!strings.Contains(err.Error(), "ALTER TABLE `wp_posts` ADD FULLTEXT INDEX "+
					"`agenda_search` (`post_title`,`post_excerpt`,`post_content`)") {
				t.Fatal(err)
			}
			if _, err := calendar.New(t.Context(), calendar.Options{DB: db}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestSearchIndexIsMade checks that the statements in the error create the index, in the default sql_mode of MySQL 8
// and with another table prefix.
func TestSearchIndexIsMade(t *testing.T) {
	site := testdb.SiteA(t)
	testdb.SitePrefixed(t, site, "wp_", "blog7_")
	db := testdb.Reopen(t, site, testdb.WithSQLMode(testdb.MySQL8))
	opts := calendar.Options{DB: db, Site: calendar.Site{Prefix: "blog7_", SearchIndex: true}}
	_, err := calendar.New(t.Context(), opts)
	if err == nil {
		t.Fatal("it is not there")
	}
	_, statements, _ := strings.Cut(err.Error(), "with ")
	db.SetMaxOpenConns(1)
	for statement := range strings.SplitSeq(statements, "; ") {
		exec(t, db, statement)
	}
	if _, err = calendar.New(t.Context(), opts); err != nil {
		t.Error(err)
	}
}

// TestSearchIndexFindsWholeWords checks that searches with the index find whole words only, and no events that the
// caller may not see.
func TestSearchIndexFindsWholeWords(t *testing.T) {
	db := testdb.SiteA(t)
	exec(t, testdb.OfOthers(t, db), "ALTER TABLE wp_posts ADD FULLTEXT KEY words (post_content, post_title, post_excerpt)")
	for id, title := range map[int64]string{25: "Quartet night", 26: "Quartets", 27: "Night quartet", 28: "Hidden quartet",
		30: "Locked quartet"} {
		exec(t, db, "UPDATE wp_posts SET post_title = ?, post_status = IF(ID = 28, 'draft', 'publish'), "+
			"post_password = IF(ID = 30, 'x', '') WHERE ID = ?", title, id)
	}
	with := contract.Handler(t, calendar.Options{DB: db, Now: frozen, Site: calendar.Site{SearchIndex: true}})
	without := contract.Handler(t, calendar.Options{DB: db, Now: frozen})
	editor := contract.Handler(t, calendar.Options{DB: db, Now: frozen, Site: calendar.Site{SearchIndex: true},
		Authenticator: administrator()})
	for _, c := range []struct {
		h      http.Handler
		search string
		want   int64
	}{
		{with, "quartet", 2}, {without, "quartet", 3}, {editor, "quartet&status=publish,draft", 4}, {with, "quartets", 1},
		{without, "quartets", 1},
		{with, "quart", 0}, {without, "quart", 3}, {with, "quartet+night", 2}, {with, "%22quartet+night%22", 1},
		{with, "quartet+-quartet", 0}, {with, "quartet+qu", 2}, {without, "quartet+qu", 3},
		{with, "night+-quart", 2}, {without, "night+-quart", 0}, {with, "%2Bquartet%2A+%28%22%40", 0}, {with, "QUARTET%00", 0},
	} {
		w := get(c.h, "/events?"+everything+"&search="+c.search)
		a := decode(t, w)
		if c.search == "night+-quart" { // other events of the site match as well
			a.Total = int64(strings.Count(w.Body.String(), `"title":"Quartet night"`) +
				strings.Count(w.Body.String(), `"title":"Night quartet"`))
		}
		if a.Total != c.want {
			t.Errorf("%s: %d %.200s, want %d", c.search, w.Code, w.Body, c.want)
		}
	}
}

// TestSearchIndexFollowsWrites checks that the index finds what a write stored at once, and no longer what it replaced.
func TestSearchIndexFollowsWrites(t *testing.T) {
	db := testdb.SiteA(t)
	exec(t, testdb.OfOthers(t, db), "ALTER TABLE wp_posts ADD FULLTEXT KEY words (post_title, post_excerpt, post_content)")
	h := contract.Handler(t, calendar.Options{DB: db, Now: frozen, Site: calendar.Site{SearchIndex: true}, Authenticator: administrator()})
	total := func(search string) int64 { return decode(t, get(h, "/events?"+everything+"&search="+search)).Total }
	if w := send(h, http.MethodPost, "/events/25", `{"title":"Zydeco"}`, asJSON); w.Code != http.StatusOK || total("zydeco") != 1 {
		t.Errorf("%d %.200s, found %d", w.Code, w.Body, total("zydeco"))
	}
	if w := send(h, http.MethodPost, "/events/25", `{"title":"Cajun"}`, asJSON); w.Code != http.StatusOK || total("zydeco") != 0 ||
		total("cajun") != 1 {
		t.Errorf("%d %.200s, found %d and %d", w.Code, w.Body, total("zydeco"), total("cajun"))
	}
	if w := send(h, http.MethodDelete, "/events/25", ""); w.Code != http.StatusOK || total("cajun") != 0 {
		t.Errorf("%d %.200s, found %d", w.Code, w.Body, total("cajun"))
	}
}
