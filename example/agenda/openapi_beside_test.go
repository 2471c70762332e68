package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/transfer"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/members"
	"github.com/agendahq/agenda/schema"
)

// closedSite copies a site and marks it as archived in its network.
func closedSite(t *testing.T, recorded *bun.DB) *bun.DB {
	t.Helper()
	db := copied(t, recorded, "wp_")
	for _, statement := range []string{
		"CREATE TABLE wp_blogs (blog_id integer PRIMARY KEY, site_id integer, archived integer, spam integer, deleted integer)",
		"CREATE TABLE wp_sitemeta (meta_id integer PRIMARY KEY, site_id integer, meta_key text, meta_value text)",
		"INSERT INTO wp_blogs VALUES (1, 1, 1, 0, 0)",
		"ALTER TABLE wp_users ADD COLUMN spam integer NOT NULL DEFAULT 0",
		"ALTER TABLE wp_users ADD COLUMN deleted integer NOT NULL DEFAULT 0",
	} {
		must.Get(db.ExecContext(t.Context(), statement))(t)
	}
	return db
}

// besideOthers causes the errors that other programs on the site can cause: a plugin that restricts the API to users,
// and a column without a default value, with the server's message.
func besideOthers(t *testing.T, recorded *bun.DB) {
	t.Helper()
	private := copied(t, recorded, "wp_")
	setOption(t, private, schema.OptionPlugins, `a:1:{i:0;s:19:"members/members.php";}`)
	setOption(t, private, members.Option, `a:1:{s:16:"private_rest_api";b:1;}`)
	get := httptest.NewRequest(http.MethodGet, contract.Root+"/tags", nil)
	refused(t, contract.Handler(t, calendar.Options{DB: private}), get, http.StatusUnauthorized, "rest_not_logged_in")

	counter := &testdb.Counter{}
	db := countedFile(t, filepath.Join(t.TempDir(), cli.FileName), counter)
	must.Succeed(t, transfer.Copy(t.Context(), recorded, db, "wp_", "wp_", nil))
	h := contract.Handler(t, calendar.Options{DB: db, Authenticator: byID{}, Logger: slog.New(slog.DiscardHandler)})
	counter.Before(func(_ context.Context, _ int, query string) error {
		if strings.HasPrefix(query, "INSERT INTO") && strings.Contains(query, "wp_terms") {
			return &mysql.MySQLError{Number: 1364, Message: "Field 'place' doesn't have a default value"}
		}
		return nil
	})
	post := httptest.NewRequest(http.MethodPost, contract.Root+"/tags", nil)
	asAdmin(func(r *http.Request) { setBody(r, `{"name":"Not named"}`) })(post)
	refused(t, h, post, http.StatusServiceUnavailable, "rest_database_column")
}

// refused checks the status and the code of an answer.
func refused(t *testing.T, h http.Handler, r *http.Request, status int, code string) {
	t.Helper()
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, r); w.Code != status || !strings.Contains(w.Body.String(), `"code":"`+code+`"`) {
		t.Errorf("%s %s: %d %.300s, not %d %s", r.Method, r.URL.Path, w.Code, w.Body, status, code)
	}
}
