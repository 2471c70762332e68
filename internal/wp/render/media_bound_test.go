package render

import (
	"strings"
	"testing"
)

// TestMediaShortcodesAreBounded: a shortcode of 19 bytes renders to 300, so a text shows a hundred of all kinds together, and further ones
// print nothing; what is not media goes on.
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
