package wp

import (
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

// TestD93EncodeEmoji checks what WordPress stores for emoji in columns with the character set utf8mb3 (D93).
func TestD93EncodeEmoji(t *testing.T) {
	v := golden.Read[struct{ Cases [][2]string }](t, "emoji-three-byte.json")
	for _, c := range v.Cases {
		if c[1] == "" { // WordPress stores nothing there
			if !FourBytes(EncodeEmoji(c[0])) {
				t.Errorf("%q fits", c[0])
			}
			continue
		}
		if got := EncodeEmoji(c[0]); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
		if got := DecodeEmoji(c[1]); got != c[0] {
			t.Errorf("%q is decoded as %q, want %q", c[1], got, c[0])
		}
	}
	if len(emoji()) != 1438 {
		t.Errorf("%d characters", len(emoji()))
	}
	if FourBytes("é€™") || !FourBytes("\U00020BB7") {
		t.Error("wrong lengths")
	}
}
