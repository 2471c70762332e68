package calendar_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// replicated mounts a calendar whose DB sends some reads to a second pool, as to a replica. Both pools are on the same
// database. mark is the middleware that decides which requests may read from the replica.
func replicated(t *testing.T, mark gin.HandlerFunc) (h http.Handler, db *bun.DB, primary, copied *testdb.Counter) {
	t.Helper()
	first, primary := testdb.Counted(t, testdb.SiteA)
	copied = new(testdb.Counter)
	second := testdb.Reopen(t, first, testdb.WithCounter(copied))
	db = bun.NewDB(first.DB, mysqldialect.New(), bun.WithConnResolver(replica{second.DB}))
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.Use(mark)
	mounted(t, router, calendar.Options{
		DB: db, RoutedReads: true, Now: frozen, Namespace: namespace, Authenticator: administrator(),
		Languages: []calendar.Language{{Tag: "en", BaseURL: contract.Site + "/wp-json"}},
	})
	return router, db, primary, copied
}

// TestReadReplica checks that reads of anonymous callers are sent to the replica, and all other requests to the
// primary. Even in a context that may read from the replica, only selects that lock no rows are sent there.
func TestReadReplica(t *testing.T) {
	h, db, primary, copied := replicated(t, atReplica)
	for _, c := range []struct {
		method, path, body string
		header             []header
		replica            bool
	}{
		{http.MethodGet, "/events?" + everything, "", nil, true},
		{http.MethodHead, "/events/25", "", nil, true},
		{http.MethodGet, "/tags", "", nil, true},
		{http.MethodGet, "/events/25", "", []header{{"Authorization", "Basic eDp5"}}, false},
		{http.MethodGet, "/events/25", "", []header{{"Cookie", "a=b"}}, false},
		{http.MethodPost, "/events/25", `{"title":"New"}`, []header{asJSON}, false},
		{http.MethodPost, "/events/25?_method=PATCH", `{"title":"Newer"}`, []header{asJSON}, false},
		{http.MethodPost, "/events/25", `{"title":"Newest"}`, []header{asJSON, {"X-HTTP-Method-Override", "PUT"}}, false},
		{http.MethodPost, "/venues", `{"venue":"Hall"}`, []header{asJSON}, false},
		{http.MethodDelete, "/events/25", "", nil, false},
	} {
		primary.Reset()
		copied.Reset()
		w := send(h, c.method, c.path, c.body, c.header...)
		silent, busy := copied, primary
		if c.replica {
			silent, busy = primary, copied
		}
		if w.Code >= 300 || len(silent.Statements()) > 0 || len(busy.Statements()) == 0 {
			t.Errorf("%s %s: %d %.200s, replica %q, primary %q", c.method, c.path, w.Code, w.Body, copied.Statements(),
				primary.Statements())
		}
	}
	primary.Reset()
	copied.Reset()
	ctx := context.WithValue(t.Context(), replica{}, true)
	var id int64
	options := func() *bun.SelectQuery {
		return db.NewSelect().Table("wp_options").Column("option_id").Where("option_name = 'home'")
	}
	one := db.NewRaw("SELECT 1")
	must.Succeed(t, errors.Join(options().Scan(ctx, &id), options().For("UPDATE").Scan(ctx, &id), one.Scan(ctx, &id)))
	if got := copied.Statements(); len(got) != 1 || len(primary.Statements()) != 2 || len(primary.Matching("for update")) != 1 {
		t.Errorf("replica %q, primary %q", got, primary.Statements())
	}
}

// TestReplicaOutsideWrites checks that, even if every request may read from the replica, none does while its
// transaction is open.
func TestReplicaOutsideWrites(t *testing.T) {
	h, _, primary, copied := replicated(t, func(g *gin.Context) {
		g.Request = g.Request.WithContext(context.WithValue(g.Request.Context(), replica{}, true))
	})
	for _, c := range []struct{ method, path, body string }{
		{http.MethodPost, "/events", `{"title":"A","start_date":"2031-01-01","end_date":"2031-01-02","venue":{"venue":"V"},` +
			`"organizer":[{"organizer":"O"}],"tags":["t"]}`},
		{http.MethodPut, "/events/25", `{"title":"B","categories":["c"]}`},
		{http.MethodPatch, "/venues/8", `{"venue":"C"}`},
		{http.MethodDelete, "/events/26", ""},
		{http.MethodDelete, "/organizers/18?force=true", ""},
	} {
		primary.Reset()
		copied.Reset()
		copied.Before(func(_ context.Context, _ int, query string) error {
			if n := primary.Transactions(); n.Begun != n.Committed+n.RolledBack {
				t.Errorf("%s %s: read at the replica within the write: %s", c.method, c.path, query)
			}
			return nil
		})
		w := send(h, c.method, c.path, c.body, asJSON)
		if n := primary.Transactions(); w.Code >= 300 || n.Committed != 1 || len(primary.Matching("for update")) == 0 {
			t.Errorf("%s %s: %d %.300s, %+v", c.method, c.path, w.Code, w.Body, n)
		}
		if len(copied.Statements()) == 0 || len(copied.Matching("for update"))+copied.Transactions().Begun > 0 {
			t.Errorf("%s %s: the replica got %q", c.method, c.path, copied.Statements())
		}
	}
}
