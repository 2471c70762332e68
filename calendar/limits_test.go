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

// administrator writes whatever a test wants written.
func administrator() calendar.Authenticator { return byID{id: 1} }

// TestOldTables: tables of the time before emoji take every text that they can hold;
// others are refused before the database does it.
func TestOldTables(t *testing.T) {
	db := testdb.SiteA(t, testdb.WithSQLMode("")) // the site has emoji, which become question marks
	for _, table := range []string{"wp_posts", "wp_postmeta", "wp_terms", "wp_term_taxonomy"} {
		exec(t, db, "ALTER TABLE "+table+" CONVERT TO CHARACTER SET utf8mb3 COLLATE utf8mb3_unicode_520_ci")
	}
	h := contract.Handler(t, calendar.Options{DB: db, Now: frozen, Authenticator: administrator()})
	const event = `{"title":"%", "start_date":"2033-01-01", "end_date":"2033-01-01", "venue":{"venue":"Hall"}, "categories":["New"]}`
	for _, c := range []struct{ path, body, field string }{
		{"/events", event, "title"},
		{"/events", strings.Replace(strings.Replace(event, "%", "T", 1), "Hall", "%", 1), "venue"},
		{"/events", strings.Replace(strings.Replace(event, "%", "T", 1), "New", "%", 1), "categories"},
		{"/venues", `{"venue":"V", "city":"%"}`, "city"},
		{"/tags", `{"name":"%"}`, "name"},
	} {
		w := send(h, http.MethodPost, c.path, strings.Replace(c.body, "%", "😀", 1), asJSON)
		a := wantError(t, w, http.StatusBadRequest, "rest_invalid_param")
		if params, _ := a.Data.Params.(map[string]any); params[c.field] == nil {
			t.Errorf("%s %s: %s", c.path, c.field, w.Body)
		}
		if w := send(h, http.MethodPost, c.path, strings.Replace(c.body, "%", "é 日本 ☂", 1), asJSON); w.Code != http.StatusCreated {
			t.Errorf("%s: %d %s", c.path, w.Code, w.Body)
		}
	}
	for _, query := range []string{"/events?categories=%F0%9F%98%80", "/tags?slug=%F0%9F%98%80"} {
		wantError(t, get(h, query), http.StatusBadRequest, "rest_invalid_param")
	}
	for _, path := range []string{"/events/by-slug/%F0%9F%98%80", "/events/by-slug/😀"} {
		wantError(t, get(h, path), http.StatusBadRequest, "rest_invalid_param")
	}
}

