package parameters

import (
	"database/sql/driver"
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
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
	golden.Each(t, "lift.txt", func(query, want string) {
		if got := shown(query, false); got != want {
			t.Errorf("%s:\n got  %s\n want %s", query, got, want)
		}
	})
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
