package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// escapeAmpersands turns every "&" into an entity unless it looks like the start
// of one already.
func escapeAmpersands(s string) string {
	return replaceAt(s, '&', func(i int) (int, string) {
		if looksLikeEntity(s[i+1:]) {
			return 0, ""
		}
		return 1, "&#038;"
	})
}

// looksLikeEntity reports whether s, which follows a "&", makes an entity of it.
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

// startsWithName reports whether s starts with one to eight characters of the names
// of entities and a semicolon. Whether there is such a name does not matter.
func startsWithName(s string) bool {
	n := 0
	for n < len(s) && n < 8 && ('a' <= s[n]|0x20 && s[n]|0x20 <= 'z' || '1' <= s[n] && s[n] <= '4') {
		n++
	}
	return n > 0 && n < len(s) && s[n] == ';'
}

// escapeLoneAmpersands is the second look at ampersands that titles and excerpts
// get. It asks for a name behind the next character, so that names of one letter
// are none and names of nine are.
func escapeLoneAmpersands(s string) string {
	return replaceAt(s, '&', func(i int) (int, string) {
		if i+1 == len(s) || s[i+1] == '#' || startsWithName(s[i+2:]) {
			return 0, ""
		}
		return 2, "&#038;" + s[i+1:i+2]
	})
}
