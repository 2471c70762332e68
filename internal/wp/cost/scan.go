package cost

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/wp"
)

// token is one cost in a text: a number as it is written, or, if number is
// false, what only looks like one.
type token struct {
	text     string
	from, to int    // its position
	value    string // with a decimal point and without grouping
	amount   float64
	number   bool
	mark     mark
}

// scanner finds the costs in a text.
//
// A number has digits, which commas, points, spaces or apostrophes may group by
// three (commas also as in 1,00,000), and maybe decimals. Any other comma, and
// several signs in a row, separate two numbers.
type scanner struct {
	s      string
	comma  bool // the decimal sign of the language is a comma
	tokens []token
	single int // up to here spaces do not group
}

// scan returns the costs in a text in their order.
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

// number reads what starts with the digit at i and returns where it ends.
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
		c.add(i, end, value, true)
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

// decimals reads a number without a whole part: ".5".
func (c *scanner) decimals(i int) int {
	end := c.digits(i + 1)
	if c.closes(end) || c.sign(end) && (c.s[end] == '.' || c.s[i] == ',') {
		end = c.digits(end + 1)
	}
	c.numbers(i, end)
	return end
}

// numbers reads digits and signs, each number with at most one sign before its
// digits and one among or after them.
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
		c.add(from, end, c.plainValue(text), ok)
		from = end
	}
}

func (c *scanner) add(from, to int, value string, number bool) {
	amount, _, _ := wp.Numeric(value)
	c.tokens = append(c.tokens, token{c.s[from:to], from, to, value, amount, number, mark{}})
}

// digits returns where the digits from i on end.
func (c *scanner) digits(i int) int {
	for i < len(c.s) && wp.IsDigit(c.s[i], 10) {
		i++
	}
	return i
}

// sign reports whether there is a comma or point followed by a digit at i.
func (c *scanner) sign(i int) bool {
	return i+1 < len(c.s) && (c.s[i] == ',' || c.s[i] == '.') && wp.IsDigit(c.s[i+1], 10)
}

// closes reports whether a comma or point without digits after it at i belongs to the number before
// it. A point does; a comma does at the end of the text and before a dash ("5,-"), else it
// separates the number from what follows.
func (c *scanner) closes(i int) bool {
	if i >= len(c.s) || c.sign(i) || c.apart(i) {
		return false
	}
	rest := c.s[i+1:]
	dash := rest == "" || rest[0] == '-' || strings.HasPrefix(rest, "–") || strings.HasPrefix(rest, "—")
	return c.s[i] == '.' || c.s[i] == ',' && dash
}

// apart reports whether several signs, with or without spaces between, are between the number that
// ends at i and the next one.
func (c *scanner) apart(i int) bool {
	rest := strings.TrimLeft(c.s[i:], " ,.")
	between := c.s[i : len(c.s)-len(rest)]
	return rest != "" && wp.IsDigit(rest[0], 10) && strings.Count(between, ",")+strings.Count(between, ".") > 1
}

// startsDecimals reports whether a number without a whole part starts at i. After a letter the sign
// is punctuation, and after a number a comma separates it from the next.
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
	// Of several signs after a number none belongs to the next one, unless it is a point after a space: "5, .50".
	if start := strings.TrimRight(c.s[:i], " ,."); start != "" && wp.IsDigit(start[len(start)-1], 10) &&
		strings.ContainsAny(c.s[len(start):i], ",.") && (c.s[i] == ',' || before != ' ') {
		return false
	}
	return c.s[i] == '.' || !wp.IsDigit(before, 10)
}

// spaced returns where the digits from i on end if spaces or apostrophes group them by three, 0 if
// not. Of several numbers with such signs between, all are separate if one is no group.
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

// spacedNumber adds the grouped digits from i to end, with their decimals. A
// comma is no decimal sign if a group of digits follows it: "1 000,2 000".
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
	c.add(i, end, value, true)
	return end
}

// spaces may group digits, and part a number from its currency.
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

// groupedValue reads digits that commas or points group, more than one group or
// one with decimals after it: a number with only one sign is left to the
// language.
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

// lakhs reports whether the last group has three digits, those before it two, and the first one or two.
func lakhs(groups []string) bool {
	last := len(groups) - 1
	return last > 1 && len(groups[last]) == 3 && len(groups[0]) <= 2 &&
		!slices.ContainsFunc(groups[1:last], func(g string) bool { return len(g) != 2 })
}

// plainValue is the value of a number without more than one group. Of two kinds
// of signs the last is the decimal sign. One before exactly three digits has the
// meaning that the language gives it, any other is the decimal sign.
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
