package render

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

func TestSmilies(t *testing.T) {
	for _, v := range golden.Load[pair](t, "smilies.json", 78) {
		text := autop(texturize(v.In, nil, contentShortcodes))
		if got := phpval.Trim(replaceSmilies(text, "http://127.0.0.1:8084")); got != v.Out {
			t.Errorf("Smilies(%q)\n got %q\nwant %q", v.In, got, v.Out)
		}
	}
	golden.Each(t, "smilies.txt", func(in, want string) {
		if got := replaceSmilies(in, "https://e.org"); got != want {
			t.Errorf("Smilies(%q) = %q, want %q", in, got, want)
		}
	})
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
