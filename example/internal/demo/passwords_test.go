package demo

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// site is a demo site on the embedded database, with a path for its password file.
type site struct {
	t    *testing.T
	db   *bun.DB
	file string
	seen map[string]bool // passwords that were returned
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t, engines["SQLite"](t), filepath.Join(t.TempDir(), PasswordFile), map[string]bool{}}
	s.fill(prefix)
	return s
}

// fill seeds a site and returns its tables.
func (s *site) fill(prefix string) *bun.DB {
	s.t.Helper()
	must.Succeed(s.t, schema.Install(s.t.Context(), s.db, prefix))
	must.Succeed(s.t, Seed(s.t.Context(), s.db, prefix, moments[0]))
	return s.tables(prefix)
}

func (s *site) tables(prefix string) *bun.DB {
	return must.Get(schema.Bind(s.db, prefix))(s.t)
}

// passwords returns the passwords, and checks that each is reported as created only once.
func (s *site) passwords(prefix string, isNew bool) []Credential {
	s.t.Helper()
	got := must.Get(Passwords(s.t.Context(), s.db, prefix, Keep{s.file, isNew}, moments[0]))(s.t)
	for i := range got {
		if got[i].Made == s.seen[got[i].Password] {
			s.t.Errorf("the password of %s is made: %t", got[i].Login, got[i].Made)
		}
		got[i].Made, s.seen[got[i].Password] = false, true
	}
	return got
}

// logins returns the names of the users, and checks that their passwords are stored.
func (s *site) logins(all []Credential) string {
	s.t.Helper()
	var names []string
	for _, c := range all {
		hasPassword := func(list string) bool { return strings.Contains(list, auth.HashPassword(c.Password)) }
		if !slices.ContainsFunc(s.stored(c.Login), hasPassword) {
			s.t.Errorf("the password of %s is not stored", c.Login)
		}
		names = append(names, c.Login)
	}
	return strings.Join(names, " ")
}

// stored returns the stored lists of passwords of a user.
func (s *site) stored(login string) (lists []string) {
	must.Succeed(s.t, s.tables(prefix).NewSelect().Model((*schema.UserMeta)(nil)).Column("meta_value").
		Where("meta_key = ?", schema.UserMetaApplicationPasswords).
		Where("user_id IN (?)", s.tables(prefix).NewSelect().Model((*schema.User)(nil)).Column("ID").Where("user_login = ?", login)).
		Scan(s.t.Context(), &lists))
	return lists
}

func (s *site) exec(statement string, args ...any) {
	s.t.Helper()
	must.Get(s.db.ExecContext(s.t.Context(), statement, args...))(s.t)
}

const everyone = "admin editor author contributor subscriber"

func TestPasswordsStayTheSame(t *testing.T) {
	s := newSite(t)
	first := s.passwords(prefix, true)
	if got := s.logins(first); got != everyone {
		t.Fatalf("passwords of %s", got)
	}
	info, err := os.Stat(s.file)
	if err != nil || info.Mode() != 0o600 {
		t.Fatalf("file: %v, %v", info, err)
	}
	before, _ := os.ReadFile(s.file)
	if again := s.passwords(prefix, false); !slices.Equal(first, again) {
		t.Errorf("other passwords at the next start")
	}
	if after, _ := os.ReadFile(s.file); string(after) != string(before) {
		t.Errorf("the file changed: %s", after)
	}
	entries, err := os.ReadDir(filepath.Dir(s.file))
	if err != nil || len(entries) != 1 {
		t.Errorf("files: %v, %v", entries, err)
	}
	distinct := map[string]bool{}
	for _, c := range first {
		distinct[c.Password] = true
	}
	if len(distinct) != 5 {
		t.Error("two users share a password")
	}
	list, err := auth.ListPasswords(s.stored("admin")[0])
	if err != nil || len(list) != 1 || list[0].Name != "Demo" || !list[0].Created.Equal(moments[0]) {
		t.Errorf("stored: %v, %v", list, err)
	}
}

