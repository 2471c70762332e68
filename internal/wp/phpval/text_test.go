package phpval

import (
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

// TestTextsThatLookSerialized checks that PHP unserializes every stored text to that text and nothing else.
func TestTextsThatLookSerialized(t *testing.T) {
	golden.Each(t, "texts.txt", func(text, want string) {
		got := StoredText(text)
		if got != want {
			t.Errorf("StoredText(%q) = %q, want %q", text, got, want)
		}
		if back := TextOf(got); back != text {
			t.Errorf("%q comes back as %q", text, back)
		}
	})
	for _, stored := range []string{"a:0:{}", "i:1;", `O:8:"stdClass":0:{}`, `s:9:"short";`, "s:x", `s:1:"a";s:1:"b";`} {
		if got := TextOf(stored); got != stored {
			t.Errorf("TextOf(%q) = %q", stored, got)
		}
	}
}
