// Package must ends a test when a step of its preparation fails. Only tests use it.
package must

// T is a testing.TB, or a test of rapid.
type T interface {
	Helper()
	Fatal(args ...any)
}

// Succeed ends the test if there is an error.
func Succeed(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get returns what a call returned, and ends the test if there is an error: text := must.Get(os.ReadFile(name))(t).
func Get[V any](v V, err error) func(T) V {
	return func(t T) V {
		t.Helper()
		Succeed(t, err)
		return v
	}
}
