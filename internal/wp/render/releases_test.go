package render

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/release"
)

// recorded are the releases with which the cases were recorded.
var recorded = map[string]release.Release{"6.9.4": release.WP69, "7.0.4": release.WP70, "7.1": release.WP71}

// answers contains the results of the recorded releases. A missing one is the same as that of the next release.
type answers[T any] map[string]T

func (a answers[T]) forVersion(version string) T {
	if v, ok := a[version]; ok {
		return v
	}
	return a["7.1"]
}

// tally counts the cases of each kind, and those with the recorded result.
type tally map[string][2]int

func (n tally) addResult(kind string, same bool) {
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

// TestRenderBlocksOfReleases checks that blocks are rendered as by each release, with three themes.
func TestRenderBlocksOfReleases(t *testing.T) {
	type row struct {
		Name, Kind, In, Theme string
		Expected              answers[string]
		Others                map[string]answers[string] `json:"other_themes"`
	}
	env := blocksSite(t)
	count := tally{}
	for _, c := range golden.Read[struct{ Cases []row }](t, "wp7-blocks.json").Cases {
		for _, theme := range []string{"twentytwentyfive", "twentytwentyfour", "twentytwentythree"} {
			for version, r := range recorded {
				want := c.Expected.forVersion(version)
				if theme != c.Theme {
					if version == "7.0.4" {
						continue // was recorded with one theme only
					}
					if other, ok := c.Others[theme][version]; ok {
						want = other
					}
				}
				env.Theme, env.Release = ThemeOf(theme, "", ""), r
				got := recordedForm(c.In, env.Content(c.In, 0))
				count.addResult(c.Kind+" "+version, got == want)
				if got != want {
					t.Errorf("%s, %s (%s, %s)\n%s\n got:\n%s\nwant:\n%s", c.Kind, c.Name, version, theme, c.In, got, want)
				}
			}
		}
	}
	count.log(t)
}

// TestRenderTextsOfReleases checks that captions, excerpts and descriptions in JSON-LD are rendered as by each release.
// In lists, each text is rendered by itself.
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
			want := c.Expected.forVersion(version)
			if c.Decided != nil {
				if version == "7.0.4" {
					continue
				}
				want = c.Decided.forVersion(version)
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
			count.addResult(c.Kind+" "+version, same)
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

// stored returns a block as posts store it.
func stored(name, attrs, html string) string {
	return "<!-- wp:" + name + " " + attrs + " -->" + html + "<!-- /wp:" + name + " -->"
}

// TestRulesOfReleases checks cases that were not recorded and follow from the same rules.
func TestRulesOfReleases(t *testing.T) {
	tabs := func(attrs, button string) string {
		return stored("tabs", attrs, `<div class="wp-block-tabs">`+stored("tab-list", "", `<div `+
			`class="wp-block-tab-list">`+button+"</div>")+
			stored("tab-panels", "", stored("tab-panel", "", `<p class="wp-block-tab-panel">x</p>`))+"</div>")
	}
	item := func(attrs, panel string) string {
		return stored("accordion", "", stored("accordion-item", attrs, `<div class="wp-block-accordion-item">`+
			`<button class="wp-block-accordion-heading__toggle">Q</button><p class="wp-block-accordion-panel" `+panel+">a</p></div>"))
	}
	long := strings.Repeat("a", maxAnchor+1)
	columns := stored("columns", "", "<div></div>")
	for _, c := range []struct {
		name, in   string
		release    release.Release
		theme      *Theme
		has, lacks string
	}{
		{"chosen tab", tabs("", `<button aria-selected="true" tabindex="0">A</button>`), release.WP71, nil,
			`id="tab__tabs_1-tab-0"`, ` tabindex="0"`},
		{"long anchor", tabs(`{"anchor":"`+long+`"}`, "<button>A</button>"), release.WP71, nil, `id="tabs_1-tab-0"`, long},
		{"tabs of before", tabs("", "<button>A</button>"), release.WP70, nil, "<button>A</button>", "data-wp"},
		{"open panel", item(`{"openByDefault":true}`, "inert"), release.WP69, nil, "is-open", " inert"},
		{"found panel", item("", "hidden"), release.WP71, nil, "beforematch", " hidden"},
		{"unknown block with colors", stored("acme/x", `{"style":{"elements":{"link":{"color":{"text":"#f00"}}}}}`, "<p>x</p>"),
			release.WP71, nil, "<p>x</p>", "wp-elements"},
		{"gap of users", columns, release.WP71, ThemeOf("acme", "",
			`{"styles":{"blocks":{"core/columns":{"spacing":{"blockGap":"3px"}}}}}`),
			shortHashOf(`[{"type":"flex","flexWrap":"nowrap"},true,null,false,"3px",null]`), ""},
		{"no gap", columns, release.WP71, ThemeOf("acme", "", ""),
			shortHashOf(`[{"type":"flex","flexWrap":"nowrap"},true,null,false,"2em",null]`), ""},
		{"gap of before", columns, release.WP69, nil, shortHashOf(`[{"type":"flex","flexWrap":"nowrap"},true,null,false,"2em",null]`), ""},
		{"unknown alignment", stored("icon", `{"icon":"core/tag","align":"x"}`, ""), release.WP71, nil, `<div class="wp-block-icon">`, ""},
		{"border of a preset", stored("icon", `{"icon":"core/tag","borderColor":"aB1"}`, ""), release.WP71, nil,
			`class="has-border-color has-a-b-1-border-color"`, "style="},
		{"icon of before", stored("icon", `{"icon":"core/tag"}`, ""), release.WP69, nil, "", "svg"},
		{"menu's button as text", stored("navigation-overlay-close", `{"displayMode":"text","text":"<b>x</b>"}`, ""), release.WP70, nil,
			`__text"><b>x</b></span>`, "svg"},
		{"heading switched off", stored("accordion-heading", `{"metadata":{"blockVisibility":false}}`, "x"), release.WP70, nil, "", "x"},
		{"the same before", stored("accordion-heading", `{"metadata":{"blockVisibility":false}}`, "x"), release.WP69, nil, "x", ""},
		{"track with a number as text", stored("playlist-track", `{"id":"7"}`, ""), release.WP71, nil, "<li ", ""},
		{"note without an end", stored("list", "", `<ul><li><mark class="wp-note">a`), release.WP71, nil, "<li>a", "mark"},
	} {
		env := &Env{Release: c.release, Theme: c.theme}
		got := env.renderBlocks(c.in)
		if !strings.Contains(got, c.has) || c.lacks != "" && strings.Contains(got, c.lacks) {
			t.Errorf("%s\n got %s\nwant %s\nand not %s", c.name, got, c.has, c.lacks)
		}
	}
	if len(iconDrawings) != 88 {
		t.Errorf("%d icons are drawn", len(iconDrawings))
	}
}

// BenchmarkRenderFortyBlocks renders typical content on each release.
func BenchmarkRenderFortyBlocks(b *testing.B) {
	block := func(name, html string) string {
		kind, _, _ := strings.Cut(name, " ")
		return "<!-- wp:" + name + " -->\n" + html + "\n<!-- /wp:" + kind + " -->\n\n"
	}
	paragraph := block("paragraph", `<p>Doors at 19:30, the "band" plays <a href="https://example.org/?a=1&b=2">from 20:15 on</a>.</p>`)
	ten := block("heading", `<h2 class="wp-block-heading">Line-up</h2>`) + strings.Repeat(paragraph, 3) +
		block("list", `<ul class="wp-block-list">`+block("list-item", "<li>one</li>")+"</ul>") +
		block("columns", `<div class="wp-block-columns">`+block("column", `<div class="wp-block-column">`+paragraph+"</div>")+"</div>") +
		block(`image {"id":100}`, `<figure class="wp-block-image"><img src="http://127.0.0.1:8086/wp-content/uploads/2026/11/pic.jpg" `+
			`alt="" `+
			`class="wp-image-100"/></figure>`)
	env := blocksSite(b)
	for _, env.Release = range release.All() {
		for name, text := range map[string]string{"paragraphs": strings.Repeat(paragraph, 40), "mixed": strings.Repeat(ten, 4)} {
			b.Run(name+" "+env.Release.String(), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					env.Content(text, 0)
				}
			})
		}
	}
}
