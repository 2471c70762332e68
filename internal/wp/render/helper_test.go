package render

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

type pair struct{ In, Out string }

// ordered decodes JSON to values of phpval, and keeps the order of members.
func ordered(t testing.TB, d *json.Decoder) phpval.Value {
	t.Helper()
	tok := must.Get(d.Token())(t)
	switch x := tok.(type) {
	case json.Number:
		return must.Get(x.Int64())(t)
	case json.Delim:
		a := &phpval.Array{}
		for n := int64(0); d.More(); n++ {
			k := phpval.IntKey(n)
			if x == '{' {
				name := must.Get(d.Token())(t)
				k = phpval.StrKey(name.(string))
			}
			a.Set(k, ordered(t, d))
		}
		must.Get(d.Token())(t)
		return a
	}
	return tok
}

func orderedText(t testing.TB, raw string) phpval.Value {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(raw))
	d.UseNumber()
	return ordered(t, d)
}
