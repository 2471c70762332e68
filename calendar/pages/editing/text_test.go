package editing

import (
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

// blocks replaces the short forms of blocks in tables of texts.
var blocks = strings.NewReplacer("{p}", "<!-- wp:paragraph -->\n<p>", "{/p}", "</p>\n<!-- /wp:paragraph -->",
	"{li}", "<!-- wp:list-item -->\n<li>", "{/li}", "</li>\n<!-- /wp:list-item -->",
	"{quote}", "<!-- wp:quote -->\n<blockquote class=\"wp-block-quote\"><!-- wp:paragraph -->\n<p>Q</p>\n<!-- /wp:paragraph -->"+
		"</blockquote>\n<!-- /wp:quote -->\n\n<!-- wp:spacer {\"height\":\"10px\"} /-->\n\n")

// TestTypedTextIsStoredAsBlocks checks that entered text is stored as blocks of WordPress's editor, and read back as it
// was entered.
func TestTypedTextIsStoredAsBlocks(t *testing.T) {
	golden.Each(t, "typed.txt", func(text, want string) {
		stored := composed("", []string{text})
		if want = blocks.Replace(want); stored != want {
			t.Errorf("%q is stored as\n%s\nwant\n%s", text, stored, want)
		}
		read := parts(stored)
		if len(read) != 1 || composed(stored, typed(read)) != stored {
			t.Errorf("%q is read as %+v", text, read)
		}
		if want := strings.Join(split(text), "\n\n"); read[0].Text != want {
			t.Errorf("%q is read as %q", want, read[0].Text)
		}
	})
}

// TestStoredTextIsKept checks that HTML that the notation cannot represent is preserved in its place, byte by byte,
// while the text around it changes.
func TestStoredTextIsKept(t *testing.T) {
	golden.Each(t, "kept.txt", func(stored string, shown, entered []string, want string) {
		stored, want = blocks.Replace(stored), blocks.Replace(want)
		read := parts(stored)
		if got := typed(read); !slices.Equal(got, shown) {
			t.Errorf("%q is shown as %q", stored, got)
		}
		if got := composed(stored, typed(read)); got != stored {
			t.Errorf("unchanged:\n%q\nbecame\n%q", stored, got)
		}
		if got := composed(stored, entered); want != "" && got != want {
			t.Errorf("%q\nwith %q became\n%q\nwant\n%q", stored, entered, got, want)
		} else if !strings.HasPrefix(got, stored[:10]) && entered[0] == "" {
			t.Errorf("%q with %q became %q", stored, entered, got)
		}
	})
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
