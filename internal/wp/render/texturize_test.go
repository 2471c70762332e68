package render

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

func TestTexturize(t *testing.T) {
	m := EnglishMarks()
	for _, v := range golden.Load[pair](t, "texturize.json", 384) {
		if got := texturize(v.In, m, contentShortcodes); got != v.Out {
			t.Errorf("Texturize(%q)\n got %q\nwant %q", v.In, got, v.Out)
		}
		if got := texturize(v.In, nil, contentShortcodes); got != v.Out {
			t.Errorf("Texturize(%q) without marks = %q", v.In, got)
		}
	}
}

func TestTexturizeLocale(t *testing.T) {
	type row struct {
		pair
		Params map[string]string
	}
	rows := golden.Load[row](t, "texturize-locale.json", 26)
	m := EnglishMarks()
	fields := map[string]*string{
		"open_double": &m.OpenDouble, "close_double": &m.CloseDouble, "open_single": &m.OpenSingle,
		"close_single": &m.CloseSingle, "apostrophe": &m.Apostrophe,
	}
	for name, mark := range rows[0].Params {
		if fields[name] == nil {
			t.Fatalf("unknown mark %s", name)
		}
		*fields[name] = mark
	}
	if m.OpenDouble == EnglishMarks().OpenDouble {
		t.Fatal("the file names no marks")
	}
	for _, v := range rows {
		if got := texturize(v.In, m, contentShortcodes); got != v.Out {
			t.Errorf("Texturize(%q)\n got %q\nwant %q", v.In, got, v.Out)
		}
	}
}

func TestTexturizeEdges(t *testing.T) {
	for in, want := range map[string]string{
		// comments end at the first "-->" after "<!", tags at the first ">"
		`<!-->"a"`:            `<!-->&#8220;a&#8221;`,
		`<!--->"a"`:           `<!--->&#8220;a&#8221;`,
		`<!-- - -- ->"a"`:     `<!-- - -- ->"a"`,
		`<a b=">"c">"d"`:      `<a b=">&#8220;c&#8221;>&#8221;d&#8221;`,
		`<`:                   `<`,
		`"a" <`:               `&#8220;a&#8221; <`,
		`</`:                  `</`,
		`<>"a"`:               `<>&#8220;a&#8221;`,
		`<pre`:                `<pre`,
		`<pre >"a"</pre >"b`:  `<pre >"a"</pre >&#8220;b`,
		`< pre>"a"</ pre>`:    `< pre>&#8220;a&#8221;</ pre>`,
		`<prex>"a"</prex>`:    `<prex>&#8220;a&#8221;</prex>`,
		`<pre/>"a"`:           `<pre/>&#8220;a&#8221;`,
		`<pre><a b="&">&</a>`: `<pre><a b="&#038;">&</a>`,
		// shortcodes
		`[gallery/]"a"`:          `[gallery/]&#8220;a&#8221;`,
		`[gallery x="<b>"]"a"`:   `[gallery x="<b>"]&#8220;a&#8221;`,
		`[gallery "<b]"]`:        `[gallery &#8220;<b]"]`,
		`[gallery "<b`:           `[gallery &#8220;<b`,
		`[gallery a>b "c"]`:      `[gallery a>b &#8220;c&#8221;]`,
		`[gallery]]"a"`:          `[gallery]]&#8220;a&#8221;`,
		`[galleryx "a"]`:         `[galleryx &#8220;a&#8221;]`,
		`[gallery="a"]`:          `[gallery=&#8221;a&#8221;]`,
		`[[/gallery] "a"`:        `[[/gallery] &#8220;a&#8221;`,
		`[gallery [gallery "a"]`: `[gallery [gallery "a"]`,
		`["`:                     `[&#8220;`,
		`[gallery`:               `[gallery`,
		// each step processes the text as it was before the step
		`'12'34"`:      `&#8217;12&#8217;34&#8221;`,
		`'12''34'`:     `&#8217;12&#8221;34&#8242;`,
		`'12.`:         `&#8217;12.`,
		`'12.x`:        `&#8217;12.x`,
		"'12\n":        "&#8217;12\n",
		`&lt;"a"&gt;b`: `&lt;&#8220;a&#8221;&gt;b`,
		`a&gt;"b`:      `a&gt;&#8221;b`,
		`é'é`:          `é&#8217;é`,
		// quotations that could be closed more than once
		`"a 9", b 8".`:      `&#8220;a 9&#8243;, b 8&#8221;.`,
		`"a 9". b 8",`:      `&#8220;a 9&#8221;. b 8&#8243;,`,
		`"a 9", b 8"`:       `&#8220;a 9&#8243;, b 8&#8221;`,
		`"a 9", b", c 8"`:   `&#8220;a 9&#8243;, b&#8221;, c 8&#8243;`,
		`"a 9" "b"`:         `&#8220;a 9&#8221; &#8220;b&#8221;`,
		`"a&#8221; 9" b"`:   `&#8220;a&#8221; 9&#8243; b&#8221;`,
		`x 9"`:              `x 9&#8243;`,
		`'a 9', 'b`:         `&#8216;a 9&#8217;, &#8216;b`,
		"&#8216;a 9' b' 8'": "&#8216;a 9&#8242; b&#8217; 8&#8242;",
		// products
		`1..x3`:     `1..x3`,
		`1..x3 2x2`: `1..&#215;3 2&#215;2`,
		`2x3.px`:    `2&#215;3.px`,
		`2x3.4px`:   `2&#215;3.4px`,
		`2x3.4x5`:   `2&#215;3.4&#215;5`,
		`0.x3 1x1`:  `0.&#215;3 1&#215;1`,
		`a1,2x3`:    `a1,2&#215;3`,
		`a12x3`:     `a12x3`,
		`_2x3`:      `_2x3`,
		`2x3_`:      `2x3_`,
		`,0x3`:      `,0x3`,
		// white space, and what is not changed
		"\x00 <b> </b>\v'": "\x00 <b> </b>\v&#8217;",
		"<b>\x00</b>":      "<b>\x00</b>",
		"\f\"a\"":          "\f&#8221;a&#8221;",
		"a -\u00A0- b":     "a &#8211;\u00A0&#8211; b",
		"\xA0\"a\"":        "\xA0&#8221;a&#8221;",
		"\xC2\"a\"":        "\xC2&#8221;a&#8221;",
	} {
		if got := texturize(in, nil, contentShortcodes); got != want {
			t.Errorf("Texturize(%q)\n got %q\nwant %q", in, got, want)
		}
	}
}

