package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

const (
	mostMethods  = 40 // methods of a type
	mostEmbedded = 7  // methods of a type that another one embeds
)

// embedding contains the structs that embed a type with more methods, and the reason.
var embedding = map[string]string{
	"internal/item.Item: internal/item.View":                    "an item is what its view shows: fields are functions of both",
	"internal/item.Single: internal/item.Item":                  "it is an item, with what is known of its answer",
	"internal/item.View: internal/wp/permalink.Linker":          "its methods are the addresses that a view shows",
	"internal/feed.entry: internal/item.Item":                   "it is an item, at one of its times",
	"internal/event.batch: internal/item.View":                  "it is the view of several events, with what they share",
	"internal/openapi.document: internal/phpjson.Writer":        "it is a writer of JSON, with the parts of a document",
	"internal/wp/phpval.Object: internal/wp/phpval.Array":       "an object of PHP is an array with a class",
	"calendar/exchange.attempt: calendar/exchange.run":          "it is a run that may be undone",
	"calendar/exchange.recordImport: calendar/exchange.attempt": "it is an attempt, with one record",
	"calendar/exchange.recorder: calendar/exchange.exporting":   "it is an export, whose records are written one by one",
	"calendar/exchange.restSource: calendar/exchange.web":       "it is an address on the web, read as a source",
	"example/agenda.examination: example/agenda.settings":       "the flags of a command are those of the program and its own",
	"example/agenda.exchanging: example/agenda.settings":        "as above",
	"example/agenda.exporting: example/agenda.exchanging":       "as above",
	"example/agenda.importing: example/agenda.exchanging":       "as above",
	"example/agenda.newSite: example/agenda.settings":           "as above",
}

// declared contains the types of the module's production code.
type declared struct {
	methods  map[string]int      // by directory and name, such as store.Posts
	embedded map[string][]string // types of the module, of bun and of database/sql
}

// typesOf reads the declarations of a file.
func (d *declared) typesOf(dir string, file *ast.File) {
	imports := map[string]string{}
	for _, spec := range file.Imports {
		p := strings.Trim(spec.Path.Value, `"`)
		name := path.Base(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = strings.TrimPrefix(p, "github.com/agendahq/agenda/")
	}
	named := func(e ast.Expr) string {
		if star, ok := e.(*ast.StarExpr); ok {
			e = star.X
		}
		if index, ok := e.(*ast.IndexExpr); ok {
			e = index.X
		}
		switch e := e.(type) {
		case *ast.Ident:
			return dir + "." + e.Name
		case *ast.SelectorExpr:
			if x, ok := e.X.(*ast.Ident); ok {
				return imports[x.Name] + "." + e.Sel.Name
			}
		}
		return ""
	}
	for n := range ast.Preorder(file) {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil {
				d.methods[named(n.Recv.List[0].Type)]++
			}
		case *ast.TypeSpec:
			st, ok := n.Type.(*ast.StructType)
			if !ok {
				continue
			}
			for _, f := range st.Fields.List {
				if len(f.Names) == 0 {
					name := dir + "." + n.Name.Name
					d.embedded[name] = append(d.embedded[name], named(f.Type))
				}
			}
		}
	}
}

// all returns the number of methods of a type, including those of the types that it embeds.
func (d *declared) all(name string) int {
	n := d.methods[name]
	for _, e := range d.embedded[name] {
		n += d.all(e)
	}
	return n
}

// faults returns the violations, and the exceptions that were needed.
func (d *declared) faults() (found []string, needed map[string]bool) {
	needed = map[string]bool{}
	for name, n := range d.methods {
		if n > mostMethods {
			found = append(found, fmt.Sprintf("%s has %d methods, more than %d", name, n, mostMethods))
		}
	}
	for name, embedded := range d.embedded {
		for _, e := range embedded {
			handle := strings.HasSuffix(e, "bun.DB") || strings.HasSuffix(e, "bun.Conn") || strings.HasSuffix(e, "bun.Tx") ||
				strings.HasPrefix(e, "database/sql.") && !strings.HasSuffix(e, "RawBytes")
			n := d.all(e)
			if !handle && n <= mostEmbedded {
				continue
			}
			if at := name + ": " + e; embedding[at] != "" {
				needed[at] = true
			} else {
				found = append(found, fmt.Sprintf("%s embeds %s, which has %d methods", name, e, n))
			}
		}
	}
	slices.Sort(found)
	return found, needed
}

// TestTypes checks that no type has too many methods, and that structs do not embed large types: with a named field, a
// call shows whose method it is.
func TestTypes(t *testing.T) {
	d := &declared{methods: map[string]int{}, embedded: map[string][]string{}}
	must.Succeed(t, fs.WalkDir(os.DirFS("../../.."), ".", func(name string, _ fs.DirEntry, err error) error {
		if name == ".ci" || name == "internal/test" {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), "../../../"+name, nil, parser.SkipObjectResolution)
		if err == nil {
			d.typesOf(path.Dir(name), file)
		}
		return err
	}))
	if n := d.methods["internal/store.Posts"]; n < 10 {
		t.Errorf("%d methods of store.Posts", n)
	}
	found, needed := d.faults()
	for _, fault := range found {
		t.Error(fault)
	}
	for at := range maps.Keys(embedding) {
		if !needed[at] {
			t.Errorf("%s is no exception any more", at)
		}
	}
}

// TestTypesFinds checks that the test finds violations.
func TestTypesFinds(t *testing.T) {
	const text = `package store
import "github.com/uptrace/bun"
type service struct{}
type user struct { *service }
type pool struct { *bun.DB }
type held struct { s *service }
`
	file := must.Get(parser.ParseFile(token.NewFileSet(), "a.go", text, parser.SkipObjectResolution))(t)
	d := &declared{methods: map[string]int{"internal/store.service": mostMethods + 1}, embedded: map[string][]string{}}
	d.typesOf("internal/store", file)
	if found, _ := d.faults(); len(found) != 3 {
		t.Errorf("%q", found)
	}
}
