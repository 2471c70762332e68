package auth

import (
	"strings"
	"testing"

	"golang.org/x/crypto/bcrypt"

	"github.com/agendahq/agenda/internal/test/must"
)

// forms contains a hash of each supported format, with its password.
var forms = map[string]struct{ password, hash string }{
	"generic":  {"eY6P50cxunVuetKF3UJ8pyXz", "$generic$EBCtBETmfz7d38WGaXl22wj1eyDXumCPy70Y6VhX"},
	"phpass":   {"PwPhpass00000000000000bb", "$P$BabcdEFGH3c0aIohlDd4iIaQlF96H50"},
	"bcrypt":   {"PwWpBcrypt000000000000cc", "$wp$2y$10$abcdefghijklmnopqrstuuuCd10NPUHHFFbpXK4xLKGeMLirABvrq"},
	"md5":      {"abc", "900150983cd24fb0d6963f7d28e17f72"},
	"plain 2y": {"allmine", "$2y$10$XajjQvNhvvRt5GSeFk1xFeyqRrsxkhBkUiQeg0dt.wU1qD4aFDcga"},
}

func TestMatches(t *testing.T) {
	for name, f := range forms {
		if !newSecret(f.password).matches(f.hash) {
			t.Errorf("%s: the right password is refused", name)
		}
		for _, wrong := range []string{"", "x", f.password + "x", f.password[1:], strings.ToUpper(f.password), strings.ToLower(f.password) +
			"0"} {
			if newSecret(wrong).matches(f.hash) {
				t.Errorf("%s: %q matches", name, wrong)
			}
		}
		slow := strings.Contains(f.hash, "$2y$")
		for i := range f.hash {
			if slow && i != 1 && i != 30 && i != 40 {
				continue // a few positions are enough
			}
			changed := f.hash[:i] + string(f.hash[i]^1) + f.hash[i+1:]
			if newSecret(f.password).matches(changed) {
				t.Errorf("%s: %s matches", name, changed)
			}
		}
	}
}

func TestMatchesNothing(t *testing.T) {
	s := newSecret("PwPhpass00000000000000bb")
	for _, hash := range []string{
		"", "$", "$P$", "$2", "$2y$", "$2y$10$", "$wp$2y$", "$wp$2y$10$short", "$generic$", "*0", "PwPhpass00000000000000bb",
		"$H$BabcdEFGH3c0aIohlDd4iIaQlF96H50", "$P$BabcdEFGH3c0aIohlDd4iIaQlF96H5", "$P$BabcdEFGH3c0aIohlDd4iIaQlF96H500",
		"$P$BABCDEFGH3c0aIohlDd4iIaQlF96H50",
		"$argon2id$v=19$m=65536,t=4,p=1$c29tZXNhbHQ$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", strings.Repeat("x", 5000),
	} {
		if s.matches(hash) {
			t.Errorf("%q matches", hash)
		}
	}
	// An empty password must not match, even if the stored hash is that of the empty string.
	for _, hash := range []string{"d41d8cd98f00b204e9800998ecf8427e", fastHash("")} {
		if newSecret("---").matches(hash) {
			t.Errorf("nothing matches %q", hash)
		}
	}
	if long := strings.Repeat("a", maxPassword+1); newSecret(long).matches(fastHash(long)) ||
		!newSecret(long[1:]).matches(fastHash(long[1:])) {
		t.Error("a password of 4096 letters is the longest one")
	}
}

// TestCostOfHashes checks that a stored hash cannot cause hours of work.
func TestCostOfHashes(t *testing.T) {
	salt := "$abcdefghijklmnopqrstuuuCd10NPUHHFFbpXK4xLKGeMLirABvrq"
	for _, hash := range []string{"$2y$16" + salt, "$2y$31" + salt, "$2y$99" + salt, "$wp$2y$16" + salt, "$wp$2y$31" + salt} {
		if newSecret("x").matches(hash) {
			t.Errorf("%s matches", hash)
		}
	}
	for rounds, allowed := range map[string]bool{"4": false, "5": true, "B": true, "E": true, "F": false, "S": false, "z": false,
		"-": false, ".": false} {
		if got := phpass("x", "$P$"+rounds+"abcdEFGH3c0aIohlDd4iIaQlF96H50"); (got != "") != allowed {
			t.Errorf("rounds %s: %q", rounds, got)
		}
	}
}

func TestPlainBcrypt(t *testing.T) {
	made := must.Get(bcrypt.GenerateFromPassword([]byte("Abc123"), bcrypt.MinCost))(t)
	for _, version := range []string{"$2a$", "$2b$", "$2y$"} {
		if !newSecret("Abc 123").matches(version + string(made[4:])) {
			t.Errorf("%s is refused", version)
		}
	}
}

func TestCleaning(t *testing.T) {
	for sent, want := range map[string]string{
		"abcd EFGH 1234": "abcdEFGH1234", "a-b_c.d": "abcd", "é a\x00b\xff!": "ab", "": "", " \t-": "", "AaZz09": "AaZz09", "@[`{/:": "",
	} {
		if got := newSecret(sent).text; got != want {
			t.Errorf("%q: %q, want %q", sent, got, want)
		}
	}
	if HashPassword("eY6P 50cx unVu etKF 3UJ8 pyXz") != forms["generic"].hash {
		t.Error("the hash of a password written in groups is another one")
	}
}

func TestNewPassword(t *testing.T) {
	seen, letters := map[string]bool{}, map[rune]int{}
	for range 500 {
		p := newPassword()
		if len(p) != 24 || newSecret(p).text != p || seen[p] {
			t.Fatalf("%q", p)
		}
		seen[p] = true
		for _, c := range p {
			letters[c]++
		}
	}
	// Each of the 62 characters is expected 194 times among 12000; 100 is about seven standard deviations away.
	for c, n := range letters {
		if n < 100 || n > 290 {
			t.Errorf("%c comes %d times", c, n)
		}
	}
	if len(letters) != 62 {
		t.Errorf("%d letters and digits", len(letters))
	}
}
