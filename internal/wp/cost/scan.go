package cost

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/wp"
)

// token is one cost in a string: a number as it was written or, if number is false, a text.
type token struct {
	text     string
	from, to int    // its position in bytes
	value    string // with a decimal point and without grouping
	amount   float64
	number   bool
	mark     mark
}

// scanner finds the costs in a string.
//
// A number consists of digits, which may be grouped by three with commas, points, spaces or apostrophes (with commas
// also as in 1,00,000), and optional decimals. Any other comma, or several such signs in a row, separate two numbers.
type scanner struct {
	s      string
	comma  bool // the language's decimal separator is a comma
	tokens []token
	single int // before this position, spaces separate numbers
}

// scan returns the costs in a string, in order.
func scan(s string, decimalComma bool) []token {
	c := scanner{s: s, comma: decimalComma}
	for i := 0; i < len(s); {
		switch {
		case wp.IsDigit(s[i], 10):
			i = c.number(i)
		case c.startsDecimals(i):
			i = c.decimals(i)
		default:
			i++
		}
	}
	c.mark()
	return c.tokens
}

// number scans from the digit at i and returns the end of what it scanned.
func (c *scanner) number(i int) int {
	if end := c.spaced(i); end > 0 {
		return c.spacedNumber(i, end)
	}
	end, signs := c.digits(i), 0
	for c.sign(end) {
		end = c.digits(end + 1)
		signs++
	}
	run := c.s[i:end]
	switch value, grouped := groupedValue(run); {
	case grouped:
		c.addToken(i, end, value, true)
	case signs == 0:
		if c.closes(end) {
			end++
		}
		c.numbers(i, end)
	case signs == 1:
		c.numbers(i, end)
	default:
		for part := range strings.SplitSeq(run, ",") {
			c.numbers(i, i+len(part))
			i += len(part) + 1
		}
	}
	return end
}

// decimals scans a number without an integer part: ".5".
func (c *scanner) decimals(i int) int {
	end := c.digits(i + 1)
	if c.closes(end) || c.sign(end) && (c.s[end] == '.' || c.s[i] == ',') {
		end = c.digits(end + 1)
	}
	c.numbers(i, end)
	return end
}

// numbers splits digits and signs into numbers, each with at most one sign before its digits and one among or after
// them.
func (c *scanner) numbers(from, to int) {
	for from < to {
		end := from
		if !wp.IsDigit(c.s[end], 10) {
			end++
		}
		if end = c.digits(end); end < to {
			end = c.digits(end + 1)
		}
		text := c.s[from:end]
		_, _, ok := wp.Numeric(strings.ReplaceAll(text, ",", "."))
		c.addToken(from, end, c.plainValue(text), ok)
		from = end
	}
}

func (c *scanner) addToken(from, to int, value string, number bool) {
	amount, _, _ := wp.Numeric(value)
	c.tokens = append(c.tokens, token{c.s[from:to], from, to, value, amount, number, mark{}})
}

// digits returns the end of the digits at i.
func (c *scanner) digits(i int) int {
	for i < len(c.s) && wp.IsDigit(c.s[i], 10) {
		i++
	}
	return i
}

// sign reports whether there is a comma or a point at i, followed by a digit.
func (c *scanner) sign(i int) bool {
	return i+1 < len(c.s) && (c.s[i] == ',' || c.s[i] == '.') && wp.IsDigit(c.s[i+1], 10)
}

// closes reports whether a comma or a point at i, not followed by a digit, belongs to the number before it. A point
// does. A comma does at the end of the string and before a dash ("5,-"); elsewhere it separates the number from what
// follows.
func (c *scanner) closes(i int) bool {
	if i >= len(c.s) || c.sign(i) || c.apart(i) {
		return false
	}
	rest := c.s[i+1:]
	dash := rest == "" || rest[0] == '-' || strings.HasPrefix(rest, "–") || strings.HasPrefix(rest, "—")
	return c.s[i] == '.' || c.s[i] == ',' && dash
}

// apart reports whether there are several signs, with or without spaces, between the number that ends at i and the next
// number.
func (c *scanner) apart(i int) bool {
	rest := strings.TrimLeft(c.s[i:], " ,.")
	between := c.s[i : len(c.s)-len(rest)]
	return rest != "" && wp.IsDigit(rest[0], 10) && strings.Count(between, ",")+strings.Count(between, ".") > 1
}

