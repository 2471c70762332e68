package render

import "strings"

// tags scans a text from tag to tag and copies it, with changes, to out.
type tags struct {
	s    string
	out  strings.Builder
	last int // everything before is copied
	gt   int // the first ">" at or after the argument of the last call of end
}

// eachTag calls match at every "<" in s that is not part of an earlier match. match may call keep, skip, insert and
// trimmed. It returns the end of its match.
func eachTag(s string, match func(g *tags, i int) (int, bool)) string {
	g := tags{s: s, gt: -1}
	for i := 0; i < len(s); {
		n := strings.IndexByte(s[i:], '<')
		if n < 0 {
			break
		}
		i += n
		if end, ok := match(&g, i); ok {
			i = end
		} else {
			i++
		}
	}
	if g.last == 0 && g.out.Len() == 0 {
		return s
	}
	g.out.WriteString(s[g.last:])
	return g.out.String()
}

// end returns the position after the first ">" at or after i, or -1. It remembers the last result, so i must not
// decrease from call to call.
func (g *tags) end(i int) int {
	if g.gt < i {
		n := strings.IndexByte(g.s[min(i, len(g.s)):], '>')
		if n < 0 {
			g.gt = len(g.s)
		} else {
			g.gt = i + n
		}
	}
	if g.gt >= len(g.s) {
		return -1
	}
	return g.gt + 1
}

// grow allocates out before the first change.
func (g *tags) grow() {
	if g.last == 0 && g.out.Len() == 0 {
		g.out.Grow(len(g.s) + len(g.s)/8 + 16)
	}
}

// keep copies the text before a match that begins at i, and of the match only the part from:to.
func (g *tags) keep(i, from, to int) {
	g.grow()
	g.out.WriteString(g.s[g.last:i])
	g.out.WriteString(g.s[from:to])
	g.last = to
}

// skip omits the text up to i.
func (g *tags) skip(i int) { g.last = i }

// insert copies the text up to i and adds text.
func (g *tags) insert(i int, text string) {
	g.grow()
	g.out.WriteString(g.s[g.last:i])
	g.out.WriteString(text)
	g.last = i
}

// trimmed copies the text up to i without trailing white space.
func (g *tags) trimmed(i int) {
	g.grow()
	g.out.WriteString(strings.TrimRight(g.s[g.last:i], asciiSpace))
	g.last = i
}

const asciiSpace = " \t\n\v\f\r"

func isSpace(c byte) bool { return c == ' ' || c-'\t' < 5 }

func skipSpace(s string, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}

// finder finds the next occurrence of a needle, for positions that never decrease.
type finder struct {
	s, needle string
	at        int
	asked     bool
}

// next returns the position of the needle at or after i, or -1.
func (f *finder) next(i int) int {
	if !f.asked || f.at >= 0 && f.at < i {
		f.asked = true
		f.at = strings.Index(f.s[i:], f.needle)
		if f.at >= 0 {
			f.at += i
		}
	}
	return f.at
}

// htmlTagEnd returns the end of the comment, CDATA section or tag at i. If it is never closed, it ends with the text.
func htmlTagEnd(s string, i int) int {
	rest, from, closer := s[i:], 1, ">"
	switch {
	case strings.HasPrefix(rest, "<!--"):
		from, closer = 2, "-->"
	case strings.HasPrefix(rest, "<![CDATA["):
		from, closer = 9, "]]>"
	}
	if n := strings.Index(rest[from:], closer); n >= 0 {
		return i + from + n + len(closer)
	}
	return len(s)
}
