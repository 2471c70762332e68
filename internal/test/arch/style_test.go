package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	maxFileLines = 450
	maxFuncLines = 60
	maxModules   = 89
)

// filesStaySmall counts the lines of program files.
func filesStaySmall(t *tree) (broken []string) {
	for _, s := range t.program() {
		if s.lines > maxFileLines {
			broken = append(broken, fmt.Sprintf("%s has %d lines, at most %d", s.name, s.lines, maxFileLines))
		}
	}
	return broken
}

// functionsStaySmall counts from the word func to the closing brace.
func functionsStaySmall(t *tree) (broken []string) {
	for _, s := range t.program() {
		ast.Inspect(s.file, func(n ast.Node) bool {
			name := ""
			switch f := n.(type) {
			case *ast.FuncDecl:
				name = f.Name.Name
			case *ast.FuncLit:
				name = "a function literal"
			default:
				return true
			}
			first, last := position(s, funcStart(n)), position(s, n.End())
			if long := last - first + 1; long > maxFuncLines {
				broken = append(broken, fmt.Sprintf("%s: %s has %d lines, at most %d", s.at(n.Pos()), name, long, maxFuncLines))
			}
			return true
		})
	}
	return broken
}

func position(s *source, p token.Pos) int { return s.fset.Position(p).Line }

// funcStart leaves the comment above a function out.
func funcStart(n ast.Node) token.Pos {
	if f, ok := n.(*ast.FuncDecl); ok {
		return f.Type.Func
	}
	return n.Pos()
}

// statement recognizes SQL in a literal: shouted verbs anywhere, quiet ones where
// a text starts like a whole statement.
var statement = regexp.MustCompile(`\b(SELECT|INSERT|UPDATE|DELETE FROM|REPLACE INTO|ALTER TABLE|CREATE TABLE|DROP TABLE|TRUNCATE TABLE)\s` +
	`|^\s*(select\s.*\sfrom\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|replace\s+into\s|(alter|create|drop|truncate)\s+table\s)`)

// sqlParts may write SQL as text.
var sqlParts = []string{"internal/store", "schema", "internal/test"}

// engineDirs are the example's embedded engine and its copying between engines,
// which work below bun: it drops NUL bytes from texts. The floor of the benchmark
// is what can be done without store and bun.
var engineDirs = []string{"example/internal/sqlite", "example/internal/transfer", "example/bench/internal/floor"}

// sqlInStore: nobody else writes statements.
func sqlInStore(t *tree) (broken []string) {
	for _, s := range t.program() {
		if slices.Contains(sqlParts, part(s.dir)) || slices.Contains(engineDirs, s.dir) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			if text, err := strconv.Unquote(lit.Value); err == nil && statement.MatchString(text) {
				broken = append(broken, fmt.Sprintf("%s: SQL is written in internal/store: %.40q", s.at(lit.Pos()), text))
			}
			return true
		})
	}
	return broken
}

// nothingSkipped: a test that cannot run fails and says what it lacks.
func nothingSkipped(t *tree) (broken []string) {
	for _, s := range t.files {
		if !s.test && !slices.Contains(support, part(s.dir)) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && skips(sel) {
				broken = append(broken, fmt.Sprintf("%s: a test skips itself", s.at(call.Pos())))
			}
			return true
		})
	}
	return broken
}

func skips(sel *ast.SelectorExpr) bool {
	switch sel.Sel.Name {
	case "Skipf", "SkipNow":
		return true
	case "Skip":
		on, ok := sel.X.(*ast.Ident)
		return ok && slices.Contains([]string{"t", "tb", "b", "f"}, on.Name)
	}
	return false
}

// dataIgnored: the example's database never enters the repository.
func dataIgnored(root fs.FS) (broken []string) {
	text, err := fs.ReadFile(root, ".gitignore")
	if err != nil {
		return []string{err.Error()}
	}
	for l := range strings.Lines(string(text)) {
		if strings.Trim(strings.TrimSpace(l), "/") == "agenda-data" {
			return nil
		}
	}
	return []string{".gitignore does not name agenda-data"}
}

// fewModules judges the output of go list -m all.
func fewModules(list string) (broken []string) {
	if n := strings.Count(strings.TrimSpace(list), "\n") + 1; n > maxModules {
		broken = append(broken, fmt.Sprintf("a host that imports calendar gets %d modules, at most %d: is something imported that belongs in example/?", n, maxModules))
	}
	return broken
}