// TestSearchForWhatTablesCannotHold: such a text is found nowhere, which is no
// error; that it must not be there holds for all.
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
		for _, name := range []string{login, login + "@example.org"} { // nobody has it
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

// TestBodyLimits: a body that is too large, too deep or has too many members is
// refused before anything is done for it.
func TestBodyLimits(t *testing.T) {
	h := siteHandler(t, func(o *calendar.Options) { o.Authenticator, o.Limits.MaxBody = administrator(), 200_000 })
	members := func(n int) string {
		return `{"venue":{` + strings.Repeat(`"x":1,`, n-2) + `"venue":"V"}}`
	}
	for _, c := range []struct {
		body   string
		status int
		code   string
	}{
		{members(10000), 400, "rest_missing_callback_param"}, {members(10001), 400, "rest_too_many_fields"},
		{`{"venue":` + strings.Repeat("[", 510) + strings.Repeat("]", 510) + `}`, 400, "rest_missing_callback_param"},
		{`{"venue":` + strings.Repeat("[", 511) + strings.Repeat("]", 511) + `}`, 400, "rest_invalid_json"},
		{`{"title":"` + strings.Repeat("x", 200_000) + `"}`, 413, "rest_body_too_large"},
	} {
		wantError(t, send(h, http.MethodPost, "/events", c.body, asJSON), c.status, c.code)
	}
}

// TestBodyWithoutItsType: a body whose fields do not count, since its Content-Type is another one, is told which to send, with the code of
// missing fields. curl sends JSON as a form unless it is told.
func TestBodyWithoutItsType(t *testing.T) {
	h := siteHandler(t, func(o *calendar.Options) { o.Authenticator = administrator() })
	const body, form = `{"title":"t","start_date":"2033-01-01","end_date":"2033-01-01"}`, "application/x-www-form-urlencoded"
	for _, c := range []struct{ language, media, body, want string }{
		{"en", form, body, `its Content-Type is application\/x-www-form-urlencoded. Send it with the`},
		{"en", form, " \n" + body, "the Content-Type `application"}, {"nl", form, body, "Stuur hem met de Content-Type `application"},
		{"fr", form, body, "Envoyez-le avec "}, {"en", "text/plain; charset=x", body, `is text\/plain. Send it`},
		{"en", "", body, "no valid Content-Type. Send JSON"}, {"nl", "", "title=t", "geen geldige Content-Type"},
		{"fr", ";;", body, "Content-Type valide"},
		{"en", form, "name=t", "Missing parameters: title"}, {"en", "application/json", "{}", "Missing parameters: title"},
		{"en", "text/plain", "", "Missing parameters: title"},
	} {
		w := send(h, http.MethodPost, "/events?i18n_language="+c.language, c.body, header{"Content-Type", c.media})
		wantError(t, w, http.StatusBadRequest, "rest_missing_callback_param")
		if got := w.Body.String(); !strings.Contains(got, c.want) || !strings.Contains(got, `"params":["title",`) {
			t.Errorf("%s %q %q: %s, want %s", c.language, c.media, c.body, got, c.want)
		}
	}
	// An update needs no fields, but would change nothing without saying so.
	for _, path := range []string{"/events/25", "/venues/7", "/tags/17"} {
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch} {
			for _, media := range []string{form, "text/plain", "application/jsonp", ";;"} {
				w := send(h, method, path, `{"title":"t"}`, header{"Content-Type", media})
				wantError(t, w, http.StatusBadRequest, "rest_invalid_body")
				if !strings.Contains(w.Body.String(), "Content-Type `application") {
					t.Errorf("%s %s %q: %s", method, path, media, w.Body)
				}
			}
		}
	}
	// With a field that was read it is carried out, as by the site's own software, and so is one that says nothing.
	for _, c := range [][3]string{
		{"?title=t", form, body}, {"?title=t", "text/plain", body}, {"", form, "{}"}, {"", form, ""}, {"", "", ""}, {"", "text/plain", ""},
		{"", form, "title=t"}, {"", form, "unknown=1"}, {"", "application/json", "{}"},
	} {
		if w := send(h, http.MethodPatch, "/events/25"+c[0], c[2], header{"Content-Type", c[1]}); w.Code != http.StatusOK {
			t.Errorf("an update %q: %d %s", c, w.Code, w.Body)
		}
	}
}

// TestColumnLimits: what does not fit into a column is 400 with the field, in
// the bytes of the database and not in characters.
func TestColumnLimits(t *testing.T) {
	h := siteHandler(t, func(o *calendar.Options) { o.Authenticator = administrator() })
	title := func(s string) string {
		return `{"title":"` + s + `","start_date":"2033-01-01","end_date":"2033-01-01"}`
	}
	for _, c := range []struct {
		path, body string
		status     int
	}{
		{"/events", title(strings.Repeat("x", 65535)), 201}, {"/events", title(strings.Repeat("x", 65536)), 400},
		{"/events", title(strings.Repeat("é", 32767)), 201}, {"/events", title(strings.Repeat("é", 32768)), 400},
		{"/events", strings.Replace(title("t"), "{", `{"excerpt":"`+strings.Repeat("x", 65536)+`",`, 1), 400},
		{"/events", strings.Replace(title("t"), "{", `{"description":"`+strings.Repeat("x", 900000)+`",`, 1), 201},
		{"/events", strings.Replace(title("t"), "{", `{"cost":"`+strings.Repeat("9", 100000)+`",`, 1), 400}, // D59
		{"/events", strings.Replace(title("t"), "{", `{"slug":"`+strings.Repeat("s", 1000)+`",`, 1), 201},
		{"/events", strings.Replace(title("t"), "{", `{"timezone":"UTC`+strings.Repeat("x", 1000)+`",`, 1), 400},
		{"/venues", `{"venue":"` + strings.Repeat("v", 65536) + `"}`, 400},
		{"/venues", `{"venue":"v","city":"` + strings.Repeat("c", 70000) + `"}`, 201},
		{"/categories", `{"name":"` + strings.Repeat("n", 200) + `"}`, 201},
		{"/categories", `{"name":"` + strings.Repeat("n", 201) + `"}`, 400},
		{"/tags", `{"name":"` + strings.Repeat("é", 200) + `"}`, 201},
		{"/tags", `{"name":"n","slug":"` + strings.Repeat("s", 500) + `"}`, 201},
		{"/events", title(strings.Repeat("x", 1<<20)), 413},
	} {
		w := send(h, http.MethodPost, c.path, c.body, asJSON)
		if w.Code != c.status {
			t.Errorf("%s %.60s…: %d %.200s", c.path, c.body, w.Code, w.Body)
		}
	}
}
