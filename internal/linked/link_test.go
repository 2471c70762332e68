package linked

import (
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/store"
)

func TestD10FragmentsOf(t *testing.T) {
	for text, want := range map[string]string{
		"Venue Full":      "Venue|Full",
		"o@example.org":   "o|example|org",
		"a_b":             "a|b",
		"well-known":      "well-known",
		"-":               "-",
		"été":             "été",
		"e\u0301te\u0301": "e\u0301te\u0301",
		"Zürich, Straße":  "Zürich|Straße",
		"日本 東京":           "日本|東京",
		"हिन्दी":          "हिन्दी",
		"٣ ۴":             "٣|۴",
		"0 00 10":         "00|10",
		"0":               "",
		"":                "",
		"%":               "",
		"&":               "",
		"_|%":             "",
		"🎷":               "",
		"² ½":             "",
		"' OR 1=1; --":    "OR|1|1|--",
		"\"x\\y\"":        "x|y",
		"a\u00a0b\tc\nd":  "a|b|c|d",
	} {
		if got := strings.Join(fragmentsOf(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestNarrow(t *testing.T) {
	f := &store.LinkedFilter{}
	given := []int64{3, 1, 2}
	narrow(f, given)
	narrow(f, []int64{2, 3, 9})
	if !slices.Equal(*f.IDs, []int64{2, 3}) || !slices.Equal(given, []int64{3, 1, 2}) {
		t.Errorf("%v of %v", *f.IDs, given)
	}
	narrow(f, nil)
	if f.IDs == nil || len(*f.IDs) != 0 {
		t.Error("nothing left is not no filter")
	}
}
