package main

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/internal/demo"
	"github.com/agendahq/agenda/example/internal/sqlite"
	"github.com/agendahq/agenda/internal/testdb"
	"github.com/agendahq/agenda/schema"
)

var passwordLine = regexp.MustCompile(`(?m)^  (\w+) +([A-Za-z0-9]{24})$`)

// credentials reads the users and passwords that were printed.
func credentials(printed string) map[string]string {
	found := map[string]string{}
	for _, m := range passwordLine.FindAllStringSubmatch(printed, -1) {
		found[m[1]] = m[2]
	}
	return found
}

// as asks for an address as a user and returns the status.
func as(t *testing.T, login, password, address string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if login != "" {
		r.SetBasicAuth(login, password)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

const drafts = "/wp-json/vendor/events/v1/events?status=draft"

// secretless fails if a log or a text holds one of the passwords.
func secretless(t *testing.T, text string, passwords map[string]string) {
	t.Helper()
	for login, p := range passwords {
		if strings.Contains(text, p) {
			t.Errorf("the password of %s is in %s", login, text)
		}
	}
}

func TestDemoUsersHaveTheSamePasswordsAtEveryStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	var first map[string]string
	for start := range 2 {
		address, printed, end := printing(t, "-data", dir, "-log-level", "debug")
		got := credentials(printed)
		if start == 0 {
			first = got
		}
		for _, login := range []string{"admin", "editor", "author", "contributor", "subscriber"} {
			if got[login] == "" || got[login] != first[login] {
				t.Errorf("start %d: password of %s: %q", start, login, got[login])
			}
		}
		if want := "curl -u 'editor:" + got["editor"] + "' '" + address + drafts + "'"; !strings.Contains(printed, want) {
			t.Errorf("no line %s in %s", want, printed)
		}
		if code := as(t, "editor", got["editor"], address+drafts); code != http.StatusOK {
			t.Errorf("start %d: the editor sees drafts: %d", start, code)
		}
		if code := as(t, "editor", got["admin"], address+drafts); code != http.StatusUnauthorized {
			t.Errorf("with another's password: %d", code)
		}
		if code := as(t, "", "", address+drafts); code == http.StatusOK {
			t.Error("everybody sees drafts")
		}
		code, log := end()
		if code != 0 || !strings.Contains(log, "path=/wp-json/vendor/events/v1/events") {
			t.Errorf("code %d, log %s", code, log)
		}
		secretless(t, log, got)
	}
	info, err := os.Stat(filepath.Join(dir, demo.PasswordFile))
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("file: %v, %v", info, err)
	}
	database, err := os.ReadFile(filepath.Join(dir, sqlite.FileName))
	if err != nil {
		t.Fatal(err)
	}
	secretless(t, string(database), first)
}

func TestDemoUsersOfADatabaseInMemory(t *testing.T) {
	address, printed, end := printing(t)
	got := credentials(printed)
	if code := as(t, "editor", got["editor"], address+drafts); code != http.StatusOK || len(got) != 5 {
		t.Errorf("%d users, drafts: %d", len(got), code)
	}
	if code, log := end(); code != 0 {
		t.Errorf("code %d: %s", code, log)
	}
}

// embedded makes a directory as an earlier version left it: with demo users and
// without passwords.
func embedded(t *testing.T) (dir string, db *bun.DB) {
	t.Helper()
	dir = t.TempDir()
	db, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := schema.Install(t.Context(), db, "wp_"); err != nil {
		t.Fatal(err)
	}
	if err := demo.Seed(t.Context(), db, "wp_", time.Now()); err != nil {
		t.Fatal(err)
	}
	return dir, db
}

// noPasswords fails if a password was printed or stored.
func noPasswords(t *testing.T, db *bun.DB, dir, printed string) {
	t.Helper()
	if strings.Contains(printed, "curl") || len(credentials(printed)) > 0 {
		t.Errorf("printed: %s", printed)
	}
	if _, err := os.Stat(filepath.Join(dir, demo.PasswordFile)); err == nil {
		t.Error("there is a file of passwords")
	}
	bound, err := schema.Bind(db, "wp_")
	if err != nil {
		t.Fatal(err)
	}
	if stored, err := bound.NewSelect().Model((*schema.UserMeta)(nil)).Where("meta_key = ?", schema.UserMetaApplicationPasswords).Exists(t.Context()); stored || err != nil {
		t.Errorf("passwords are stored: %t, %v", stored, err)
	}
}

func TestDemoUsersOfAnEarlierVersion(t *testing.T) {
	dir, db := embedded(t)
	_, printed, end := printing(t, "-data", dir, "-demo=false")
	end()
	noPasswords(t, db, dir, printed)
	address, printed, end := printing(t, "-data", dir)
	got := credentials(printed)
	if code := as(t, "editor", got["editor"], address+drafts); code != http.StatusOK || len(got) != 5 {
		t.Errorf("%d users, drafts: %d", len(got), code)
	}
	end()
	_, printed, end = printing(t, "-data", dir, "-demo=false")
	end()
	secretless(t, printed, got)
}

func TestASiteOfOnesOwnGetsNoPasswords(t *testing.T) {
	db, dir := testdb.New(t), t.TempDir()
	if err := schema.Install(t.Context(), db, "wp_"); err != nil {
		t.Fatal(err)
	}
	if err := demo.Seed(t.Context(), db, "wp_", time.Now()); err != nil {
		t.Fatal(err)
	}
	_, printed, end := printing(t, "-data", dir, "-dsn", testdb.DSNOf(t, db), "-demo=true")
	if code, log := end(); code != 0 {
		t.Errorf("code %d: %s", code, log)
	}
	noPasswords(t, db, dir, printed)
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("files in the data directory: %v, %v", files, err)
	}
}

// A start without a file to write still serves.
func TestDemoPasswordsThatCannotBeKept(t *testing.T) {
	dir, db := embedded(t)
	if err := os.Mkdir(filepath.Join(dir, demo.PasswordFile), 0o700); err != nil {
		t.Fatal(err)
	}
	address, printed, end := printing(t, "-data", dir)
	if code := as(t, "", "", address+"/wp-json/vendor/events/v1/events"); code != http.StatusOK {
		t.Errorf("events: %d", code)
	}
	if code, log := end(); code != 0 || !strings.Contains(log, demo.PasswordFile) {
		t.Errorf("code %d, log %s", code, log)
	}
	if err := os.Remove(filepath.Join(dir, demo.PasswordFile)); err != nil {
		t.Fatal(err)
	}
	noPasswords(t, db, dir, printed)
}
