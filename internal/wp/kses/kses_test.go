package kses

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/release"
)

// TestPost checks the recorded cases of the list for content.
func TestPost(t *testing.T) {
	check(t, golden.Load[pair](t, "kses.json", 235), map[string]string{
		// A backslash is kept in a URL (D41).
		`<a href="https://example.org/\0x">x</a>`: `<a href="https://example.org/\0x">x</a>`,
	}, func(s string) string { return Filter(s, Post(release.WP69)) })
}

// TestTitle checks the recorded titles. Surrounding white space is removed in any case.
func TestTitle(t *testing.T) {
	type title struct {
		In  string
		Out struct {
			Without struct{ Stored string } `json:"without_unfiltered_html"`
		}
	}
	var cases []pair
	for _, c := range golden.Load[title](t, "kses-title.json", 35) {
		cases = append(cases, pair{c.In, c.Out.Without.Stored})
	}
	check(t, cases, map[string]string{
		// Nothing is left of these titles, so the event kept its previous one, "x".
		`<img src=x onerror=y>`: "",
		`<br>`:                  "",
		// A backslash is kept (D41).
		`tab\tx`: `tab\tx`,
	}, func(s string) string { return strings.TrimSpace(Filter(s, Title(release.WP69))) })
}

// TestBlocks checks the recorded content with block delimiters.
func TestBlocks(t *testing.T) {
	check(t, golden.Load[pair](t, "kses-blocks.json", 15), map[string]string{
		// The backslashes before the quotes are kept, so the JSON is valid (D41).
		`<!-- wp:x/y {"t":"é / \"q\""} /-->`: `<!-- wp:x/y {"t":"é / \u0022q\u0022"} /-->`,
	}, func(s string) string { return Filter(s, Post(release.WP69)) })
}

func TestMarkup(t *testing.T) {
	golden.Each(t, "markup.txt", func(in, want string) { golden.Equal(t, in, Filter(in, Post(release.WP69)), want) })
}

func TestAttributes(t *testing.T) {
	golden.Each(t, "attributes.txt", func(in, want string) {
		if got := Filter("<b "+in+">", Post(release.WP69)); got != "<b"+want+">" {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	})
}

func TestURL(t *testing.T) {
	golden.Each(t, "urls.txt", func(in, want string) { golden.Equal(t, in, URL(in), want) })
}

// TestData compares the embedded lists with the recorded ones.
func TestData(t *testing.T) {
	checkRecordedLists(t)
	oldest := data.lists[release.WP69]()
	if &oldest.post.tags == &oldest.title.tags || !oldest.post.repair || oldest.title.repair || oldest.description.repair {
		t.Error("lists are mixed up")
	}
}

func TestStyle(t *testing.T) {
	golden.Each(t, "styles.txt", func(in, want string) { golden.Equal(t, in, Style(in, release.WP69), want) })
}

func TestBlockDelimiters(t *testing.T) {
	golden.Each(t, "block-delimiters.txt", func(in, want string) { golden.Equal(t, in, Filter(in, Post(release.WP69)), want) })
}

func TestBlockAttributes(t *testing.T) {
	golden.Each(t, "block-attributes.txt", func(in, want string) {
		in, want = "<!-- wp:x "+in+" /-->", "<!-- wp:x "+want+"/-->"
		golden.Equal(t, in, Filter(in, Post(release.WP69)), want)
	})
}

func TestTemplatePart(t *testing.T) {
	for in, want := range map[string]string{
		`<!-- wp:template-part {"tagName":"script"} /-->`:            `<!-- wp:template-part {"tagName":""} /-->`,
		`<!-- wp:template-part {"tagName":"main","a":"script"} /-->`: `<!-- wp:template-part {"tagName":"main","a":"script"} /-->`,
		`<!-- wp:group {"tagName":"script"} /-->`:                    `<!-- wp:group {"tagName":"script"} /-->`,
	} {
		golden.Equal(t, in, Filter(in, Post(release.WP69)), want)
	}
}

func TestDeepBlocks(t *testing.T) {
	nest := func(n int) string {
		return `<!-- wp:x {"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `} /-->`
	}
	golden.Equal(t, maxNesting, Filter(nest(maxNesting-1), Post(release.WP69)), nest(maxNesting-1))
	golden.Equal(t, maxNesting+1, Filter(nest(maxNesting), Post(release.WP69)), "<!-- wp:x /-->")
	const n = 5000
	got := Filter(strings.Repeat("<!-- wp:x -->\n", n), Post(release.WP69))
	if want := strings.Repeat("<!-- wp:x -->\n", n) + strings.Repeat("<!-- /wp:x -->", n); got != want {
		t.Errorf("%d open blocks: %d bytes, want %d", n, len(got), len(want))
	}
}
