package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

// imported contains the packages that hosts import.
var imported = []string{"calendar", "calendar/exchange", "calendar/pages", "schema", "schema/embedded", "schema/embedded/calendartest"}

// TestExportedTypesHaveNames checks that no exported name of a package has a type of internal/ in its declaration,
// because hosts could not name that type.
func TestExportedTypesHaveNames(t *testing.T) {
	const bad = "package a\n" + `import other "github.com/agendahq/agenda/internal/site"
		type T struct { A, b other.Dates; c other.Dates }
		type u struct { A other.Dates }
		func (t *T) F(func() []other.Dates) {}
		func (u) F(other.Dates) {}
		type I interface { F() other.Dates }
		var V map[string]other.Dates
		const Known = string(other.DatesEach)`
	if found := unnamed(t, "a.go", bad); len(found) != 4 {
		t.Errorf("found: %q", found)
	}
	for _, directory := range imported {
		files := must.Get(os.ReadDir("../../../" + directory))(t)
		for _, f := range files {
			if strings.HasSuffix(f.Name(), ".go") && !strings.HasSuffix(f.Name(), "_test.go") {
				for _, name := range unnamed(t, directory+"/"+f.Name(), nil) {
					t.Errorf("%s/%s: %s", directory, f.Name(), name)
				}
			}
		}
	}
}

// unnamed returns the types of internal/ in the declarations of a file's exported names.
func unnamed(t *testing.T, name string, text any) (found []string) {
	file := must.Get(parser.ParseFile(token.NewFileSet(), "../../../"+name, text, parser.SkipObjectResolution))(t)
	internal := map[string]bool{}
	for _, spec := range file.Imports {
		p := strings.Trim(spec.Path.Value, `"`)
		as := path.Base(p)
		if spec.Name != nil {
			as = spec.Name.Name
		}
		internal[as] = strings.Contains(p, "/internal/")
	}
	check := func(of string, typ ast.Node) {
		for n := range ast.Preorder(typ) {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && internal[x.Name] {
					found = append(found, of+" has "+x.Name+"."+s.Sel.Name)
				}
			}
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d))) {
				check(d.Name.Name, d.Type)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					checkType(spec, check)
				case *ast.ValueSpec:
					if spec.Type != nil && spec.Names[0].IsExported() {
						check(spec.Names[0].Name, spec.Type)
					}
				}
			}
		}
	}
	return found
}

// checkType checks an exported type. For a struct, it checks the exported fields.
func checkType(spec *ast.TypeSpec, check func(of string, typ ast.Node)) {
	structure, ok := spec.Type.(*ast.StructType)
	switch {
	case !spec.Name.IsExported():
	case !ok:
		check(spec.Name.Name, spec.Type)
	default:
		for _, f := range structure.Fields.List {
			if len(f.Names) == 0 || f.Names[0].IsExported() {
				check(spec.Name.Name, f.Type)
			}
		}
	}
}

// receiver returns the name of the receiver's type of a method.
func receiver(d *ast.FuncDecl) string {
	for n := range ast.Preorder(d.Recv.List[0].Type) {
		if name, ok := n.(*ast.Ident); ok {
			return name.Name
		}
	}
	return ""
}
