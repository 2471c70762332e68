//go:build exercises

package exercises

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"github.com/agendahq/agenda/internal/test/must"
)

// root is the directory of the module.
const root = "../../.."

// exercises contains the patches, in the order in which they are applied, each with the test that it adds.
var exercises = []struct {
	patch string
	most  int // maximum number of Go files, tests excluded
	test  string
}{
	{"text-field.patch", 3, "TestExerciseField"},
	{"filter.patch", 2, "TestExerciseFilter"},
	{"venue-filter.patch", 2, "TestExerciseVenueFilter"},
	{"linked-resource.patch", 4, "TestExerciseSponsors"},
	{"language.patch", 0, "TestExerciseLanguage"},
}

// changed matches the files that a patch changes.
var changed = regexp.MustCompile(`(?m)^\+\+\+ b/(\S+)$`)

// TestExercises applies all patches to one copy of the tree and runs all tests there that depend on the changed
// packages: following the recipes must leave the tests green.
func TestExercises(t *testing.T) {
	dir := t.TempDir()
	copyTree(t, dir)
	touched := map[string]bool{}
	for _, e := range exercises {
		text := must.Get(os.ReadFile(filepath.Join("testdata", e.patch)))(t)
		var counted []string
		for _, m := range changed.FindAllStringSubmatch(string(text), -1) {
			touched["./"+path.Dir(m[1])] = true
			if !strings.HasPrefix(m[1], "locales/") && !strings.HasSuffix(m[1], "_test.go") {
				counted = append(counted, m[1])
			}
		}
		if len(counted) > e.most {
			t.Errorf("%s takes %d files, at most %d are promised: %q", e.patch, len(counted), e.most, counted)
		}
		run(t, dir, bytes.NewReader(text), "git", "apply", "--recount", "-C1", "-")
	}
	translateRest(t, filepath.Join(dir, "locales"), "de")
	test(t, dir, dependents(t, dir, slices.Sorted(maps.Keys(touched))))
}

// run runs a command in a directory and returns its output.
func run(t *testing.T, dir string, in io.Reader, name string, args ...string) string {
	t.Helper()
	var errOut strings.Builder
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Stdin, cmd.Stderr = dir, in, &errOut
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %.200q: %v\n%s%s", name, args, err, out, &errOut)
	}
	return string(out)
}

// copyTree copies the current files of the tree, except for ignored ones.
func copyTree(t *testing.T, dir string) {
	t.Helper()
	for name := range strings.SplitSeq(run(t, root, nil, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"), "\x00") {
		from, to := filepath.Join(root, name), filepath.Join(dir, name)
		is, err := os.Lstat(from)
		if errors.Is(err, os.ErrNotExist) || err == nil && !is.Mode().IsRegular() {
			continue // deleted and not committed
		}
		var text []byte
		if err == nil {
			text, err = os.ReadFile(from)
		}
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o755)
		}
		if err == nil {
			err = os.WriteFile(to, text, is.Mode().Perm())
		}
		must.Succeed(t, err)
	}
	run(t, dir, nil, "git", "init", "-q") // without a repository, git apply would change the files of a repository in a parent directory
}

// translateRest adds to a language the texts that were added after its patch was written. It uses the English texts
// with a mark, in place of a translator's work.
func translateRest(t *testing.T, dir, language string) {
	t.Helper()
	texts := func(language string) (all map[string]any) {
		text, err := os.ReadFile(filepath.Join(dir, "active."+language+".toml"))
		if err == nil {
			err = toml.Unmarshal(text, &all)
		}
		must.Succeed(t, err)
		return all
	}
	quotes := strings.NewReplacer("“", "„", "”", "“") // German quotation marks
	marked := func(text string) string { return language + " " + quotes.Replace(text) }
	english, all := texts("en"), texts(language)
	for id, text := range english {
		if all[id] != nil {
			continue
		}
		switch text := text.(type) {
		case string:
			all[id] = marked(text)
		case map[string]any:
			forms := map[string]any{}
			for form, words := range text {
				forms[form] = marked(fmt.Sprint(words))
			}
			all[id] = forms
		}
	}
	text, err := toml.Marshal(all)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "active."+language+".toml"), text, 0o600)
	}
	must.Succeed(t, err)
}

// modules contains patterns for the packages of all modules.
var modules = []string{"./...", "./schema/embedded/...", "./example/..."}

// dependents returns the packages with tests that depend on packages in the touched directories, and those whose tests
// read the files of all packages.
func dependents(t *testing.T, dir string, touched []string) (list []string) {
	t.Helper()
	changed := strings.Fields(run(t, dir, nil, "go", append([]string{"list"}, touched...)...))
	const binary = ".test"
	for line := range strings.Lines(run(t, dir, nil, "go", append([]string{"list", "-test", "-f",
		`{{if eq .Name "main"}}{{.ImportPath}}|{{join .Deps "|"}}{{end}}`}, modules...)...)) {
		parts := strings.Split(strings.TrimSpace(line), "|")
		name, isTest := strings.CutSuffix(parts[0], binary)
		depends := slices.ContainsFunc(parts[1:], func(dep string) bool {
			dep, _, _ = strings.Cut(dep, " ") // packages compiled for a test have a suffix
			return slices.Contains(changed, dep)
		})
		if isTest && (depends || strings.HasSuffix(name, "/internal/test/arch")) {
			list = append(list, name)
		}
	}
	if len(list) < len(changed) {
		t.Fatalf("%q depend on %q", list, changed)
	}
	return list
}

// test runs the tests of packages. The tests of the patches must be among them.
func test(t *testing.T, dir string, packages []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"test", "-json", "-vet=off", "-count=1", "-timeout", "45m",
		"-skip", "^TestLong"}, packages...)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	must.Succeed(t, err)
	type name struct{ Package, ImportPath, Test string }
	printed, passed := map[name]string{}, map[string]bool{}
	for d := json.NewDecoder(out); ; {
		var event struct {
			name
			Action, Output string
		}
		if err := d.Decode(&event); err != nil {
			break
		}
		switch event.Action {
		case "output", "build-output":
			printed[event.name] += event.Output
		case "pass", "skip":
			passed[event.Test] = event.Action == "pass"
			delete(printed, event.name)
		case "fail", "build-fail":
			t.Errorf("%s%s %s\n%s", event.Package, event.ImportPath, event.Test, printed[event.name])
		}
	}
	if err := cmd.Wait(); err != nil && !t.Failed() {
		t.Error(err)
	}
	for _, e := range exercises {
		if !passed[e.test] {
			t.Errorf("%s did not pass", e.test)
		}
	}
}
