package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// longest is the time limit of a test.
const longest = 20 * time.Minute

// tree is the code with its tests.
type tree struct{ root, temp string }

// withoutFaults runs the tests of the faults on the unchanged code. For the faults whose tests fail, it returns the
// tests' output.
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
		binary := filepath.Join(t.temp, "tests")
		said, compiled, err := t.compile(ctx, binary, in)
		if err == nil && compiled {
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

// attempt is a fault that was made, with the test binary that contains it.
type attempt struct {
	fault         *fault
	binary        string
	verdict, said string // if there is no binary
	took          time.Duration
	err           error
}

// attempts compiles the tests with each fault in turn, while the previous one is tried.
func (t *tree) attempts(ctx context.Context, chosen []*fault) iter.Seq[attempt] {
	return func(yield func(attempt) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		compiled := make(chan attempt)
		go func() {
			defer close(compiled)
			for i, f := range chosen {
				began := time.Now()
				a := attempt{fault: f, binary: filepath.Join(t.temp, fmt.Sprintf("tests%d", i))}
				a.verdict, a.said, a.err = t.make(ctx, f, a.binary)
				a.took = time.Since(began)
				select {
				case compiled <- a:
				case <-ctx.Done():
					return
				}
			}
		}()
		for a := range compiled {
			if !yield(a) {
				return
			}
		}
	}
}

// make compiles the tests of a fault with the fault. The verdict is "" if they compile.
func (t *tree) make(ctx context.Context, f *fault, binary string) (verdict, said string, err error) {
	path, code, err := changeCode(t.path(f.pkg), f.fn, f.find, f.put)
	if err != nil {
		return impossible, err.Error(), nil
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {path: binary + ".go"}})
	if err != nil {
		return "", "", err
	}
	for name, data := range map[string][]byte{binary + ".go": code, binary + ".json": overlay} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			return "", "", err
		}
	}
	said, compiled, err := t.compile(ctx, binary, f.in, "-overlay", binary+".json")
	if err != nil || compiled {
		return "", "", err
	}
	return broken, said, nil
}

// try runs the test of a fault with the fault. It returns the verdict and the test's output.
func (t *tree) try(ctx context.Context, a attempt) (verdict, said string, err error) {
	said, err = t.test(ctx, a.binary, a.fault.in, pattern(a.fault.test))
	if err != nil {
		return "", "", err
	}
	if err := os.Remove(a.binary); err != nil {
		return "", "", err
	}
	if !reports(said, "FAIL", a.fault.test) {
		return missed, said, nil
	}
	return caught, said, nil
}

// path returns the path of a directory of the repository.
func (t *tree) path(dir string) string { return filepath.Join(t.root, filepath.FromSlash(dir)) }

// compile builds the test binary of a package, without debug information. It returns the compiler's output.
func (t *tree) compile(ctx context.Context, binary, in string, flags ...string) (said string, compiled bool, err error) {
	args := append([]string{"test", "-c", "-vet=off", "-ldflags=-w", "-o", binary}, flags...)
	return output(ctx, t.root, "go", append(args, "./"+in)...)
}

// test runs tests of a package, and returns their output.
func (t *tree) test(ctx context.Context, binary, in, tests string) (said string, err error) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	said, _, err = output(ctx, t.path(in), binary, "-test.v", "-test.run="+tests)
	return said, err
}

// output runs a program, and returns its output and whether it succeeded. It returns an error only if the program could
// not be run.
func output(ctx context.Context, dir, program string, args ...string) (said string, passed bool, err error) {
	var out bytes.Buffer
	c := exec.CommandContext(ctx, program, args...)
	c.Dir, c.Stdout, c.Stderr = dir, &out, &out
	c.Env = append(os.Environ(), "RAPID_NOFAILFILE=true") // otherwise random tests would write their failures into the tree
	err = c.Run()
	if _, ended := err.(*exec.ExitError); ended {
		return out.String(), false, nil
	}
	return out.String(), err == nil, err
}

// underscored returns the name of a test in the form that go test prints.
func underscored(test string) string { return strings.ReplaceAll(test, " ", "_") }

// pattern returns the regular expression that selects one test.
func pattern(test string) string {
	parts := strings.Split(underscored(test), "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// reports reports whether the output of tests contains the outcome (PASS or FAIL) of a test.
func reports(said, outcome, test string) bool {
	for line := range strings.Lines(said) {
		if strings.HasPrefix(strings.TrimSpace(line), "--- "+outcome+": "+underscored(test)+" (") {
			return true
		}
	}
	return false
}
