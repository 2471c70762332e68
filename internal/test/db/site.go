package db

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/uptrace/bun"
)

// siteA is a dump of a real site's tables, with the rows that its own system wrote: prefix wp_, address
// http://site.test, zone Europe/Brussels, 140 events.
//
//go:embed testdata/site_a.sql.gz
var siteA []byte

// dump unpacks the site's statements once. The statements that drop tables, lock them and disable keys are left out: a
// fresh database does not need them, and each costs time. So are the comments, which otherwise set only what siteA sets
// itself: the character set and the sql_mode.
var dump = sync.OnceValues(func() (string, error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(siteA))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(unzipped)
	if err != nil {
		return "", err
	}
	return regexp.MustCompile("(?m)^(/\\*!.*\\*/;|--.*|DROP TABLE .*;|LOCK TABLES .*;|UNLOCK TABLES;)\n").ReplaceAllString(string(text),
		""), nil
})

// SiteA returns a pool on a fresh database that holds the recorded site. Options hold for the pool only.
func SiteA(t testing.TB, opts ...Option) *bun.DB {
	t.Helper()
	s := running(t)
	return s.open(t, s.siteA(t), opts)
}

// siteA loads the site into a fresh database: on one connection, with a sql_mode that allows zero dates and in which
// backslashes escape, and without checks, so that InnoDB fills its tables in bulk.
func (s *server) siteA(t testing.TB) (database string) {
	t.Helper()
	statements, err := dump()
	if err != nil {
		t.Fatalf("site_a.sql.gz: %v", err)
	}
	database = s.create(t)
	loading := settings([]Option{WithSQLMode("NO_AUTO_VALUE_ON_ZERO"),
		WithDSNParams("multiStatements=true&unique_checks=0&foreign_key_checks=0&time_zone=%27%2B00%3A00%27")})
	db := pool(t, s.config(t, database, loading), nil)
	defer db.Close()
	if _, err := db.Exec(statements); err != nil {
		t.Fatalf("loading the site: %v", err)
	}
	return database
}

// SitePrefixed renames every table of db whose name starts with from to the prefix to, and the rows whose names include
// the prefix: the option {prefix}user_roles and the user metas {prefix}capabilities and {prefix}user_level.
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
