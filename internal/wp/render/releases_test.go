package render

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/release"
)

// recorded are the releases that the cases were recorded with.
var recorded = map[string]release.Release{"6.9.4": release.WP69, "7.0.4": release.WP70, "7.1": release.WP71}

// answers are what the recorded releases answer. One that is missing answers as the next.
type answers[T any] map[string]T

func (a answers[T]) of(version string) T {
	if v, ok := a[version]; ok {
		return v
	}
	return a["7.1"]
}

// tally counts the cases of each kind that are as recorded.
type tally map[string][2]int

func (n tally) add(kind string, same bool) {
	c := n[kind]
	c[1]++
	if same {
		c[0]++
	}
	n[kind] = c
}

func (n tally) log(t *testing.T) {
	var out strings.Builder
	for _, kind := range slices.Sorted(maps.Keys(n)) {
		fmt.Fprintf(&out, "%-34s %4d of %4d\n", kind, n[kind][0], n[kind][1])
	}
	t.Log("\n" + out.String())
}

// Blocks are shown as each release of the site shows them, with three themes.
func TestRenderBlocksOfReleases(t *testing.T) {
	type row struct {
		Name, Kind, In, Theme string
		Expected              answers[string]
		Others                map[string]answers[string] `json:"other_themes"`
	}
	env := blocksSite(t)
	count, only := tally{}, os.Getenv("KIND")
	for _, c := range golden.Read[struct{ Cases []row }](t, "wp7-blocks.json").Cases {
		if only != "" && c.Kind != only {
			continue
		}
		for _, theme := range []string{"twentytwentyfive", "twentytwentyfour", "twentytwentythree"} {
			for version, r := range recorded {
				want := c.Expected.of(version)
				if theme != c.Theme {
					if version == "7.0.4" {
						continue // was recorded with one theme
					}
					if other, ok := c.Others[theme][version]; ok {
						want = other
					}
				}
				env.Theme, env.Release = ThemeOf(theme, "", ""), r
				got := recordedForm(c.In, env.Content(c.In, 0))
				count.add(c.Kind+" "+version, got == want)
				if got != want {
					t.Errorf("%s, %s (%s, %s)\n%s\n got:\n%s\nwant:\n%s", c.Kind, c.Name, version, theme, c.In, got, want)
				}
			}
		}
	}
	count.log(t)
}

// Captions, excerpts, and descriptions of JSON-LD are as each release of the site has them. In lists each text is
// rendered as if it were the only one.
func TestRenderTextsOfReleases(t *testing.T) {
	type row struct {
		Kind, Name string
		In         any
		Excerpt    string
		Expected   answers[any]
		Decided    answers[any]
	}
	env := blocksSite(t)
	count := tally{}
	for _, c := range golden.Read[struct{ Cases []row }](t, "wp7-other.json").Cases {
		for version, r := range recorded {
			env.Theme, env.Release = ThemeOf("", "", ""), r
			want := c.Expected.of(version)
			if c.Decided != nil {
				if version == "7.0.4" {
					continue
				}
				want = c.Decided.of(version)
			}
			var texts []any
			list, many := c.In.([]any)
			if !many {
				list = []any{c.In}
			}
			for _, in := range list {
				texts = append(texts, env.textOf(c.Kind, in.(string), c.Excerpt))
			}
			var got any = texts
			if !many {
				got = texts[0]
			}
			same := reflect.DeepEqual(got, want)
			count.add(c.Kind+" "+version, same)
			if !same {
				t.Errorf("%s, %s (%s)\n%s\n got:\n%s\nwant:\n%s", c.Kind, c.Name, version, c.In, got, want)
			}
		}
	}
	count.log(t)
}

// textOf renders the text of a kind of cases.
func (e *Env) textOf(kind, content, excerpt string) string {
	switch kind {
	case "excerpt":
		return recordedForm(excerpt, e.Excerpt(excerpt))
	case "json-ld-description":
		return LDDescription(excerpt, content, e.Release, func(s string) string { return kses.Filter(s, ldList(e.Release)) })
	}
	return recordedForm(content, e.Content(content, 0))
}

func ldList(r release.Release) *kses.Allowed {
	return kses.Post(r).Only("a", "b", "strong", "em", "span", "ul", "ol", "li")
}

// BenchmarkRenderFortyBlocks renders a description of a usual kind on each release.
func BenchmarkRenderFortyBlocks(b *testing.B) {
	const paragraph = "<!-- wp:paragraph -->\n<p>Doors open at 19:30, the \"band\" plays <a href=\"https://example.org/?a=1&b=2\">from 20:15 on</a>.</p>\n" +
		"<!-- /wp:paragraph -->\n\n"
	const ten = "<!-- wp:heading -->\n<h2 class=\"wp-block-heading\">Line-up</h2>\n<!-- /wp:heading -->\n\n" + paragraph + paragraph + paragraph +
		"<!-- wp:list -->\n<ul class=\"wp-block-list\"><!-- wp:list-item -->\n<li>one</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->\n\n" +
		"<!-- wp:columns -->\n<div class=\"wp-block-columns\"><!-- wp:column -->\n<div class=\"wp-block-column\">" + paragraph +
		"</div>\n<!-- /wp:column --></div>\n<!-- /wp:columns -->\n\n<!-- wp:image {\"id\":100,\"sizeSlug\":\"large\"} -->\n" +
		"<figure class=\"wp-block-image size-large\"><img src=\"http://127.0.0.1:8086/wp-content/uploads/2026/11/pic-1024x683.jpg\" alt=\"\" " +
		"class=\"wp-image-100\"/></figure>\n<!-- /wp:image -->\n\n"
	env := blocksSite(b)
	for _, r := range release.All() {
		env.Release = r
		for name, text := range map[string]string{"paragraphs": strings.Repeat(paragraph, 40), "mixed": strings.Repeat(ten, 4)} {
			b.Run(name+" "+r.String(), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					env.Content(text, 0)
				}
			})
		}
	}
}
