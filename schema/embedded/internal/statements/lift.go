package statements

import (
	"database/sql/driver"
	"slices"
	"strconv"
	"strings"
)

const (
	// mostValues is the maximum number of values that are replaced by parameters. A statement with more contains a list
	// of ids, and is not likely to be repeated.
	mostValues = 200
	// longestText is the maximum length of a statement without its values.
	longestText = 16 << 10
)

// verbs are the beginnings of the statements whose values are replaced.
var verbs = []string{"SELECT ", "INSERT ", "UPDATE ", "DELETE ", "SAVEPOINT ", "RELEASE "}

// lift replaces the values in a statement by parameters and collects them, so that statements that differ only in
// values have the same text. It returns false for statements that are better executed unchanged.
//
// It replaces strings and whole numbers that can only be values: after a comparison or LIKE, and in the lists of IN and
// VALUES. A number after ORDER BY is a column, and other numbers can determine the type of a result.
func (l *lifter) lift(query string) bool {
	if !slices.ContainsFunc(verbs, func(verb string) bool { return strings.HasPrefix(query, verb) }) {
		return false
	}
	*l = lifter{query: query, text: l.text[:0], values: l.values[:0], nested: l.nested[:0]}
	for l.at < len(query) {
		if !l.token() || len(l.text) > longestText {
			l.done()
			return false
		}
	}
	return true
}

// done clears the values, which have been passed on, and keeps the buffers, except for that of a long statement.
func (l *lifter) done() {
	clear(l.values)
	if l.query = ""; cap(l.text) > 2*longestText {
		l.text = nil
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

// lifter reads a statement token by token. It can be used for several statements, one after the other.
type lifter struct {
	query  string
	at     int
	text   []byte
	values []driver.NamedValue
	place  place
	nested []place // the open parentheses; listWord or valuesWord for those of lists
}

// token reads a token. It returns false for tokens that no statement of this program contains.
func (l *lifter) token() bool {
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
		return l.number()
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
func (l *lifter) copy(end int, is place) {
	l.text = append(l.text, l.query[l.at:end]...)
	l.at, l.place = end, is
}

// lifts reports whether a value at the current position is replaced.
func (l *lifter) lifts() bool {
	switch l.place {
	case compared, opened:
		return true
	case separated:
		return len(l.nested) > 0 && l.nested[len(l.nested)-1] != anywhere
	}
	return false
}

// liftValue replaces the value that ends at end by a parameter.
func (l *lifter) liftValue(end int, value driver.Value) {
	l.values = append(l.values, driver.NamedValue{Ordinal: len(l.values) + 1, Value: value})
	l.text = append(l.text, '?')
	l.at, l.place = end, anywhere
}

// quoted reads a string, in which quotes are doubled.
func (l *lifter) quoted() bool {
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
	if !l.lifts() {
		l.copy(end, anywhere)
		return true
	}
	l.liftValue(end, strings.ReplaceAll(l.query[l.at+1:end-1], "''", "'"))
	return len(l.values) <= mostValues
}

// number reads a number.
func (l *lifter) number() bool {
	end, whole := l.at, true
	for ; end < len(l.query) && (isDigit(l.query[end]) || isLetter(l.query[end]) || l.query[end] == '.'); end++ {
		whole = whole && isDigit(l.query[end])
	}
	n, err := strconv.ParseInt(l.query[l.at:end], 10, 64)
	if !whole || err != nil || !l.lifts() {
		l.copy(end, anywhere)
		return true
	}
	l.liftValue(end, n)
	return len(l.values) <= mostValues
}

// word reads a keyword or a name.
func (l *lifter) word() {
	end := l.at
	for end < len(l.query) && (isDigit(l.query[end]) || isLetter(l.query[end])) {
		end++
	}
	is := anywhere
	switch strings.ToUpper(l.query[l.at:end]) {
	case "LIKE":
		is = compared
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

// punctuation reads a parenthesis or a comma.
func (l *lifter) punctuation(c byte) {
	is := anywhere
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
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}
