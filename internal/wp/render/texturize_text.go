package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// replaceMarks replaces the marks in one piece of text. The order of the steps matters, since each processes the result
// of the one before.
func (m *Marks) replaceMarks(s string) string {
	s = m.literals(s)
	if strings.IndexByte(s, '\'') >= 0 {
		s = m.singleQuotes(s)
	}
	if strings.IndexByte(s, '"') >= 0 {
		s = m.doubleQuotes(s)
	}
	if strings.IndexByte(s, '-') >= 0 {
		s = m.dashes(s)
	}
	return escapeAmpersands(multiplySigns(s))
}

func (m *Marks) literals(s string) string {
	if strings.IndexByte(s, '.') >= 0 {
		s = strings.ReplaceAll(s, "...", m.Ellipsis)
	}
	if strings.IndexByte(s, '`') >= 0 {
		s = strings.ReplaceAll(s, "``", m.OpenDouble)
	}
	s = strings.ReplaceAll(s, "''", m.CloseDouble)
	if strings.IndexByte(s, '(') >= 0 {
		s = strings.ReplaceAll(s, " (tm)", " "+m.Trademark)
	}
	if strings.IndexByte(s, '\'') < 0 {
		return s
	}
	for _, w := range m.Words {
		if w.Typed != "" {
			s = strings.ReplaceAll(s, w.Typed, w.Shown)
		}
	}
	return s
}

// replaceAt calls f for every c in s, with its index. f returns the number of bytes to replace, 0 for none, and their
// replacement. It has to look at the unchanged s.
func replaceAt(s string, c byte, f func(i int) (n int, with string)) string {
	var b strings.Builder
	from := 0
	for i := 0; ; {
		next := strings.IndexByte(s[i:], c)
		if next < 0 {
			break
		}
		i += next
		n, with := f(i)
		if n == 0 {
			i++
			continue
		}
		if from == 0 {
			b.Grow(len(s) + (len(with)-1)*strings.Count(s, string(c)))
		}
		b.WriteString(s[from:i])
		b.WriteString(with)
		i += n
		from = i
	}
	if from == 0 {
		return s
	}
	b.WriteString(s[from:])
	return b.String()
}

// gapLen returns the length of one white space character at the beginning of s, 0 if there is none. No-break spaces
// count, as characters and as entities.
func gapLen(s string) int {
	if s == "" {
		return 0
	}
	switch s[0] {
	case ' ', '\t', '\n', '\r':
		return 1
	case '\xC2':
		if strings.HasPrefix(s, "\u00A0") {
			return len("\u00A0")
		}
	case '&':
		if strings.HasPrefix(s, "&nbsp;") {
			return len("&nbsp;")
		}
	}
	return 0
}

func gapAt(s string, i int) bool { return gapLen(s[i:]) > 0 }

func gapBefore(s string, i int) bool {
	if i == 0 {
		return false
	}
	switch s[i-1] {
	case ' ', '\t', '\n', '\r':
		return true
	case '\xA0':
		return strings.HasSuffix(s[:i], "\u00A0")
	case ';':
		return strings.HasSuffix(s[:i], "&nbsp;")
	}
	return false
}

func startOrGapBefore(s string, i int) bool { return i == 0 || gapBefore(s, i) }

func endOrGapAt(s string, i int) bool { return i == len(s) || gapAt(s, i) }

func digitAt(s string, i int) bool { return i >= 0 && i < len(s) && wp.IsDigit(s[i], 10) }

// numberLen returns the length of the number at the beginning of s: a digit, followed by digits, points and commas.
func numberLen(s string) int {
	if !digitAt(s, 0) {
		return 0
	}
	n := 1
	for n < len(s) && inNumber(s[n]) {
		n++
	}
	return n
}

func inNumber(c byte) bool { return wp.IsDigit(c, 10) || c == '.' || c == ',' }

