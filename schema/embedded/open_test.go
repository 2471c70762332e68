package embedded

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/test/atonce"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded/internal/collation"
)

var ctx = context.Background()

func memory(t testing.TB) *bun.DB {
	t.Helper()
	return opened(t, Memory)
}

func opened(t testing.TB, path string) *bun.DB {
	t.Helper()
	db := must.Get(Open(ctx, path))(t)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// file returns the path of a file that does not exist yet.
func file(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "site.db")
}

func exec(t testing.TB, db *bun.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.DB.ExecContext(ctx, statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func number(t testing.TB, db *bun.DB, query string, args ...any) (n int) {
	t.Helper()
	if err := db.DB.QueryRowContext(ctx, query, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

func TestOpenKeepsWhatWasWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a ?b#c%41", "deep", "site.db")
	db := opened(t, path)
	must.Succeed(t, schema.Install(ctx, db, "wp_"))
	for pragma, want := range map[string]string{
		"journal_mode": "wal", "synchronous": "1", "busy_timeout": "10000", "wal_autocheckpoint": "4000",
	} {
		var got string
		if err := db.NewRaw("PRAGMA "+pragma).Scan(ctx, &got); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", pragma, got, err, want)
		}
	}
	exec(t, db, "INSERT INTO wp_posts (post_title, post_date) VALUES (?, ?)", "Été", "2026-07-01 10:00:00")
	must.Succeed(t, db.Close())
	db = opened(t, path)
	var date any
	if err := db.DB.QueryRow("SELECT post_date FROM wp_posts WHERE post_title = 'ETE '").Scan(&date); err != nil ||
		date != "2026-07-01 10:00:00" {
		t.Errorf("date %v (%T), %v", date, date, err)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("directory: %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		t.Errorf("file: %v", err)
	}
}

// TestModesOfFiles checks that only the current user can access a new file and its write-ahead log, even in a directory
// that others may read, and that an existing file keeps its mode.
func TestModesOfFiles(t *testing.T) {
	path := file(t)
	modes := func(want os.FileMode) {
		t.Helper()
		for _, name := range []string{path, path + "-wal", path + "-shm"} {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v, %v; want %v", name, info, err, want)
			}
		}
	}
	must.Succeed(t, os.Chmod(filepath.Dir(path), 0o755))
	db := opened(t, path)
	exec(t, db, "CREATE TABLE x (n INTEGER)")
	modes(0o600)
	must.Succeed(t, db.Close())
	must.Succeed(t, os.Chmod(path, 0o640))
	exec(t, opened(t, path), "INSERT INTO x VALUES (1)")
	modes(0o640)
}

func TestMemoryIsSharedAndThrownAway(t *testing.T) {
	a, b := memory(t), memory(t)
	exec(t, a, "CREATE TABLE x (n INTEGER)")
	first, err := a.Conn(ctx) // occupies one connection, so that the next statement needs another
	must.Succeed(t, err)
	defer first.Close()
	if n := number(t, a, "SELECT count(*) FROM sqlite_schema WHERE name = 'x'"); n != 1 {
		t.Error("a second connection sees another database")
	}
	if n := number(t, b, "SELECT count(*) FROM sqlite_schema"); n != 0 {
		t.Error("a second database has the tables of the first")
	}
}

// TestWritersLoseNothing runs goroutines that add to one counter in transactions that read first, while others read.
func TestWritersLoseNothing(t *testing.T) {
	for _, path := range []string{Memory, file(t)} {
		db := opened(t, path)
		exec(t, db, "CREATE TABLE counter (n INTEGER)")
		exec(t, db, "INSERT INTO counter VALUES (0)")
		errs := make(chan error, 1000)
		atonce.Run(8, func(int) {
			for range 25 {
				errs <- db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
					var n int
					if err := tx.NewRaw("SELECT n FROM counter").Scan(ctx, &n); err != nil {
						return err
					}
					_, err := tx.ExecContext(ctx, "UPDATE counter SET n = ?", n+1)
					return err
				})
				var n int
				errs <- db.NewRaw("SELECT n FROM counter").Scan(ctx, &n)
			}
		})
		close(errs)
		for err := range errs {
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
		}
		if n := number(t, db, "SELECT n FROM counter"); n != 200 {
			t.Errorf("%s: %d of 200 additions are there", path, n)
		}
	}
}

