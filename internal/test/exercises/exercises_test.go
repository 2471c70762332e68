//go:build exercises

package exercises

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// root is the directory of the module.
const root = "../../.."

// exercises are the patches, in the order in which they are applied, each with the test that it brings.
var exercises = []struct {
	patch string
	most  int // files of Go that it takes beside tests
	test  string
}{
	{"text-field.patch", 3, "TestExerciseField"},
	{"filter.patch", 2, "TestExerciseFilter"},
	{"linked-kind.patch", 4, "TestExerciseSponsors"},
	{"language.patch", 0, "TestExerciseLanguage"},
}

// changed finds the files that a patch changes.
var changed = regexp.MustCompile(`(?m)^\+\+\+ b/(\S+)$`)

// TestExercises builds once for all patches: what they change is below most packages.
func TestExercises(t *testing.T) {
	dir, replace, tests := t.TempDir(), map[string]string{}, []string{}
	for _, e := range exercises {
		text, err := os.ReadFile(filepath.Join("testdata", e.patch))
		if err != nil {
			t.Fatal(err)
		}
		var counted []string
		for _, m := range changed.FindAllStringSubmatch(string(text), -1) {
			name := m[1]
			if !strings.HasPrefix(name, "locales/") && !strings.HasSuffix(name, "_test.go") {
				counted = append(counted, name)
			}
			path, err := filepath.Abs(filepath.Join(root, name))
			if err != nil {
				t.Fatal(err)
			}
			if replace[path] == "" {
				replace[path] = filepath.Join(dir, name)
				copyFile(t, path, replace[path])
			}
		}
		if len(counted) > e.most {
			t.Errorf("%s takes %d files, at most %d are promised: %q", e.patch, len(counted), e.most, counted)
		}
		git := exec.CommandContext(t.Context(), "git", "apply", "--recount", "-C1", "-")
		git.Dir, git.Stdin = dir, strings.NewReader(string(text))
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("%s does not apply any more: %v\n%s", e.patch, err, out)
		}
		tests = append(tests, e.test)
	}
	ask(t, overlay(t, dir, replace), "./internal/registry", tests)
}

// copyFile copies a file that is there; else the patch makes it.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if os.IsNotExist(err) {
		return
	}
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o755)
	}
	if err == nil {
		err = os.WriteFile(to, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// overlay returns the name of a file that has the go command take files in place of those of the module.
func overlay(t *testing.T, dir string, replace map[string]string) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// ask builds a package with an overlay and runs tests of it.
func ask(t *testing.T, overlay, dir string, tests []string) {
	t.Helper()
	run := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-overlay", overlay, "-count=1", "-v",
		"-run", "^("+strings.Join(tests, "|")+")$", dir)
	run.Dir = root
	out, err := run.CombinedOutput()
	for _, test := range tests {
		if err != nil || !strings.Contains(string(out), "--- PASS: "+test) {
			t.Fatalf("%v\n%s", err, out)
		}
	}
}
