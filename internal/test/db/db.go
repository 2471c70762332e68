// Package db provides tests with a real MariaDB, or with the MySQL that AGENDA_TEST_SERVER names. The first test that
// needs a server starts a temporary one for the test binaries of all packages. It ends when no test has used it for ten
// seconds. Each test gets a fresh database.
//
//	db := testdb.SiteA(t)                                  // the recorded site
//	db := testdb.New(t, testdb.WithSQLMode(testdb.MySQL8)) // an empty database
//	db, counter := testdb.Counted(t, testdb.SiteA)         // records what is sent to the server
//
// A test without a server is not skipped: it fails with a message that says what to install.
package db

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"

	"github.com/agendahq/agenda/internal/test/must"
)

// Responses and rows are small and numerous: tests take a sixth less time if the heap may grow to five times the live
// data. A value of GOGC in the environment takes precedence.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// MySQL8 is the default sql_mode of MySQL 8.
const MySQL8 = "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"

// Option changes how a test's pool connects.
type Option func(*config)

type config struct {
	params         string
	counter        *Counter
	user, password string
}

// WithDSNParams adds parameters that the DSN of a host may contain, in URL form: "parseTime=true&loc=Asia%2FTokyo".
// They apply to the returned pool, not to the preparation of the database. If a name occurs several times, the last
// value is used.
func WithDSNParams(params string) Option {
	return func(c *config) { c.params += "&" + params }
}

// WithSQLMode sets the sql_mode of every connection of the pool, for instance MySQL8.
func WithSQLMode(mode string) Option {
	return WithDSNParams("sql_mode=" + url.QueryEscape("'"+mode+"'"))
}

// WithCounter makes c record, delay or fail what the pool sends.
func WithCounter(c *Counter) Option {
	return func(cfg *config) { cfg.counter = c }
}

// New returns a pool on a fresh, empty database. Both end with the test.
func New(t testing.TB, opts ...Option) *bun.DB {
	t.Helper()
	s := running(t)
	return s.open(t, s.create(t), opts)
}

// DSN returns the DSN of a fresh, empty database, for code that connects by itself. The database is dropped at the end
// of the test.
func DSN(t testing.TB, opts ...Option) string {
	t.Helper()
	s := running(t)
	return s.config(t, s.create(t), settings(opts)).FormatDSN()
}

// DSNOf returns the DSN of the database of db, a pool of this package, so that a test can connect to it a second time
// with other options.
func DSNOf(t testing.TB, db *bun.DB, opts ...Option) string {
	t.Helper()
	return serverOf(t, db).config(t, databaseOf(t, db), settings(opts)).FormatDSN()
}

// Reopen returns another pool on the database of db, with other options.
func Reopen(t testing.TB, db *bun.DB, opts ...Option) *bun.DB {
	t.Helper()
	return serverOf(t, db).open(t, databaseOf(t, db), opts)
}

// OfOthers returns another pool on the database of db that connects like WordPress, with a sql_mode in which the zero
// dates of drafts are valid. What is sent through it is not recorded.
func OfOthers(t testing.TB, db *bun.DB) *bun.DB {
	t.Helper()
	return Reopen(t, db, WithSQLMode("STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION"))
}

func databaseOf(t testing.TB, db *bun.DB) (name string) {
	t.Helper()
	must.Succeed(t, db.DB.QueryRow("SELECT DATABASE()").Scan(&name))
	return name
}

func settings(opts []Option) *config {
	c := new(config)
	for _, opt := range opts {
		opt(c)
	}
	return c
}

// prefix is the prefix of the names of the tests' databases.
const prefix = "agenda_test_"

// create creates a database with a unique name and drops it when the test ends.
func (s *server) create(t testing.TB) string {
	t.Helper()
	name := prefix + strings.ToLower(rand.Text()[:12])
	s.exec(t, "CREATE DATABASE `"+name+"` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci")
	t.Cleanup(func() { s.exec(t, "DROP DATABASE `"+name+"`") })
	return name
}

// exec executes one statement without a database.
func (s *server) exec(t testing.TB, statement string) {
	t.Helper()
	db := pool(t, s.admin, nil)
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func (s *server) config(t testing.TB, database string, c *config) *mysql.Config {
	t.Helper()
	base := s.admin.Clone()
	base.DBName = database
	if c.user != "" {
		base.User, base.Passwd = c.user, c.password
	}
	dsn := base.FormatDSN()
	separator := "?"
	if strings.Contains(dsn, "?") {
		separator = "&"
	}
	cfg, err := mysql.ParseDSN(dsn + separator + strings.TrimPrefix(c.params, "&"))
	if err != nil {
		t.Fatalf("DSN parameters %q: %v", c.params, err)
	}
	return cfg
}

// open returns a pool on the database. Cleanups run in reverse order, so it is closed before the database is dropped.
func (s *server) open(t testing.TB, database string, opts []Option) *bun.DB {
	t.Helper()
	c := settings(opts)
	sqldb := pool(t, s.config(t, database, c), c.counter)
	t.Cleanup(func() { _ = sqldb.Close() })
	if err := sqldb.PingContext(context.Background()); err != nil {
		t.Fatalf("test database: %v", err)
	}
	db := bun.NewDB(sqldb, mysqldialect.New())
	if c.counter != nil {
		c.counter.Reset()
	}
	return db
}

func pool(t testing.TB, cfg *mysql.Config, counter *Counter) *sql.DB {
	t.Helper()
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		t.Fatal(fmt.Errorf("test database: %w", err))
	}
	if counter != nil {
		return sql.OpenDB(counter.Wrap(connector))
	}
	return sql.OpenDB(connector)
}
