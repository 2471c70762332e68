package rest_test

import (
	"testing"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/rest"
)

// TestD02ListsReadBack: a list in an address is read back as it was, however
// its items look.
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

func TestPageLinks(t *testing.T) {
	for name, c := range map[string]struct {
		number, size, total int64
		lenient             bool
		want                string
	}{
		"only":  {1, 10, 3, false, `{"rest_url":"b?page=1&a=x+y","total":3,"total_pages":1}`},
		"none":  {1, 10, 0, false, `{"rest_url":"b?page=1&a=x+y","total":0,"total_pages":0}`},
		"first": {1, 2, 5, false, `{"rest_url":"b?page=1&a=x+y","next_rest_url":"b?a=x+y&page=2","total":5,"total_pages":3}`},
		"second": {2, 2, 5, false,
			`{"rest_url":"b?page=2&a=x+y","next_rest_url":"b?a=x+y&page=3","previous_rest_url":"b?a=x+y","total":5,"total_pages":3}`},
		"last":            {3, 2, 5, false, `{"rest_url":"b?page=3&a=x+y","previous_rest_url":"b?a=x+y&page=2","total":5,"total_pages":3}`},
		"full":            {2, 2, 4, false, `{"rest_url":"b?page=2&a=x+y","previous_rest_url":"b?a=x+y","total":4,"total_pages":2}`},
		"just beyond":     {4, 2, 5, false, `{"rest_url":"b?page=4&a=x+y","previous_rest_url":"b?a=x+y&page=3","total":5,"total_pages":3}`},
		"beyond":          {9, 2, 5, false, `{"rest_url":"b?page=9&a=x+y","total":5,"total_pages":3}`},
		"beyond, lenient": {9, 2, 5, true, `{"rest_url":"b?page=9&a=x+y","previous_rest_url":"b?a=x+y&page=8","total":5,"total_pages":3}`},
	} {
		p := &rest.Page{Page: call.Page{Number: c.number, Size: c.size, Total: c.total}, LenientPast: c.lenient, Base: "b"}
		p.Filters.Add("a", "x y")
		var w phpjson.Writer
		w.Object()
		p.WriteLinks(&w)
		p.WriteTotals(&w)
		w.End()
		if got := string(w.Bytes()); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
