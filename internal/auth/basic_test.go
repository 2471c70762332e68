package auth

import (
	"encoding/base64"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/wp"
)

func encoded(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func TestBasicCredentials(t *testing.T) {
	type found struct {
		name, password string
		ok             bool
	}
	for header, want := range map[string]found{
		"Basic " + encoded("admin:pass"):                        {"admin", "pass", true},
		"bAsIc " + encoded("admin:pass"):                        {"admin", "pass", true},
		"Basic    " + encoded("admin:pass") + "  ":              {"admin", "pass", true},
		"Basic " + strings.TrimRight(encoded("admin:pas"), "="): {"admin", "pas", true},
		"Basic " + encoded("admin:pas") + "====":                {"admin", "pas", true},
		"Basic YWRt aW46\tcGFz cw":                              {"admin", "pass", true},
		"Basic YWRt-aW46_cGFz*cw":                               {"admin", "pass", true},
		"Basic " + encoded("admin:pa:ss:"):                      {"admin", "pa:ss:", true},
		"Basic " + encoded(":pass"):                             {"", "pass", true},
		"Basic " + encoded(" é :p"):                             {" é ", "p", true},
		"Basic " + encoded("admin:"):                            {"admin", "", false},
		"Basic " + encoded(":"):                                 {"", "", false},
		"Basic " + encoded("admin"):                             {"admin", "", false},
		"Basic " + encoded("admin:pass") + "A":                  {"admin", "pass\x00", true},
		"Basic !!!!":                                            {}, "Basic ": {}, "Basic": {}, "": {}, "Basi": {},
		"Bearer " + encoded("admin:pass"): {}, "Digest " + encoded("admin:pass"): {}, "Basic:" + encoded("admin:pass"): {},
		encoded("admin:pass"): {},
	} {
		name, password, ok := basicCredentials(header)
		if strings.HasSuffix(header, "A") && ok { // what is decoded from the surplus digit does not matter
			password, want.password = password[:4], want.password[:4]
		}
		if got := (found{name, password, ok}); got != want {
			t.Errorf("%q: %+v, want %+v", header, got, want)
		}
	}
}

func TestCleanLogin(t *testing.T) {
	for name, want := range map[string]string{
		"admin": "admin", "ADMIN": "ADMIN", " admin ": "admin", "<b>admin</b>": "admin", "ádmin": "admin", "a  b\t\nc": "a b c", "": "",
		"  ":    "",
		"a%20b": "ab", "a&amp;b": "ab", "a & b": "a & b", "a%zz": "a%zz", "Ægir": "AEgir", "пётр": "пётр", "<script>x</script>me": "me",
		"a@b.cd": "a@b.cd", "100%": "100%",
	} {
		if got := cleanLogin(name, nil); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func FuzzHeader(f *testing.F) {
	for _, header := range []string{"Basic " + encoded("admin:pass"), "Basic YWRt aW46\tcGFz cw", "basic A", "Basic ====", "Bearer x",
		"Basic " + encoded("<b>é</b> %20&x; @:\x00\xff")} {
		f.Add(header)
	}
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
