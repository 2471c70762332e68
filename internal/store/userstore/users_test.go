package userstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/test/atonce"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

func execute(t *testing.T, db *bun.DB, query string, args ...any) {
	t.Helper()
	must.Get(db.NewRaw(query, args...).Exec(t.Context()))(t)
}

// accounts returns the Users of a new copy of the recorded site, with its database.
func accounts(t *testing.T, opts ...testdb.Option) (*Users, *bun.DB, *testdb.Counter) {
	t.Helper()
	pool, counter := testdb.Counted(t, testdb.SiteA, opts...)
	db := must.Get(schema.Bind(pool, "wp_"))(t)
	counter.Reset()
	return New(db, "wp_capabilities"), db, counter
}

func TestFind(t *testing.T) {
	s, db, counter := accounts(t)
	execute(t, testdb.OfOthers(t, db), "INSERT INTO wp_users (ID, user_login, user_email, user_pass) VALUES "+
		"(20, 'ådmin', 'other@example.org', 'x'), (21, 'ELENA', 'Elena@Example.ORG', 'x'), "+
		"(22, 'sub1@example.org', 'else@example.org', 'x'), (23, 'é', 'renée@example.org', 'x'), (24, 'пётр', '', 'x'), "+
		"(25, '', '', 'x'), (26, 'slash\\\\name', '', 'x')")
	check := func(login, email string, want int64) {
		counter.Reset()
		u, err := s.Find(t.Context(), login, email)
		if want == 0 && !errors.Is(err, ErrNoUser) || want != 0 && (err != nil || u.ID != want) {
			t.Errorf("%.40q %.40q: %v, %v; want %d", login, email, u, err, want)
		}
		golden.Equal(t, login, len(counter.Statements()), 1)
	}
	golden.Each(t, "users.txt", check)
	check(strings.Repeat("a", 100_000), strings.Repeat("b", 100_000), 0)
}

func TestMetasOfAUser(t *testing.T) {
	s, db, counter := accounts(t)
	execute(t, db, "INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (2, 'WP_Capabilities', 'wrong'), "+
		"(2, 'wp_capabilities', 'younger'), (2, 'session_tokens', 'a:0:{}'), (2, 's2_capabilities', 'of another site'), "+
		"(5, 'session_tokens', NULL), (5, NULL, 'x')")
	execute(t, db, "DELETE FROM wp_usermeta WHERE user_id = 4 AND meta_key IN ('wp_capabilities', '_application_passwords')")
	counter.Reset()
	u, err := s.Find(t.Context(), "editor1", "")
	if err != nil || u.Login != "editor1" || u.Email != "editor1@example.org" || !strings.HasPrefix(u.PasswordHash, "$wp$2y$10$ngYY") ||
		u.Capabilities != `a:1:{s:6:"editor";b:1;}` || u.SessionTokens != "a:0:{}" ||
		!strings.Contains(u.ApplicationPasswords, "3433220b-4c79") {
		t.Errorf("%#v, %v", u, err)
	}
	same, err := s.ByID(t.Context(), 2)
	if err != nil || *same != *u {
		t.Errorf("by id: %v, %v", same, err)
	}
	if u, err := s.ByID(t.Context(), 4); err != nil || u.Capabilities != "" || u.ApplicationPasswords != "" || u.Login != "contrib1" {
		t.Errorf("without metas: %v, %v", u, err)
	}
	if u, err := s.ByID(t.Context(), 5); err != nil || u.SessionTokens != "" {
		t.Errorf("with NULL: %v, %v", u, err)
	}
	if u, err := New(db, "s2_capabilities").ByID(t.Context(), 2); err != nil || u.Capabilities != "of another site" {
		t.Errorf("another site on these users: %v, %v", u, err)
	}
	for _, id := range []int64{0, -1, 99} {
		if u, err := s.ByID(t.Context(), id); u != nil || !errors.Is(err, ErrNoUser) {
			t.Errorf("id %d: %v, %v", id, u, err)
		}
	}
	if n := len(counter.Statements()); n != 8 {
		t.Errorf("%d statements", n)
	}
}

// TestUserPrintsItsID checks that a User that is printed by mistake shows its id and no hash.
func TestUserPrintsItsID(t *testing.T) {
	u := User{ID: 7, Login: "secret", PasswordHash: "secret", ApplicationPasswords: "secret", SessionTokens: "secret"}
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		golden.Equal(t, format, fmt.Sprintf(format, u)+fmt.Sprintf(format, &u), "user 7user 7")
	}
	golden.Equal(t, "in logs", u.LogValue().String(), "7")
}

func passwordsOf(t *testing.T, db *bun.DB, user int64) (stored []string) {
	t.Helper()
	err := db.NewRaw("SELECT meta_value FROM wp_usermeta WHERE user_id = ? AND meta_key = '_application_passwords' ORDER BY umeta_id",
		user).Scan(t.Context(), &stored)
	must.Succeed(t, err)
	return stored
}

