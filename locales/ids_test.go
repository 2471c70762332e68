package locales

import (
	"fmt"
	"go/ast"
	"go/constant"
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
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/openapi"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/schema"
)

// site is all kinds, as the calendar mounts them, without a database.
type site struct {
	links      []*linked.Kind
	terms      []*term.Kind
	operations []*rest.Operation
}

func declared() site {
	env := &item.Service{Content: &content.Service{Store: &store.Store{}},
		Language: param.Key[string]("language").Param(jsonschema.Text(), nil, param.Doc("param_language"))}
	events := registry.Register(env, schema.DefaultNames())
	s := site{links: events.Linked, terms: []*term.Kind{events.Categories, events.Tags}}
	s.operations = []*rest.Operation{(&rest.Engine{}).IndexOperation(env.Language), openapi.Operation(nil, env.Language)}
	a := api.New(env)
	all := []rest.Operations{a.Events(events), a.Terms(events.Categories), a.Terms(events.Tags)}
	for _, k := range events.Linked {
		all = append(all, a.Places(k))
	}
	for _, o := range all {
		s.operations = append(s.operations, o.List, o.Create, o.Item.Get, o.Item.Delete, o.Item.Update)
		if o.BySlug.Get != nil {
			s.operations = append(s.operations, o.BySlug.Get, o.BySlug.Delete, o.BySlug.Update)
		}
	}
	return s
}

// described are the ids of the descriptions that the operations declare: what
// packages put together with "param_" or "summary_" in front.
func (s site) described() map[string]bool {
	ids := map[string]bool{}
	for _, o := range s.operations {
		ids[o.Summary] = true
		for _, p := range o.Params {
			if p.Doc != "" {
				ids[p.Doc] = true
			}
		}
	}
	return ids
}

// composed are the ids that expressions put together elsewhere, by package and
// expression.
func (s site) composed(reasons []string) map[string][]string {
	all := map[string][]string{}
	add := func(expression, id string) { all[expression] = append(all[expression], id) }
	for _, k := range s.links {
		add(`linked: "fault_" + k.Type.Collection`, "fault_"+k.Type.Collection)
		add(`linked: "fault_" + k.Name + "_id"`, "fault_"+k.Name+"_id")
		for _, suffix := range []string{"", "_details"} {
			add(`linked: "doc_" + k.Name + suffix`, "doc_"+k.Name+suffix)
		}
		add(`linked: "doc_" + k.Name + "_data"`, "doc_"+k.Name+"_data")
		add(`api: "doc_" + k.Collection`, "doc_"+k.Collection)
		add(`event: "fault_" + kind.Type.Collection`, "fault_"+k.Type.Collection)
		add(`event: "doc_field_event_" + kind.Name`, "doc_field_event_"+k.Name)
	}
	for _, k := range s.terms {
		add(`api: "doc_" + k.Collection`, "doc_"+k.Collection)
		add(`term: "fault_" + k.Collection`, "fault_"+k.Collection)
		add(`term: "fault_" + k.Collection + "_id"`, "fault_"+k.Collection+"_id")
		if k.Tree { // others have nothing above them
			add(`term: "fault_" + k.Collection + "_circle"`, "fault_"+k.Collection+"_circle")
		}
	}
	for _, r := range reasons {
		add(`content: "fault_image_" + refused.Reason`, "fault_image_"+r)
	}
	for id := range s.documented() {
		beginning := id[:strings.Index(id[len("doc_"):], "_")+len("doc_")+1]
		add(documenting[beginning], id)
	}
	return all
}

// documenting are the expressions of the OpenAPI document, by what their ids
// begin with.
var documenting = map[string]string{
	"doc_tag_":    `openapi: "doc_tag_" + o.Tag`,
	"doc_status_": `openapi: "doc_status_" + strconv.Itoa(status)`,
	"doc_field_":  `openapi: "doc_field_" + strings.ReplaceAll(m.Name, "-", "_")`,
}

