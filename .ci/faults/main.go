// Faults shows that the tests find mistakes: it makes the mistakes of a list in the code one by one, and for each runs
// the test that must find it. Nothing is written to the tree: the compiler reads the changed file in the place of the
// stored one. Arguments name the faults to try; without any, all are tried. The exit status is 1 unless the tests pass
// without a fault, and each fails with its fault. With -check no tests are run, and the exit status is 1 unless each
// fault can be made and its test is among those that test.sh runs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// fault is a mistake: a piece of code, which must occur exactly once in a function, and its replacement. Formatting and
// comments are ignored.
type fault struct {
	name string
	pkg  string // the directory of the package, from the root of the repository
	fn   string // the function in any of the package's files, Type.Name for a method; or a variable
	find string // the code to replace, as short as is unique: an expression, several separated by commas, a case, or statements
	put  string // the code that replaces it; "" removes it
	in   string // the directory of the package whose test finds the fault
	test string // the name of the test, with subtests after slashes
}

// These are the verdicts on a fault.
const (
	caught     = "caught"
	missed     = "NOT CAUGHT"
	broken     = "does not compile"
	impossible = "cannot be tried"
	failing    = "its test fails without it"
)

func main() {
	check := flag.Bool("check", false, "run no tests: check that each fault can be made and has its test")
	flag.Parse()
	ok, err := runFaults(context.Background(), flag.Args(), *check)
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// runFaults tries the named faults, or all if there are no names, and reports whether all were caught. If check is set, it
// only reports whether all can be tried.
func runFaults(ctx context.Context, names []string, check bool) (ok bool, err error) {
	chosen, err := chooseFaults(names)
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
	wrong, err := t.check(ctx, chosen) // first, since the rest takes minutes
	if err != nil {
		return false, err
	}
	for _, f := range chosen {
		if wrong[f] != nil {
			fmt.Printf("%s: %v\n", f.name, wrong[f])
		}
	}
	if check {
		fmt.Printf("%d of %d faults can be tried\n", len(chosen)-len(wrong), len(chosen))
		return len(wrong) == 0, nil
	}
	return t.tryAll(ctx, slices.DeleteFunc(chosen, func(f *fault) bool { return wrong[f] != nil }), len(wrong))
}

// chooseFaults returns the faults with the names, or all if there are no names.
func chooseFaults(names []string) ([]*fault, error) {
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

// tryAll tries faults, and reports whether all are caught and others is 0. others is the number of faults that cannot
// be tried.
func (t *tree) tryAll(ctx context.Context, chosen []*fault, others int) (bool, error) {
	began := time.Now()
	failed, err := t.withoutFaults(ctx, chosen)
	if err != nil {
		return false, err
	}
	fmt.Printf("%5.0f s  the tests without a fault\n", time.Since(began).Seconds())
	n := 0
	for a := range t.attempts(ctx, chosen) {
		verdict, said, err := a.verdict, a.said, a.err
		began := time.Now()
		if output, fails := failed[a.fault]; fails {
			verdict, said = failing, output
		} else if verdict == "" && err == nil {
			verdict, said, err = t.try(ctx, a)
		}
		if err != nil {
			return false, err
		}
		took := a.took + time.Since(began)
		fmt.Printf("%5.0f s  %-12s %s (%s %s)\n", took.Seconds(), verdict, a.fault.name, a.fault.in, a.fault.test)
		if verdict == caught {
			n++
		} else {
			fmt.Println(said)
		}
	}
	fmt.Printf("%5.0f s  %d of %d faults are caught\n", time.Since(began).Seconds(), n, len(chosen)+others)
	return n == len(chosen) && others == 0, nil
}
