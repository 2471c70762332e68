package exchange

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestD95TextsWithoutTrustAreCut: at most 64 KiB, at a character, with tags closed.
func TestD95TextsWithoutTrustAreCut(t *testing.T) {
	for name, text := range map[string]string{
		"plain": strings.Repeat("word ", 20_000), "é": strings.Repeat("é", 50_000) + "x", "odd": "x" + strings.Repeat("é", 50_000),
		"in an element": "<div><p>" + strings.Repeat("word ", 20_000) + "</p></div>", "many open": strings.Repeat("<b>", 40_000),
		"in a tag":     strings.Repeat("x", maxText-5) + `<a href="https://example.org/">link</a>`,
		"in a comment": strings.Repeat("x", maxText-5) + "<!-- wp:paragraph -->", "lists": strings.Repeat("<ul><li>a<br></li></ul>", 9000),
	} {
		cut := shortText(text)
		if len(cut) > maxText || len(cut) < maxText/2 || !utf8.ValidString(cut) || openTags(cut) != "" {
			t.Errorf("%s: %d bytes, …%s", name, len(cut), cut[max(0, len(cut)-80):])
		}
		if at := strings.LastIndexByte(cut, '<'); at > strings.LastIndexByte(cut, '>') {
			t.Errorf("%s ends within a tag: %s", name, cut[at:])
		}
		if again := shortText(cut + strings.Repeat(" ", maxText)); len(again) > maxText {
			t.Errorf("%s: again %d", name, len(again))
		}
	}
}
