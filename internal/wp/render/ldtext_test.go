package render

import (
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/wp"
)

func TestLDTexts(t *testing.T) {
	for in, want := range map[string][2]string{
		"":                              {"", ""},
		"0":                             {"0", "http://0"},
		" a \n b ":                      {"a b", "http://a%20b"},
		"<b>x</b> & 'y' &amp; &eacute;": {"x &amp; &#039;y&#039; &amp; &eacute;", "http://x%20&#038;%20&#039;y&#039;%20&#038;%20&eacute;"},
		"<9000>":                        {"", ""},
		"5 < 6":                         {"5 &lt; 6", "http://5%20&lt;%206"},
		"/path":                         {"/path", "/path"},
		"data:text/html,x":              {"data:text/html,x", ""},
		"mailto:a@b.be":                 {"mailto:a@b.be", "mailto:a@b.be"},
	} {
		if got := [2]string{LDText(in), LDLink(in)}; got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzLDPlaceURL checks that the URL of a venue cannot execute code if a page links to it, printed as it is or with
// entities decoded.
func FuzzLDPlaceURL(f *testing.F) {
	for _, s := range []string{"javascript:alert(1)", "java&Tab;script&colon;x", "\x01javascript&#58;x", "e.org:80/x", "//cdn.example/x",
		"?a:b", "HTTPS://e.org", "javascript&#58x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := LDPlaceURL(s)
		if got != "" && got != wp.TextField(s) {
			t.Fatalf("%q: %q", s, got)
		}
		for _, printed := range []string{got, html.UnescapeString(got)} {
			printed = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(printed)
			u, err := url.Parse(strings.TrimLeftFunc(printed, func(r rune) bool { return r <= ' ' }))
			if err != nil || u.Scheme == "" || strings.Contains(u.Scheme, ".") {
				continue
			}
			if u.Scheme != "http" && u.Scheme != "https" {
				t.Fatalf("%q: %q has the scheme %s", s, got, u.Scheme)
			}
		}
	})
}
