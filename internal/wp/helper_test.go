package wp

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// load reads a file of testdata and checks how many cases it holds.
func load[T any](t testing.TB, name string, want int) []T {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var list []T
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(list) != want {
		t.Fatalf("%s: %d cases, want %d", name, len(list), want)
	}
	return list
}

type pair struct{ In, Out string }

// ordered turns decoded JSON into the values of phpval, keeping the order of
// members.
func ordered(t testing.TB, d *json.Decoder) phpval.Value {
	t.Helper()
	tok, err := d.Token()
	if err != nil {
		t.Fatal(err)
	}
	switch x := tok.(type) {
	case json.Number:
		n, err := x.Int64()
		if err != nil {
			t.Fatal(err)
		}
		return n
	case json.Delim:
		a := &phpval.Array{}
		for n := int64(0); d.More(); n++ {
			k := phpval.IntKey(n)
			if x == '{' {
				name, err := d.Token()
				if err != nil {
					t.Fatal(err)
				}
				k = phpval.StrKey(name.(string))
			}
			a.Set(k, ordered(t, d))
		}
		if _, err := d.Token(); err != nil {
			t.Fatal(err)
		}
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

// sizes of input for benchmarks: their times show whether cost is linear.
var benchSizes = []struct {
	name string
	size int
}{{"100kB", 100_000}, {"1MB", 1_000_000}}

func benchText(b *testing.B, unit string, f func(string)) {
	for _, s := range benchSizes {
		text := strings.Repeat(unit, s.size/len(unit))
		b.Run(s.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				f(text)
			}
		})
	}
}
