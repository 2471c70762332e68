package render

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

// TestRenderBlockKinds checks cases that are not among the recorded texts of TestRenderBlocksOfSite.
func TestRenderBlockKinds(t *testing.T) {
	golden.Each(t, "block-kinds.txt", func(name, in, has, lacks string) {
		got := new(Env).renderBlocks(in)
		if !strings.Contains(got, has) || lacks != "" && strings.Contains(got, lacks) {
			t.Errorf("%s\n got %s\nwant %s\nand not %s", name, got, has, lacks)
		}
	})
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
