package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// firstWords returns the first n words of a text without tags, with single
// spaces between them. If there are more words, more follows.
func firstWords(s string, n int, more string) string {
	s = wp.StripToText(s)
	var b strings.Builder
	b.Grow(min(len(s), 16*n) + len(more))
	for ; n > 0; n-- {
		s = strings.TrimLeft(s, wordSpace)
		if s == "" {
			return b.String()
		}
		end := strings.IndexAny(s, wordSpace)
		if end < 0 {
			end = len(s)
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s[:end])
		s = s[end:]
	}
	if strings.TrimLeft(s, wordSpace) != "" {
		b.WriteString(more)
	}
	return b.String()
}

const wordSpace = "\n\r\t "

// escapeJS makes text safe in a quoted string of a script in a page. Entities
// that are there already stay, those of a single quote become one.
func escapeJS(s string) string {
	s = plainApostrophes(dropSlashes(wp.EscapeHTML(s)))
	if !strings.ContainsAny(s, "'\"\\\x00\r\n") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/16 + 8)
	for i := range len(s) {
		switch c := s[i]; c {
		case '\'', '"', '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case 0:
			b.WriteString(`\0`)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// dropSlashes removes one level of backslashes.
func dropSlashes(s string) string {
	return replaceAt(s, '\\', func(i int) (int, string) {
		switch {
		case i+1 == len(s):
			return 1, ""
		case s[i+1] == '0':
			return 2, "\x00"
		}
		return 2, s[i+1 : i+2]
	})
}

// plainApostrophes turns the entities of "'" into it. Their semicolon may be
// missing, so that any entity that starts alike is one too.
func plainApostrophes(s string) string {
	if !strings.Contains(s, "&#") {
		return s
	}
	return replaceAt(s, '&', func(i int) (int, string) {
		if n := apostropheLen(s[i:]); n > 0 {
			return n, "'"
		}
		return 0, ""
	})
}

func apostropheLen(s string) int {
	if !strings.HasPrefix(s, "&#") {
		return 0
	}
	i, number := 2, "39"
	if i < len(s) && s[i]|0x20 == 'x' {
		i, number = 3, "27"
	}
	for i < len(s) && s[i] == '0' {
		i++
	}
	if !strings.HasPrefix(s[i:], number) {
		return 0
	}
	i += len(number)
	if i < len(s) && s[i] == ';' {
		i++
	}
	return i
}
