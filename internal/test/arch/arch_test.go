// Package arch tests the structure of the code: which package imports which, and where SQL is allowed. Other rules are
// in .golangci.yml.
package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

// rooms are the directories of the repository and of internal, and schema/embedded. A package may only import packages
// of rooms further down in this list.
var rooms = []string{
	"test",
	"example",
	"embedded",
	"calendar",
	"api openapi auth hostroute",
	"rest feed registry",
	"event",
	"linked term",
	"item",
	"follow replica",
	"content",
	"apierror call media rendercache site store",
	"param",
	"recurrence",
	"ical",
	"budget caller celldate change charset jsonschema locales nearest phpjson schema surrogate webhook wholefile",
	"wp zonedata",
}

// only lists the rooms that may import a package, or a package below it. SQL is limited to the store and what is below
// it, and HTTP to the rooms above it.
var only = map[string]string{
	"database/sql":                   "test example embedded store schema",
	"github.com/gin-gonic/gin":       "test example embedded calendar",
	"github.com/go-sql-driver/mysql": "test example embedded store schema",
	"github.com/uptrace/bun":         "test example embedded calendar replica store schema",
	"net/http":                       "test example embedded calendar api auth follow hostroute openapi rest media",
	"os":                             "test example embedded calendar rest media store schema wholefile zonedata",
}

// sql matches a string with a SQL statement, and sqlHere the files that may contain some: those of the store, and those
// that do not use bun.
var sql = regexp.MustCompile(`\b(SELECT|INSERT|UPDATE|DELETE|(ALTER|CREATE|DROP) TABLE)\s|` +
	`(?i)^.\s*(select.* from|insert into|update.* set|delete from)\s`)
var sqlHere = regexp.MustCompile(`^(internal/(test|store)|schema|example/(internal/transfer|bench/internal/floor))/`)

// room returns the room that a path belongs to, and its index in the list.
func room(path string) (string, int) {
	path = strings.TrimPrefix(path, "internal/")
	if strings.HasPrefix(path, "schema/embedded") {
		path = "embedded"
	}
	name, _, _ := strings.Cut(path, "/")
	return name, slices.IndexFunc(rooms, func(line string) bool { return slices.Contains(strings.Fields(line), name) })
}

// faults returns the rules that a source file violates.
func faults(t *testing.T, name string, text any) (found []string) {
	file := must.Get(parser.ParseFile(token.NewFileSet(), "../../../"+name, text, parser.SkipObjectResolution))(t)
	from, line := room(name)
	for _, spec := range file.Imports {
		imported := strings.Trim(spec.Path.Value, `"`)
		own, ours := strings.CutPrefix(imported, "github.com/agendahq/agenda/")
		to, below := room(own)
		allowed := !ours || to == from || line >= 0 && below > line
		if strings.HasPrefix(name, "calendar/pages/") { // a host could have written it, so it must not import internal packages
			allowed = !ours || own == "calendar" || own == "calendar/pages/editing" && !strings.HasPrefix(name, own)
		}
		for p, by := range only {
			allowed = allowed && (!strings.HasPrefix(imported+"/", p+"/") || slices.Contains(strings.Fields(by), from))
		}
		if !allowed {
			found = append(found, name+": "+from+" may not import "+imported)
		}
	}
	for n := range ast.Preorder(file) {
		if lit, ok := n.(*ast.BasicLit); ok && sql.MatchString(lit.Value) && !sqlHere.MatchString(name) {
			found = append(found, name+": SQL is written in internal/store: "+lit.Value)
		}
	}
	return found
}

func TestArch(t *testing.T) {
	for name, text := range map[string]string{
		"internal/linked/a.go": `import _ "github.com/agendahq/agenda/internal/event"`,
		"internal/novel/a.go":  `import _ "github.com/agendahq/agenda/schema"`,
		"internal/wp/x/a.go":   `import _ "os"`,
		"internal/term/a.go":   `import _ "github.com/agendahq/agenda/internal/rest"`,
		"internal/item/a.go":   `import _ "net/http"`,
		"calendar/pages/a.go":  `import _ "github.com/agendahq/agenda/internal/wp"`,

		"calendar/pages/editing/a.go": `import _ "github.com/agendahq/agenda/calendar/pages"`,
		"internal/event/a.go":         "var q = `\n select id from wp_posts `",
	} {
		if len(faults(t, name, "package a\n"+text)) != 1 {
			t.Errorf("not found: %s in %s", text, name)
		}
	}
	var found []string
	err := fs.WalkDir(os.DirFS("../../.."), ".", func(name string, _ fs.DirEntry, err error) error {
		if name == ".ci" {
			return fs.SkipDir // contains clients of the API
		}
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			found = append(found, faults(t, name, nil)...)
		}
		return err
	})
	if err != nil || len(found) > 0 {
		t.Error(err, strings.Join(found, "\n"))
	}
}
