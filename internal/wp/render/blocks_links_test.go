package render

import (
	"slices"
	"testing"
)

func TestBlockIDs(t *testing.T) {
	for _, c := range []struct {
		text string
		want []int64
	}{
		{"", nil},
		{"tribe/event-venue", nil},
		{`<!-- wp:tribe/event-venue {"venue":7} /-->`, []int64{7}},
		{`<p>a</p><!-- wp:tribe/event-venue {"venue":"8"} --><p>x</p><!-- /wp:tribe/event-venue -->`, []int64{8}},
		{`<!-- wp:tribe/event-venue {"venue":9} /--><!-- wp:tribe/event-venue {"venue":7} /--><!-- wp:tribe/event-venue {"venue":9} /-->`,
			[]int64{9, 7}},
		{`<!-- wp:group --><!-- wp:tribe/event-venue {"x":{"venue":1},"venue":2} /--><!-- /wp:group -->`, []int64{2}},
		{`<!-- wp:tribe/event-venue /--><!-- wp:tribe/event-venue {"organizer":7} /--><!-- wp:tribe/event-organizer {"venue":7} /-->`, nil},
		{`<!-- wp:tribe/event-venue {"venue":0} /--><!-- wp:tribe/event-venue {"venue":-3} /-->` +
			`<!-- wp:tribe/event-venue {"venue":null} /-->`, nil},
		{`<!-- wp:tribe/event-venue {"venue":[7]} /--><!-- wp:tribe/event-venue {venue:7} /--><!-- wp:venue {"venue":7} /-->`, nil},
		{`<!-- wp:tribe/event-venue {"venue":7}`, nil},
	} {
		if got := BlockIDs(c.text, "tribe/event-venue", "venue"); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.text, got, c.want)
		}
	}
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