// documented are the ids of kinds, statuses and members in the OpenAPI document.
func (s site) documented() map[string]bool {
	ids, seen := map[string]bool{"doc_status_200": true, "doc_status_201": true}, map[*jsonschema.Schema]bool{}
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
	for _, o := range s.operations {
		ids["doc_tag_"+o.Tag] = true
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

// names are texts of the program that look like ids.
var names = []string{"json_error_code", "json_error_message", "json_ld"}

// scan finds the ids in the packages' source.
type scan struct {
	files *token.FileSet
	id    *regexp.Regexp // looks like an id, or like the beginning of one
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

// leftmost is what a sum begins with.
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

// wrong compares what is found with the ids that exist: in sentences, none if
// every one is there and used.
func (s *scan) wrong(ids []string, described map[string]bool, composed map[string][]string) (sentences []string) {
	used, expressions := map[string]bool{}, map[string]bool{}
	use := func(id, by string) {
		used[id] = true
		if !slices.Contains(ids, id) {
			sentences = append(sentences, fmt.Sprintf("%s: there is no text %s", by, id))
		}
	}
	for _, id := range sorted(described) {
		use(id, "the routes")
	}
	for _, f := range s.found {
		_, expression, _ := strings.Cut(f.composed, ": ")
		switch {
		case strings.HasPrefix(f.id, "param_events_") && strings.HasSuffix(f.id, "_"), // of param.DocOf
			strings.HasPrefix(expression, `"param_"`), strings.HasPrefix(expression, `"summary_`):
			// the result is among the descriptions
		case f.composed == "":
			use(f.id, f.at)
		case composed[f.composed] == nil:
			sentences = append(sentences, fmt.Sprintf("%s: say in this test what %s can be", f.at, f.composed))
		default:
			expressions[f.composed] = true
			for _, id := range composed[f.composed] {
				use(id, f.at)
			}
		}
	}
	for _, expression := range sorted(composed) {
		if !expressions[expression] {
			sentences = append(sentences, fmt.Sprintf("no source has %s", expression))
		}
	}
	for _, id := range ids {
		if !used[id] {
			sentences = append(sentences, fmt.Sprintf("%s is not used", id))
		}
	}
	return sentences
}

// imageReasons are the values of media's constants.
func imageReasons(t *testing.T) (reasons []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "../internal/media/errors.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if ok && v.Names[0].Name != "reasonTexts" {
			reasons = append(reasons, constant.StringVal(constant.MakeFromLiteral(v.Values[0].(*ast.BasicLit).Value, token.STRING, 0)))
		}
		return !ok
	})
	if len(reasons) < 5 {
		t.Fatalf("reasons of media: %q", reasons)
	}
	return reasons
}

// support are the packages that help tests.
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
	all := declared()
	for _, sentence := range s.wrong(ids, all.described(), all.composed(imageReasons(t))) {
		t.Error(sentence)
	}
}

// TestIDsFindsMistakes shows the test above what is wrong.
func TestIDsFindsMistakes(t *testing.T) {
	const source = `package linked
		var a = x("error_a") + y("json_ld", "error_code: %d")
		func f(k kind) { g("fault_" + k.Name + "_id"); p("param_" + k.Name) }`
	composed := map[string][]string{`linked: "fault_" + k.Name + "_id"`: {"fault_venue_id", "fault_organizer_id"}}
	described := map[string]bool{"param_venue": true}
	right := []string{"error_a", "fault_organizer_id", "fault_venue_id", "param_venue"}
	for name, c := range map[string]struct {
		ids    []string
		source string
		want   string
	}{
		"nothing":                {right, source, "[]"},
		"unused":                 {append(slices.Clone(right), "fault_tag_id"), source, "[fault_tag_id is not used]"},
		"a missing one":          {right[1:], source, "[there is no text error_a]"},
		"a missing composed one": {slices.Concat(right[:1], right[2:]), source, "[there is no text fault_organizer_id]"},
		"a missing description":  {right[:3], source, "[there is no text param_venue]"},
		"an unknown composition": {right, source + "\nvar c = \"error_\" + a", `[say in this test what linked: "error_" + a can be]`},
		"a composition that is gone": {right[:1], "package linked\nvar a = \"error_a\"",
			`[there is no text param_venue no source has linked: "fault_" + k.Name + "_id"]`},
	} {
		s := newScan([]string{"error_", "fault_", "param_"})
		if err := s.file("a.go", c.source); err != nil {
			t.Fatal(err)
		}
		got := s.wrong(c.ids, described, composed)
		for i := range got {
			got[i] = got[i][max(0, strings.Index(got[i], "there is"), strings.Index(got[i], "say in")):]
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}
