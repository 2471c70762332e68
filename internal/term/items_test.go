package term

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/param"
)

// Object returns the map that {"k0":…,"k1":…} is parsed into. It is exported for the external tests of this package.
func Object(values ...any) *param.Map {
	m := param.NewMap()
	for i, v := range values {
		m.Set(fmt.Sprint("k", i), v)
	}
	return m
}

func FuzzItems(f *testing.F) {
	f.Add("a, b,,c", "x,y")
	f.Add(" \t", "\x00")
	f.Fuzz(func(t *testing.T, text, element string) {
		for _, v := range []any{text, []any{element, text}, Object(text)} {
			items, err := itemsOf(t.Context(), v)
			if err != nil && strings.Count(text, ",") < param.MaxList && len(text) < maxItem && len(element) < maxItem {
				t.Fatalf("%v: %v", v, err)
			}
			for _, item := range items {
				if item == "" || strings.TrimSpace(item) != item {
					t.Fatalf("%v: %q", v, items)
				}
			}
		}
	})
}