// TestPlainMarks checks that a mark that equals what is typed changes nothing.
func TestPlainMarks(t *testing.T) {
	m := EnglishMarks()
	m.OpenSingle, m.CloseSingle, m.Apostrophe = "'", "'", "'"
	m.OpenDouble, m.CloseDouble = `"`, `"`
	m.Words = nil
	const s = `'a' "b" don't '99 'tis ("c")`
	if got := texturize(s, m, nil); got != s {
		t.Errorf("got %q", got)
	}
	m.Words = []struct{ Typed, Shown string }{{"", "x"}, {"'n", "&#8217;n"}}
	if got := texturize("rock 'n roll... (tm)", m, nil); got != "rock &#8217;n roll&#8230; &#8482;" {
		t.Errorf("got %q", got)
	}
}

// TestCodeShortcode checks that the content of the shortcode [code] is not changed.
func TestCodeShortcode(t *testing.T) {
	in := `[code a="b"]"x"<b>&</b>[/code]"y" [[code]]"z"`
	want := `[code a="b"]"x"<b>&</b>[/code]&#8220;y&#8221; [[code]]&#8220;z&#8221;`
	if got := texturize(in, nil, []string{"code"}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRenderTitle(t *testing.T) {
	for _, v := range golden.Load[pair](t, "title.json", 117) {
		if got := Title(v.In, nil); got != v.Out {
			t.Errorf("RenderTitle(%q)\n got %q\nwant %q", v.In, got, v.Out)
		}
	}
	for in, want := range map[string]string{
		"<pre>&&x</pre>":     "<pre>&#038;&x</pre>",
		"<pre>&</pre>":       "<pre>&#038;</pre>",
		"<pre>a&":            "<pre>a&",
		"<pre>&abcdefghi;":   "<pre>&abcdefghi;",
		"<pre>&abcdefghij;":  "<pre>&#038;abcdefghij;",
		"<pre>&é;</pre>":     "<pre>&#038;é;</pre>",
		"<pre>&#x</pre>":     "<pre>&#x</pre>",
		"WordpressWordpress": "WordPressWordPress",
		`[gallery a="b"]`:    `[gallery a="b"]`,
		"\v\x00a\x00 ":       "a",
		"\fa":                "\fa",
	} {
		if got := Title(in, nil); got != want {
			t.Errorf("RenderTitle(%q) = %q, want %q", in, got, want)
		}
	}
}

var hostileTexts = []string{
	"<", `"`, "'", "&", "[", "\n", "-", "x", "1x", "9'", `9"`, `9" `, `"9 `, "[gallery ", "[gallery<", "<!--", "1,", "&#1",
	"&aaaaaaaa", ":", "8-) ", " '", "<pre>", "<code ", "]", "[a", "``", "\\", "<script>", "<!-- wp:group -->", "<b",
}

func FuzzTexturize(f *testing.F) {
	for _, s := range hostileTexts {
		f.Add(strings.Repeat(s, 5))
	}
	for _, v := range golden.Load[pair](f, "texturize.json", 384) {
		f.Add(v.In)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := texturize(s, nil, contentShortcodes)
		if len(got) > 8*len(s) {
			t.Errorf("%d bytes became %d", len(s), len(got))
		}
		if n := strings.Count(got, "<"); n != strings.Count(s, "<") {
			t.Errorf("Texturize(%q) has %d \"<\"", s, n)
		}
		if title := Title(s, nil); len(title) > 8*len(s) {
			t.Errorf("a title of %d bytes became %d", len(s), len(title))
		}
	})
}
