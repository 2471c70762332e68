package editing

import (
	"slices"
	"strings"
	"testing"
)

// TestTypedTextIsStoredAsBlocks checks that entered text is stored as blocks of WordPress's editor, and read back as it
// was entered.
func TestTypedTextIsStoredAsBlocks(t *testing.T) {
	p := func(inner string) string {
		return "<!-- wp:paragraph -->\n<p>" + inner + "</p>\n<!-- /wp:paragraph -->"
	}
	item := func(inner string) string {
		return "<!-- wp:list-item -->\n<li>" + inner + "</li>\n<!-- /wp:list-item -->"
	}
	for _, c := range []struct{ typed, stored string }{
		{"", ""},
		{"One line", p("One line")},
		{"First.\nSecond line.\n\n\nNext one", p("First.<br>Second line.") + "\n\n" + p("Next one")},
		{"Bring:\n- a chair\n- *a* **cup**", p("Bring:") + "\n\n<!-- wp:list -->\n" +
			`<ul class="wp-block-list">` + item("a chair") + "\n\n" + item("<em>a</em> <strong>cup</strong>") + "</ul>\n<!-- /wp:list -->"},
		{"1. a\n2. b", `<!-- wp:list {"ordered":true} -->` + "\n" + `<ol class="wp-block-list">` + item("a") + "\n\n" + item("b") +
			"</ol>\n<!-- /wp:list -->"},
		{"See https://x.org/a?b=1&c=(2).", p(`See <a href="https://x.org/a?b=1&amp;c=(2)">https://x.org/a?b=1&amp;c=(2)</a>.`)},
		{"www.example.org, hall@example.org", p(`<a href="https://www.example.org">www.example.org</a>, ` +
			`<a href="mailto:hall@example.org">hall@example.org</a>`)},
		{"[the hall](https://example.org/) or [me](mailto:a@b.org)", p(`<a href="https://example.org/">the hall</a> or ` +
			`<a href="mailto:a@b.org">me</a>`)},
		{`<script>alert("1")</script> & 5* or 4*`, p(`&lt;script&gt;alert("1")&lt;/script&gt; &amp; 5* or 4*`)},
		{"[x](javascript:alert(1)) [y](data:text/html,1)", p("[x](javascript:alert(1)) [y](data:text/html,1)")},
		{"2*3*4 and snake_case [gallery]", p("2*3*4 and snake_case [gallery]")},
	} {
		stored := composed("", []string{c.typed})
		if stored != c.stored {
			t.Errorf("%q is stored as\n%s\nwant\n%s", c.typed, stored, c.stored)
		}
		read := parts(stored)
		if len(read) != 1 || composed(stored, typed(read)) != stored {
			t.Errorf("%q is read as %+v", c.typed, read)
		}
		if want := strings.Join(split(c.typed), "\n\n"); read[0].Text != want {
			t.Errorf("%q is read as %q", want, read[0].Text)
		}
	}
}

