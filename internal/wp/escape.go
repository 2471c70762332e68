package wp

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/kses"
)

// EscapeHTML makes text safe between tags and in attributes. Entities that are
// already there stay, numeric ones in their usual form ("&#39;" becomes
// "&#039;"), so that escaping twice changes nothing.
func EscapeHTML(s string) string { return escape(s, "&quot;", "&#039;") }

// escapeMarkup makes entities of "&", "<" and ">". Quotes and entities stay.
func escapeMarkup(s string) string { return escape(s, `"`, "'") }

func escape(s, double, single string) string {
	if !strings.ContainsAny(s, `&<>"'`) {
		return s
	}
	var b strings.Builder
	// Room for the longest form of each: growing on the way costs more.
	b.Grow(len(s) + 3*(strings.Count(s, "<")+strings.Count(s, ">")) + 5*(strings.Count(s, `"`)+strings.Count(s, "'")+strings.Count(s, "&")))
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '"':
			b.WriteString(double)
		case '\'':
			b.WriteString(single)
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
		return kses.NumericEntity(s)
	}
	// No name is longer than "thetasym": looking further would only cost time.
	end := strings.IndexByte(s[:min(len(s), len("&thetasym;"))], ';')
	if end < 0 || !entityNames[s[1:end]] {
		return "", 0
	}
	return s[:end+1], end + 1
}

// IsDigit reports whether c is a digit of base 10 or 16.
func IsDigit(c byte, base int) bool {
	if '0' <= c && c <= '9' {
		return true
	}
	return base == 16 && 'a' <= c|0x20 && c|0x20 <= 'f'
}
