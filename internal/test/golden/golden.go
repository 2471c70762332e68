// Package golden reads recorded cases of pure functions from testdata and measures such functions. Only tests use it.
package golden

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Read reads a file of testdata.
func Read[T any](t testing.TB, name string) (v T) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// Load reads a file of testdata that is a list, and checks how many cases it has.
func Load[T any](t testing.TB, name string, want int) []T {
	t.Helper()
	list := Read[[]T](t, name)
	if len(list) != want {
		t.Fatalf("%s: %d cases, want %d", name, len(list), want)
	}
	return list
}

// Bench measures a function with two long texts, made of one unit: it is as fast with both if its cost is linear.
func Bench(b *testing.B, unit string, f func(string)) {
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
