package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/transfer"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/schema/embedded"
)

// rowsOf counts the rows of a table, -1 where it does not exist.
func rowsOf(t *testing.T, db *bun.DB, table string) int64 {
	t.Helper()
	n, err := db.NewSelect().Table(table).Count(t.Context())
	if err != nil {
		return -1
	}
	return n
}

// TestKilledCopyCanBeRunAgain kills the program in the middle of a copy. A target with its
// leftovers counts as empty, unless another program has written to it since.
func TestKilledCopyCanBeRunAgain(t *testing.T) {
	t.Parallel()
	from, source := earlier(t)
	change(t, source, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"+
		" INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT 1, 'k' || i, 'value' FROM n")
	want, err := transfer.Checksum(t.Context(), source, "wp_")
	if err != nil {
		t.Fatal(err)
	}
	server := testdb.New(t)
	file := filepath.Join(t.TempDir(), cli.FileName)
	embedded := func() *bun.DB {
		db, err := embedded.Open(context.Background(), file)
		if err != nil {
			t.Fatal(err)
		}
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
		if err := copying.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = copying.Wait()
		if n := rowsOf(t, db, "wp_postmeta"); n != 0 {
			t.Fatalf("the copy was not killed in its middle: %d rows of %s", n, to)
		}
		start := []string{"-addr", "127.0.0.1:0", "-dsn", to}
		if to == file {
			start = []string{"-addr", "127.0.0.1:0", "-data", filepath.Dir(file)}
		}
		var started, failed bytes.Buffer
		if code := commands.Run(t.Context(), start, &started, &failed); code != 2 || strings.Count(failed.String(), "\n") != 1 ||
			!strings.Contains(failed.String(), "did not end: run the same 'agenda copy' again, or ") {
			t.Errorf("a server on what the killed copy left: %d %s%s", code, &started, &failed)
		}
		again := func() (int, string) {
			var out, errOut bytes.Buffer
			code := commands.Run(t.Context(), []string{"copy", "-from", from, "-to", to}, &out, &errOut)
			return code, out.String() + errOut.String()
		}
		// Rows of other programs are neither mixed with the copy nor removed.
		for _, foreign := range []string{
			"INSERT INTO wp_terms (name, slug) VALUES ('other', 'other')",
			"UPDATE wp_options SET option_value = 'Other' WHERE option_name = 'blogname'",
		} {
			change(t, db, foreign)
			if code, text := again(); code != 1 || !bytes.Contains([]byte(text), []byte("has rows already")) {
				t.Errorf("over rows of others: %d %s", code, text)
			}
			change(t, db, "DELETE FROM wp_terms")
		}
		change(t, db, "UPDATE wp_options SET option_value = 'Agenda' WHERE option_name = 'blogname'")
		if code, text := again(); code != 0 {
			t.Fatalf("the copy was not run again: %d %s", code, text)
		}
		if n := rowsOf(t, db, "wp_agenda_copy"); n != -1 {
			t.Errorf("the mark of a copy is left, with %d rows", n)
		}
		if got, err := transfer.Checksum(t.Context(), db, "wp_"); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v: copied %v, want %v", err, got, want)
		}
	}
}
