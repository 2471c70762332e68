package locales

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// same lists the ids whose text may be the same as the English one, by
// language, each with a reason. None has to be at the moment.
var same = map[string][]string{}

// fields are names of fields of answers that look like ids of texts.
var fields = []string{"json_error_code", "json_error_message", "json_ld"}

// words are what stands for the variable part of a composed id, by package. In
// other packages it is any word.
var words = map[string]map[string][]string{
	"link": {"kind": {"venues", "organizers"}, "Collection": {"venues", "organizers"}, "Name": {"venue", "organizer"}},
	"term": {"kind": {"categories", "tags"}, "Collection": {"categories", "tags"}},
}

// kinds is what a variable called kind or Collection can hold in any package.
var kinds = []string{"events", "venues", "organizers", "categories", "tags"}

var (
	variable = regexp.MustCompile(`\{\{[^}]*\}\}`)
	id       = regexp.MustCompile(`^(error|fault|param|summary|doc|json)_[a-z0-9_]+$`)
	start    = regexp.MustCompile(`^(error|fault|param|summary|doc|json)_([a-z0-9_]*_)?$`)
)

func texts(t *testing.T, language string) map[string]string {
	t.Helper()
	data, err := files.ReadFile("active." + language + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]string{}
	if err := toml.Unmarshal(data, &m); err != nil {
		t.Fatalf("%s: %v", language, err)
	}
	return m
}

func variables(text string) []string {
	list := variable.FindAllString(text, -1)
	slices.Sort(list)
	return list
}

func TestBundle(t *testing.T) {
	b, err := Bundle()
	if err != nil {
		t.Fatal(err)
	}
	var tags []string
	for _, tag := range b.LanguageTags() {
		tags = append(tags, tag.String())
	}
	slices.Sort(tags)
	if !slices.Equal(tags, []string{"en", "fr", "nl"}) {
		t.Errorf("languages: %q", tags)
	}
}

func TestLanguagesAgree(t *testing.T) {
	english := texts(t, "en")
	for key, text := range english {
		if strings.TrimSpace(text) == "" {
			t.Errorf("en: %s is empty", key)
		}
	}
	for _, language := range []string{"nl", "fr"} {
		other := texts(t, language)
		for key := range other {
			if _, ok := english[key]; !ok {
				t.Errorf("%s: %s is not in English", language, key)
			}
		}
		for key, text := range english {
			translated, ok := other[key]
			switch {
			case !ok:
				t.Errorf("%s: %s is missing", language, key)
			case strings.TrimSpace(translated) == "":
				t.Errorf("%s: %s is empty", language, key)
			case translated == text && !slices.Contains(same[language], key):
				t.Errorf("%s: %s is not translated", language, key)
			case !slices.Equal(variables(translated), variables(text)):
				t.Errorf("%s: %s has the variables %q, not %q", language, key, variables(translated), variables(text))
			}
		}
	}
}

// part is an operand of a composed id: one of some words, or any word.
type part struct {
	words []string
	exact bool // each word has to occur in an id
}

// source is a declaration of a package.
type source struct {
	pkg  string
	decl ast.Decl
}

func TestIDs(t *testing.T) {
	english := texts(t, "en")
	used := map[string]bool{}
	set := token.NewFileSet()
	for _, root := range []string{"../calendar", "../internal"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, decl := range f.Decls {
				s := source{f.Name.Name, decl}
				ast.Inspect(decl, func(n ast.Node) bool {
					e, ok := n.(ast.Expr)
					if !ok {
						return true
					}
					parts := s.parts(e)
					if parts == nil {
						return true
					}
					at := set.Position(e.Pos())
					for _, missing := range match(english, used, parts) {
						t.Errorf("%s: there is no text %s", at, missing)
					}
					return false
				})
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for key := range english {
		if !used[key] {
			t.Errorf("%s is not used", key)
		}
	}
}

// match marks the ids that parts stand for as used and returns what is missing.
func match(keys map[string]string, used map[string]bool, parts []part) []string {
	var pattern strings.Builder
	for _, p := range parts {
		quoted := []string{"[a-z0-9_]+"}
		if p.words != nil {
			quoted = nil
			for _, w := range p.words {
				quoted = append(quoted, regexp.QuoteMeta(w))
			}
		}
		pattern.WriteString("(" + strings.Join(quoted, "|") + ")")
	}
	re := regexp.MustCompile("^" + pattern.String() + "$")
	found, any := make([]map[string]bool, len(parts)), false
	for i := range found {
		found[i] = map[string]bool{}
	}
	for key := range keys {
		if m := re.FindStringSubmatch(key); m != nil {
			used[key], any = true, true
			for i := range parts {
				found[i][m[i+1]] = true
			}
		}
	}
	if !any {
		return []string{re.String()}
	}
	var missing []string
	for i, p := range parts {
		for _, w := range p.words {
			if p.exact && !found[i][w] {
				missing = append(missing, re.String()+" with "+w)
			}
		}
	}
	return missing
}

// parts returns the operands of an expression that is an id or composes one, or
// nil.
func (s source) parts(e ast.Expr) []part {
	operands := flatten(e)
	first, ok := literal(operands[0])
	switch {
	case !ok:
		return nil
	case len(operands) == 1 && start.MatchString(first):
		return []part{{[]string{first}, true}, {}}
	case len(operands) == 1 && (!id.MatchString(first) || slices.Contains(fields, first)):
		return nil
	case !id.MatchString(first) && !start.MatchString(first):
		return nil
	}
	var list []part
	for _, o := range operands {
		if text, ok := literal(o); ok {
			list = append(list, part{[]string{text}, true})
			continue
		}
		list = append(list, s.part(o))
	}
	return list
}

func (s source) part(e ast.Expr) part {
	name := ""
	switch e := e.(type) {
	case *ast.Ident:
		name = e.Name
	case *ast.SelectorExpr:
		name = e.Sel.Name
	}
	if list := words[s.pkg][name]; list != nil {
		return part{list, true}
	}
	if list := s.arguments(name); list != nil {
		return part{list, true}
	}
	if name == "kind" || name == "Collection" {
		return part{kinds, false}
	}
	return part{}
}

// arguments returns the literals that the declaration passes to its local functions
// whose first parameter has the name.
func (s source) arguments(name string) []string {
	functions := map[string]bool{}
	ast.Inspect(s.decl, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return true
		}
		variable, isVariable := a.Lhs[0].(*ast.Ident)
		f, isFunction := a.Rhs[0].(*ast.FuncLit)
		if isVariable && isFunction && len(f.Type.Params.List) > 0 {
			if names := f.Type.Params.List[0].Names; len(names) > 0 && names[0].Name == name {
				functions[variable.Name] = true
			}
		}
		return true
	})
	var list []string
	ast.Inspect(s.decl, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || len(c.Args) == 0 {
			return true
		}
		f, isIdent := c.Fun.(*ast.Ident)
		if text, isText := literal(c.Args[0]); isIdent && isText && functions[f.Name] {
			list = append(list, text)
		}
		return true
	})
	return list
}

func flatten(e ast.Expr) []ast.Expr {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return flatten(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return append(flatten(e.X), flatten(e.Y)...)
		}
	}
	return []ast.Expr{e}
}

func literal(e ast.Expr) (string, bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	return text, err == nil
}
