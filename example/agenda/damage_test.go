package main

import (
	"bytes"
	"database/sql"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestDamagedFilesAreNamed checks that the program does not start with a truncated or corrupt file, and prints one line
// with the name of the file and what to do.
func TestDamagedFilesAreNamed(t *testing.T) {
	t.Parallel()
	dir, db := earlier(t)
	must.Succeed(t, db.Close())
	file := filepath.Join(dir, cli.FileName)
	whole := must.Get(os.ReadFile(file))(t)
	garbled := func(from, to int) []byte {
		return append(append(bytes.Clone(whole[:from]), bytes.Repeat([]byte{0xA5}, to-from)...), whole[to:]...)
	}
	for about, content := range map[string][]byte{
		"cut in half": whole[:len(whole)/2], "cut to a page": whole[:4096], "garbled beginning": garbled(0, 200),
		"garbled schema": garbled(100, 4096), "garbled pages": garbled(8192, len(whole)),
	} {
		must.Succeed(t, os.WriteFile(file, content, 0o600))
		_ = os.Remove(file + "-wal")
		_ = os.Remove(file + "-shm")
		code, out, text := ran(t, "-addr", "127.0.0.1:0", "-data", dir)
		if code != 2 || strings.Count(text, "\n") != 1 || !strings.Contains(text, file) || !strings.Contains(text, "damaged") ||
			!strings.Contains(text, "backup") {
			t.Errorf("%s: code %d: %s%s", about, code, out, text)
		}
		for _, args := range [][]string{{"doctor", "-data", dir}, {"copy", "-from", file, "-to", filepath.Join(t.TempDir(), "copy.db")}} {
			code, _, text := ran(t, args...)
			if code == 0 || !strings.Contains(text, "database "+file+": ") || !strings.Contains(text, "damaged") ||
				!strings.Contains(text, "backup") {
				t.Errorf("%s: %s: code %d: %s", about, args[0], code, text)
			}
		}
	}
}

// TestTheLogNamesADamagedFile checks that a running server that finds the damage logs the same message.
func TestTheLogNamesADamagedFile(t *testing.T) {
	t.Parallel()
	s := settings{Database: cli.Database{Data: "place"}, logFormat: "json", logLevel: "info"}
	dir, db := earlier(t)
	change(t, db, "PRAGMA wal_checkpoint(TRUNCATE)")
	file := filepath.Join(dir, cli.FileName)
	other := must.Get(sql.Open("sqlite", file))(t)
	defer other.Close()
	must.Succeed(t, os.WriteFile(file, bytes.Repeat([]byte{0xA5}, 1<<20), 0o600))
	_, damage := other.ExecContext(t.Context(), "SELECT count(*) FROM wp_posts")
	if damage == nil {
		t.Fatal("the damage was not met")
	}
	var out output
	log := must.Get(s.logger(&out))(t)
	log.Error("request failed", "error", damage)
	if text := out.String(); !strings.Contains(text, "database place/"+cli.FileName+": ") ||
		!strings.Contains(text, "restore a backup") {
		t.Errorf("%s", text)
	}
}

// TestStartWithoutRoomForTheIndexOfTheLog checks that the database is opened without the index of its write-ahead log
// if SQLite cannot create that file, as on a full disk.
func TestStartWithoutRoomForTheIndexOfTheLog(t *testing.T) {
	t.Parallel()
	dir, db := earlier(t)
	must.Succeed(t, db.Close())
	must.Succeed(t, os.Mkdir(filepath.Join(dir, cli.FileName+"-shm"), 0o700))
	address, end := server(t, "-data", dir)
	if resp, body := get(t, address+"/wp-json/vendor/events/v1/events"); resp.StatusCode != http.StatusOK {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
	ended(t, end)
}
