package render

import (
	"slices"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

func TestBlockIDs(t *testing.T) {
	golden.Each(t, "block-ids.txt", func(text string, want []int64) {
		if got := BlockIDs(text, "tribe/event-venue", "venue"); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	})
}

func TestDecodeSpecial(t *testing.T) {
	for in, want := range map[string]string{
		"a &amp; b": "a & b", "&lt;b&gt;": "<b>", "&quot;x&#039;": `"x'`, "&amp;lt;": "&lt;", "&euro;&#39;": "&euro;&#39;", "": "",
	} {
		if got := DecodeSpecial(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}
