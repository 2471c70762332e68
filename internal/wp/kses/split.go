package kses

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// split splits the text into pieces of markup and filters each.
func (a *Allowed) split(s string, depth int) string {
	next := bracket(s, 0)
	if next == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 3*strings.Count(s, ">"))
	c := cutter{s: s}
	for from := 0; ; next = bracket(s, from) {
		b.WriteString(s[from:next])
		if next == len(s) {
			return b.String()
		}
		if s[next] == '>' {
			b.WriteString("&gt;")
			from = next + 1
			continue
		}
		from = c.end(next)
		b.WriteString(a.piece(s[next:from], depth))
	}
}

// bracket returns the position of the next "<" or ">", len(s) if there is none.
func bracket(s string, i int) int {
	for i < len(s) && s[i] != '<' && s[i] != '>' {
		i++
	}
	return i
}

// cutter finds the ends of pieces of markup. It remembers the last results, so that many openings before the same end
// are searched only once.
type cutter struct {
	s              string
	close, newline seeker
}

// seeker finds the next occurrence of a string, for positions that never decrease.
type seeker struct {
	at     int
	sought bool
}

// from returns the position of the next sep at or after i, len(s) if there is none.
func (k *seeker) from(s, sep string, i int) int {
	if k.sought && k.at >= i {
		return k.at
	}
	k.sought, k.at = true, len(s)
	if i < len(s) {
		if n := strings.Index(s[i:], sep); n >= 0 {
			k.at = i + n
		}
	}
	return k.at
}

// end returns the end of the piece that starts at i.
func (c *cutter) end(i int) int {
	rest := c.s[i:]
	if strings.HasPrefix(rest, "<!--") {
		if end := c.comment(i + len("<!--")); end > 0 {
			return end
		}
	}
	from := i + 1
	if len(rest) > 2 && rest[1] == '/' && !isLetter(rest[2]) {
		// The character after "</" may be a ">" itself, if another one follows.
		if n := strings.IndexByte(rest[3:], '>'); n >= 0 {
			return i + 3 + n + 1
		}
	}
	if n := strings.IndexByte(c.s[from:], '>'); n >= 0 {
		return from + n + 1
	}
	return len(c.s)
}

// comment returns the end of the comment whose inside starts at i. A comment ends on the same line, or at the end of
// the text if it is on the last line. Otherwise it is not a comment, and the result is 0.
func (c *cutter) comment(i int) int {
	end, line := c.close.from(c.s, "-->", i), c.newline.from(c.s, "\n", i)
	switch {
	case end < line:
		return end + len("-->")
	case line >= len(c.s)-1:
		return line
	}
	return 0
}

func (a *Allowed) piece(s string, depth int) string {
	switch {
	case isBogus(s):
		return s[:2] + a.settled(s[2:len(s)-1], depth) + ">"
	case strings.HasPrefix(s, "<!--"):
		return a.comment(s, depth)
	}
	return a.tag(s)
}

// isBogus reports whether browsers parse a piece as a comment: "</…>" without a name, or "<!name …>" with a name in
// lower case.
func isBogus(s string) bool {
	if len(s) < 4 || s[len(s)-1] != '>' {
		return false
	}
	if s[1] == '/' {
		return !isLetter(s[2])
	}
	return s[1] == '!' && 'a' <= s[2] && s[2] <= 'z'
}

func (a *Allowed) comment(s string, depth int) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "<!--", ""), "-->", "")
	s = a.settled(s, depth)
	if s == "" {
		return ""
	}
	s = singleDashes(s)
	if t, ok := strings.CutSuffix(s, "-"); ok {
		s = t
	} else if t, ok := strings.CutSuffix(s, "-\n"); ok {
		s = t + "\n"
	}
	return "<!--" + s + "-->"
}

func singleDashes(s string) string {
	if !strings.Contains(s, "--") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		if s[i] != '-' || i == 0 || s[i-1] != '-' {
			b = append(b, s[i])
		}
	}
	return string(b)
}

// tag filters a start or end tag. Anything else is removed.
func (a *Allowed) tag(s string) string {
	s = skipSpace(strings.TrimSuffix(s[1:], ">"))
	rest, closing := strings.CutPrefix(s, "/")
	if closing {
		rest = skipSpace(rest)
	}
	n := 0
	for n < len(rest) && (isLetter(rest[n]) || isDigit(rest[n]) || rest[n] == '-') {
		n++
	}
	name, rest := rest[:n], rest[n:]
	e, ok := a.tags[phpval.Lower(name)]
	switch {
	case !ok:
		return ""
	case closing:
		return "</" + name + ">"
	}
	attributes, stays := a.attributes(e, rest)
	if !stays {
		return ""
	}
	return "<" + name + attributes
}
