package render

import (
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

func TestAutop(t *testing.T) {
	for _, c := range golden.Load[pair](t, "wpautop.json", 243) {
		if got := autop(c.In); got != c.Out {
			t.Errorf("%q\n got %q\nwant %q", c.In, got, c.Out)
		}
	}
}

func TestAutopMore(t *testing.T) {
	for _, c := range []pair{
		{"a\x00", "<p>a\x00</p>\n"},
		{"\v\x00\n", ""},
		{"\f", "<br />\n"}, // becomes an empty paragraph, whose line break is kept
		{"<pre>a\n\nb</pre>c</pre>\n\nd", "<pre>a\n\nb</pre>\n<p>c</p>\n<p>d</p>\n"},
		{"<pre>1</pre><pre>2</pre>", "<pre>1</pre>\n<pre>2</pre>\n"},
		{"<pre wp-pre-tag-7></pre>", "<pre wp-pre-tag-7></pre>\n"},
		{"<prefix>a</prefix>", "<prefix>a</prefix>\n"},
		{"a<br /> \n<br>b", "<p>a</p>\n<p>b</p>\n"},
		{"a<br />\nb", "<p>a<br />\nb</p>\n"},
		{"a<br />\n \nb", "<p>a</p>\n<p>b</p>\n"},
		{"x <b\n>y</b>", "<p>x <b\n>y</b></p>\n"},
		{"x < y\n\nz", "<p>x < y\n\nz\n</p>\n"},
		{"<svg>\n<g/>\n</svg>\nx", "<p><svg>\n<g/>\n</svg><br />\nx</p>\n"},
		{"<P><BLOCKQUOTE>a</BLOCKQUOTE></P>", "<blockquote><p>a</BLOCKQUOTE></P></p>\n"},
		{"<li>a</li>", "<li>a</li>\n"},
		{"<!-- a\n\nb -->c", "<p><!-- a\n\nb -->c</p>\n"},
		{"<select>\n<option>a</option>\n<option>b</option>\n</select>", "<p><select><option>a</option><option>b</option></select></p>\n"},
		{"[audio]\n<source src=\"a\">\n[/audio]", "<p>[audio]<source src=\"a\">[/audio]</p>\n"},
	} {
		if got := autop(c.In); got != c.Out {
			t.Errorf("%q\n got %q\nwant %q", c.In, got, c.Out)
		}
	}
}

func TestBlockPrefixes(t *testing.T) {
	for name := range blockTags {
		if !likeBlock(name) || !likeBlock(name+"x") {
			t.Errorf("%s is not taken for a block", name)
		}
		if blockName(name+">") != len(name) || blockName(name+"x>") == len(name) {
			t.Errorf("%s is not found by its exact name", name)
		}
	}
	for _, name := range []string{"", "main", "img", "button", "Div", "s", "{"} {
		if likeBlock(name) {
			t.Errorf("%s is taken for a block", name)
		}
	}
}

func FuzzAutop(f *testing.F) {
	for _, c := range golden.Load[pair](f, "wpautop.json", 243) {
		f.Add(c.In)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := autop(s); len(got) > 10*len(s)+16 {
			t.Errorf("%q grew to %d bytes", s, len(got))
		}
	})
}
