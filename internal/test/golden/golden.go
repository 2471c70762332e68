// Package golden reads cases of functions from testdata, compares what was got with what is wanted, and runs benchmarks
// of such functions. Only tests use it.
package golden

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

// Read reads a file of testdata.
func Read[T any](t testing.TB, name string) (v T) {
	t.Helper()
	raw := must.Get(os.ReadFile(filepath.Join("testdata", name)))(t)
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// Load reads a file of testdata that contains a list, and checks the number of cases.
func Load[T any](t testing.TB, name string, want int) []T {
	t.Helper()
	list := Read[[]T](t, name)
	if len(list) != want {
		t.Fatalf("%s: %d cases, want %d", name, len(list), want)
	}
	return list
}

// T is a testing.TB, or a test of rapid.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// Equal reports an error unless what was got is what is wanted of a case: of its input, or its name.
func Equal[V comparable](t T, of any, got, want V) {
	t.Helper()
	if got != want {
		t.Errorf("%#v\n got %#v\nwant %#v", of, got, want)
	}
}

// Seed adds texts from which a fuzz test starts.
func Seed(f *testing.F, texts ...string) {
	for _, text := range texts {
		f.Add(text)
	}
}

// Bench runs a function on two long strings that repeat one unit. The throughput is the same for both if the cost is
// linear.
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
