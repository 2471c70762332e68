package wp

import (
	"strconv"
	"strings"
)

// EscapeHTML makes text safe between tags and in attributes. Entities that are
// already there stay, numeric ones in their usual form ("&#39;" becomes
// "&#039;"), so that escaping twice changes nothing.
func EscapeHTML(s string) string {
	if !strings.ContainsAny(s, `&<>"'`) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/8 + 8)
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '"':
			b.WriteString("&quot;")
		case '\'':
			b.WriteString("&#039;")
		case '&':
			e, n := entity(s[i:])
			if n == 0 {
				e, n = "&amp;", 1
			}
			b.WriteString(e)
			i += n - 1
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// entity reads the valid entity at the start of s: its usual form and how many
// bytes it takes, 0 if there is none.
func entity(s string) (string, int) {
	if strings.HasPrefix(s, "&#") {
		return numericEntity(s)
	}
	// No name is longer than "thetasym": looking further would only cost time.
	end := strings.IndexByte(s[:min(len(s), len("&thetasym;"))], ';')
	if end < 0 || !entityNames[s[1:end]] {
		return "", 0
	}
	return s[:end+1], end + 1
}

func numericEntity(s string) (string, int) {
	i, base, most := 2, 10, 7
	if i < len(s) && s[i]|0x20 == 'x' {
		i, base, most = 3, 16, 6
	}
	from := i
	for i < len(s) && s[i] == '0' {
		i++
	}
	significant := i
	for i < len(s) && i-significant <= most && isDigit(s[i], base) {
		i++
	}
	d := s[significant:i]
	if i == from || len(d) > most || i == len(s) || s[i] != ';' {
		return "", 0
	}
	if n, err := strconv.ParseInt(d, base, 32); err != nil || !permitted(rune(n)) {
		return "", 0
	}
	if base == 16 {
		return "&#x" + d + ";", i + 1
	}
	if len(d) < 3 {
		d = "000"[len(d):] + d
	}
	return "&#" + d + ";", i + 1
}

func isDigit(c byte, base int) bool {
	if '0' <= c && c <= '9' {
		return true
	}
	return base == 16 && 'a' <= c|0x20 && c|0x20 <= 'f'
}

// permitted tells whether a character may stand in XML.
func permitted(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return true
	case r >= 0x20 && r <= 0xD7FF, r >= 0xE000 && r <= 0xFFFD:
		return true
	}
	return r >= 0x10000 && r <= 0x10FFFF
}
