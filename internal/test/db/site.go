package db

import (
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/test/must"
)

// The sites are dumps of the tables of real sites, with the rows that WordPress and its plugins wrote: table prefix
// wp_, URL http://site.test, zone Europe/Brussels.
var (
	siteA     = site{name: "site_a"}     // 140 events
	siteDates = site{name: "site_dates"} // recurring events, and the columns for occurrences
)

//go:embed testdata/*.sql.gz testdata/beside
var dumps embed.FS

type site struct {
	name       string
	once       sync.Once
	statements string
	err        error
}

// dump unpacks the statements of a site once. It omits statements that drop or lock tables and that disable keys: a
// fresh database does not need them, and each takes time. It also omits the comments, which would only set what load
// sets anyway: the character set and the sql_mode.
func (s *site) dump() (string, error) {
	s.once.Do(func() {
		packed, err := dumps.Open("testdata/" + s.name + ".sql.gz")
		if s.err = err; err != nil {
			return
		}
		unzipped, err := gzip.NewReader(packed)
		if s.err = err; err != nil {
			return
		}
		text, err := io.ReadAll(unzipped)
		s.statements, s.err = regexp.MustCompile("(?m)^(/\\*!.*\\*/;|--.*|DROP TABLE .*;|LOCK TABLES .*;|UNLOCK TABLES;)\n").
			ReplaceAllString(string(text), ""), err
	})
	return s.statements, s.err
}

// SiteA returns a pool on a fresh database with the recorded site. The options apply to the pool only.
func SiteA(t testing.TB, opts ...Option) *bun.DB {
	t.Helper()
	s := running(t)
	return s.open(t, s.load(t, &siteA), opts)
}

// SiteDates is like SiteA, for the recorded site with recurring events.
func SiteDates(t testing.TB, opts ...Option) *bun.DB {
	t.Helper()
	s := running(t)
	return s.open(t, s.load(t, &siteDates), opts)
}

// SiteBehind loads a recorded site, site_a or site_dates, into the database of a DSN and returns a pool on it. It
// replaces existing tables. It is for proxies through which databases cannot be created.
func SiteBehind(t testing.TB, dsn, name string) *bun.DB {
	t.Helper()
	s := must.Get(external(dsn))(t)
	cfg, err := mysql.ParseDSN(dsn)
	must.Succeed(t, err)
	old := s.open(t, cfg.DBName, nil)
	var tables []string
	err = old.NewRaw("SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()").Scan(t.Context(), &tables)
	must.Succeed(t, err)
	for _, table := range tables {
		must.Get(old.ExecContext(t.Context(), "DROP TABLE `"+table+"`"))(t)
	}
	s.fill(t, &site{name: name}, cfg.DBName)
	db := s.open(t, cfg.DBName, nil)
	elsewhere.Store(db.DB, s)
	t.Cleanup(func() { elsewhere.Delete(db.DB) })
	return db
}

// elsewhere maps the pools of SiteBehind (*sql.DB) to their servers (*server).
var elsewhere sync.Map

// serverOf returns the server of a pool of this package.
func serverOf(t testing.TB, db *bun.DB) *server {
	t.Helper()
	if s, ok := elsewhere.Load(db.DB); ok {
		return s.(*server)
	}
	return running(t)
}

// besides maps the names of sites with other plugins to their dumps (*site).
var besides sync.Map

// SiteBeside is like SiteA, for a recorded site with another plugin: network, network_subdomain, polylang, tickets or
// migration. variant names statements in testdata/beside that change the site, "" for none.
func SiteBeside(t testing.TB, name, variant string, opts ...Option) *bun.DB {
	t.Helper()
	s := running(t)
	from, _ := besides.LoadOrStore(name, &site{name: "site_" + name})
	database := s.load(t, from.(*site))
	if variant != "" {
		statements := must.Get(dumps.ReadFile("testdata/beside/" + variant + ".sql"))(t)
		db := pool(t, s.config(t, database, settings([]Option{WithDSNParams("multiStatements=true")})), nil)
		defer db.Close()
		if _, err := db.Exec(string(statements)); err != nil {
			t.Fatalf("%s: %v", variant, err)
		}
	}
	return s.open(t, database, opts)
}

