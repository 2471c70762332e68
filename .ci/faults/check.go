package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// plain lists the packages whose tests test.sh runs, without build tags.
var plain = []string{"./...", "./schema/embedded/...", "./example/..."}

// suiteDir contains the suite, whose tests are named TestSuite/NAME: those of the variable tests and those of case
// files.
const suiteDir = "internal/test/contract"

// goPackage is a package in the output of go list.
type goPackage struct {
	ImportPath, Dir, Export            string
	GoFiles, TestGoFiles, XTestGoFiles []string
}

// check returns why faults cannot be tried: their place is not found, the code does not compile with them, or their
// test does not exist.
func (t *tree) check(ctx context.Context, chosen []*fault) (map[*fault]error, error) {
	suite, err := t.suite()
	if err != nil {
		return nil, err
	}
	tested, err := t.list(ctx, append([]string{"-json=Dir,TestGoFiles,XTestGoFiles"}, plain...))
	if err != nil {
		return nil, err
	}
	args := []string{"-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export"}
	for _, f := range chosen {
		if _, err := os.Stat(t.path(f.pkg)); err == nil { // otherwise it is an error of the fault
			args = append(args, "./"+f.pkg)
		}
	}
	compiled, err := t.list(ctx, args)
	if err != nil {
		return nil, err
	}
	checker := newChecker(compiled)
	wrong := map[*fault]error{}
	for _, f := range chosen {
		path, code, err := changeCode(t.path(f.pkg), f.fn, f.find, f.put)
		if err != nil {
			err = fmt.Errorf("%s: %w", f.pkg, err)
		} else {
			err = checker.check(path, code)
		}
		if err = errors.Join(err, t.hasTest(tested, suite, f)); err != nil {
			wrong[f] = err
		}
	}
	return wrong, nil
}

// list runs go list.
func (t *tree) list(ctx context.Context, args []string) (byDir map[string]*goPackage, err error) {
	var failed bytes.Buffer
	c := exec.CommandContext(ctx, "go", append([]string{"list"}, args...)...)
	c.Dir, c.Stderr = t.root, &failed
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, failed.Bytes())
	}
	byDir = map[string]*goPackage{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := &goPackage{}
		if err := d.Decode(p); err == io.EOF {
			return byDir, nil
		} else if err != nil {
			return nil, err
		}
		byDir[p.Dir] = p
	}
}

// suite returns the names of the tests of the suite.
func (t *tree) suite() (names []string, err error) {
	sources, err := filepath.Glob(filepath.Join(t.path(suiteDir), "*.go"))
	if err != nil {
		return nil, err
	}
	for _, path := range sources {
		file, err := parseGo(path, nil)
		if err != nil {
			return nil, err
		}
		for _, tests := range declared(file, "tests") {
			ast.Inspect(tests, func(n ast.Node) bool {
				if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING {
					name, err := strconv.Unquote(s.Value)
					if err == nil {
						names = append(names, name)
					}
				}
				return true
			})
		}
	}
	cases, err := filepath.Glob(filepath.Join(t.path(suiteDir), "testdata", "cases", "*.txt"))
	for _, path := range cases {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			if name, ok := strings.CutPrefix(line, "test "); ok {
				names = append(names, strings.TrimSpace(name))
			}
		}
	}
	return names, err
}

// hasTest returns an error unless test.sh runs the test of a fault.
func (t *tree) hasTest(tested map[string]*goPackage, suite []string, f *fault) error {
	p := tested[t.path(f.in)]
	if p == nil {
		return fmt.Errorf("%s: no package whose tests test.sh runs", f.in)
	}
	name, part, parts := strings.Cut(f.test, "/")
	for _, base := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		file, err := parseGo(filepath.Join(p.Dir, base), nil)
		if err != nil {
			return err
		}
		if len(declared(file, name)) == 0 {
			continue
		}
		if parts && (name != "TestSuite" || !slices.Contains(suite, part)) {
			return fmt.Errorf("%s: %s has no part %q", f.in, name, part)
		}
		return nil
	}
	return fmt.Errorf("%s: no test %s without a build tag", f.in, name)
}

// checker type-checks packages whose imports are compiled.
type checker struct {
	packages map[string]*goPackage // by directory
	files    *token.FileSet
	imports  types.Importer
}

func newChecker(packages map[string]*goPackage) *checker {
	exports := map[string]string{}
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
	}
	c := &checker{packages: packages, files: token.NewFileSet()}
	c.imports = importer.ForCompiler(c.files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	return c
}

// check returns the first error that a compiler would find in the package of a changed file.
func (c *checker) check(changed string, code []byte) error {
	p := c.packages[filepath.Dir(changed)]
	var files []*ast.File
	for _, base := range p.GoFiles {
		path, src := filepath.Join(p.Dir, base), any(nil)
		if path == changed {
			src = code
		}
		file, err := parser.ParseFile(c.files, path, src, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	config := types.Config{Importer: c.imports}
	_, err := config.Check(p.ImportPath, c.files, files, nil)
	return err
}
