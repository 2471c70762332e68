package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	for _, c := range []struct{ function, find, put, was, is string }{
		{"Cook.Bake", "!c.hot()", "true", "!c.hot()", "true"},
		{"Cook.Bake", "n > 0 && ! c.hot( )", "n > 1 || c.hot()", "n > 0 && !c.hot()", "(n > 1 || c.hot())"},
		{"Cook.Bake", "if n > 0 && !c.hot() { return 0, nil }", "_ = n", "if n > 0 && !c.hot() { // too cold\n\t\treturn 0, nil\n\t}",
			"_ = n"},
		{"Cook.Bake", "c.heat(degrees, minutes) /* first */\nc.serve(names...)", "",
			"c.heat(degrees,\n\t\tminutes)\n\tc.serve(names...)", ""},
		{"Cook.Bake", "c.heat(degrees, minutes)", "", "c.heat(degrees,\n\t\tminutes)", ""},
		{"Cook.Bake", "degrees", "", "degrees,\n\t\tminutes", "minutes"},
		{"Cook.Bake", "minutes", "", "degrees,\n\t\tminutes", "degrees"},
		{"Cook.Bake", "n == 2", "", "n == 1, n == 2", "n == 1"},
		{"Cook.Bake", "clean(n)", "n + 1", "clean(n) * 2", "(n + 1) * 2"},
		{"Cook.Bake", "n++", "", "n++", ""},
		{"Cook.Bake", "case n == 1, n == 2: n = clean(n)*2", "case n > 2:", "case n == 1, n == 2:\n\t\tn = clean(n) * 2", "case n > 2:"},
		{"clean", "n", "0", "return n }", "return 0 }"},
		{"spices", `"salt", "pepper"`, `"sugar"`, `"salt", "pepper", "chili"`, `"sugar", "chili"`},
		{"spices", `"pepper", "chili"`, "", `"salt", "pepper", "chili"`, `"salt"`},
		{"minutes", "12", "13", "200, 12", "200, 13"},
	} {
		path, code, err := changeCode(packageDirectory(t, kitchen), c.function, c.find, c.put)
		if want := strings.Replace(kitchen, c.was, c.is, 1); err != nil || string(code) != want {
			t.Errorf("%s, %s: %v, code\n%s\nwant\n%s", c.function, c.find, err, code, want)
		}
		if err == nil && filepath.Base(path) != "kitchen.go" {
			t.Errorf("%s: the file is %s", c.find, path)
		}
	}
}

// TestNoChange checks the errors of changes that are impossible.
func TestNoChange(t *testing.T) {
	for _, c := range []struct{ function, find, want string }{
		{"Bake", "n++", "no function, method (Type.Name) or variable Bake"},
		{"Pan.Bake", "n++", "no function"},
		{"spoon", `"salt"`, "no function"}, // declared in a test file
		{"Cook.Bake", "c.serve(names)", "Cook.Bake does not have: c.serve(names)"},
		{"Cook.Bake", "n--", "does not have"},
		{"clean", "n++", "does not have"},
		{"Cook.Bake", "n", "times, so find more of it: n"},
		{"Cook.Bake", "return 0,", "neither expressions nor statements"},
		{"Cook.Bake", " ", "nothing is to be found"},
	} {
		if _, _, err := changeCode(packageDirectory(t, kitchen), c.function, c.find, ""); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v, want %q", c.function, c.find, err, c.want)
		}
	}
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
