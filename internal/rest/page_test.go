package rest_test

import (
	"testing"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/param"
)

// TestD02ListsReadBack checks that a list in an address is parsed as it was written, whatever its items contain (D2).
func TestD02ListsReadBack(t *testing.T) {
	for _, items := range [][]string{
		{"1"}, {"1", "2"}, {"jazz", "free entry"}, {"a,b"}, {"a,b", "c"}, {"100%"}, {"50%25"}, {"a+b", "c d"}, {"é", "日"}, {"a&b=c", "d#e"},
		{"%2C"}, {"a%2Cb", "x"}, {"+", "%"},
	} {
		var q call.Query
		q.Add("before", "x y&z")
		q.AddList("list", items)
		m, err := param.ParseForm(q.String())
		if err != nil {
			t.Fatal(err)
		}
		if v, _ := m.Get("before"); v != "x y&z" {
			t.Errorf("%q: before is %q", q.String(), v)
		}
		v, _ := m.Get("list")
		got, err := param.List(v)
		if err != nil || len(got) != len(items) {
			t.Errorf("%q from %q: %q %v", items, q.String(), got, err)
			continue
		}
		for i := range items {
			if got[i] != items[i] {
				t.Errorf("%q from %q: %q", items, q.String(), got)
			}
		}
	}
}
