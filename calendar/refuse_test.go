package calendar_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

func TestRefusedDatabases(t *testing.T) {
	drop := func(table string) func(*testing.T, *bun.DB) *bun.DB {
		return func(t *testing.T, db *bun.DB) *bun.DB { exec(t, db, "DROP TABLE ?", bun.Ident(table)); return db }
	}
	dsn := func(params string) func(*testing.T, *bun.DB) *bun.DB {
		return func(t *testing.T, db *bun.DB) *bun.DB { return testdb.Reopen(t, db, testdb.WithDSNParams(params)) }
	}
	for name, c := range map[string]struct {
		prepare func(*testing.T, *bun.DB) *bun.DB
		prefix  string
		naming  string
	}{
		"missing table": {prepare: drop("wp_postmeta"), naming: "wp_postmeta"},
		"other prefix": {prepare: func(_ *testing.T, db *bun.DB) *bun.DB { return db }, prefix: "blog7_",
			naming: "have the table prefix wp_)"},
		"closed pool": {prepare: func(_ *testing.T, db *bun.DB) *bun.DB { _ = db.Close(); return db }, naming: "closed"},
		"unreadable":  {prepare: restricted, naming: "no right to read: wp_options"},
		"unreachable": {prepare: unreachable, naming: "no database answers: check the address in the DSN"},
		"unknown database": {prepare: account(func(c *mysql.Config) { c.DBName = "no_such_site" }),
			naming: "the server has no database of this name"},
		"no database":    {prepare: account(func(c *mysql.Config) { c.DBName = "" }), naming: "no database is selected"},
		"no backslashes": {prepare: dsn("sql_mode=%27NO_BACKSLASH_ESCAPES%27"), naming: "NO_BACKSLASH_ESCAPES"},
		"autocommit off": {prepare: dsn("autocommit=0"), naming: "remove autocommit=0 from the DSN"},
		// Texts would be lost, quotes would not be escaped, or columns would have other names.
		"latin1": {prepare: dsn("charset=latin1"), naming: "latin1"}, "gbk": {prepare: dsn("charset=gbk"), naming: "gbk"},
		"utf8":            {prepare: dsn("charset=utf8"), naming: "utf8"},
		"columns renamed": {prepare: dsn("columnsWithAlias=true"), naming: "remove columnsWithAlias=true"},
		"no home to default to": {prepare: func(t *testing.T, db *bun.DB) *bun.DB {
			exec(t, db, "UPDATE wp_options SET option_value = '' WHERE option_name = 'home'")
			return db
		}, naming: "home"},
	} {
		t.Run(name, func(t *testing.T) {
			opts := calendar.Options{DB: c.prepare(t, testdb.SiteA(t)), Site: calendar.Site{Prefix: c.prefix}}
			router := gin.New()
			err := calendar.Register(router, opts)
			if err == nil || !strings.HasPrefix(err.Error(), "calendar: ") || !strings.Contains(err.Error(), c.naming) {
				t.Fatalf("%v, want an error naming %q", err, c.naming)
			}
			if strings.Contains(err.Error(), "open-sesame") {
				t.Errorf("the password is shown: %v", err)
			}
			if n := len(router.Routes()); n != 0 {
				t.Errorf("%d routes were mounted", n)
			}
		})
	}
}

// restricted returns a pool on which reading the options fails as for an account without that privilege.
func restricted(t *testing.T, db *bun.DB) *bun.DB {
	counter := new(testdb.Counter)
	limited := testdb.Reopen(t, db, testdb.WithCounter(counter))
	counter.Before(func(_ context.Context, _ int, query string) error {
		if strings.Contains(query, "wp_options") && !strings.Contains(query, "information_schema") {
			return &mysql.MySQLError{Number: 1142,
				Message: "SELECT command denied to user 'reader'@'localhost' for table `site`.`wp_options`"}
		}
		return nil
	})
	return limited
}

// account returns a function that opens the database of a test with a changed DSN.
func account(change func(*mysql.Config)) func(*testing.T, *bun.DB) *bun.DB {
	return func(t *testing.T, db *bun.DB) *bun.DB {
		cfg := must.Get(mysql.ParseDSN(testdb.DSNOf(t, db)))(t)
		change(cfg)
		pool := must.Get(sql.Open("mysql", cfg.FormatDSN()))(t)
		t.Cleanup(func() { _ = pool.Close() })
		return bun.NewDB(pool, mysqldialect.New())
	}
}

// unreachable returns a pool with an address at which no server listens.
func unreachable(t *testing.T, _ *bun.DB) *bun.DB {
	pool := must.Get(sql.Open("mysql", "reader:open-sesame@tcp(127.0.0.1:1)/site"))(t)
	t.Cleanup(func() { _ = pool.Close() })
	return bun.NewDB(pool, mysqldialect.New())
}
