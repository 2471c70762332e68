package main

import (
	"errors"
	"log/slog"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/internal/test/atonce"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema/embedded"
)

const loginTable = "wp_agenda_logins"

// TestServersCountWrongPasswordsTogether sends half of the allowed number of wrong passwords to each of two servers on
// one database.
func TestServersCountWrongPasswordsTogether(t *testing.T) {
	t.Parallel()
	site := testdb.SiteA(t)
	dir, file := earlier(t)
	for about, c := range map[string]struct {
		db    *bun.DB
		args  []string
		login string
	}{
		"MariaDB": {site, []string{"-dsn", testdb.DSNOf(t, site)}, "editor1"},
		"SQLite":  {file, []string{"-data", dir, "-data-shared"}, "editor"},
	} {
		t.Run(about, func(t *testing.T) {
			t.Parallel()
			options := rowsOf(t, c.db, "wp_options")
			_, end := server(t, c.args...)
			end()
			if n := rowsOf(t, c.db, loginTable); n != -1 {
				t.Fatalf("a table of %d rows that nobody asked for", n)
			}
			var addresses []string
			for range 2 {
				address, end := server(t, append(slices.Clone(c.args), "-shared-logins")...)
				defer end()
				addresses = append(addresses, address+drafts)
			}
			atonce.Run(10, func(i int) {
				golden.Equal(t, "one of ten wrong passwords", as(t, c.login, "wrong", addresses[i%2]), http.StatusUnauthorized)
			})
			for _, address := range addresses {
				golden.Equal(t, address, as(t, c.login, "wrong", address), http.StatusTooManyRequests)
				golden.Equal(t, address, as(t, "author", "wrong", address), http.StatusUnauthorized)
			}
			var hashes []string
			must.Succeed(t, c.db.NewSelect().Table(loginTable).Column("hash").Scan(t.Context(), &hashes))
			hash := regexp.MustCompile(`^[0-9a-f]{64}$`)
			if len(hashes) != 5 || slices.ContainsFunc(hashes, func(h string) bool { return !hash.MatchString(h) }) {
				t.Errorf("stored: %q, want the hashes of an address, two names and two pairs", hashes)
			}
			if n := rowsOf(t, c.db, "wp_options"); n != options {
				t.Errorf("%d options, there were %d", n, options)
			}
		})
	}
}

func TestSharedLoginsNeedTheirTable(t *testing.T) {
	t.Parallel()
	_, account := testdb.Granted(t, "GRANT SELECT, INSERT, UPDATE, DELETE ON {db}.* TO {user}")
	_, err := parsed(t, "-shared-logins").loginCounter(t.Context(), account, slog.New(slog.DiscardHandler))
	var mistake cli.UsageError
	if !errors.As(err, &mistake) || !strings.Contains(err.Error(), "--shared-logins: the table wp_agenda_logins cannot be created") ||
		strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}

// TestCopyLeavesCountsBehind checks that a copy does not contain the counts of a server, and that their table does not
// prevent a copy.
func TestCopyLeavesCountsBehind(t *testing.T) {
	t.Parallel()
	dir, db := earlier(t)
	_, end := server(t, "-data", dir, "-shared-logins")
	end()
	change(t, db, "INSERT INTO "+loginTable+" VALUES ('"+strings.Repeat("a", 64)+"', 3, 9999999999999)")
	target := testdb.New(t)
	to := testdb.DSNOf(t, target)
	change(t, target, "CREATE TABLE "+loginTable+" (hash CHAR(64) PRIMARY KEY, n BIGINT NOT NULL, ends BIGINT NOT NULL)")
	change(t, target, "INSERT INTO "+loginTable+" VALUES ('"+strings.Repeat("b", 64)+"', 4, 9999999999999)")
	copied := filepath.Join(t.TempDir(), "copy.db")
	for _, line := range [][]string{
		{"copy", "-from", dir, "-to", to}, {"copy", "-from", to, "-to", copied}, {"doctor", "-data", dir},
	} {
		if code, out, text := ran(t, line...); code != 0 || strings.Contains(out+text, loginTable) {
			t.Errorf("%v: %d %s%s", line, code, out, text)
		}
	}
	if n := rowsOf(t, target, loginTable); n != 1 {
		t.Errorf("%d rows in the target", n)
	}
	result := must.Get(embedded.Open(t.Context(), copied))(t)
	defer result.Close()
	golden.Equal(t, "the rows of counts", rowsOf(t, result, loginTable), -1)
}
