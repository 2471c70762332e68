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

// changed finds the files that a patch changes.
var changed = regexp.MustCompile(`(?m)^\+\+\+ b/(\S+)$`)

func TestExercises(t *testing.T) {
	for _, c := range []struct {
		patch string
		most  int // files beside tests and texts that it takes
	}{
		{"text-field.patch", 3},
		{"filter.patch", 2},
		{"linked-kind.patch", 4},
	} {
		t.Run(c.patch, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", c.patch))
			if err != nil {
				t.Fatal(err)
			}
			var files, counted []string
			for _, m := range changed.FindAllStringSubmatch(string(text), -1) {
				files = append(files, m[1])
				if !strings.HasPrefix(m[1], "locales/") && !strings.HasSuffix(m[1], "_test.go") {
					counted = append(counted, m[1])
				}
			}
			if len(counted) > c.most {
				t.Errorf("it takes %d files, at most %d are promised: %q", len(counted), c.most, counted)
			}
			ask(t, apply(t, text, files), "./internal/registry", "TestExercise")
		})
	}
}

// The texts of the API in another language are one file of texts, and nothing else.
func TestExerciseLanguage(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile(filepath.Join(root, "locales/active.en.toml"))
	if err != nil {
		t.Fatal(err)
	}
	german := strings.Replace(string(text), `param_id = "`, `param_id = "Die Nummer. `, 1)
	test := `package registry_test

import (
	"log/slog"
	"net/http/httptest"
	"testing"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

func TestExercise(t *testing.T) {
	c, err := calendar.New(t.Context(), calendar.Options{
		DB: testdb.SiteA(t), Logger: slog.New(slog.DiscardHandler),
		Languages: []calendar.Language{{Tag: "de", BaseURL: "https://example.org/wp-json"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	w := httptest.NewRecorder()
	c.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/wp-json/vendor/events/v1/doc", nil))
	shows(t, "the document", w.Body.String(), "Die Nummer. ")
}
`
	for name, text := range map[string]string{"locales/active.de.toml": german, "internal/registry/exercise_test.go": test} {
		write(t, filepath.Join(dir, name), []byte(text))
	}
	ask(t, overlay(t, dir, []string{"locales/active.de.toml", "internal/registry/exercise_test.go"}), "./internal/registry", "TestExercise")
}

func write(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// apply applies a patch to copies of the files that it changes, and returns what has the go command
// take these in place of the files.
func apply(t *testing.T, patch []byte, files []string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range files {
		if text, err := os.ReadFile(filepath.Join(root, name)); err == nil { // else the patch makes it
			write(t, filepath.Join(dir, name), text)
		}
	}
	git := exec.CommandContext(t.Context(), "git", "apply", "--recount", "-")
	git.Dir, git.Stdin = dir, strings.NewReader(string(patch))
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatalf("the patch does not apply any more: %v\n%s", err, out)
	}
	return overlay(t, dir, files)
}

// overlay returns the name of a file that has the go command take files of a directory in place of
// those of the module.
func overlay(t *testing.T, dir string, files []string) string {
	t.Helper()
	module, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	for _, name := range files {
		replace[filepath.Join(module, name)] = filepath.Join(dir, name)
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "overlay.json")
	write(t, name, text)
	return name
}

// ask builds a package with an overlay and runs a test of it.
func ask(t *testing.T, overlay, dir, test string) {
	t.Helper()
	run := exec.CommandContext(t.Context(), "go", "test", "-overlay", overlay, "-count=1", "-v", "-run", "^"+test+"$", dir)
	run.Dir = root
	out, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+test) {
		t.Errorf("%v\n%s", err, out)
	}
}
