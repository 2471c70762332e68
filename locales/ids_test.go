package locales

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/api"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/openapi"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// operations returns the operations of all resources, as the calendar mounts them, without a database.
func operations() []*rest.Operation {
	names := schema.DefaultNames()
	env := item.New(item.Config{
		Content: content.New(content.Config{
			Store: &store.Store{}, Types: registry.Types(names, registry.More{}), Taxonomies: registry.Taxonomies(names),
		}),
		Language: param.Key[string]("language").Param(jsonschema.Text(), nil, param.Doc("param_language")),
	})
	events := registry.Register(env, names, registry.More{})
	list := []*rest.Operation{rest.IndexOperation("ns", env.Language), openapi.Operation(env.Language)}
	a := api.New(env)
	all := []rest.Operations{a.Events(events), a.Terms(events.Categories), a.Terms(events.Tags)}
	for _, k := range events.Linked {
		all = append(all, a.Places(k))
	}
	for _, o := range all {
		list = append(list, o.List, o.Sync, o.Create, o.Item.Get, o.Item.Delete, o.Item.Update)
		if o.BySlug.Get != nil {
			list = append(list, o.BySlug.Get, o.BySlug.Delete, o.BySlug.Update)
		}
	}
	return list
}

// TestOperationsAreDescribed checks that each operation and each parameter has a description.
func TestOperationsAreDescribed(t *testing.T) {
	for _, o := range operations() {
		if o.Summary == "" || o.About == "" {
			t.Errorf("%s has no summary or no text of its tag", o.ID)
		}
		for _, p := range o.Params {
			if p.Doc == "" && o.Tag != "index" { // whose parameters only the document describes
				t.Errorf("%s does not describe %s", o.ID, p.Name)
			}
		}
	}
}

// composed is the only expression that composes ids: those of the members of answers whose description follows from
// their name. All other ids are literals in the source.
const composed = `openapi: "doc_field_" + strings.ReplaceAll(m.Name, "-", "_")`

// members returns the ids that composed produces.
func members() map[string]bool {
	ids, seen := map[string]bool{}, map[*jsonschema.Schema]bool{}
	var walk func(*jsonschema.Schema)
	walk = func(s *jsonschema.Schema) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		for _, m := range s.Members {
			if described := m.About != "" || m.Shape.Name == "" && m.Shape.About != ""; !described && !s.Plain {
				ids["doc_field_"+strings.ReplaceAll(m.Name, "-", "_")] = true
			}
			walk(m.Shape)
		}
		for _, inner := range slices.Concat([]*jsonschema.Schema{s.Items, s.Others}, s.OneOf, s.AllOf) {
			walk(inner)
		}
	}
	for _, o := range operations() {
		walk(o.Answer)
		for _, p := range o.Params {
			walk(p.Schema)
		}
		for _, method := range []string{"GET", "POST"} {
			for _, e := range new(rest.Route).AllErrors(o.On(method)) {
				walk(e.Shape)
			}
		}
	}
	return ids
}

// names are strings of the program that look like ids.
var names = []string{"json_error_code", "json_error_message", "json_ld"}

// scan finds the ids in the packages' source.
type scan struct {
	files *token.FileSet
	id    *regexp.Regexp // matches ids, and beginnings of ids
	found []found
}

// found is an id, or an expression that composes one.
type found struct {
	at       string
	id       string
	composed string // package and expression
}

// newScan looks for the beginnings that the ids have.
func newScan(ids []string) *scan {
	first := map[string]bool{}
	for _, id := range ids {
		word, _, _ := strings.Cut(id, "_")
		first[word] = true
	}
	return &scan{
		files: token.NewFileSet(),
		id:    regexp.MustCompile(`^(` + strings.Join(sorted(first), "|") + `)_[a-z0-9_]*$`),
	}
}

func (s *scan) file(path string, source any) error {
	f, err := parser.ParseFile(s.files, path, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(f, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		first, ok := literal(leftmost(e))
		if !ok || !s.id.MatchString(first) || slices.Contains(names, first) {
			return true
		}
		hit := found{at: s.files.Position(e.Pos()).String(), id: first}
		if _, whole := literal(e); !whole {
			hit.id, hit.composed = "", f.Name.Name+": "+types.ExprString(e)
		}
		s.found = append(s.found, hit)
		return false
	})
	return nil
}

// leftmost returns the leftmost operand of a sum.
func leftmost(e ast.Expr) ast.Expr {
	for {
		b, ok := e.(*ast.BinaryExpr)
		if !ok || b.Op != token.ADD {
			return e
		}
		e = b.X
	}
}

func literal(e ast.Expr) (string, bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	return text, err == nil
}

// wrong compares the ids that were found with those that exist. It returns the differences as sentences, none if every
// id exists and is used.
func (s *scan) wrong(ids []string, members map[string]bool) (sentences []string) {
	used := map[string]bool{}
	use := func(id, by string) {
		used[id] = true
		if !slices.Contains(ids, id) {
			sentences = append(sentences, fmt.Sprintf("%s: there is no text %s", by, id))
		}
	}
	for _, id := range sorted(members) {
		use(id, "a member")
	}
	for _, f := range s.found {
		switch f.composed {
		case "":
			use(f.id, f.at)
		case composed:
		default:
			sentences = append(sentences, fmt.Sprintf("%s: %s is not written whole", f.at, f.composed))
		}
	}
	for _, id := range ids {
		if !used[id] {
			sentences = append(sentences, fmt.Sprintf("%s is not used", id))
		}
	}
	return sentences
}

// support lists the packages that only tests use.
var support = []string{"test"}

// TestIDs checks that the program has a text for every id that it uses, and no
// other.
func TestIDs(t *testing.T) {
	ids := sorted(texts(t, "en"))
	s := newScan(ids)
	for _, root := range []string{"../calendar", "../internal"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && slices.Contains(support, d.Name()):
				return filepath.SkipDir
			case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			return s.file(path, nil)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, sentence := range s.wrong(ids, members()) {
		t.Error(sentence)
	}
}

// TestIDsFindsMistakes checks that the test above finds mistakes.
func TestIDsFindsMistakes(t *testing.T) {
	const source = `package openapi
		var a = x("error_a") + y("json_ld", "error_code: %d")
		func f(m member) { g("doc_field_" + strings.ReplaceAll(m.Name, "-", "_")) }`
	members := map[string]bool{"doc_field_city": true}
	right := []string{"doc_field_city", "error_a"}
	for name, c := range map[string]struct {
		ids    []string
		source string
		want   string
	}{
		"nothing":          {right, source, "[]"},
		"unused":           {append(slices.Clone(right), "doc_field_zip"), source, "[doc_field_zip is not used]"},
		"a missing one":    {right[:1], source, "[there is no text error_a]"},
		"a missing member": {right[1:], source, "[there is no text doc_field_city]"},
		"a composed one":   {right, source + "\nvar c = \"error_\" + a", `[openapi: "error_" + a is not written whole]`},
	} {
		s := newScan([]string{"error_", "doc_"})
		if err := s.file("a.go", c.source); err != nil {
			t.Fatal(err)
		}
		got := s.wrong(c.ids, members)
		for i := range got {
			got[i] = got[i][max(0, strings.Index(got[i], "there is"), strings.Index(got[i], "openapi: ")):]
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}
