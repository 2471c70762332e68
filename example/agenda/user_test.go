package main

import (
	"bytes"
	"net/http"
	"regexp"
	"strings"
	"testing"

	testdb "github.com/agendahq/agenda/internal/test/db"
)

// ran runs a command line and returns its exit code and output.
func ran(t *testing.T, args ...string) (code int, out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	code = commands.Run(t.Context(), args, &o, &e)
	return code, o.String(), e.String()
}

// says runs a command and checks its exit code, and that its output contains a text. It returns the output. A mistake
// (code 2) is named on the standard error: the help, on the standard output, has many of the same words.
func says(t *testing.T, code int, want string, args ...string) string {
	t.Helper()
	got, out, errOut := ran(t, args...)
	where := out + errOut
	if code == 2 {
		where = errOut
	}
	if got != code || !strings.Contains(where, want) {
		t.Errorf("%q: exit code %d, want %d and %q in\n%s%s", args, got, code, want, out, errOut)
	}
	return out + errOut
}

var onePassword = regexp.MustCompile(`(?m)^[A-Za-z0-9]{24}$`)

// onEverySite runs a test with the flags of an embedded database, and at the same time with those of a database on a
// server.
func onEverySite(t *testing.T, test func(t *testing.T, database []string)) {
	t.Run("embedded", func(t *testing.T) {
		t.Parallel()
		dir, _ := earlier(t)
		test(t, []string{"-data", dir})
	})
	t.Run("MariaDB", func(t *testing.T) {
		t.Parallel()
		test(t, []string{"-dsn", testdb.DSNOf(t, testdb.SiteA(t))})
	})
}

// TestUsersComeInAndLeave checks that new users can sign in with each of their passwords, which are not shown again,
// and not with one that was revoked. The items of a removed user are reassigned to another one, and the last
// administrator cannot be removed.
func TestUsersComeInAndLeave(t *testing.T) {
	t.Parallel()
	onEverySite(t, func(t *testing.T, database []string) {
		user := func(want int, args ...string) string {
			t.Helper()
			code, out, errOut := ran(t, append(append([]string{"user"}, args...), database...)...)
			if code != want || want == 0 && errOut != "" {
				t.Fatalf("user %v: %d %s", args, code, errOut)
			}
			return out + errOut
		}
		first := onePassword.FindString(user(0, "add", "--login", "anna b", "--email", "anna@example.org", "--role", "administrator"))
		phone := onePassword.FindString(user(0, "password", "--login", "anna b", "--name", "phone"))
		user(0, "password", "--login", "anna b", "--password-name", "phone")
		line := regexp.MustCompile(`(?m)^anna b +anna@example\.org +administrator +3 +(.+)$`)
		if m := line.FindStringSubmatch(user(0, "list")); m == nil || m[1] != "never" {
			t.Errorf("listed: %s", user(0, "list"))
		}
		address, printed, end := printing(t, append(database, "--demo=false", "--log-level", "debug")...)
		allowed := func(want ...int) {
			t.Helper()
			for i, password := range []string{phone, first} {
				if got := as(t, "anna b", password, address+drafts); got != want[i] {
					t.Errorf("drafts: %d, want %d", got, want[i])
				}
			}
		}
		allowed(200, 200)
		list := user(0, "list")
		if m := line.FindStringSubmatch(list); m == nil || !strings.HasSuffix(m[1], " UTC") {
			t.Errorf("listed: %s", list)
		}
		revoked := user(0, "revoke", "--login", "anna b", "--password-name", "phone")
		if revoked != "Application passwords revoked of anna b: 2.\n" {
			t.Error(revoked)
		}
		allowed(401, 200)
		if out := user(2, "revoke", "--login", "anna b", "--password-name", "phone"); !strings.Contains(out, `no application password`) {
			t.Error(out)
		}
		if out := user(0, "revoke", "--login", "anna b", "--all"); !strings.Contains(out, ": 1.") {
			t.Error(out)
		}
		allowed(401, 401)
		if out := user(2, "remove", "--login", "admin"); !strings.Contains(out, "name the user who gets them with --reassign") {
			t.Error(out)
		}
		for heir, want := range map[string]string{"admin": "name another user", "nobody": `--reassign "nobody"`} {
			if out := user(2, "remove", "--login", "admin", "--reassign", heir); !strings.Contains(out, want) {
				t.Error(out)
			}
		}
		got := regexp.MustCompile(`^admin was removed; anna b got \d+ items`)
		if out := user(0, "remove", "--login", "admin", "--reassign", "anna b"); !got.MatchString(out) {
			t.Error(out)
		}
		if out := user(2, "remove", "--login", "anna b"); !strings.Contains(out, "the last administrator") {
			t.Error(out)
		}
		if list := user(0, "list"); strings.Contains(list, "admin@") || !strings.Contains(list, "anna@") {
			t.Errorf("users: %s", list)
		}
		if code, _ := get(t, address+"/wp-json/vendor/events/v1/events"); code.StatusCode != http.StatusOK {
			t.Errorf("events: %d", code.StatusCode)
		}
		log := ended(t, end)
		secretless(t, printed+log+list, map[string]string{"1": first, "2": phone})
	})
}

func TestMistakesWithUsers(t *testing.T) {
	t.Parallel()
	empty := testdb.DSN(t)
	onEverySite(t, func(t *testing.T, database []string) {
		mistakes(t, "user-mistakes.txt", strings.NewReplacer("{empty}", empty, "{none}", t.TempDir(), "{flag}", database[0],
			"{site}", database[1]))
	})
}

func TestListedTextsHoldNoControls(t *testing.T) {
	for in, want := range map[string]string{"": "-", "anna b": "anna b", "a\x1b[2Jb\t\n\u202e": "a?[2Jb???", "zoë": "zoë"} {
		if got := printable(in); got != want {
			t.Errorf("%q is printed as %q", in, got)
		}
	}
}
