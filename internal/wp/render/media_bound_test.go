package render

import (
	"strings"
	"testing"
)

// TestMediaShortcodesAreBounded checks that a text renders at most 100 media shortcodes, since one of 19 bytes becomes
// 300 bytes of HTML. Further ones render nothing; the rest of the text is rendered.
func TestMediaShortcodesAreBounded(t *testing.T) {
	one := `[video src="x.mp4"][audio src="x.mp3"]`
	html := (&Env{}).Content(strings.Repeat(one, 2000)+"end", 0)
	if n := strings.Count(html, "<video ") + strings.Count(html, "<audio "); n != maxMedia {
		t.Errorf("%d players", n)
	}
	if !strings.Contains(html, "end") || strings.Contains(html, "[video") {
		t.Errorf("%.200s", html)
	}
	if n := len(html); n > 100_000 {
		t.Errorf("%d bytes", n)
	}
}