// Networked makes a site, whose prefix is wp_ and a number, part of a network of three sites with the given main site.
// The users of the site become those of the network, together with netadm, who may do everything on each site. others
// is a pool returned by OfOthers.
func Networked(t testing.TB, others *bun.DB, prefix string, main int) {
	t.Helper()
	for _, statement := range []string{ // others has a sql_mode in which zero dates are valid
		"RENAME TABLE " + prefix + "users TO wp_users, " + prefix + "usermeta TO wp_usermeta",
		"ALTER TABLE wp_users ADD spam tinyint(2) NOT NULL DEFAULT 0, ADD deleted tinyint(2) NOT NULL DEFAULT 0",
		"CREATE TABLE wp_blogs (blog_id bigint PRIMARY KEY, site_id bigint NOT NULL, archived tinyint NOT NULL DEFAULT 0, " +
			"spam tinyint NOT NULL DEFAULT 0, deleted tinyint NOT NULL DEFAULT 0)",
		"CREATE TABLE wp_sitemeta (meta_id bigint PRIMARY KEY AUTO_INCREMENT, site_id bigint, meta_key varchar(255), meta_value longtext)",
		"INSERT INTO wp_blogs (blog_id, site_id) VALUES (1, 1), (2, 1), (3, 1)",
		`INSERT INTO wp_sitemeta (site_id, meta_key, meta_value) VALUES (1, 'site_admins', 'a:1:{i:0;s:6:"netadm";}'), ` +
			fmt.Sprintf("(1, 'main_site', '%d'), ", main) + `(1, 'using_application_passwords', '1'), ` +
			`(2, 'site_admins', 'a:1:{i:0;s:5:"admin";}')`,
		"INSERT INTO wp_users (ID, user_login, user_email) VALUES (900, 'netadm', 'netadm@example.org')",
	} {
		if _, err := others.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// load loads a site into a fresh database. It uses one connection without checks, so that InnoDB fills its tables in
// bulk, and a sql_mode that permits zero dates and in which backslashes escape.
func (s *server) load(t testing.TB, from *site) (database string) {
	t.Helper()
	database = s.create(t)
	s.fill(t, from, database)
	return database
}

// fill loads a site into an empty database.
func (s *server) fill(t testing.TB, from *site, database string) {
	t.Helper()
	statements, err := from.dump()
	if err != nil {
		t.Fatalf("%s: %v", from.name, err)
	}
	loading := settings([]Option{WithSQLMode("NO_AUTO_VALUE_ON_ZERO"),
		WithDSNParams("multiStatements=true&unique_checks=0&foreign_key_checks=0&time_zone=%27%2B00%3A00%27")})
	db := pool(t, s.config(t, database, loading), nil)
	defer db.Close()
	if _, err := db.Exec(statements); err != nil {
		t.Fatalf("loading %s: %v", from.name, err)
	}
}

// SitePrefixed renames every table of db whose name starts with from, so that it starts with to, and the rows whose
// names contain the prefix: the option {prefix}user_roles and the user metas {prefix}capabilities and
// {prefix}user_level.
func SitePrefixed(t testing.TB, db *bun.DB, from, to string) {
	t.Helper()
	var tables []string
	err := db.NewRaw("SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND LEFT(TABLE_NAME, ?) = ?",
		len(from), from).Scan(t.Context(), &tables)
	if err != nil || len(tables) == 0 {
		t.Fatalf("tables %s*: %d found, %v", from, len(tables), err)
	}
	renames := make([]string, len(tables))
	for i, name := range tables {
		renames[i] = "`" + name + "` TO `" + to + strings.TrimPrefix(name, from) + "`"
	}
	options, metas := bun.Ident(to+"options"), bun.Ident(to+"usermeta")
	for _, q := range []*bun.RawQuery{
		db.NewRaw("RENAME TABLE " + strings.Join(renames, ", ")),
		db.NewRaw("UPDATE ? SET option_name = ? WHERE option_name = ?", options, to+"user_roles", from+"user_roles"),
		db.NewRaw("UPDATE ? SET meta_key = ? WHERE meta_key = ?", metas, to+"capabilities", from+"capabilities"),
		db.NewRaw("UPDATE ? SET meta_key = ? WHERE meta_key = ?", metas, to+"user_level", from+"user_level"),
	} {
		if _, err := q.Exec(t.Context()); err != nil {
			t.Fatalf("prefix %s to %s: %v", from, to, err)
		}
	}
}
