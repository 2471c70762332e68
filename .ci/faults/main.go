// Faults shows that the tests find mistakes: it makes one after the other of a list in the code, and runs the test that is to find it.
// Nothing is written to the tree: the compiler reads the changed file in the place of the stored one. Arguments name the faults to try;
// without any all are. It ends with 1 unless the tests pass without a fault, and each fails with its own.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// fault is a mistake: a text of a file, which occurs there once, and what it is replaced by.
type fault struct {
	name       string
	file       string // from the root of the repository
	text, with string
	in, test   string // the package, and the test in it that finds the fault, with the names of its parts after slashes
}

// What becomes of a fault.
const (
	caught  = "caught"
	missed  = "NOT CAUGHT"
	broken  = "does not compile"
	unfound = "the text is not in the file once"
	failing = "its test fails without it"
)

// longest bounds the run of one test.
const longest = 5 * time.Minute

func main() {
	ok, err := run(context.Background(), os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// run tries the named faults, all without names, and reports whether all were caught.
func run(ctx context.Context, names []string) (ok bool, err error) {
	chosen, err := choose(names)
	if err != nil {
		return false, err
	}
	root, err := exec.CommandContext(ctx, "git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return false, err
	}
	temp, err := os.MkdirTemp("", "faults")
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	t := &tree{root: strings.TrimSpace(string(root)), temp: temp}
	for _, f := range chosen { // at once, since the rest takes minutes
		if _, there := t.made(f); !there {
			fmt.Printf("%s: %s\n", f.name, unfound)
		}
	}
	began := time.Now()
	failed, err := t.withoutFaults(ctx, chosen)
	if err != nil {
		return false, err
	}
	fmt.Printf("%5.0f s  the tests without a fault\n", time.Since(began).Seconds())
	n := 0
	for _, f := range chosen {
		began := time.Now()
		verdict := failing
		said, fails := failed[f]
		if !fails {
			if verdict, said, err = t.try(ctx, f); err != nil {
				return false, err
			}
		}
		fmt.Printf("%5.0f s  %-12s %s (%s %s)\n", time.Since(began).Seconds(), verdict, f.name, f.in, f.test)
		if verdict == caught {
			n++
		} else {
			fmt.Println(said)
		}
	}
	fmt.Printf("%5.0f s  %d of %d faults are caught\n", time.Since(began).Seconds(), n, len(chosen))
	return n == len(chosen), nil
}

// choose returns the faults with the names, all without any.
func choose(names []string) ([]*fault, error) {
	var chosen []*fault
	known := map[string]bool{}
	for i := range faults {
		f := &faults[i]
		if known[f.name] {
			return nil, fmt.Errorf("two faults are called %q", f.name)
		}
		known[f.name] = true
		if len(names) == 0 || slices.Contains(names, f.name) {
			chosen = append(chosen, f)
		}
	}
	for _, name := range names {
		if !known[name] {
			return nil, fmt.Errorf("no fault is called %q", name)
		}
	}
	return chosen, nil
}

// tree is the code with its tests.
type tree struct{ root, temp string }

// withoutFaults runs the tests of faults as the code is. It returns what those said that did not pass.
func (t *tree) withoutFaults(ctx context.Context, chosen []*fault) (map[*fault]string, error) {
	failed := map[*fault]string{}
	byPackage := map[string][]*fault{}
	for _, f := range chosen {
		byPackage[f.in] = append(byPackage[f.in], f)
	}
	for in, list := range byPackage {
		var patterns []string
		for _, f := range list {
			patterns = append(patterns, pattern(f.test))
		}
		slices.Sort(patterns)
		binary, said, err := t.compile(ctx, in, "")
		if err == nil && binary != "" {
			said, err = t.test(ctx, binary, in, strings.Join(slices.Compact(patterns), "|"))
		}
		if err != nil {
			return nil, err
		}
		for _, f := range list {
			if !reports(said, "PASS", f.test) {
				failed[f] = said
			}
		}
	}
	return failed, nil
}

// try makes a fault and runs its test. It returns what became of the fault, and what was said.
func (t *tree) try(ctx context.Context, f *fault) (verdict, said string, err error) {
	code, there := t.made(f)
	if !there {
		return unfound, f.file + ":\n" + f.text, nil
	}
	changed, overlay := filepath.Join(t.temp, "changed.go"), filepath.Join(t.temp, "overlay.json")
	if err := os.WriteFile(changed, code, 0o600); err != nil {
		return "", "", err
	}
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(t.root, filepath.FromSlash(f.file)): changed}})
	if err != nil {
		return "", "", err
	}
	if err := os.WriteFile(overlay, replaced, 0o600); err != nil {
		return "", "", err
	}
	binary, said, err := t.compile(ctx, f.in, overlay)
	if err != nil || binary == "" {
		return broken, said, err
	}
	said, err = t.test(ctx, binary, f.in, pattern(f.test))
	if err != nil || !reports(said, "FAIL", f.test) {
		return missed, said, err
	}
	return caught, said, nil
}

// made returns a file with its fault, and whether the text that it replaces is there once.
func (t *tree) made(f *fault) (code []byte, there bool) {
	code, err := os.ReadFile(filepath.Join(t.root, filepath.FromSlash(f.file)))
	if err != nil || bytes.Count(code, []byte(f.text)) != 1 {
		return nil, false
	}
	return bytes.Replace(code, []byte(f.text), []byte(f.with), 1), true
}

// compile returns the program of a package's tests, "" and what the compiler said if it is none.
func (t *tree) compile(ctx context.Context, in, overlay string) (binary, said string, err error) {
	binary = filepath.Join(t.temp, "tests")
	args := []string{"test", "-c", "-vet=off", "-o", binary}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	said, passed, err := output(ctx, t.root, "go", append(args, "./"+in)...)
	if err != nil || !passed {
		return "", said, err
	}
	return binary, said, nil
}

// test runs tests of a package, and returns what they said.
func (t *tree) test(ctx context.Context, binary, in, tests string) (said string, err error) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	said, _, err = output(ctx, filepath.Join(t.root, filepath.FromSlash(in)), binary, "-test.v", "-test.run="+tests)
	return said, err
}

// output runs a program, and returns what it wrote and whether it ended well. The error is one of starting it.
func output(ctx context.Context, dir, program string, args ...string) (said string, passed bool, err error) {
	var out bytes.Buffer
	c := exec.CommandContext(ctx, program, args...)
	c.Dir, c.Stdout, c.Stderr = dir, &out, &out
	c.Env = append(os.Environ(), "RAPID_NOFAILFILE=true") // random tests would write into the tree how they failed
	err = c.Run()
	if _, ended := err.(*exec.ExitError); ended {
		return out.String(), false, nil
	}
	return out.String(), err == nil, err
}

// written returns the name of a test as go test writes it.
func written(test string) string { return strings.ReplaceAll(test, " ", "_") }

// pattern returns the pattern that selects one test.
func pattern(test string) string {
	parts := strings.Split(written(test), "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// reports reports whether tests said that one of them passed or failed.
func reports(said, outcome, test string) bool {
	for line := range strings.Lines(said) {
		if strings.HasPrefix(strings.TrimSpace(line), "--- "+outcome+": "+written(test)+" (") {
			return true
		}
	}
	return false
}
