package render

import (
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/release"
)

func postFilter(s string) string { return kses.Filter(s, kses.Post(release.WP69)) }

func TestJSONLD(t *testing.T) {
	type row struct{ Title, Excerpt, Content, Name, Description string }
	for _, v := range golden.Load[row](t, "json-ld.json", 147) {
		golden.Equal(t, v.Title, LDName(Title(v.Title, nil)), v.Name)
		if got := LDDescription(v.Excerpt, v.Content, release.WP69, postFilter); got != v.Description {
			t.Errorf("LDDescription(%q, %q)\n got %q\nwant %q", v.Excerpt, v.Content, got, v.Description)
		}
	}
}

func TestLDDescription(t *testing.T) {
	golden.Each(t, "ld-descriptions.txt", func(excerpt, content, want string) {
		if got := LDDescription(excerpt, content, release.WP69, postFilter); got != want {
			t.Errorf("LDDescription(%q, %q)\n got %q\nwant %q", excerpt, content, got, want)
		}
	})
}

func TestExcerptBlocks(t *testing.T) {
	golden.Each(t, "excerpt-blocks.txt", func(in, want string) { golden.Equal(t, in, excerptBlocks(in, release.WP69, false), want) })
}

func TestPlainText(t *testing.T) {
	golden.Each(t, "plain-text.txt", func(in, want string) { golden.Equal(t, in, dropBracketed(in), want) })
	golden.Each(t, "plain-markup.txt", func(in, want string) { golden.Equal(t, in, escapeJS(in), want) })
	for in, want := range map[string]string{
		" <b>a</b> <style>x</style>b<SCRIPT src=y>\nz</Script>\n": "a b",
		"a < b": "a < b",
	} {
		golden.Equal(t, in, wp.StripToText(in), want)
	}
	golden.Equal(t, "no words", firstWords("a  b\nc", 0, "…"), "…")
	golden.Equal(t, "two words", firstWords(" a\t\nb ", 2, "…"), "a b")
}

func TestLDEmail(t *testing.T) {
	for _, s := range []string{"", "info@example.org", "\t\x7f<&>@é.org", "\x00"} {
		got := LDEmail(s)
		if decoded := html.UnescapeString(got); s != "\x00" && decoded != s {
			t.Errorf("LDEmail(%q) = %q, which means %q", s, got, decoded)
		}
		if strings.ContainsAny(got, "@<>.\"") {
			t.Errorf("LDEmail(%q) = %q shows the address", s, got)
		}
	}
	golden.Equal(t, "an address", LDEmail("a@b\t"), "&#97;&#64;&#98;&#9;")
}

func FuzzLDDescription(f *testing.F) {
	for _, s := range hostileTexts {
		f.Add(strings.Repeat(s, 5), false)
		f.Add(strings.Repeat(s, 5), true)
	}
	f.Add("<!-- wp:group --><!-- wp:list --><ul></ul><!-- /wp:group -->a[b]c &#390; \\'", false)
	f.Fuzz(func(t *testing.T, s string, excerpt bool) {
		var got string
		if excerpt {
			got = LDDescription(s, "", release.WP69, postFilter)
		} else {
			got = LDDescription("", s, release.WP69, postFilter)
		}
		if strings.ContainsAny(got, "<>\"\n\r") {
			t.Errorf("LDDescription(%q) = %q", s, got)
		}
		if text := wp.StripToText(s); len(text) > len(s) {
			t.Errorf("StripToText(%q) = %q", s, text)
		}
		if html.UnescapeString(LDEmail("a"+s)) == "" {
			t.Errorf("LDEmail(%q) shows nothing", s)
		}
	})
}

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
	golden.Seed(f, "javascript:alert(1)", "java&Tab;script&colon;x", "\x01javascript&#58;x", "e.org:80/x", "//cdn.example/x",
		"?a:b", "HTTPS://e.org", "javascript&#58x")
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
