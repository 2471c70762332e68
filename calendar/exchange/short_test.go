package exchange

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// D95: texts of untrusted sources are truncated to 64 KiB, between characters and with elements closed.
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

// TestD95TextsAreCutAsTheyAreStored checks that texts which the HTML filter makes longer are within the limit as they are stored, and that
// importing them again changes nothing.
func TestD95TextsAreCutAsTheyAreStored(t *testing.T) {
	b := emptySite(t)
	long := strings.Repeat("&", 65_536)
	line := fmt.Sprintf(`{"kind":"events","uid":"1@x.test","values":{"title":%q,"description":%q,"excerpt":%q,`+
		`"start_date":"2031-05-01 10:00","end_date":"2031-05-01 11:00"},"venues":[{"values":{"venue":%q}}]}`+"\n",
		strings.Repeat("y", 70_000), long, long, "&"+long)
	for _, want := range []Action{Created, Unchanged} {
		_, all := b.load(t, JSONLines(strings.NewReader(line), "a.jsonl"))
		for _, o := range all {
			if o.Action != want {
				t.Errorf("%s %s: %v", o.Kind, o.Action, o.Problems)
			}
		}
		stored := b.texts(t, "SELECT CONCAT_WS(' ', OCTET_LENGTH(post_title) > 65000, OCTET_LENGTH(post_title) <= 65535, "+
			"OCTET_LENGTH(post_content) <= 65535, OCTET_LENGTH(post_excerpt) <= 65535) FROM wp_posts "+
			"WHERE post_type IN ('tribe_events', 'tribe_venue')")
		if len(stored) != 2 || stored[0] != "1 1 1 1" || stored[1] != "1 1 1 1" {
			t.Errorf("%s: stored %v", want, stored)
		}
	}
}
