package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// unclear are expressions that readers had to decode, with what to write instead. CONTRIBUTING.md has the rule; the
// test finds only the words that are easy to find. Expressions match whole words, in any case.
var unclear = []struct{ expression, instead string }{
	{`who(?:m|se|so)?ever`, `name the subject: "any writer", "also if another program wrote it"`},
	{`(?:(?:is|are|was|were|be|been|being) )?told`, `"notified", "reported", "distinguished"`},
	{`(?:in )?doubt\w*`, `"commit in doubt", or what is not known`}, // but see allowed
	{`the (?:site|system)'s own software`, `"The Events Calendar" or "WordPress"`},
	{`own dates?`, `"main occurrence", "occurrence"`},
	{`(?:of|after) so many`, `"n", "the given number of"`},
	{`lest|thereof|therein|whereof|heretofore`, `"so that … not", "of it"`},
}

// allowed are the matches of the expressions that are terms of the field, or quoted as examples of what to avoid.
var allowed = regexp.MustCompile(`(?i)^in doubt$`)

var unclearWords = func() *regexp.Regexp {
	var all []string
	for _, u := range unclear {
		all = append(all, "(?:"+u.expression+")")
	}
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(all, "|") + `)\b`)
}()

// unclearIn returns the unclear expressions in a text.
func unclearIn(text string) (found []string) {
	text = strings.Join(strings.Fields(text), " ") // an expression may be on two lines
	for _, s := range unclearWords.FindAllString(text, -1) {
		if !allowed.MatchString(s) {
			found = append(found, fmt.Sprintf("%q: write %s", s, insteadOf(s)))
		}
	}
	return found
}

func insteadOf(match string) string {
	for _, u := range unclear {
		if regexp.MustCompile(`(?i)^(?:` + u.expression + `)$`).MatchString(match) {
			return u.instead
		}
	}
	return "it plainly"
}

// unclearComments returns the unclear expressions in the comments of a Go file.
func unclearComments(name string, text any) (found []string, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	declared := map[*ast.CommentGroup]string{}
	for n := range ast.Preorder(file) {
		switch n := n.(type) {
		case *ast.FuncDecl:
			declared[n.Doc] = n.Name.Name
		case *ast.TypeSpec:
			declared[n.Doc] = n.Name.Name
		case *ast.Field:
			if len(n.Names) == 1 {
				declared[n.Doc] = n.Names[0].Name
			}
		case *ast.GenDecl:
			if len(n.Specs) == 1 {
				if t, ok := n.Specs[0].(*ast.TypeSpec); ok {
					declared[n.Doc] = t.Name.Name
				}
			}
		}
	}
	for _, group := range file.Comments {
		comment := strings.TrimPrefix(group.Text(), declared[group]) // begins with the name of what it is about
		for _, s := range unclearIn(comment) {
			found = append(found, fmt.Sprintf("%s: %s", files.Position(group.Pos()), s))
		}
	}
	return found, nil
}

// TestPlainWords checks that comments, guides and the English texts have none of the expressions in unclear.
func TestPlainWords(t *testing.T) {
	comments, texts := 0, 0
	err := fs.WalkDir(os.DirFS("../../.."), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if strings.HasPrefix(entry.Name(), ".") && name != "." && name != ".ci" || entry.Name() == "node_modules" {
				return fs.SkipDir
			}
			return nil
		case path.Ext(name) == ".go":
			if name == self {
				return nil
			}
			text, err := readRepositoryFile(name)
			if err != nil {
				return err
			}
			found, err := unclearComments(name, text)
			for _, s := range found {
				t.Error(s)
			}
			comments++
			return err
		case guides[name] > 0 || slices.Contains(englishTexts, name):
			text, err := readRepositoryFile(name)
			for _, s := range unclearIn(unshown(text, word)) {
				t.Errorf("%s: %s", name, s)
			}
			texts++
			return err
		}
		return nil
	})
	if err != nil || comments < 1000 || texts != len(guides)+len(englishTexts) {
		t.Errorf("%d files of Go, %d texts: %v", comments, texts, err)
	}
}

// self is this file, whose comments and strings contain the expressions.
const self = "internal/test/arch/words_test.go"

// englishTexts are the files with the English texts for people.
var englishTexts = []string{
	"locales/active.en.toml", "calendar/pages/texts/en.json", "calendar/pages/editing/texts/en.json",
	"calendar/pages/editing/texts/en-forms.json",
}

// TestPlainWordsFinds checks that the test above finds what it is for.
func TestPlainWordsFinds(t *testing.T) {
	const source = `package a
		// told reports whether a message was sent, whoever
		// sent it.
		func told() {}
		// A reader is told so.
		var a = 1 // without a doubt
		// commit is in doubt until the
		// server responds.
		var b = "whoever"
		// It has an own
		// date, and returns the site's own software.`
	found, err := unclearComments("a.go", source)
	if err != nil || len(found) != 5 {
		t.Errorf("%d: %q, %v", len(found), found, err)
	}
	if found := unclearIn("The outcome is in doubt. Nobody doubts it."); len(found) != 1 {
		t.Errorf("%q", found)
	}
}

// vague are names of functions and methods that cannot be distinguished in a stack trace or a search.
var vague = regexp.MustCompile(`^(?:[oO]f|[iI]n|[mM]ay|[tT]ake|[pP]ut|[nN]ote|[aA]sk|[gG]ives|[tT]old|[lL]ook|write|read|add|text)$`)

// vagueNames returns the vague names of the functions and methods that a Go file declares.
func vagueNames(name string, text any) (found []string, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for n := range ast.Preorder(file) {
		var names []*ast.Ident
		switch n := n.(type) {
		case *ast.FuncDecl:
			names = []*ast.Ident{n.Name}
		case *ast.InterfaceType:
			for _, method := range n.Methods.List {
				names = append(names, method.Names...)
			}
		}
		for _, id := range names {
			if vague.MatchString(id.Name) {
				at := files.Position(id.Pos())
				found = append(found, fmt.Sprintf("%s: %s: say what of, as in checkRight or recordChange", at, id.Name))
			}
		}
	}
	return found, nil
}

// TestNamesOfFunctions checks that no function or method has a vague name.
func TestNamesOfFunctions(t *testing.T) {
	const source = "package a\nfunc of() {}\nfunc (t T) Put() {}\nfunc ofPost() {}\ntype i interface { write(); writePost() }"
	if found, err := vagueNames("a.go", source); err != nil || len(found) != 3 {
		t.Errorf("%q, %v", found, err)
	}
	count := 0
	err := fs.WalkDir(os.DirFS("../../.."), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".go" {
			return err
		}
		text, err := readRepositoryFile(name)
		if err != nil {
			return err
		}
		count++
		found, err := vagueNames(name, text)
		for _, s := range found {
			t.Error(s)
		}
		return err
	})
	if err != nil || count < 1000 {
		t.Errorf("%d files: %v", count, err)
	}
}
