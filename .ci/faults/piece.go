package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// A piece is a list of adjacent nodes: statements, or expressions with commas between them.
type piece []ast.Node

// parsePiece parses a piece. If it can be an expression or a statement, such as a call, it is an expression.
func parsePiece(text string) (p piece, err error) {
	if file, err := parseGo("", "package p; var _ = T{"+text+"}"); err == nil {
		for _, e := range file.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0].(*ast.CompositeLit).Elts {
			p = append(p, e)
		}
		return p, nil
	}
	code, cases := text, strings.HasPrefix(text, "case ")
	if cases {
		code = "switch {" + text + "\n}"
	}
	file, err := parseGo("", "package p; func _() {"+code+"\n}")
	if err != nil {
		return nil, fmt.Errorf("neither expressions nor statements (%w): %s", err, text)
	}
	block := file.Decls[0].(*ast.FuncDecl).Body
	if cases {
		block = block.List[0].(*ast.SwitchStmt).Body
	}
	for _, s := range block.List {
		p = append(p, s)
	}
	return p, nil
}

func parseGo(name string, code any) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), name, code, parser.SkipObjectResolution)
}

// changeCode returns the path of the file of a package that declares the function, and its code with the piece replaced.
// The function must contain the piece exactly once.
func changeCode(dir, function, find, put string) (path string, code []byte, err error) {
	wanted, err := parsePiece(find)
	if err != nil {
		return "", nil, fmt.Errorf("find: %w", err)
	}
	if len(wanted) == 0 {
		return "", nil, errors.New("find: nothing is to be found")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", nil, err
	}
	functions, times := 0, 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return "", nil, err
		}
		parsed, err := parseGo(file, src)
		if err != nil {
			return "", nil, err
		}
		for _, root := range declared(parsed, function) {
			functions++
			for _, at := range wanted.within(root) {
				times, path = times+1, file
				code = at.replaced(src, parsed.FileStart, put)
			}
		}
	}
	switch {
	case functions == 0:
		return "", nil, fmt.Errorf("no function, method (Type.Name) or variable %s; was it renamed or moved?", function)
	case times == 0:
		return "", nil, fmt.Errorf("%s does not have: %s", function, find)
	case times > 1:
		return "", nil, fmt.Errorf("%s has this %d times, so find more of it: %s", function, times, find)
	}
	return path, code, nil
}

// declared returns what a file declares under a name: the bodies of functions and of methods (as Type.Name), variables
// and constants.
func declared(file *ast.File, name string) (nodes []ast.Node) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if receiver(d)+d.Name.Name == name && d.Body != nil {
				nodes = append(nodes, d.Body)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				values, ok := spec.(*ast.ValueSpec)
				for i := 0; ok && i < len(values.Names); i++ {
					if values.Names[i].Name == name {
						nodes = append(nodes, values)
					}
				}
			}
		}
	}
	return nodes
}

// receiver returns the name of a method's type followed by a dot, without pointer and type parameters, or "" for a
// function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	for t := d.Recv.List[0].Type; ; {
		switch of := t.(type) {
		case *ast.StarExpr:
			t = of.X
		case *ast.IndexExpr:
			t = of.X
		case *ast.IndexListExpr:
			t = of.X
		case *ast.Ident:
			return of.Name + "."
		default:
			return "?."
		}
	}
}

// place is where a piece was found.
type place struct {
	nodes      piece
	prev, next ast.Node // its neighbours in a list, or nil
}

// within returns the places below a node that contain the piece.
func (p piece) within(root ast.Node) (places []place) {
	ast.Inspect(root, func(n ast.Node) bool {
		for _, list := range lists(n) {
			for i := 0; i+len(p) <= len(list); i++ {
				at := place{nodes: list[i : i+len(p)]}
				if !sameCode(reflect.ValueOf(p), reflect.ValueOf(at.nodes)) {
					continue
				}
				if i > 0 {
					at.prev = list[i-1]
				}
				if i+len(p) < len(list) {
					at.next = list[i+len(p)]
				}
				places = append(places, at)
			}
		}
		return true
	})
	return places
}

// lists returns the children of a node: the nodes of each list together, the others alone.
func lists(n ast.Node) (all []piece) {
	if n == nil {
		return nil
	}
	for _, field := range reflect.ValueOf(n).Elem().Fields() {
		var list piece
		if field.Kind() != reflect.Slice {
			if child, ok := field.Interface().(ast.Node); ok && !field.IsNil() {
				all = append(all, piece{child})
			}
			continue
		}
		for i := range field.Len() {
			if child, ok := field.Index(i).Interface().(ast.Node); ok {
				list = append(list, child)
			}
		}
		all = append(all, list)
	}
	return all
}

// sameCode reports whether two values of a syntax tree are the same code, regardless of positions and comments.
func sameCode(a, b reflect.Value) bool {
	if a.IsValid() != b.IsValid() || a.IsValid() && a.Type() != b.Type() {
		return false
	}
	if !a.IsValid() {
		return true
	}
	switch a.Interface().(type) {
	case token.Pos: // only whether it is set: the position of ... distinguishes f(x) from f(x...)
		return (a.Int() == 0) == (b.Int() == 0)
	case *ast.CommentGroup:
		return true
	}
	switch a.Kind() {
	case reflect.Interface, reflect.Pointer:
		return sameCode(a.Elem(), b.Elem())
	case reflect.Slice:
		for i := 0; i < a.Len() && i < b.Len(); i++ {
			if !sameCode(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return a.Len() == b.Len()
	case reflect.Struct:
		for i := range a.NumField() {
			if !sameCode(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	default:
		return a.Equal(b)
	}
}

// replaced returns the code of a file with the place replaced. start is the position at which the file begins.
func (p place) replaced(code []byte, start token.Pos, put string) []byte {
	from, to := p.nodes[0].Pos(), p.nodes[len(p.nodes)-1].End()
	if _, expression := p.nodes[0].(ast.Expr); expression {
		switch {
		case put != "":
			put = enclosed(put)
		case p.next != nil: // with the comma
			to = p.next.Pos()
		case p.prev != nil:
			from = p.prev.End()
		}
	}
	return bytes.Join([][]byte{code[:from-start], code[to-start:]}, []byte(put))
}

// enclosed returns an expression that may be an operand, in parentheses if necessary.
func enclosed(text string) string {
	if p, err := parsePiece(text); err == nil && len(p) == 1 {
		if _, binary := p[0].(*ast.BinaryExpr); binary {
			return "(" + text + ")"
		}
	}
	return text
}
