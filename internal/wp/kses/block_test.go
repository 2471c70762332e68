package kses

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/release"
)

func TestBlockDelimiters(t *testing.T) {
	golden.Each(t, "block-delimiters.txt", func(in, want string) {
		if got := Filter(in, Post(release.WP69)); got != want {
			t.Errorf("%q\n got %q\nwant %q", in, got, want)
		}
	})
}

func TestBlockAttributes(t *testing.T) {
	golden.Each(t, "block-attributes.txt", func(in, want string) {
		in, want = "<!-- wp:x "+in+" /-->", "<!-- wp:x "+want+"/-->"
		if got := Filter(in, Post(release.WP69)); got != want {
			t.Errorf("%q\n got %q\nwant %q", in, got, want)
		}
	})
}

func TestTemplatePart(t *testing.T) {
	for in, want := range map[string]string{
		`<!-- wp:template-part {"tagName":"script"} /-->`:            `<!-- wp:template-part {"tagName":""} /-->`,
		`<!-- wp:template-part {"tagName":"main","a":"script"} /-->`: `<!-- wp:template-part {"tagName":"main","a":"script"} /-->`,
		`<!-- wp:group {"tagName":"script"} /-->`:                    `<!-- wp:group {"tagName":"script"} /-->`,
	} {
		if got := Filter(in, Post(release.WP69)); got != want {
			t.Errorf("%q\n got %q\nwant %q", in, got, want)
		}
	}
}

func TestDeepBlocks(t *testing.T) {
	nest := func(n int) string {
		return `<!-- wp:x {"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `} /-->`
	}
	if got := Filter(nest(maxNesting-1), Post(release.WP69)); got != nest(maxNesting-1) {
		t.Errorf("%d levels: %q", maxNesting, got)
	}
	if got := Filter(nest(maxNesting), Post(release.WP69)); got != "<!-- wp:x /-->" {
		t.Errorf("%d levels: %q", maxNesting+1, got)
	}
	const n = 5000
	got := Filter(strings.Repeat("<!-- wp:x -->\n", n), Post(release.WP69))
	if want := strings.Repeat("<!-- wp:x -->\n", n) + strings.Repeat("<!-- /wp:x -->", n); got != want {
		t.Errorf("%d open blocks: %d bytes, want %d", n, len(got), len(want))
	}
}