// startsDecimals reports whether a number without an integer part starts at i. After a letter, the sign is punctuation.
// After a number, a comma separates it from the next one.
func (c *scanner) startsDecimals(i int) bool {
	if !c.sign(i) {
		return false
	}
	if i == 0 {
		return true
	}
	before := c.s[i-1]
	if r, _ := utf8.DecodeLastRuneInString(c.s[:i]); unicode.IsLetter(r) {
		return false
	}
	// Several signs after a number do not belong to the next number, except a point after a space: "5, .50".
	if start := strings.TrimRight(c.s[:i], " ,."); start != "" && wp.IsDigit(start[len(start)-1], 10) &&
		strings.ContainsAny(c.s[len(start):i], ",.") && (c.s[i] == ',' || before != ' ') {
		return false
	}
	return c.s[i] == '.' || !wp.IsDigit(before, 10)
}

// spaced returns the end of the digits at i if they are grouped by three with spaces or apostrophes, else 0. If any of
// several numbers with such signs between them does not have three digits, all are separate numbers.
func (c *scanner) spaced(i int) int {
	end := c.digits(i)
	if i < c.single || end > i+3 || c.s[i] == '0' {
		return 0
	}
	sign, even := c.groupSign(end), true
	if sign == "" {
		return 0
	}
	for sign != "" && c.groupSign(end) == sign {
		from := end + len(sign)
		end = c.digits(from)
		even = even && end == from+3
	}
	if !even {
		c.single = end
		return 0
	}
	return end
}

// spacedNumber adds the number with the grouped digits from i to end, and its decimals. A comma that is followed by
// another grouped number is not a decimal separator: "1 000,2 000".
func (c *scanner) spacedNumber(i, end int) int {
	value := onlyDigits(c.s[i:end])
	if c.sign(end) {
		to := c.digits(end + 1)
		n := len(c.groupSign(to))
		if c.s[end] == '.' || n == 0 || c.digits(to+n) != to+n+3 {
			value += "." + c.s[end+1:to]
			end = to
		}
	}
	c.addToken(i, end, value, true)
	return end
}

// spaces are the characters that can group digits or stand between a number and its currency.
var spaces = []string{" ", "\u00a0", "\u202f", "\u2009"}

// groupSign returns the space or apostrophe at i if a digit follows it, else "".
func (c *scanner) groupSign(i int) string {
	for _, sign := range groupSigns {
		if next := i + len(sign); next < len(c.s) && c.s[i:next] == sign && wp.IsDigit(c.s[next], 10) {
			return sign
		}
	}
	return ""
}

var groupSigns = append([]string{"'", "’"}, spaces...)

func onlyDigits(s string) string {
	return string(slices.DeleteFunc([]byte(s), func(c byte) bool { return !wp.IsDigit(c, 10) }))
}

// groupedValue parses digits that are grouped with commas or points. There have to be several groups, or one group
// followed by decimals; a number with a single sign is ambiguous and is left to plainValue.
func groupedValue(run string) (string, bool) {
	end := strings.IndexAny(run, ",.")
	if end < 1 || end > 3 {
		return "", false
	}
	sign, whole, decimals := run[end], run, ""
	if other := strings.IndexByte(run, ','+'.'-sign); other > 0 {
		whole, decimals = run[:other], run[other:]
	}
	groups := strings.Split(whole, string(sign))
	switch {
	case !threes(groups) && !(sign == ',' && lakhs(groups)):
		return "", false
	case decimals == "":
		return onlyDigits(whole), len(groups) > 2
	case strings.ContainsAny(decimals[1:], ",."):
		return "", false
	}
	return onlyDigits(whole) + "." + decimals[1:], true
}

// threes reports whether all groups but the first have three digits.
func threes(groups []string) bool {
	return !slices.ContainsFunc(groups[1:], func(g string) bool { return len(g) != 3 })
}

// lakhs reports whether digits are grouped in the Indian way: the last group has three digits, those before it two, the
// first one or two.
func lakhs(groups []string) bool {
	last := len(groups) - 1
	return last > 1 && len(groups[last]) == 3 && len(groups[0]) <= 2 &&
		!slices.ContainsFunc(groups[1:last], func(g string) bool { return len(g) != 2 })
}

// plainValue returns the value of a number that groupedValue does not parse. If it contains a comma and a point, the
// last one is the decimal separator. A single sign before exactly three digits has the meaning that it has in the
// site's language; before any other number of digits it is the decimal separator.
func (c *scanner) plainValue(text string) string {
	last := strings.LastIndexAny(text, ",.")
	if last < 0 {
		return text
	}
	decimal := text[last]
	if text[strings.IndexAny(text, ",.")] == decimal && len(text)-last == 4 && text[:last] != "0" {
		decimal = '.'
		if c.comma {
			decimal = ','
		}
	}
	thousands := ',' + '.' - decimal
	text = strings.ReplaceAll(text, string(rune(thousands)), "")
	return strings.ReplaceAll(text, string(rune(decimal)), ".")
}
