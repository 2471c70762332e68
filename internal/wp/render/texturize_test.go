package render

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

func TestTexturize(t *testing.T) {
	m := EnglishMarks()
	for _, v := range golden.Load[pair](t, "texturize.json", 384) {
		golden.Equal(t, v.In, texturize(v.In, m, contentShortcodes), v.Out)
		golden.Equal(t, v.In, texturize(v.In, nil, contentShortcodes), v.Out)
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
		golden.Equal(t, v.In, texturize(v.In, m, contentShortcodes), v.Out)
	}
}

func TestTexturizeEdges(t *testing.T) {
	golden.Each(t, "texturize-edges.txt", func(in, want string) { golden.Equal(t, in, texturize(in, nil, contentShortcodes), want) })
}

// TestPlainMarks checks that a mark that equals what is typed changes nothing.
func TestPlainMarks(t *testing.T) {
	m := EnglishMarks()
	m.OpenSingle, m.CloseSingle, m.Apostrophe = "'", "'", "'"
	m.OpenDouble, m.CloseDouble = `"`, `"`
	m.Words = nil
	const s = `'a' "b" don't '99 'tis ("c")`
	golden.Equal(t, s, texturize(s, m, nil), s)
	m.Words = []struct{ Typed, Shown string }{{"", "x"}, {"'n", "&#8217;n"}}
	golden.Equal(t, "apart from marks", texturize("rock 'n roll... (tm)", m, nil), "rock &#8217;n roll&#8230; &#8482;")
}

// TestCodeShortcode checks that the content of the shortcode [code] is not changed.
func TestCodeShortcode(t *testing.T) {
	in := `[code a="b"]"x"<b>&</b>[/code]"y" [[code]]"z"`
	want := `[code a="b"]"x"<b>&</b>[/code]&#8220;y&#8221; [[code]]&#8220;z&#8221;`
	golden.Equal(t, in, texturize(in, nil, []string{"code"}), want)
}

func TestRenderTitle(t *testing.T) {
	for _, v := range golden.Load[pair](t, "title.json", 117) {
		golden.Equal(t, v.In, Title(v.In, nil), v.Out)
	}
	golden.Each(t, "titles.txt", func(in, want string) { golden.Equal(t, in, Title(in, nil), want) })
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

func TestSmilies(t *testing.T) {
	for _, v := range golden.Load[pair](t, "smilies.json", 78) {
		text := autop(texturize(v.In, nil, contentShortcodes))
		golden.Equal(t, v.In, phpval.Trim(replaceSmilies(text, "http://127.0.0.1:8084")), v.Out)
	}
	golden.Each(t, "smilies.txt", func(in, want string) { golden.Equal(t, in, replaceSmilies(in, "https://e.org"), want) })
	if got := replaceSmilies(":mrgreen:", `https://e.org/"`); !strings.Contains(got, `src="https://e.org/&quot;/wp-includes/`) {
		t.Errorf("got %q", got)
	}
}

func FuzzSmilies(f *testing.F) {
	for _, v := range golden.Load[pair](f, "smilies.json", 78) {
		f.Add(v.In)
	}
	for _, s := range hostileTexts {
		f.Add(strings.Repeat(s, 5))
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := replaceSmilies(s, "https://e.org")
		if again := replaceSmilies(got, "https://e.org"); again != got {
			t.Errorf("%q became %q, then %q", s, got, again)
		}
	})
}

func TestAutop(t *testing.T) {
	for _, c := range golden.Load[pair](t, "wpautop.json", 243) {
		golden.Equal(t, c.In, autop(c.In), c.Out)
	}
}

func TestAutopMore(t *testing.T) {
	golden.Each(t, "autop-more.txt", func(in, out string) { golden.Equal(t, in, autop(in), out) })
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