func TestColumnsCompareAsTheSite(t *testing.T) {
	db := memory(t)
	exec(t, db, "CREATE TABLE x (s TEXT COLLATE site_ci)")
	exec(t, db, "CREATE INDEX x_s ON x (s)")
	for _, s := range []string{"Élan", "elan ", "éclair", "Zoo", "straße", "nul\x00b", "10%"} {
		exec(t, db, "INSERT INTO x VALUES (?)", s)
	}
	for query, want := range map[string]int{
		"s = 'ELAN'": 2, "s IN ('elan', 'zoo')": 3, "s < 'f'": 4, "s = 'STRASSE'": 1, "s LIKE 'E%'": 3, "s LIKE '%ss%'": 0,
		"s LIKE '%B'": 1, "s LIKE '%ZZ%'": 0, `s LIKE '10\%'`: 1, "s LIKE '10!%' ESCAPE '!'": 1, "s LIKE NULL": 0, "s NOT LIKE 'é%'": 4,
	} {
		if got := number(t, db, "SELECT count(*) FROM x WHERE "+query); got != want {
			t.Errorf("%s: %d rows, want %d", query, got, want)
		}
	}
	if got := number(t, db, "SELECT count(DISTINCT s) FROM x"); got != 6 {
		t.Errorf("%d distinct texts, want 6", got)
	}
	if _, err := db.DB.Exec("SELECT 'a' LIKE 'a' ESCAPE 'ab'"); err == nil {
		t.Error("an escape of two characters was accepted")
	}
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain.db")
	must.Succeed(t, os.WriteFile(plain, []byte(strings.Repeat("no database at all\n", 300)), 0o600))
	for want, open := range map[string]func() (*bun.DB, error){
		"not a database file": func() (*bun.DB, error) { return Open(ctx, plain) },
		"is not a file":       func() (*bun.DB, error) { return Open(ctx, dir) },
		"directory of the database cannot be created": func() (*bun.DB, error) { return Open(ctx, filepath.Join(plain, "x", "x.db")) },
		"cannot be written":                           func() (*bun.DB, error) { return Open(ctx, "/proc/x.db") },
		"needs a path":                                func() (*bun.DB, error) { return Open(ctx, "") },
		"another program has locked the file": func() (*bun.DB, error) {
			return openFile(ctx, lockedFile(t), time.Millisecond, slog.Default())
		},
		"database of another program":        func() (*bun.DB, error) { return Open(ctx, marked(t, 0, 0)) },
		"is the database of another program": func() (*bun.DB, error) { return Open(ctx, marked(t, 12345, 0)) },
		"this file was made by a newer version of agenda (text order of version 2": func() (*bun.DB, error) {
			return Open(ctx, marked(t, fileID|collation.Version+1, schema.Version))
		},
		fmt.Sprintf("(tables of version %d", schema.Version+1): func() (*bun.DB, error) {
			return Open(ctx, marked(t, fileID|collation.Version, schema.Version+1))
		},
	} {
		db, err := open()
		if err == nil {
			_ = db.Close()
			t.Errorf("no error; want %q", want)
		} else if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q; want %q", err, want)
		}
	}
}

// lockedFile returns a file in which another connection is writing.
func lockedFile(t *testing.T) string {
	t.Helper()
	path := file(t)
	other, err := sql.Open("sqlite", path) // stands for another program, with one connection
	must.Succeed(t, err)
	t.Cleanup(func() { _ = other.Close() })
	conn := must.Get(other.Conn(ctx))(t)
	t.Cleanup(func() { _ = conn.Close() })
	for _, statement := range []string{"PRAGMA locking_mode = EXCLUSIVE", "CREATE TABLE x (n INTEGER)"} {
		must.Get(conn.ExecContext(ctx, statement))(t)
	}
	return path
}

// marked returns the path of a file with a table and the given application id and version.
func marked(t *testing.T, id, version int) string {
	t.Helper()
	path := file(t)
	db := opened(t, path)
	exec(t, db, "CREATE TABLE x (n INTEGER)")
	exec(t, db, fmt.Sprintf("PRAGMA application_id = %d", id))
	exec(t, db, fmt.Sprintf("PRAGMA user_version = %d", version))
	must.Succeed(t, db.Close())
	return path
}
