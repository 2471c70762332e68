package kses

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

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

// check runs the cases of a file. superseded are those that a decision answers
// otherwise: each must be in the file, with another answer there.
func check(t *testing.T, cases []pair, superseded map[string]string, f func(string) string) {
	t.Helper()
	used := 0
	for _, c := range cases {
		want := c.Out
		if decided, ok := superseded[c.In]; ok {
			if used++; decided == want {
				t.Errorf("%q: the decision changes nothing", c.In)
			}
			want = decided
		}
		if got := f(c.In); got != want {
			t.Errorf("%q\n got %q\nwant %q", c.In, got, want)
		}
	}
	if used != len(superseded) {
		t.Errorf("%d of %d superseded cases found", used, len(superseded))
	}
}

// benchText measures inputs of two sizes: the speed must be about the same.
func benchText(b *testing.B, unit string, f func(string)) {
	for _, s := range []struct {
		name string
		size int
	}{{"100kB", 100_000}, {"1MB", 1_000_000}} {
		text := strings.Repeat(unit, s.size/len(unit))
		b.Run(s.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				f(text)
			}
		})
	}
}
