package render

import (
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp"
)

func TestLDTexts(t *testing.T) {
	golden.Each(t, "ld-texts.txt", func(in, text, link string) {
		if LDText(in) != text || LDLink(in) != link {
			t.Errorf("%q: %q %q, want %q %q", in, LDText(in), LDLink(in), text, link)
		}
	})
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
