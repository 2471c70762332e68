package auth

import (
	"encoding/base64"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp"
)

func encoded(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func TestBasicCredentials(t *testing.T) {
	golden.Each(t, "basic.txt", func(header, wantName, wantPassword string, want bool) {
		name, password, ok := basicCredentials(header)
		if strings.HasSuffix(header, "A") && ok { // what is decoded from the surplus digit does not matter
			password, wantPassword = password[:4], wantPassword[:4]
		}
		if name != wantName || password != wantPassword || ok != want {
			t.Errorf("%q: %q %q %t, want %q %q %t", header, name, password, ok, wantName, wantPassword, want)
		}
	})
}

func TestCleanLogin(t *testing.T) {
	golden.Each(t, "logins.txt", func(name, want string) { golden.Equal(t, name, cleanLogin(name, nil), want) })
}

func FuzzHeader(f *testing.F) {
	golden.Seed(f, "Basic "+encoded("admin:pass"), "Basic YWRt aW46\tcGFz cw", "basic A", "Basic ====", "Bearer x",
		"Basic "+encoded("<b>é</b> %20&x; @:\x00\xff"))
	f.Fuzz(func(t *testing.T, header string) {
		name, password, ok := basicCredentials(header)
		if ok && (password == "" || strings.Contains(name, ":")) {
			t.Errorf("%q: %q %q", header, name, password)
		}
		if wp.IsEmail(name) && !utf8.ValidString(name) {
			t.Errorf("%q is an address", name)
		}
		clean := cleanLogin(name, nil)
		if strings.Trim(clean, " \t\n\v\f\r") != clean || strings.Contains(clean, "  ") {
			t.Errorf("%q: %q", name, clean)
		}
		s := newSecret(password)
		if strings.Trim(s.text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
			t.Errorf("%q", s.text)
		}
	})
}
