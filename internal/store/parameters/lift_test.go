package parameters

import (
	"database/sql/driver"
	"fmt"
	"strings"
	"testing"
)

// lifted returns the result of a lifter that has read other statements before.
func lifted(query string, mariadb bool) (text string, values []driver.NamedValue, ok bool) {
	l := Lifter{MariaDB: mariadb}
	for _, before := range []string{"INSERT INTO t VALUES (1, 'x', ('y", "SELECT a FROM t WHERE b IN (SELECT c FROM u WHERE d = 'z')"} {
		l.Lift(before)
	}
	ok = l.Lift(query)
	return string(l.Text), l.Values, ok
}

// shown returns a statement with its values in brackets, or why it is not one.
func shown(query string, mariadb bool) string {
	text, values, ok := lifted(query, mariadb)
	if !ok {
		return "unchanged"
	}
	var list []any
	for i, v := range values {
		if list = append(list, v.Value); v.Ordinal != i+1 {
			return fmt.Sprintf("value %d has the number %d", i+1, v.Ordinal)
		}
	}
	return fmt.Sprintf("%s %v", text, list)
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
		if got := shown(query, false); got != want {
			t.Errorf("%s:\n got  %s\n want %s", query, got, want)
		}
	}
}

// TestLiftForMariaDB checks that lists of numbers get one of the usual lengths, with the same set of values, that
// pages are parameters, and that statements whose meaning depends on the sql_mode are executed unchanged.
func TestLiftForMariaDB(t *testing.T) {
	list := func(from, to int) string {
		var all []string
		for i := from; i <= to; i++ {
			all = append(all, fmt.Sprint(i))
		}
		return strings.Join(all, ", ")
	}
	for query, want := range map[string]string{
		"SELECT a FROM t WHERE b IN (7)":                         "SELECT a FROM t WHERE b IN (?) [7]",
		"SELECT a FROM t WHERE b IN (7, 8)":                      "SELECT a FROM t WHERE b IN (?, ?) [7 8]",
		"SELECT a FROM t WHERE b NOT IN (7, 8, 9)":               "SELECT a FROM t WHERE b NOT IN (?, ?, ?, ?) [7 8 9 9]",
		"SELECT a FROM t WHERE b IN (1,2,3,4,5) AND c = 'x'":     "SELECT a FROM t WHERE b IN (?,?,?,?,?, ?) AND c = ? [1 2 3 4 5 5 x]",
		"SELECT a FROM t WHERE b IN ('x', 'y','z') AND c IN (1)": "SELECT a FROM t WHERE b IN ('x', 'y','z') AND c IN (?) [1]",
		"SELECT a FROM t WHERE b IN (1, 2, 3, 'x')":              "SELECT a FROM t WHERE b IN (?, ?, ?, 'x') [1 2 3]",
		"SELECT a FROM t WHERE b IN (1, 2, NULL)":                "SELECT a FROM t WHERE b IN (?, ?, NULL) [1 2]",
		"SELECT a FROM t WHERE b IN (1, 2, f(3))":                "SELECT a FROM t WHERE b IN (?, ?, f(3)) [1 2]",
		"SELECT a FROM t WHERE b IN (1, 2, (3))":                 "SELECT a FROM t WHERE b IN (?, ?, (3)) [1 2]",
		"SELECT a FROM t WHERE b IN (NULL)":                      "SELECT a FROM t WHERE b IN (NULL) []",
		"SELECT a FROM t WHERE (b, c) IN ((1, 2))":               "SELECT a FROM t WHERE (b, c) IN ((1, 2)) []",
		"SELECT f(1, 2, 3) FROM t WHERE b IN (1, 2)":             "SELECT f(1, 2, 3) FROM t WHERE b IN (?, ?) [1 2]",
		"SELECT a FROM t WHERE b IN (SELECT c FROM u WHERE d IN (1, 2, 3)) AND e IN (4, 5, 6)": "SELECT a FROM t WHERE b IN " +
			"(SELECT c FROM u WHERE d IN (?, ?, ?, ?)) AND e IN (?, ?, ?, ?) [1 2 3 3 4 5 6 6]",
		"(SELECT 0 AS kind FROM t WHERE b IN (1)) UNION ALL (SELECT 1 AS kind FROM u WHERE c IN (1, 2, 3))": "(SELECT 0 AS kind " +
			"FROM t WHERE b IN (?)) UNION ALL (SELECT 1 AS kind FROM u WHERE c IN (?, ?, ?, ?)) [1 1 2 3 3]",
		"SELECT a FROM t ORDER BY 1 LIMIT 10 OFFSET 20": "SELECT a FROM t ORDER BY 1 LIMIT ? OFFSET ? [10 20]",
		`SELECT a FROM t WHERE b = 'x\\y'`:              "unchanged",
		`SELECT a FROM t WHERE b LIKE '\'`:              "unchanged",
		"SELECT a FROM t WHERE b IN (" + list(1, 512) + ")": "SELECT a FROM t WHERE b IN (?" + strings.Repeat(", ?", 511) + ") [" +
			strings.ReplaceAll(list(1, 512), ",", "") + "]",
		"SELECT a FROM t WHERE b IN (" + list(1, 901) + ")": "unchanged",
	} {
		if got := shown(query, true); got != want {
			t.Errorf("%s:\n got  %s\n want %s", query, got, want)
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
		if text, values, ok := lifted(query, false); ok {
			t.Errorf("%.100s: %.100s %v", query, text, values)
		}
	}
}

// FuzzLift checks that Lift reads truncated statements to their end.
func FuzzLift(f *testing.F) {
	for _, query := range []string{
		"SELECT a FROM t WHERE (b = 'x''y') AND c IN (1, (2))", "INSERT INTO t VALUES (1, 'x'), (2))", "SELECT \"é\"<>",
	} {
		for end := range len(query) {
			f.Add(query[:end+1])
		}
	}
	f.Fuzz(func(t *testing.T, query string) {
		for mariadb, most := range map[bool]int{false: mostValues, true: mostValuesPadded} {
			text, values, ok := lifted(query, mariadb)
			if n := strings.Count(text, "?") - strings.Count(query, "?"); ok && (n > len(values) || len(values) > most) {
				t.Errorf("%q: %q %v", query, text, values)
			}
		}
	})
}