func TestLongPasswordsThatAreNotTold(t *testing.T) {
	const ofEditor = "(SELECT ID FROM elz_users WHERE user_login = 'editor') AND meta_key = '_application_passwords'"
	for name, c := range map[string]struct {
		before, after func(s *site)
		want          string
		replaced      bool
	}{
		"changed": {
			after: func(s *site) {
				list, _, _ := auth.AddPassword("", "x", moments[0])
				s.exec("UPDATE elz_usermeta SET meta_value = ? WHERE user_id = "+ofEditor, list)
			}, want: "admin author contributor subscriber",
		},
		"removed": {after: func(s *site) { s.exec("UPDATE elz_usermeta SET meta_value = 'a:0:{}' WHERE user_id = " + ofEditor) },
			want: "admin author contributor subscriber"},
		"row removed": {after: func(s *site) { s.exec("DELETE FROM elz_usermeta WHERE user_id = " + ofEditor) },
			want: "admin author contributor subscriber"},
		"one more": {
			after: func(s *site) {
				list, _, _ := auth.AddPassword(s.stored("editor")[0], "x", moments[0])
				s.exec("UPDATE elz_usermeta SET meta_value = ? WHERE user_id = "+ofEditor, list)
			}, want: everyone,
		},
		"user removed": {after: func(s *site) { s.exec("DELETE FROM elz_users WHERE user_login = 'editor'") },
			want: "admin author contributor subscriber"},
		"no file":      {after: func(s *site) { _ = os.Remove(s.file) }, want: ""},
		"file cut off": {after: func(s *site) { _ = os.WriteFile(s.file, []byte("# nothing\nelz_ admin\n\x00\n"), 0o600) }, want: ""},
		"no file and no passwords": {
			after: func(s *site) {
				_ = os.Remove(s.file)
				s.exec("UPDATE elz_usermeta SET meta_value = 'a:0:{}' WHERE meta_key = '_application_passwords'")
			}, want: everyone, replaced: true,
		},
		"another's account": {before: func(s *site) {
			s.exec("UPDATE elz_users SET user_email = 'me@example.org' WHERE user_login = 'admin'")
		}, want: "editor author contributor subscriber"},
		"a password of its own": {before: func(s *site) { s.exec("UPDATE elz_users SET user_pass = '$P$x' WHERE user_login = 'admin'") },
			want: "editor author contributor subscriber"},
		"unreadable": {
			before: func(s *site) {
				s.exec("INSERT INTO elz_usermeta (user_id, meta_key, meta_value) VALUES (1, '_application_passwords', 'broken')")
			}, want: "editor author contributor subscriber",
		},
		"an empty list": {
			before: func(s *site) {
				s.exec("INSERT INTO elz_usermeta (user_id, meta_key, meta_value) VALUES (1, '_application_passwords', '')")
			}, want: everyone,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			if c.before != nil {
				c.before(s)
			}
			first := s.passwords(prefix, true)
			if c.after != nil {
				c.after(s)
			}
			rows := fmt.Sprint(allRows[schema.UserMeta](t, s.tables(prefix), "umeta_id"))
			got := s.passwords(prefix, false)
			golden.Equal(t, "returned", s.logins(got), c.want)
			golden.Equal(t, "rows changed", fmt.Sprint(allRows[schema.UserMeta](t, s.tables(prefix), "umeta_id")) != rows, c.replaced)
			for _, p := range got {
				if slices.Contains(first, p) == c.replaced {
					t.Errorf("the password of %s: replaced is to be %t", p.Login, c.replaced)
				}
			}
		})
	}
}

