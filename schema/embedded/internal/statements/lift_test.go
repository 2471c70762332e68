package statements

import (
	"database/sql/driver"
	"fmt"
	"strings"
	"testing"
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
	for query, want := range map[string]string{
		"SELECT a FROM t WHERE (b = 'x') AND c <> 5":       "SELECT a FROM t WHERE (b = ?) AND c <> ? [x 5]",
		"SELECT a FROM t WHERE b='it''s' AND c >= 007":     "SELECT a FROM t WHERE b=? AND c >= ? [it's 7]",
		"SELECT a FROM t WHERE b IN (1, 2,3)":              "SELECT a FROM t WHERE b IN (?, ?,?) [1 2 3]",
		"SELECT a FROM t WHERE b in ('')":                  "SELECT a FROM t WHERE b in (?) []",
		"SELECT a FROM t WHERE b NOT LIKE 'x%' ESCAPE '|'": "SELECT a FROM t WHERE b NOT LIKE ? ESCAPE '|' [x%]",
		"SELECT a FROM t WHERE b IN (SELECT 1, 2 FROM u GROUP BY 1, 2)": "SELECT a FROM t WHERE b IN " +
			"(SELECT 1, 2 FROM u GROUP BY 1, 2) []",
		"SELECT a FROM t WHERE b IN (f('x', 2), 3)":              "SELECT a FROM t WHERE b IN (f('x', 2), ?) [3]",
		"SELECT 1, 'x' AS y FROM t ORDER BY 1, b = 2, 3 LIMIT 4": "SELECT 1, 'x' AS y FROM t ORDER BY 1, b = ?, 3 LIMIT 4 [2]",
		"SELECT CASE WHEN a = 1 THEN 2 ELSE 3 END FROM t":        "SELECT CASE WHEN a = ? THEN 2 ELSE 3 END FROM t [1]",
		"SELECT a FROM t WHERE b = -5 AND c = 1.5 AND d = 1e5":   "SELECT a FROM t WHERE b = -5 AND c = 1.5 AND d = 1e5 []",
		"SELECT a FROM t WHERE b = x'00' AND c IN (X'01')":       "SELECT a FROM t WHERE b = x'00' AND c IN (X'01') []",
		"SELECT a FROM t WHERE b = 99999999999999999999":         "SELECT a FROM t WHERE b = 99999999999999999999 []",
		"SELECT \"it's\" FROM `t = 5` WHERE \"é9\" = 5":          "SELECT \"it's\" FROM `t = 5` WHERE \"é9\" = ? [5]",
		"INSERT INTO t (a, b) VALUES (1, 'x, (''y'')'), (NULL, f(2, 3))": "INSERT INTO t (a, b) VALUES (?, ?), " +
			"(NULL, f(2, 3)) [1 x, ('y')]",
		"INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 2, b = u.b": "INSERT INTO t (a) VALUES (?) ON CONFLICT (a) " +
			"DO UPDATE SET a = ?, b = u.b [1 2]",
		"UPDATE t SET a = 'é?:@', n = n + 1 WHERE id = 9": "UPDATE t SET a = ?, n = n + 1 WHERE id = ? [é?:@ 9]",
		"SAVEPOINT \"agenda_part_1\"":                     "SAVEPOINT \"agenda_part_1\" []",
	} {
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
	}
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
