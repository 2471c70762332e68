package statements

import (
	"database/sql/driver"
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

// lifted returns the result of a lifter that has read other statements before.
func lifted(query string) (text string, values []driver.NamedValue, ok bool) {
	var l lifter
	for _, before := range []string{"INSERT INTO t VALUES (1, 'x', ('y", "SELECT a FROM t WHERE b IN (SELECT c FROM u WHERE d = 'z')"} {
		l.lift(before)
	}
	ok = l.lift(query)
	return string(l.text), l.values, ok
}

// TestLift checks that exactly the values that stand alone become parameters.
func TestLift(t *testing.T) {
	golden.Each(t, "lift.txt", func(query, want string) {
		text, values, ok := lifted(query)
		var list []any
		for i, v := range values {
			if list = append(list, v.Value); v.Ordinal != i+1 {
				t.Errorf("%s: value %d has the number %d", query, i+1, v.Ordinal)
			}
		}
		if got := fmt.Sprintf("%s %v", text, list); !ok || got != want {
			t.Errorf("%s:\n got  %s, %t\n want %s", query, got, ok, want)
		}
	})
}

// TestLiftLeaves checks that statements that this program does not use, or with too many values, are executed
// unchanged.
func TestLiftLeaves(t *testing.T) {
	many := "SELECT a FROM t WHERE b IN (0" + strings.Repeat(", 1", mostValues) + ")"
	for _, query := range []string{
		"", "PRAGMA data_version", "BEGIN IMMEDIATE", "/* agenda clock */SELECT 1", "SELECT 1; DROP TABLE t", "SELECT 1 -- x",
		"SELECT /* ' */ 1", "SELECT ?", "SELECT :a", "SELECT @a", "SELECT $a", "SELECT [a'] FROM t", "SELECT 'x", "SELECT 'x''",
		"SELECT \"x", "SELECT `x", many,
		strings.ReplaceAll(many, "1", "'1'"), "SELECT " + strings.Repeat("a, ", longestText/3) + "a",
	} {
		if text, values, ok := lifted(query); ok {
			t.Errorf("%.100s: %.100s %v", query, text, values)
		}
	}
}

// FuzzLift checks that lift reads truncated statements to their end.
func FuzzLift(f *testing.F) {
	for _, query := range []string{
		"SELECT a FROM t WHERE (b = 'x''y') AND c IN (1, (2))", "INSERT INTO t VALUES (1, 'x'), (2))", "SELECT \"é\"<>",
	} {
		for end := range len(query) {
			f.Add(query[:end+1])
		}
	}
	f.Fuzz(func(t *testing.T, query string) {
		text, values, ok := lifted(query)
		if !ok {
			return
		}
		if n := strings.Count(text, "?") - strings.Count(query, "?"); n > len(values) || len(values) > mostValues {
			t.Errorf("%q: %q %v", query, text, values)
		}
	})
}