// A file that an earlier site left is not used for a new site, but its lines about another site in the same database
// stay.
func TestPasswordsOfANewSite(t *testing.T) {
	s := newSite(t)
	first := s.passwords(prefix, true)
	s.fill("two_")
	other := s.passwords("two_", true)
	if len(other) != 5 || slices.Equal(first, other) || !slices.Equal(first, s.passwords(prefix, false)) ||
		!slices.Equal(other, s.passwords("two_", false)) {
		t.Error("two sites in one database affect each other")
	}
	s.db = engines["SQLite"](t) // the database was deleted, the file was not
	s.fill(prefix)
	anew := s.passwords(prefix, true)
	if got := s.logins(anew); got != everyone || anew[0] == first[0] || !slices.Equal(anew, s.passwords(prefix, false)) {
		t.Errorf("after starting anew: %s", got)
	}
}

func TestPasswordsInMemory(t *testing.T) {
	s := newSite(t)
	s.file = ""
	golden.Equal(t, "returned", s.logins(s.passwords(prefix, true)), everyone)
	if got := s.passwords(prefix, false); len(got) != 0 {
		t.Errorf("returned again: %v", got)
	}
}

// TestPasswordsAreKeptOrNotMade checks that no password is created if the file cannot be written, since the password
// would be lost.
func TestPasswordsAreKeptOrNotMade(t *testing.T) {
	s := newSite(t)
	for name, file := range map[string]string{"no directory": filepath.Join(t.TempDir(), "gone", PasswordFile),
		"a directory": t.TempDir()} {
		s.file = file
		got, err := Passwords(t.Context(), s.db, prefix, Keep{File: file}, moments[0])
		if err == nil || got != nil || len(s.stored("admin")) != 0 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	s.file = filepath.Join(t.TempDir(), PasswordFile)
	s.exec("CREATE TRIGGER refuse BEFORE INSERT ON elz_usermeta WHEN NEW.user_id = 3 BEGIN SELECT RAISE(ABORT, 'no'); END")
	if got, err := Passwords(t.Context(), s.db, prefix, Keep{File: s.file}, moments[0]); err == nil || got != nil ||
		len(s.stored("admin")) != 0 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := os.Stat(s.file); err == nil {
		t.Error("a file of passwords that are not stored")
	}
	s.exec("DROP TRIGGER refuse")
	golden.Equal(t, "then", s.logins(s.passwords(prefix, false)), everyone)
}

// The file is written before the commit, and restored if the commit fails.
func TestPasswordsWhoseCommitFails(t *testing.T) {
	for name, before := range map[string]string{"no file": "", "a file": "other_ admin x\n"} {
		s := newSite(t)
		if before != "" {
			must.Succeed(t, os.WriteFile(s.file, []byte(before), 0o600))
		}
		s.db.SetMaxOpenConns(1) // the setting belongs to a connection
		s.exec("PRAGMA foreign_keys = ON")
		s.exec("CREATE TABLE late (n INTEGER REFERENCES elz_users (ID) DEFERRABLE INITIALLY DEFERRED)")
		s.exec("CREATE TRIGGER late AFTER INSERT ON elz_usermeta BEGIN INSERT INTO late VALUES (777); END")
		got, err := Passwords(t.Context(), s.db, prefix, Keep{File: s.file}, moments[0])
		if err == nil || got != nil || len(s.stored("admin")) != 0 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		if after, err := os.ReadFile(s.file); string(after) != before || (err == nil) != (before != "") {
			t.Errorf("%s: the file is %q, %v", name, after, err)
		}
	}
}

func TestCredentialsDoNotPrint(t *testing.T) {
	c := Credential{Login: "admin", Password: "geheim"}
	var b strings.Builder
	slog.New(slog.NewTextHandler(&b, nil)).Info("x", "c", c, "all", []Credential{c})
	slog.New(slog.NewJSONHandler(&b, nil)).Info("x", "c", c, "all", []Credential{c})
	fmt.Fprintf(&b, "%v %+v %#v %s %q %v", c, c, c, c, c, &c)
	if strings.Contains(b.String(), "geheim") || strings.Count(b.String(), "admin") != 10 {
		t.Error(b.String())
	}
}
