package contract

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/agendahq/agenda/internal/store"
)

// declarations compares the tables that queries declare with those that their texts name: what is kept of a query is
// valid for as long as the declared ones do not change.
type declarations struct {
	mu    sync.Mutex
	seen  int
	wrong map[string]bool
}

// named finds the tables in a statement whose strings were taken out. In these, quotes are doubled.
var (
	named   = regexp.MustCompile("(?:FROM|JOIN|,) [`\"]?(\\w+)")
	literal = regexp.MustCompile("'[^']*'")
)

func (d *declarations) note(statement, prefix string, tables []string) {
	var found []string
	for _, m := range named.FindAllStringSubmatch(literal.ReplaceAllString(statement, "''"), -1) {
		if table, own := strings.CutPrefix(m[1], prefix); own && !slices.Contains(found, table) {
			found = append(found, table)
		}
	}
	slices.Sort(found)
	slices.Sort(tables)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen++
	if !slices.Equal(found, tables) {
		d.wrong[fmt.Sprintf("declares %q, names %q: %.3000s", tables, found, statement)] = true
	}
}

// compareDeclarations begins the comparison for all queries of the process. end reports those that were found.
func compareDeclarations(t *testing.T) (end func()) {
	d := &declarations{wrong: map[string]bool{}}
	stop := store.Observe(d.note)
	return func() {
		stop()
		d.mu.Lock()
		defer d.mu.Unlock()
		t.Run("declared tables", func(t *testing.T) {
			if d.seen < 1000 {
				t.Errorf("%d queries", d.seen)
			}
			for wrong := range d.wrong {
				t.Error(wrong)
			}
		})
	}
}