// dashes replaces typed dashes. Two dashes after "xn" are kept, since they are part of an internationalized domain
// name.
func (m *Marks) dashes(s string) string {
	s = strings.ReplaceAll(s, "---", m.EmDash)
	if strings.Contains(s, "--") {
		s = replaceAt(s, '-', func(i int) (int, string) {
			if strings.HasPrefix(s[i:], "--") && startOrGapBefore(s, i) && endOrGapAt(s, i+2) {
				return 2, m.EmDash
			}
			return 0, ""
		})
		s = replaceAt(s, '-', func(i int) (int, string) {
			if strings.HasPrefix(s[i:], "--") && !strings.HasSuffix(s[:i], "xn") {
				return 2, m.EnDash
			}
			return 0, ""
		})
	}
	return replaceAt(s, '-', func(i int) (int, string) {
		if startOrGapBefore(s, i) && endOrGapAt(s, i+1) {
			return 1, m.EnDash
		}
		return 0, ""
	})
}

// multiplySigns replaces the "x" in "9x9" by a multiplication sign. If no "x" is directly between two digits, nothing
// is changed.
func multiplySigns(s string) string {
	if !betweenDigits(s, 'x') {
		return s
	}
	from := 0 // where the number before an "x" can begin
	return replaceAt(s, 'x', func(i int) (int, string) {
		if !factorBefore(s, from, i) {
			return 0, ""
		}
		n := factorLen(s[i+1:])
		if n == 0 {
			return 0, ""
		}
		from = i + 1 + n
		return 1, "&#215;"
	})
}

func betweenDigits(s string, c byte) bool {
	for i := 1; i+1 < len(s); i++ {
		next := strings.IndexByte(s[i:], c)
		if next < 0 {
			return false
		}
		i += next
		if digitAt(s, i-1) && digitAt(s, i+1) {
			return true
		}
	}
	return false
}

// factorBefore reports whether a number that begins a word, at or after from, ends at i. A single "0" does not count,
// because of "0x1F".
func factorBefore(s string, from, i int) bool {
	for start := i - 1; start >= from && inNumber(s[start]); start-- {
		if wp.IsDigit(s[start], 10) && !(start > 0 && inWord(s[start-1])) && (s[start] != '0' || start+1 < i) {
			return true
		}
	}
	return false
}

// factorLen returns the length of the longest number at the beginning of s after which there is a word boundary.
func factorLen(s string) int {
	for n := numberLen(s); n > 0; n-- {
		if inWord(s[n-1]) != (n < len(s) && inWord(s[n])) {
			return n
		}
	}
	return 0
}

func inWord(c byte) bool {
	return wp.IsDigit(c, 10) || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_'
}

// escapeAmpersands escapes every "&" that does not begin an entity.
func escapeAmpersands(s string) string {
	return replaceAt(s, '&', func(i int) (int, string) {
		if looksLikeEntity(s[i+1:]) {
			return 0, ""
		}
		return 1, "&#038;"
	})
}

// looksLikeEntity reports whether s, the text after a "&", makes it an entity.
func looksLikeEntity(s string) bool {
	if !strings.HasPrefix(s, "#") {
		return startsWithName(s)
	}
	i, base := 1, 10
	if len(s) > 1 && s[1]|0x20 == 'x' {
		i, base = 2, 16
	}
	from := i
	for i < len(s) && wp.IsDigit(s[i], base) {
		i++
	}
	return i > from && i < len(s) && s[i] == ';'
}

// startsWithName reports whether s begins with one to eight characters that can be the name of an entity, and a
// semicolon. The name does not have to exist.
func startsWithName(s string) bool {
	n := 0
	for n < len(s) && n < 8 && ('a' <= s[n]|0x20 && s[n]|0x20 <= 'z' || '1' <= s[n] && s[n] <= '4') {
		n++
	}
	return n > 0 && n < len(s) && s[n] == ';'
}

// escapeLoneAmpersands escapes further ampersands in titles and excerpts. As in WordPress, it ignores the first
// character after the "&", so that names of one letter do not count as entities, and names of nine characters do.
func escapeLoneAmpersands(s string) string {
	return replaceAt(s, '&', func(i int) (int, string) {
		if i+1 == len(s) || s[i+1] == '#' || startsWithName(s[i+2:]) {
			return 0, ""
		}
		return 2, "&#038;" + s[i+1:i+2]
	})
}
