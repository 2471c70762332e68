package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/transfer"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema/embedded"
)

// rowsOf returns the number of rows of a table, or -1 if the table does not exist.
func rowsOf(t *testing.T, db *bun.DB, table string) int64 {
	t.Helper()
	n, err := db.NewSelect().Table(table).Count(t.Context())
	if err != nil {
		return -1
	}
	return n
}

// TestLongKilledCopyCanBeRunAgain kills the program in the middle of a copy. A target that contains only what the copy
// left counts as empty. It does not if another program has written to it since.
func TestLongKilledCopyCanBeRunAgain(t *testing.T) {
	t.Parallel()
	from, source := earlier(t)
	change(t, source, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"+
		" INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT 1, 'k' || i, 'value' FROM n")
	want := must.Get(transfer.Checksum(t.Context(), source, "wp_"))(t)
	server := testdb.New(t)
	file := filepath.Join(t.TempDir(), cli.FileName)
	embedded := func() *bun.DB {
		db := must.Get(embedded.Open(context.Background(), file))(t)
		t.Cleanup(func() { _ = db.Close() })
		return db
	}
	for to, db := range map[string]*bun.DB{testdb.DSNOf(t, server): server, file: embedded()} {
		var out output
		copying := program(t, &out, "copy", "-from", from, "-to", to)
		for deadline := time.Now().Add(time.Minute); rowsOf(t, db, "wp_options") < 1; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("the copy did not begin: %s", &out)
			}
		}
		must.Succeed(t, copying.Process.Kill())
		_ = copying.Wait()
		if n := rowsOf(t, db, "wp_postmeta"); n != 0 {
			t.Fatalf("the copy was not killed in its middle: %d rows of %s", n, to)
		}
		start := []string{"-addr", "127.0.0.1:0", "-dsn", to}
		if to == file {
			start = []string{"-addr", "127.0.0.1:0", "-data", filepath.Dir(file)}
		}
		if code, out, text := ran(t, start...); code != 2 || strings.Count(text, "\n") != 1 ||
			!strings.Contains(text, "is incomplete: run the same 'agenda copy' again, or ") {
			t.Errorf("a server on what the killed copy left: %d %s%s", code, out, text)
		}
		// Rows of other programs are not removed, and the copy is not added to them.
		for _, foreign := range []string{
			"INSERT INTO wp_terms (name, slug) VALUES ('other', 'other')",
			"UPDATE wp_options SET option_value = 'Other' WHERE option_name = 'blogname'",
		} {
			change(t, db, foreign)
			says(t, 2, "already has rows", "copy", "-from", from, "-to", to)
			change(t, db, "DELETE FROM wp_terms")
		}
		change(t, db, "UPDATE wp_options SET option_value = 'Agenda' WHERE option_name = 'blogname'")
		moved(t, 0, "copy", "-from", from, "-to", to)
		if n := rowsOf(t, db, "wp_agenda_copy"); n != -1 {
			t.Errorf("the mark of a copy is left, with %d rows", n)
		}
		if got, err := transfer.Checksum(t.Context(), db, "wp_"); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v: copied %v, want %v", err, got, want)
		}
	}
}

// TestCopyNamesItsFile checks that nightly backups can have the time in their names, and that no file is overwritten.
func TestCopyNamesItsFile(t *testing.T) {
	now := time.Date(2031, 7, 1, 3, 4, 5, 0, time.FixedZone("", 7200))
	for to, want := range map[string]string{
		"backup-%F.db": "backup-2031-07-01.db", "/x%F/%Y%m%d-%H%M%S.db": "/x%F/20310701-030405.db", "100%%.db": "100%.db", "a.db": "a.db",
		"u:p%F@tcp(h:1)/x": "u:p%F@tcp(h:1)/x", "%%F": "%F", "50%.db": "", "%": "", "%y.db": "", "%T": "",
	} {
		got, err := datedTarget(to, now)
		if got != want || (err == nil) != (want != "") || err != nil && !strings.Contains(err.Error(), "use F, Y, m, d, H, M or S") {
			t.Errorf("%s is %s, %v, want %s", to, got, err, want)
		}
	}
	t.Chdir(t.TempDir())
	moved(t, 0, "init", "--data", "town", "--email", "a@example.org")
	name := ""
	for _, want := range []string{"The site was copied to nightly-20", "already has rows, and nothing is overwritten"} {
		code, out, errOut := ran(t, "copy", "--from", "town", "--to", "nightly-%Y.db")
		if !strings.Contains(out+errOut, want) || code != 0 && code != 2 {
			t.Errorf("%d %s%s, want %s", code, out, errOut, want)
		}
		name = out + name
	}
	if made, err := filepath.Glob("nightly-20??.db"); err != nil || len(made) != 1 || !strings.Contains(name, made[0]) {
		t.Errorf("%v %v, told %s", made, err, name)
	}
}

// TestCopyAndInitEndAlike checks that copy and init have the same exit code for the same mistake.
func TestCopyAndInitEndAlike(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	site, empty := filepath.Join(dir, "site"), filepath.Join(dir, "empty.db")
	const dead = "u:geheim@tcp(127.0.0.1:1)/x"
	moved(t, 0, "init", "--data", site, "--email", "a@example.org")
	must.Succeed(t, os.WriteFile(empty, nil, 0o600))
	for want, lines := range map[string][][]string{
		"already has rows":            {{"init", "--data", site, "--email", "a@example.org"}, {"copy", "--from", site, "--to", site}},
		"check the address in --dsn":  {{"init", "--dsn", dead, "--email", "a@example.org"}},
		"check the address in --from": {{"copy", "--from", dead, "--to", "x.db"}},
		"check the address in --to":   {{"copy", "--from", site, "--to", dead}},
		`"a-b": use 1 to 32`: {
			{"init", "--prefix", "a-b", "--email", "a@example.org"}, {"copy", "--prefix", "a-b", "--from", site, "--to", "x.db"},
		},
		"so there is no site with": {{"copy", "--from", empty, "--to", filepath.Join(dir, "x.db")}},
	} {
		for _, line := range lines {
			says(t, 2, want, line...)
		}
	}
}
