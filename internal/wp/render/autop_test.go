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
	golden.Each(t, "autop-more.txt", func(in, out string) {
		if got := autop(in); got != out {
			t.Errorf("%q\n got %q\nwant %q", in, got, out)
		}
	})
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
