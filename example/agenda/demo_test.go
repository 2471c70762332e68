package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/demo"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

var passwordLine = regexp.MustCompile(`(?m)^  (\w+) +([A-Za-z0-9]{24})$`)

// credentials returns the users and passwords that were printed.
func credentials(printed string) map[string]string {
	found := map[string]string{}
	for _, m := range passwordLine.FindAllStringSubmatch(printed, -1) {
		found[m[1]] = m[2]
	}
	return found
}

// as requests an address as a user and returns the status of the response.
func as(t *testing.T, login, password, address string) int {
	t.Helper()
	resp, _ := sent(t, http.MethodGet, address, "", func(r *http.Request) {
		if login != "" {
			r.SetBasicAuth(login, password)
		}
	})
	return resp.StatusCode
}

const drafts = "/wp-json/vendor/events/v1/events?status=draft"

// secretless fails if a log or a text contains one of the passwords.
func secretless(t *testing.T, text string, passwords map[string]string) {
	t.Helper()
	for login, p := range passwords {
		if strings.Contains(text, p) {
			t.Errorf("the password of %s is in %s", login, text)
		}
	}
}

// TestDemoPasswordsArePrintedOnce checks that passwords are printed only by the start that creates them. Later starts
// print the name of the file with the passwords, which stay the same.
func TestDemoPasswordsArePrintedOnce(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	var first map[string]string
	for start := range 2 {
		address, printed, end := printing(t, "-data", dir, "-log-level", "debug")
		got := credentials(printed)
		if start == 0 {
			first = got
		} else {
			file := filepath.Join(dir, demo.PasswordFile)
			if len(got) > 0 || !strings.Contains(printed, file) ||
				!strings.Contains(printed, "agenda user password --data "+dir+" --login editor") {
				t.Errorf("start %d printed %s", start, printed)
			}
			secretless(t, printed, first)
			got = kept(t, file)
		}
		for _, login := range []string{"admin", "editor", "author", "contributor", "subscriber"} {
			if got[login] == "" || got[login] != first[login] {
				t.Errorf("start %d: password of %s: %q", start, login, got[login])
			}
		}
		if want := "curl -u 'editor:PASSWORD' '" + address + drafts + "'"; strings.Contains(printed, want) != (start == 0) {
			t.Errorf("no line %s in %s", want, printed)
		}
		for login, password := range got {
			if n := strings.Count(printed, password); n != 1-start {
				t.Errorf("start %d printed the password of %s %d times", start, login, n)
			}
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
	database := must.Get(os.ReadFile(filepath.Join(dir, cli.FileName)))(t)
	secretless(t, string(database), first)
}

// kept returns the contents of the file of passwords.
func kept(t *testing.T, file string) map[string]string {
	t.Helper()
	text := must.Get(os.ReadFile(file))(t)
	found := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 {
			found[f[1]] = f[2]
		}
	}
	return found
}

// TestDemoPasswordsAreNotInJSONLogs checks that no password is printed if the log is in JSON, because programs store
// such logs.
func TestDemoPasswordsAreNotInJSONLogs(t *testing.T) {
	t.Parallel()
	dir := demoDirectory(t)
	for _, args := range [][]string{{"-data", dir}, {"-data", ":memory:"}} {
		address, printed, end := printing(t, append(args, "-log-format", "json", "-log-level", "debug")...)
		if strings.Contains(printed, "curl") || len(credentials(printed)) > 0 {
			t.Errorf("printed: %s", printed)
		}
		if args[1] == dir {
			passwords := kept(t, filepath.Join(dir, demo.PasswordFile))
			if code := as(t, "editor", passwords["editor"], address+drafts); code != http.StatusOK || len(passwords) != 5 {
				t.Errorf("%d users, drafts: %d", len(passwords), code)
			}
			secretless(t, printed, passwords)
		}
		_, log := end()
		if len(credentials(log)) > 0 {
			t.Error("passwords are logged")
		}
	}
}

// TestFailedStartsLeaveNothing checks that a start that fails leaves no demo, because nobody has seen its passwords, nor
// other files or directories, and does not change a site that existed before.
func TestFailedStartsLeaveNothing(t *testing.T) {
	t.Parallel()
	taken := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer taken.Close()
	port := taken.Addr().String()
	around := t.TempDir()
	dir, empty := filepath.Join(around, "new", "data"), t.TempDir()
	for name, args := range map[string][]string{
		"a port that is taken": {"--addr", port}, "that of metrics": {"--addr", "127.0.0.1:0", "--metrics", port},
		"a namespace": {"--addr", "127.0.0.1:0", "--namespace", "a b"}, "a language twice": {"--addr", port, "--languages", "en,en"},
		"a directory":                {"--addr", "127.0.0.1:0", "--uploads", "/dev/null/x"},
		"a directory that was there": {"--addr", port, "--data", empty},
	} {
		code, out, log := ran(t, append([]string{"serve", "--data", dir}, args...)...)
		if code == 0 || out != "" {
			t.Errorf("%s: code %d: %s", name, code, out)
		}
		for _, in := range []string{around, empty} {
			if left, err := os.ReadDir(in); err != nil || len(left) > 0 {
				t.Errorf("%s: left behind: %v, %v: %s", name, left, err, log)
			}
		}
	}
	_, printed, end := printing(t, "-data", dir)
	end()
	if got := credentials(printed); got["editor"] == "" {
		t.Errorf("no passwords: %s", printed)
	}
	before := must.Get(os.Stat(filepath.Join(dir, cli.FileName)))(t)
	if code, _, log := ran(t, "serve", "--data", dir, "--addr", port); code == 0 {
		t.Errorf("a port that is taken: %s", log)
	}
	after, err := os.Stat(filepath.Join(dir, cli.FileName))
	if err != nil || !os.SameFile(before, after) || kept(t, filepath.Join(dir, demo.PasswordFile))["editor"] == "" {
		t.Errorf("the site is not as before: %v", err)
	}
}

// demoFile returns the content of a database file with the demo content, which is written once for all tests.
var demoFile = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "agenda-demo-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	ctx, file := context.Background(), filepath.Join(dir, cli.FileName)
	db, err := embedded.Open(ctx, file)
	if err != nil {
		return nil, err
	}
	err = schema.Install(ctx, db, "wp_")
	if err == nil {
		err = demo.Seed(ctx, db, "wp_", time.Now())
	}
	if err := errors.Join(err, db.Close()); err != nil { // after closing, everything is in the database file
		return nil, err
	}
	return os.ReadFile(file)
})

