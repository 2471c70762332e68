package render

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

// stored returns a block as posts store it.
func stored(name, attrs, html string) string {
	return "<!-- wp:" + name + " " + attrs + " -->" + html + "<!-- /wp:" + name + " -->"
}

// TestRenderBlockKinds checks cases that are not among the recorded texts of TestRenderBlocksOfSite.
func TestRenderBlockKinds(t *testing.T) {
	const panel = `<div class="wp-block-accordion-panel"></div>`
	item := func(attrs, class, panel string) string {
		return stored("accordion-item", attrs, `<div class="wp-block-accordion-item`+class+`">`+
			`<button class="wp-block-accordion-heading__toggle">Q</button>`+panel+`</div>`)
	}
	image := func(attrs string) string { return stored("image", attrs, `<figure><img src="a"></figure>`) }
	for _, c := range []struct{ name, in, has, lacks string }{
		{"open item", stored("accordion", "", item(`{"openByDefault":true}`, "", panel)),
			` wp-block-accordion-item-is-layout-flow is-open`, " inert"},
		{"closed item", stored("accordion", "", item("", " is-open x", panel)), `<div inert`, " is-open "},
		{"item alone", item(`{"openByDefault":true}`, " is-open", panel), `id="accordion-item-1-panel"`, `<button aria-expanded`},
		{"item without a panel", stored("accordion", "", item("", " is-open", "")), " is-open ", "data-wp-init"},
		{"enlarged", image(`{"lightbox":{"enabled":true}}`), "<button", ""},
		{"enlarged without a figure", stored("image", `{"lightbox":{"enabled":true}}`, `<img src="a">`), `<img src="a">`, "button"},
		{"enlarged with a link", image(`{"linkDestination":"media","lightbox":{"enabled":true}}`), `<img src="a">`, "button"},
		{"unknown pair of colors", image(`{"style":{"color":{"duotone":"var:preset|duotone|x"}}}`),
			`class="wp-duotone-varpresetduotonex-1"`, ""},
		{"known pair of colors", image(`{"style":{"color":{"duotone":"var(--wp--preset--duotone--midnight)"}}}`),
			`class="wp-duotone-midnight"`, ""},
		{"more than a background", stored("verse", `{"style":{"background":{"backgroundSize":"1px;color:red"}}}`, "<pre></pre>"),
			"<pre>", "red"},
		{"fixed position", stored("group", `{"style":{"position":{"type":"fixed"}}}`, "<div></div>") + stored("gallery", "", "<i></i>"),
			"wp-block-gallery-2", "is-position"},
		{"named ratio", stored("cover", `{"style":{"dimensions":{"aspectRatio":"var:preset|aspect-ratio|4-3"}}}`, "<div></div>"),
			`style="min-height:unset;" class="is-layout-flow wp-block-cover-is-layout-flow has-aspect-ratio"`, "aspect-ratio:"},
		{"film without a file", stored("video", `{"id":5}`, "<video></video>"), "<video></video>", ""},
		{"preview without a name", stored("file", `{"displayPreview":true}`, `<p><OBJECT aria-label=""></p>`),
			`aria-label="PDF embed"`, "of"},
		{"label that is shown", stored("social-links", `{"showLabels":true}`, "<ul>"+
			stored("social-link", `{"url":"//e.org","label":" My ","service":"x"}`, "")+"</ul>"), `<a href="//e.org"`, "screen-reader"},
		{"host with a port", stored("social-link", `{"url":"e.org:80/x"}`, ""), `<li class="wp-social-link wp-social-link-Icon  ` +
			`wp-block-social-link"><a href="https://e.org:80/x"`, "Link"},
	} {
		got := new(Env).renderBlocks(c.in)
		if !strings.Contains(got, c.has) || c.lacks != "" && strings.Contains(got, c.lacks) {
			t.Errorf("%s\n got %s\nwant %s\nand not %s", c.name, got, c.has, c.lacks)
		}
	}
}

// TestFixedFontSize checks that font sizes are fixed in themes that are not known.
func TestFixedFontSize(t *testing.T) {
	const in = `<!-- wp:paragraph {"style":{"typography":{"fontSize":"30px"}}} --><p style="font-size:30px"></p><!-- /wp:paragraph -->`
	for name, fluid := range map[string]bool{"": true, "acme": false} {
		env := &Env{Theme: ThemeOf(name, "", "")}
		if got := env.renderBlocks(in); strings.Contains(got, "clamp(") != fluid {
			t.Errorf("%q: %s", name, got)
		}
	}
}

// TestPatternOverrides checks that overrides of patterns are applied, in all forms in which posts have stored them.
func TestPatternOverrides(t *testing.T) {
	golden.Each(t, "pattern-overrides.txt", func(attrs, ref, out string) {
		env := &Env{Patterns: map[int64]string{7: "<!-- wp:paragraph " + attrs + " --><p>old</p><!-- /wp:paragraph -->"}}
		if got := env.renderBlocks(`<!-- wp:block {"ref":7,` + ref + `} /-->`); got != out {
			t.Errorf("%s, %s\n got %s\nwant %s", attrs, ref, got, out)
		}
	})
}

// TestPatternBounds checks that the size of the result is limited, however many patterns contain each other.
func TestPatternBounds(t *testing.T) {
	const ref = `<!-- wp:block {"ref":%} /-->`
	env := &Env{Patterns: map[int64]string{}}
	for id := range int64(9) {
		env.Patterns[id+1] = "x" + strings.Repeat(strings.ReplaceAll(ref, "%", string(rune('2'+id))), 50)
	}
	if n := strings.Count(env.renderBlocks(strings.ReplaceAll(ref, "%", "1")), "x"); n != maxPatterns {
		t.Errorf("%d patterns are shown", n)
	}
	deep := &Env{Patterns: map[int64]string{}}
	for id := range int64(9) {
		deep.Patterns[id+1] = "x" + strings.ReplaceAll(ref, "%", string(rune('2'+id)))
	}
	if n := strings.Count(deep.renderBlocks(strings.ReplaceAll(ref, "%", "1")), "x"); n != PatternDepth {
		t.Errorf("patterns are shown %d levels deep", n)
	}
	large := &Env{Patterns: map[int64]string{1: strings.Repeat("x", patternBytes/2+1)}}
	if n := len(large.renderBlocks(strings.Repeat(strings.ReplaceAll(ref, "%", "1"), 3))); n != patternBytes/2+1 {
		t.Errorf("large patterns make %d bytes", n)
	}
	links := new(Env).renderBlocks(strings.Repeat(`<!-- wp:social-link {"url":"#"} /--><!-- wp:tribe/event-price /-->`, maxMade))
	if n := strings.Count(links, "<li ") + strings.Count(links, "__event-price"); n != maxMade {
		t.Errorf("%d blocks are made", n)
	}
}
