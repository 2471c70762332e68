package contract

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/agendahq/agenda/internal/store"
)

// declarations compares the tables that queries declare with those in their SQL, because a cached result of a query is
// valid as long as the declared tables do not change.
type declarations struct {
	mu    sync.Mutex
	seen  int
	wrong map[string]bool
}

func (d *declarations) recordTables(statement, prefix string, tables []string) {
	found := tablesIn(statement, prefix)
	slices.Sort(found)
	slices.Sort(tables)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen++
	if !slices.Equal(found, tables) {
		d.wrong[fmt.Sprintf("declares %q, names %q: %.3000s", tables, found, statement)] = true
	}
}

// tablesIn returns the tables with a prefix that a statement reads: the words after FROM, JOIN and commas outside of
// string literals. Quotes in literals are doubled. It is called for each query of the suite, so it searches for the
// prefix first.
func tablesIn(statement, prefix string) (found []string) {
	for i, part := range strings.Split(statement, "'") {
		if i%2 > 0 {
			continue // a string literal
		}
		for {
			before, rest, more := strings.Cut(part, prefix)
			if !more {
				break
			}
			before = strings.TrimSuffix(strings.TrimSuffix(before, "`"), `"`)
			name := rest[:len(rest)-len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz_0123456789"))]
			reads := strings.HasSuffix(before, "FROM ") || strings.HasSuffix(before, "JOIN ") || strings.HasSuffix(before, ", ")
			if reads && !slices.Contains(found, name) {
				found = append(found, name)
			}
			part = rest
		}
	}
	return found
}

// compareDeclarations starts the comparison for all queries of the process. end reports the differences.
func compareDeclarations(t *testing.T) (end func()) {
	d := &declarations{wrong: map[string]bool{}}
	stop := store.Observe(d.recordTables)
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
