package calendar_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// administrator returns an Authenticator for which every caller is the administrator of the recorded site.
func administrator() calendar.Authenticator { return byID{id: 1} }

// TestSearchForWhatTablesCannotHold checks that a search for characters that the tables' character set lacks finds
// nothing and does not fail, and that excluding them excludes nothing. A login with such a name is answered like one
// with a wrong password.
func TestSearchForWhatTablesCannotHold(t *testing.T) {
	for _, c := range []struct{ charset, tables, text string }{
		{"utf8mb3", "wp_posts wp_postmeta wp_terms wp_term_taxonomy", "%F0%9F%98%80"},
		{"utf8mb3", "wp_postmeta", "%F0%9F%98%81"}, {"utf8mb3", "wp_posts", "%F0%9F%98%81"},
		{"latin1", "wp_posts wp_postmeta wp_terms wp_term_taxonomy", "%D0%B6%D1%83%D0%BA"},
	} {
		db := testdb.SiteA(t, testdb.WithSQLMode(""))
		for table := range strings.FieldsSeq(c.tables) {
			exec(t, db, "ALTER TABLE "+table+" CONVERT TO CHARACTER SET "+c.charset)
		}
		h := local(contract.Handler(t, calendar.Options{DB: db, Now: frozen, Login: calendar.Login{RefuseAfter: -1}}))
		for _, kind := range []string{"events", "venues", "organizers", "categories", "tags"} {
			var found struct{ Total *int }
			w := get(h, "/"+kind+"?search="+c.text)
			if parse(t, w.Body.String(), &found); w.Code != http.StatusOK || found.Total == nil || *found.Total != 0 {
				t.Errorf("%s, %s: %d %.200s", c.charset, kind, w.Code, w.Body)
			}
		}
		prepare(t, testdb.OfOthers(t, db), "ALTER TABLE wp_users CONVERT TO CHARACTER SET "+c.charset)
		login, _ := url.QueryUnescape(c.text)
		for _, name := range []string{login, login + "@example.org"} { // no user has them
			wantError(t, get(h, "/events", basic(name, "x")), http.StatusUnauthorized, "incorrect_password")
		}
		if c.charset != "utf8mb3" {
			continue
		}
		const all = "/events?start_date=2018-01-01&end_date=2036-01-01&search=blues"
		var with, without struct{ Total int }
		parse(t, get(h, all).Body.String(), &with)
		parse(t, get(h, all+"+-"+c.text).Body.String(), &without)
		if with.Total == 0 || with.Total != without.Total {
			t.Errorf("%s: %d events, %d without what none holds", c.charset, with.Total, without.Total)
		}
	}
}