// earlier creates a directory as an earlier version left it: with demo users and without passwords.
func earlier(t *testing.T) (dir string, db *bun.DB) {
	t.Helper()
	dir = demoDirectory(t)
	return dir, countedFile(t, filepath.Join(dir, cli.FileName), nil)
}

// demoDirectory returns a directory like that of earlier, without opening its database.
func demoDirectory(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	content, err := demoFile()
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, cli.FileName), content, 0o600)
	}
	must.Succeed(t, err)
	return dir
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
	bound := must.Get(schema.Bind(db, "wp_"))(t)
	if stored, err := bound.NewSelect().Model((*schema.UserMeta)(nil)).Where("meta_key = ?", schema.UserMetaApplicationPasswords).
		Exists(t.Context()); stored || err != nil {
		t.Errorf("passwords are stored: %t, %v", stored, err)
	}
}

func TestDemoUsersOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	dir, db := earlier(t)
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
	t.Parallel()
	db, dir := testdb.New(t), t.TempDir()
	must.Succeed(t, schema.Install(t.Context(), db, "wp_"))
	must.Succeed(t, demo.Seed(t.Context(), db, "wp_", time.Now()))
	_, printed, end := printing(t, "-data", dir, "-dsn", testdb.DSNOf(t, db), "-demo=true")
	ended(t, end)
	noPasswords(t, db, dir, printed)
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("files in the data directory: %v, %v", files, err)
	}
}

// TestDemoPasswordsThatCannotBeKept checks that the program serves even if it cannot write the file of passwords.
func TestDemoPasswordsThatCannotBeKept(t *testing.T) {
	t.Parallel()
	dir, db := earlier(t)
	must.Succeed(t, os.Mkdir(filepath.Join(dir, demo.PasswordFile), 0o700))
	address, printed, end := printing(t, "-data", dir)
	if code := as(t, "", "", address+"/wp-json/vendor/events/v1/events"); code != http.StatusOK {
		t.Errorf("events: %d", code)
	}
	if code, log := end(); code != 0 || !strings.Contains(log, demo.PasswordFile) {
		t.Errorf("code %d, log %s", code, log)
	}
	must.Succeed(t, os.Remove(filepath.Join(dir, demo.PasswordFile)))
	noPasswords(t, db, dir, printed)
}
