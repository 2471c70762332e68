package users

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/example/internal/transfer"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

var now = time.Date(2026, 11, 21, 23, 30, 0, 0, time.FixedZone("east", 2*60*60))

var (
	once     sync.Once
	snapshot []byte // of the recorded site
)

// onEngines runs a test on the recorded site on each engine.
func onEngines(t *testing.T, test func(t *testing.T, db *bun.DB, s *Site)) {
	for name, open := range map[string]func(t *testing.T) *bun.DB{
		"MariaDB":               func(t *testing.T) *bun.DB { return testdb.SiteA(t) },
		"MariaDB in MySQL mode": func(t *testing.T) *bun.DB { return testdb.SiteA(t, testdb.WithSQLMode(testdb.MySQL8)) },
		"SQLite":                copied,
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			s := must.Get(Open(db, schema.SiteTables{Prefix: "wp_"}))(t)
			test(t, s.db, s)
		})
	}
}

// copied opens the recorded site on SQLite. It is copied only once, and opened from that copy.
func copied(t *testing.T) *bun.DB {
	var db *bun.DB
	var err error
	once.Do(func() {
		if db, err = embedded.Open(t.Context(), embedded.Memory); err == nil {
			err = transfer.Copy(t.Context(), testdb.SiteA(t), db, "wp_", "wp_", nil)
		}
		if err == nil {
			snapshot, err = embedded.Snapshot(t.Context(), db)
		}
		_ = db.Close()
	})
	if err == nil {
		db, err = embedded.OpenSnapshot(t.Context(), snapshot)
	}
	must.Succeed(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// drafts requests drafts from the API as a user of the site, and returns the status.
func drafts(t *testing.T, db *bun.DB, login, password string) int {
	t.Helper()
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	must.Succeed(t, calendar.Register(router, calendar.Options{DB: db}))
	r := httptest.NewRequest(http.MethodGet, "/wp-json/vendor/events/v1/events?status=draft", nil)
	r.RemoteAddr = "127.0.0.1:1234"
	r.SetBasicAuth(login, password)
	w := httptest.NewRecorder()
	router.ServeHTTP(w, r)
	return w.Code
}

func metas(t *testing.T, db *bun.DB, user int64) (rows [][2]string) {
	t.Helper()
	var all []schema.UserMeta
	must.Succeed(t, db.NewSelect().Model(&all).Where("user_id = ?", user).Order("umeta_id").Scan(t.Context()))
	for _, m := range all {
		rows = append(rows, [2]string{m.Key, m.Value})
	}
	return rows
}

func storedAccount(t *testing.T, db *bun.DB, login string) schema.User {
	t.Helper()
	var u schema.User
	if err := db.NewSelect().Model(&u).Where("user_login = ?", login).Scan(t.Context()); err != nil {
		t.Fatalf("user %s: %v", login, err)
	}
	return u
}

func countRows(t *testing.T, db *bun.DB, model any) int64 {
	t.Helper()
	return must.Get(db.NewSelect().Model(model).Count(t.Context()))(t)
}
