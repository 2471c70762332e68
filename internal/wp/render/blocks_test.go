package render

import (
	"crypto/md5"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/release"
)

func TestRenderBlocks(t *testing.T) {
	golden.Each(t, "blocks-rendered.txt", func(in, out string) { golden.Equal(t, in, new(Env).renderBlocks(in), out) })
}

func TestRenderBlocksChanged(t *testing.T) {
	golden.Each(t, "blocks-changed.txt", func(name, in, out string) {
		if got := new(Env).renderBlocks("<!-- wp:" + name + " -->" + in + "<!-- /wp:" + name + " -->"); got != out {
			t.Errorf("%s: %q\n got %q\nwant %q", name, in, got, out)
		}
	})
}

func TestBlockLayout(t *testing.T) {
	check := func(name, attrs, classes string) {
		want := `<div class="` + classes + `">x</div>`
		if classes == "" {
			want = "<div>x</div>"
		}
		in := "<!-- wp:" + name + " " + attrs + " --><div>x</div><!-- /wp:" + name + " -->"
		golden.Equal(t, in, new(Env).renderBlocks(in), want)
	}
	golden.Each(t, "block-layout.txt", check)
	check("group", `{"layout":{"type":"flex","orientation":"vertical","justifyContent":"center"}}`,
		"is-vertical is-content-justification-center is-layout-flex wp-container-core-group-is-layout-"+
			shortHashOf(`[{"type":"flex","orientation":"vertical","justifyContent":"center"},true,null,false,"0.5em",null]`)+
			" wp-block-group-is-layout-flex")
	check("columns", `{"style":{"spacing":{"blockGap":{"top":"1em","left":"a/b"}}}}`, "is-layout-flex wp-container-core-columns-is-layout-"+
		shortHashOf(`[{"type":"flex","flexWrap":"nowrap"},true,{"top":"1em","left":"a\/b"},false,"2em",`+
			`{"blockGap":{"top":"1em","left":"a\/b"}}]`)+
		" wp-block-columns-is-layout-flex")
	check("group", `{"style":{"spacing":{"blockGap":"0"}}}`, "is-layout-flow wp-container-core-group-is-layout-"+
		shortHashOf(`[[],true,"0",false,"0.5em",{"blockGap":"0"}]`)+" wp-block-group-is-layout-flow")
	check("group", `{"layout":{"type":"constrained","justifyContent":"left"}}`,
		"has-global-padding is-content-justification-left is-layout-constrained wp-container-core-group-is-layout-"+
			shortHashOf(`[{"type":"constrained","justifyContent":"left"},true,null,false,"0.5em",null]`)+
			" wp-block-group-is-layout-constrained")
}

// shortHashOf returns the short hash of a value, given as JSON.
func shortHashOf(text string) string {
	sum := md5.Sum([]byte(text))
	return hex.EncodeToString(sum[:])[:8]
}

func TestBlockJSON(t *testing.T) {
	const in = `{"a":[1,-0,2.5,1e3,"\u00e9/\"\\\ud83d\ude00\n\t\u0001"],"5":{},"b":null,"c":true,"a b":false}`
	const out = `{"a":[1,-0.0,2.5,1000.0,"\u00e9\/\"\\\ud83d\ude00\n\t\u0001"],"5":[],"b":null,"c":true,"a b":false}`
	if got := string(appendPHPJSON(nil, decodeBlockJSON(in))); got != out {
		t.Errorf("got %s\nwant %s", got, out)
	}
	for _, bad := range []string{`{`, `{"a"}`, `{"a":1,}`, `{a:1}`, "{\"a\":\"\xff\"}", strings.Repeat(`{"a":`, 600) + "1" +
		strings.Repeat("}", 600)} {
		if decodeBlockJSON(bad) != nil {
			t.Errorf("%.40q is taken for JSON", bad)
		}
	}
}

// TestRenderBlocksDeep checks that all content of deeply nested blocks is rendered.
func TestRenderBlocksDeep(t *testing.T) {
	const depth = 5000
	in := strings.Repeat("<!-- wp:group --><div>", depth) + "x" + strings.Repeat("</div><!-- /wp:group -->", depth)
	got := new(Env).renderBlocks(in)
	if n := strings.Count(got, "</div>"); n != depth || !strings.Contains(got, "x") {
		t.Errorf("%d of %d are left", n, depth)
	}
	if n := strings.Count(got, "is-layout-flow "); n != blockDepth+1 {
		t.Errorf("%d have classes", n)
	}
	open := new(Env).renderBlocks(strings.Repeat("<!-- wp:x -->a", depth))
	if len(open) > 2*openToEnd*depth*len("<!-- wp:x -->a") || strings.Count(open, "a") < depth {
		t.Errorf("blocks that are never closed make %d bytes", len(open))
	}
}

func FuzzRenderBlocks(f *testing.F) {
	for _, c := range golden.Load[pair](f, "description.json", 362) {
		if strings.Contains(c.In, "wp:") {
			f.Add(c.In)
		}
	}
	for _, c := range golden.Load[pair](f, "blocks.json", 555) {
		f.Add(c.In)
	}
	for _, c := range golden.Read[struct{ Cases []struct{ In string } }](f, "wp7-blocks.json").Cases {
		f.Add(c.In)
	}
	panels := strings.Repeat("<!-- wp:tab-panels --><!-- wp:tab-panel /-->", 40)
	f.Add(`<!-- wp:tabs {"anchor":"` + strings.Repeat("a", 1000) + `"} -->` + panels)
	env := blocksSite(f)
	patterns := 0
	for _, text := range env.Patterns {
		patterns += 2 * len(text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		env.Needed(s)
		for _, env.Release = range release.All() {
			got := env.renderBlocks(s)
			if again := env.renderBlocks(s); again != got {
				t.Errorf("%q is rendered in two ways", s)
			}
			// What a block adds is limited by the length of its delimiter, and what is repeated by the limits of the
			// parser.
			most := (openToEnd+1)*(10*len(s)+64) + strings.Count(s, "wp:")*(2000+patterns*PatternDepth)*openTwice*openTwice
			if len(got) > most {
				t.Errorf("%q grew to %d bytes", s, len(got))
			}
		}
	})
}

func TestBlockIDs(t *testing.T) {
	golden.Each(t, "block-ids.txt", func(text string, want []int64) {
		if got := BlockIDs(text, "tribe/event-venue", "venue"); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	})
}

func TestDecodeSpecial(t *testing.T) {
	for in, want := range map[string]string{
		"a &amp; b": "a & b", "&lt;b&gt;": "<b>", "&quot;x&#039;": `"x'`, "&amp;lt;": "&lt;", "&euro;&#39;": "&euro;&#39;", "": "",
	} {
		golden.Equal(t, in, DecodeSpecial(in), want)
	}
}