func TestUpdatePasswords(t *testing.T) {
	s, db, counter := accounts(t, testdb.WithSQLMode(testdb.MySQL8))
	before := passwordsOf(t, db, 2)
	seen := ""
	look := func(stored string) (string, bool) { seen = stored; return "ignored", false }
	if err := s.UpdatePasswords(t.Context(), 2, look); err != nil || seen != before[0] || !slices.Equal(before, passwordsOf(t, db, 2)) {
		t.Errorf("no change: %q, %v", seen, err)
	}
	for _, value := range []string{"plain", `quote ' and \ back`, "été 🎷", "a NUL: \x00.", "\x00O:8", ""} {
		counter.Reset()
		err := s.UpdatePasswords(t.Context(), 2, func(string) (string, bool) { return value, true })
		if got := passwordsOf(t, db, 2); err != nil || len(got) != 1 || got[0] != value {
			t.Errorf("%q: %q, %v", value, got, err)
		}
		n := len(counter.Matching("usermeta"))
		if n != 3 || len(counter.Matching("for update")) != 1 || counter.Transactions().Committed != 1 {
			t.Errorf("%q", counter.Statements())
		}
	}
	execute(t, db, "DELETE FROM wp_usermeta WHERE user_id = 3")
	if err := s.UpdatePasswords(t.Context(), 3,
		func(stored string) (string, bool) { return "new" + stored, true }); err != nil ||
		!slices.Equal(passwordsOf(t, db, 3), []string{"new"}) {
		t.Errorf("no row yet: %q, %v", passwordsOf(t, db, 3), err)
	}
	// Of two rows the older one counts, and the other is left alone.
	execute(t, db, "INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (3, '_APPLICATION_passwords', 'other'), "+
		"(3, '_application_passwords', 'younger')")
	if err := s.UpdatePasswords(t.Context(), 3,
		func(stored string) (string, bool) { return stored + "+", true }); err != nil ||
		!slices.Equal(passwordsOf(t, db, 3), []string{"new+", "other", "younger"}) {
		t.Errorf("two rows: %q, %v", passwordsOf(t, db, 3), err)
	}
	if err := s.UpdatePasswords(t.Context(), 99, look); !errors.Is(err, ErrNoUser) {
		t.Errorf("no such user: %v", err)
	}
	broken := errors.New("broken")
	counter.Reset()
	counter.FailAt(2, broken)
	if err := s.UpdatePasswords(t.Context(), 2, func(string) (string, bool) { return "x", true }); !errors.Is(err,
		broken) || counter.Transactions().RolledBack != 1 {
		t.Errorf("%v, %+v", err, counter.Transactions())
	}
}

// TestUpdatePasswordsKeepsOthers checks that of many concurrent changes each is kept, even if there was no row before.
func TestUpdatePasswordsKeepsOthers(t *testing.T) {
	s, db, _ := accounts(t)
	execute(t, db, "DELETE FROM wp_usermeta WHERE user_id = 5")
	atonce.Run(8, func(int) {
		for _, user := range []int64{4, 5} {
			if err := s.UpdatePasswords(t.Context(), user,
				func(stored string) (string, bool) { return stored + "+", true }); err != nil {
				t.Error(err)
			}
		}
	})
	for _, user := range []int64{4, 5} {
		if got := passwordsOf(t, db, user); len(got) != 1 || !strings.HasSuffix(got[0], "++++++++") {
			t.Errorf("user %d: %q", user, got)
		}
	}
}

// TestUpdatePasswordsAgainAfterDeadlock checks that a transaction that the server ended because of another one is
// retried a limited number of times.
func TestUpdatePasswordsAgainAfterDeadlock(t *testing.T) {
	s, db, counter := accounts(t)
	deadlock := &mysql.MySQLError{Number: 1213}
	counter.FailAt(2, deadlock)
	if err := s.UpdatePasswords(t.Context(), 2, func(string) (string, bool) { return "again", true }); err != nil || passwordsOf(t, db,
		2)[0] != "again" {
		t.Errorf("%v", err)
	}
	const attempts = 6 // of store.Again
	calls := 0
	counter.Before(func(_ context.Context, _ int, query string) error {
		if strings.HasPrefix(query, "UPDATE") {
			calls++
			return deadlock
		}
		return nil
	})
	if err := s.UpdatePasswords(t.Context(), 2, func(string) (string, bool) { return "never", true }); !errors.Is(err,
		deadlock) || calls != attempts {
		t.Errorf("%v after %d", err, calls)
	}
}

// TestReasonTellsNoValue checks that stored values that a server's message quotes are not logged.
func TestReasonTellsNoValue(t *testing.T) {
	said := fmt.Errorf("wrapped: %w", &mysql.MySQLError{Number: 1366, Message: "Incorrect string value: 'secret'"})
	for _, c := range []struct {
		err  error
		want string
	}{
		{nil, ""}, {said, "error 1366 of the server"}, {errors.New("secret"), "*errors.errorString"},
		{context.DeadlineExceeded, "context deadline exceeded"}, {ErrNoUser, "store: no such user"}, {io.EOF, "EOF"},
	} {
		golden.Equal(t, c.err, Reason(c.err), c.want)
	}
}
