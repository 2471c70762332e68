package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

const module = "github.com/agendahq/agenda"

// source is one Go file, parsed and not type-checked, so that the rules hold
// for files of every platform and need no network.
type source struct {
	name    string // path from the root of the repository
	dir     string
	test    bool
	lines   int
	imports []string
	file    *ast.File
	fset    *token.FileSet
}

// at names a place in the file.
func (s *source) at(p token.Pos) string {
	return fmt.Sprintf("%s:%d", s.name, s.fset.Position(p).Line)
}

// tree is all Go code below the root, both modules.
type tree struct{ files []*source }

// readTree parses every Go file, leaving out what the go command leaves out.
func readTree(root fs.FS) (*tree, error) {
	t := &tree{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		hidden := name != "." && strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")
		if d.IsDir() {
			if hidden || base == "testdata" || base == "vendor" || base == "agenda-data" || base == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		if hidden || path.Ext(base) != ".go" {
			return nil
		}
		s, err := readSource(root, name)
		if err == nil {
			t.files = append(t.files, s)
		}
		return err
	})
	return t, err
}

func readSource(root fs.FS, name string) (*source, error) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return nil, err
	}
	s := &source{name: name, dir: path.Dir(name), test: strings.HasSuffix(name, "_test.go"), fset: token.NewFileSet()}
	s.lines = strings.Count(string(text), "\n")
	if s.file, err = parser.ParseFile(s.fset, name, text, parser.SkipObjectResolution); err != nil {
		return nil, err
	}
	for _, i := range s.file.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return nil, err
		}
		s.imports = append(s.imports, p)
	}
	return s, nil
}

// program yields the files that are not tests.
func (t *tree) program() []*source {
	return slices.DeleteFunc(slices.Clone(t.files), func(s *source) bool { return s.test })
}

// part is the directory that the rules name for a directory below it: the kind,
// the mechanism or the public package.
func part(dir string) string {
	steps := strings.Split(dir, "/")
	if steps[0] == "internal" && len(steps) > 1 {
		return steps[0] + "/" + steps[1]
	}
	return steps[0]
}

// own returns the directory of an import that lies in this repository.
func own(imported string) (string, bool) {
	if imported == module {
		return ".", true
	}
	return strings.CutPrefix(imported, module+"/")
}

// within tells whether an import path is one of the packages or lies below one.
func within(imported string, packages []string) bool {
	return slices.ContainsFunc(packages, func(p string) bool {
		return imported == p || strings.HasPrefix(imported, p+"/")
	})
}