// TestStoredTextIsKept checks that HTML that the notation cannot represent is preserved in its place, byte by byte,
// while the text around it changes.
func TestStoredTextIsKept(t *testing.T) {
	const intro, quote = "<!-- wp:paragraph -->\n<p>Hello <b>you</b> &#8211; there</p>\n<!-- /wp:paragraph -->\n\n",
		"<!-- wp:quote -->\n<blockquote class=\"wp-block-quote\"><!-- wp:paragraph -->\n<p>Q</p>\n<!-- /wp:paragraph --></blockquote>\n" +
			"<!-- /wp:quote -->\n\n<!-- wp:spacer {\"height\":\"10px\"} /-->\n\n"
	const last = "<!-- wp:paragraph -->\n<p>See <a href=\"https://a.org\" target=\"_blank\">this</a></p>\n<!-- /wp:paragraph -->"
	for _, c := range []struct {
		stored       string
		shown, typed []string
		want         string
	}{
		{intro + quote + last, []string{"Hello **you** – there", "See [this](https://a.org)"},
			[]string{"Hello **you** – there", "Do see [this](https://a.org)"},
			intro + quote + strings.Replace(last, "See", "Do see", 1)},
		{quote, []string{"", ""}, []string{"New", ""}, "<!-- wp:paragraph -->\n<p>New</p>\n<!-- /wp:paragraph -->" + quote},
		{"<p>One</p>\n<h2>Head</h2>\n<p>Two<br />\nlines</p>\nPlain\nlines\n\nlast", []string{"One", "Two\nlines\n\nPlain\nlines\n\nlast"},
			[]string{"One", "Two\nlines\n\nPlain\n\nlast"},
			"<p>One</p>\n<h2>Head</h2>\n<p>Two<br />\nlines</p>\n\n<p>Plain</p>\n\nlast"},
		{"<ul><li>a</li>\n<li>b</li></ul><p style=\"color:red\">x</p>", []string{"- a\n- b", ""}, []string{"- a", ""},
			"<ul><li>a</li></ul><p style=\"color:red\">x</p>"},
		{"<!-- wp:paragraph {\"align\":\"center\"} -->\n<p>x</p>\n<!-- /wp:paragraph -->", []string{"", ""}, []string{"", "y"}, ""},
		{"see https://a.org\n\nb", []string{"see https://a.org\n\nb"}, []string{"see https://a.org\n\nc"}, "see https://a.org\n\n<p>c</p>"},
	} {
		read := parts(c.stored)
		if got := typed(read); !slices.Equal(got, c.shown) {
			t.Errorf("%q is shown as %q", c.stored, got)
		}
		if got := composed(c.stored, typed(read)); got != c.stored {
			t.Errorf("unchanged:\n%q\nbecame\n%q", c.stored, got)
		}
		if got := composed(c.stored, c.typed); c.want != "" && got != c.want {
			t.Errorf("%q\nwith %q became\n%q\nwant\n%q", c.stored, c.typed, got, c.want)
		} else if !strings.HasPrefix(got, c.stored[:10]) && c.typed[0] == "" {
			t.Errorf("%q with %q became %q", c.stored, c.typed, got)
		}
	}
}

// FuzzTexts checks that every stored description is preserved if nothing was entered, and that entered text remains
// editable.
func FuzzTexts(f *testing.F) {
	for _, seed := range []string{
		"", "a\n\nb", "- a\n- b\n1. c", "**a *b* c**", "[a](b)", "<p>a</p><div><p>b</p></div>", "a@b.org www.x.org https://x.org/(a)",
		"<!-- wp:list -->\n<ul><!-- wp:list-item --><li>a</li><!-- /wp:list-item --></ul>\n<!-- /wp:list -->", "<!-- wp:x {\"a\":1} /-->b",
		"<p>a<p>b", "&amp;lt;", "a\r\nb\r\n\r\nc", "\u00a0", "[**a**](https://x.org) *a*b*", "x\x00y",
		"<pre>a\n\nb</pre>\n\n<!--more-->\n\nc",
		"[https://x.org](https://x.org)", "***a***", "<a href='https://x.org'>https://x.org</a>", "<em><em>a</em></em>",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := composed(text, typed(parts(text))); got != text {
			t.Fatalf("%q became %q", text, got)
		}
		if isClassic(text) && strings.Contains(text, "\x00") {
			return // no site stores it
		}
		stored := composed("", []string{text})
		read := parts(stored)
		if len(read) != 1 {
			t.Fatalf("%q is stored as %q, and %q of it kept", text, stored, read[1].Kept)
		}
		if again := composed("", typed(read)); again != stored {
			t.Fatalf("%q is stored as %q, and typed again as %q", text, stored, again)
		}
		if got := composed(stored, []string{read[0].Text + "\n\nmore"}); stored != "" && !strings.HasPrefix(got, stored) {
			t.Fatalf("%q with more became %q", stored, got)
		}
	})
}
