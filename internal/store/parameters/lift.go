// Package parameters replaces the values in statements by parameters, so that statements that differ only in values are
// prepared once. Queries are built by bun, which writes the values into them.
package parameters

import (
	"bytes"
	"database/sql/driver"
	"slices"
	"strconv"
	"strings"
)

const (
	// mostValues is the maximum number of values that are replaced by parameters. A statement with more contains a list
	// of ids, and is not likely to be repeated.
	mostValues = 200
	// mostValuesPadded is the same if lists are padded.
	mostValuesPadded = 900
	// longestText is the maximum length of a statement without its values.
	longestText = 16 << 10
)

// verbs are the beginnings of the statements whose values are replaced.
var verbs = []string{"SELECT ", "(SELECT ", "INSERT ", "UPDATE ", "DELETE ", "SAVEPOINT ", "RELEASE "}

// Lift replaces the values in a statement by parameters and collects them, so that statements that differ only in
// values have the same text. It returns false for statements that are better executed unchanged.
//
// It replaces strings and whole numbers that can only be values: after a comparison or LIKE, and in the lists of IN and
// VALUES. A number after ORDER BY is a column, and other numbers can determine the type of a result.
func (l *Lifter) Lift(query string) bool {
	if !slices.ContainsFunc(verbs, func(verb string) bool { return strings.HasPrefix(query, verb) }) {
		return false
	}
	most := mostValues
	if l.MariaDB {
		most = mostValuesPadded
		if strings.Contains(query, `\`) { // what it means depends on the sql_mode
			return false
		}
	}
	*l = Lifter{MariaDB: l.MariaDB, query: query, Text: l.Text[:0], Values: l.Values[:0], nested: l.nested[:0]}
	for l.at < len(query) {
		if !l.token() || len(l.Text) > longestText || len(l.Values) > most {
			l.Done()
			return false
		}
	}
	return true
}

// Done clears the values, which have been passed on, and keeps the buffers, except for that of a long statement.
func (l *Lifter) Done() {
	clear(l.Values)
	if l.query = ""; cap(l.Text) > 2*longestText {
		l.Text = nil
	}
}

// place says which kind of token precedes another one.
type place int

const (
	anywhere   place = iota
	compared         // a comparison, which a value follows
	opened           // the opening parenthesis of a list
	separated        // a comma
	listWord         // IN
	valuesWord       // VALUES
	valuesEnd        // the end of a row of VALUES
	valuesNext       // the comma after it
)

// Lifter reads a statement token by token. It can be used for several statements, one after the other. The zero value
// is for SQLite.
type Lifter struct {
	// MariaDB also replaces the numbers of LIMIT and OFFSET, which SQLite's planner has to know, and pads lists of
	// numbers. Strings in lists of IN remain, since they are usually the same: names of keys and taxonomies.
	MariaDB bool

	Text   []byte              // the statement, with parameters
	Values []driver.NamedValue // of the parameters

	query  string
	at     int
	place  place
	nested []place                    // the open parentheses; listWord or valuesWord for those of lists
	list   struct{ text, values int } // the lengths of Text and Values at the beginning of the last list of IN
}

// token reads a token. It returns false for tokens that no statement of this program contains.
func (l *Lifter) token() bool {
	c := l.query[l.at]
	switch {
	case c == ' ' || c == '\n' || c == '\t':
		l.copy(l.at+1, l.place)
	case c == '\'':
		return l.quoted()
	case c == '"' || c == '`':
		end := strings.IndexByte(l.query[l.at+1:], c)
		if end < 0 {
			return false
		}
		l.copy(l.at+1+end+1, anywhere)
	case isDigit(c):
		l.number()
	case isLetter(c):
		l.word()
	case c == '=' || c == '<' || c == '>':
		l.copy(l.at+1, compared)
	case c == '(' || c == ')' || c == ',':
		l.punctuation(c)
	case strings.IndexByte("?:@$;[", c) >= 0, strings.HasPrefix(l.query[l.at:], "--"), strings.HasPrefix(l.query[l.at:], "/*"):
		return false // parameters, several statements, other quotes, and comments
	default:
		l.copy(l.at+1, anywhere)
	}
	return true
}

// copy copies the query up to end unchanged.
func (l *Lifter) copy(end int, is place) {
	l.Text = append(l.Text, l.query[l.at:end]...)
	l.at, l.place = end, is
}

// lifts reports whether a value at the current position is replaced.
func (l *Lifter) lifts() bool {
	switch l.place {
	case compared, opened:
		return true
	case separated:
		return len(l.nested) > 0 && l.nested[len(l.nested)-1] != anywhere
	}
	return false
}

// liftValue replaces the value that ends at end by a parameter.
func (l *Lifter) liftValue(end int, value driver.Value) {
	l.Values = append(l.Values, driver.NamedValue{Ordinal: len(l.Values) + 1, Value: value})
	l.Text = append(l.Text, '?')
	l.at, l.place = end, anywhere
}

// quoted reads a string, in which quotes are doubled.
func (l *Lifter) quoted() bool {
	end := l.at + 1
	for {
		i := strings.IndexByte(l.query[end:], '\'')
		if i < 0 {
			return false
		}
		if end += i + 1; end == len(l.query) || l.query[end] != '\'' {
			break
		}
		end++
	}
	if !l.lifts() || l.MariaDB && l.place != compared {
		l.copy(end, anywhere)
		return true
	}
	l.liftValue(end, strings.ReplaceAll(l.query[l.at+1:end-1], "''", "'"))
	return true
}

// number reads a number.
func (l *Lifter) number() {
	end, whole := l.at, true
	for ; end < len(l.query) && (isDigit(l.query[end]) || isLetter(l.query[end]) || l.query[end] == '.'); end++ {
		whole = whole && isDigit(l.query[end])
	}
	n, err := strconv.ParseInt(l.query[l.at:end], 10, 64)
	if !whole || err != nil || !l.lifts() {
		l.copy(end, anywhere)
		return
	}
	l.liftValue(end, n)
}

// word reads a keyword or a name.
func (l *Lifter) word() {
	end := l.at
	for end < len(l.query) && (isDigit(l.query[end]) || isLetter(l.query[end])) {
		end++
	}
	is := anywhere
	switch string(upper(&[longestWord]byte{}, l.query[l.at:end])) {
	case "LIKE":
		is = compared
	case "LIMIT", "OFFSET":
		if l.MariaDB {
			is = compared
		}
	case "IN":
		is = listWord
	case "VALUES":
		is = valuesWord
	case "SELECT", "WITH":
		if l.place == opened { // the parentheses contain a subquery
			l.nested[len(l.nested)-1] = anywhere
		}
	}
	l.copy(end, is)
}

// longestWord is the length of the longest keyword that matters.
const longestWord = len("VALUES")

// upper returns a word in upper case, nil if it is too long for a keyword. It needs no memory of its own.
func upper(into *[longestWord]byte, word string) []byte {
	if len(word) > longestWord {
		return nil
	}
	for i := range len(word) {
		c := word[i]
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		into[i] = c
	}
	return into[:len(word)]
}

// punctuation reads a parenthesis or a comma.
func (l *Lifter) punctuation(c byte) {
	is := anywhere
	if c == ')' && l.MariaDB {
		l.padList()
	}
	switch {
	case c == '(':
		of := anywhere
		switch l.place {
		case listWord:
			of, is = listWord, opened
		case valuesWord, valuesNext:
			of, is = valuesWord, opened
		}
		l.nested = append(l.nested, of)
	case c == ',' && l.place == valuesEnd:
		is = valuesNext
	case c == ',':
		is = separated
	case len(l.nested) > 0:
		if l.nested[len(l.nested)-1] == valuesWord {
			is = valuesEnd
		}
		l.nested = l.nested[:len(l.nested)-1]
	}
	l.copy(l.at+1, is)
	if is == opened {
		l.list.text, l.list.values = len(l.Text), len(l.Values)
	}
}

// lengths are those to which lists are padded: a server spends time on each value, also on one that is repeated.
// The lengths of usual pages are among them.
var lengths = []int{1, 2, 4, 6, 8, 10, 12, 16, 20, 32, 50, 64, 100, 128, 256, 512}

// padList repeats the last value of a list of IN, at its end, up to one of the lengths, if the list contains nothing but
// parameters. So there are few texts for lists of all lengths.
func (l *Lifter) padList() {
	if len(l.nested) == 0 || l.nested[len(l.nested)-1] != listWord || len(l.Values) == l.list.values ||
		len(bytes.Trim(l.Text[l.list.text:], "?, ")) > 0 {
		return
	}
	n, last := len(l.Values)-l.list.values, l.Values[len(l.Values)-1].Value
	at, _ := slices.BinarySearch(lengths, n)
	if at == len(lengths) { // too long for a prepared statement
		return
	}
	for ; n < lengths[at]; n++ {
		l.Text = append(l.Text, ", "...)
		l.liftValue(l.at, last)
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}
