package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

const kitchen = `package kitchen

// Cook has a comment.
type Cook[T any] struct{ pans []T }

var spices = []string{"salt", "pepper", "chili"}

const degrees, minutes = 200, 12

// Bake bakes.
func (c *Cook[T]) Bake(n int, names ...string) (int, error) {
	if n > 0 && !c.hot() { // too cold
		return 0, nil
	}
	c.heat(degrees,
		minutes)
	c.serve(names...)
	switch {
	case n == 1, n == 2:
		n = clean(n) * 2
	}
	n++
	return n, nil
}

func clean(n int) int { return n }
`

// TestChange checks that a piece is found however it is formatted, and that the rest of the file stays the same.
func TestChange(t *testing.T) {
	golden.Each(t, "changes.txt", func(function, find, put, was, is string) {
		path, code, err := changeCode(packageDirectory(t, kitchen), function, find, put)
		if want := strings.Replace(kitchen, was, is, 1); err != nil || string(code) != want {
			t.Errorf("%s, %s: %v, code\n%s\nwant\n%s", function, find, err, code, want)
		}
		if err == nil && filepath.Base(path) != "kitchen.go" {
			t.Errorf("%s: the file is %s", find, path)
		}
	})
}

// TestNoChange checks the errors of changes that are impossible.
func TestNoChange(t *testing.T) {
	golden.Each(t, "no-changes.txt", func(function, find, want string) {
		_, _, err := changeCode(packageDirectory(t, kitchen), function, find, "")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s, %s: %v, want %q", function, find, err, want)
		}
	})
}

// packageDirectory returns a directory with a package.
func packageDirectory(t *testing.T, code string) string {
	t.Helper()
	dir := t.TempDir()
	for name, code := range map[string]string{
		"kitchen.go": code, "other.go": "package kitchen\n", "kitchen_test.go": "package kitchen\n\nvar spoon = \"salt\"\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(code), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
