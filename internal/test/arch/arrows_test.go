package arch

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// rank is the picture of the design: an import leads to a lower rank.
var rank = map[string]int{
	"example":  7,
	"calendar": 6,

	"internal/kinds": 5, "internal/event": 4, "internal/place": 4, "internal/term": 4,

	"internal/post": 3, "internal/auth": 3,

	"internal/rest": 2, "internal/param": 2, "internal/openapi": 2, "internal/store": 2,
	"internal/site": 2, "internal/wp": 2, "internal/phpjson": 2, "internal/rendercache": 2, "internal/media": 2,

	"schema": 1, "internal/shape": 1, "internal/caller": 1,
	"locales": 0,
}

// support helps tests and is no part of any program.
var support = []string{"internal/test"}

const (
	kinds, common, mechanisms = 4, 3, 2

	gin     = "github.com/gin-gonic/gin"
	bun     = "github.com/uptrace/bun"
	netHTTP = "net/http"
	sqlPkg  = "database/sql"

	mysqlDriver = "github.com/go-sql-driver/mysql"
)

// mayImport reports whether the picture has an arrow between two of its parts.
func mayImport(from, to string) bool {
	switch {
	case from == to:
		return true
	case rank[from] == kinds && rank[to] == kinds:
		return from == "internal/event"
	case rank[from] == common && rank[to] == common:
		return false
	case rank[from] == mechanisms && rank[to] == mechanisms:
		return true // the compiler refuses circles
	}
	return rank[from] > rank[to]
}

// arrowsRunOneWay: example, calendar, kinds, what kinds share, mechanisms, schema.
func arrowsRunOneWay(t *tree) (broken []string) {
	for _, s := range t.program() {
		from := part(s.dir)
		if slices.Contains(support, from) {
			continue
		}
		if _, known := rank[from]; !known {
			broken = append(broken, fmt.Sprintf("%s: %s stands nowhere in the picture: give it a rank", s.name, from))
			continue
		}
		for _, imported := range s.imports {
			dir, ours := own(imported)
			if !ours || slices.Contains(support, part(dir)) {
				continue
			}
			if to := part(dir); !mayImport(from, to) {
				broken = append(broken, fmt.Sprintf("%s: %s may not import %s", s.name, from, to))
			}
		}
	}
	return broken
}

// supportOnlyInTests: what helps tests is imported by tests, or by other support.
func supportOnlyInTests(t *tree) (broken []string) {
	for _, s := range t.program() {
		for _, imported := range s.imports {
			dir, ours := own(imported)
			if ours && slices.Contains(support, part(dir)) && !slices.Contains(support, part(s.dir)) {
				broken = append(broken, fmt.Sprintf("%s: %s is for tests only", s.name, part(dir)))
			}
		}
	}
	return broken
}

// barred lists, per part, the packages that it may reach neither itself nor
// through another package of this repository.
var barred = map[string]struct {
	why      string
	packages []string
}{
	"internal/rest":    {"it knows no SQL", []string{bun, sqlPkg}},
	"internal/param":   {"it is pure", []string{bun, gin, netHTTP, sqlPkg, "os"}},
	"internal/store":   {"it knows no HTTP", []string{netHTTP, gin}},
	"internal/wp":      {"it is pure", []string{bun, gin, netHTTP, sqlPkg, "os"}},
	"internal/phpjson": {"it is pure", []string{bun, gin, netHTTP, sqlPkg, "os"}},
}

// barredUnreached: pure parts stay pure, the engine knows no SQL, the store no HTTP.
func barredUnreached(t *tree) (broken []string) {
	reach := t.reach()
	for _, from := range slices.Sorted(maps.Keys(barred)) {
		for _, imported := range slices.Sorted(maps.Keys(reach[from])) {
			if b := barred[from]; within(imported, b.packages) {
				broken = append(broken, fmt.Sprintf("%s imports %s (%s): %s", from, imported, strings.Join(reach[from][imported], " → "), b.why))
			}
		}
	}
	return broken
}

// reach gives per part every package that its program code imports, itself or
// through parts of this repository, with the way there.
func (t *tree) reach() map[string]map[string][]string {
	direct := map[string]map[string]bool{}
	for _, s := range t.program() {
		from := part(s.dir)
		if direct[from] == nil {
			direct[from] = map[string]bool{}
		}
		for _, i := range s.imports {
			direct[from][i] = true
		}
	}
	reach := map[string]map[string][]string{}
	for from := range direct {
		reach[from] = map[string][]string{}
		follow(direct, from, []string{from}, reach[from])
	}
	return reach
}

func follow(direct map[string]map[string]bool, from string, way []string, found map[string][]string) {
	for _, imported := range slices.Sorted(maps.Keys(direct[from])) {
		if _, known := found[imported]; known {
			continue
		}
		found[imported] = way
		if dir, ours := own(imported); ours {
			next := part(dir)
			follow(direct, next, append(slices.Clone(way), next), found)
		}
	}
}

// ginAtTheEdge: the web framework is known to calendar and the engine alone. The
// example is a host and brings its own router.
func ginAtTheEdge(t *tree) (broken []string) {
	for _, s := range t.program() {
		p := part(s.dir)
		if p == "calendar" || p == "internal/rest" || p == "example" || slices.Contains(support, p) {
			continue
		}
		for _, imported := range s.imports {
			if within(imported, []string{gin}) {
				broken = append(broken, fmt.Sprintf("%s: gin is imported in calendar and internal/rest alone", s.name))
			}
		}
	}
	return broken
}

// schemaStandsAlone: a host that needs the tables gets bun and the driver, whose
// errors it tells apart, and nothing more.
func schemaStandsAlone(t *tree) (broken []string) {
	for _, s := range t.program() {
		if part(s.dir) != "schema" {
			continue
		}
		for _, imported := range s.imports {
			standard := !strings.Contains(strings.Split(imported, "/")[0], ".")
			if !standard && !within(imported, []string{bun, mysqlDriver, module + "/schema"}) {
				broken = append(broken, fmt.Sprintf("%s: schema imports bun and the MySQL driver, not %s", s.name, imported))
			}
		}
	}
	return broken
}
