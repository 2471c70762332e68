package wp

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/kses"
)

// EscapeHTML escapes a string for HTML text and attributes, like WordPress's esc_html. It keeps existing entities, with
// numeric ones normalized ("&#39;" becomes "&#039;"), so that escaping twice changes nothing.
func EscapeHTML(s string) string { return escape(s, "&quot;", "&#039;") }

// escapeMarkup escapes "&", "<" and ">". It keeps quotes and entities.
func escapeMarkup(s string) string { return escape(s, `"`, "'") }

func escape(s, double, single string) string {
	if !strings.ContainsAny(s, `&<>"'`) {
		return s
	}
	var b strings.Builder
	// Allocates enough for the longest replacements, which is cheaper than growing the buffer.
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
			e, n := kses.Entity(s[i:])
			if n == 0 || e == "&apos;" { // &apos; is not defined in HTML 4
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

// IsDigit reports whether c is a digit in base 10 or 16.
func IsDigit(c byte, base int) bool {
	return '0' <= c && c <= '9' || base == 16 && 'a' <= c|0x20 && c|0x20 <= 'f'
}

// NameSet returns the set of the names in a list separated by white space.
func NameSet(list string) map[string]bool {
	set := make(map[string]bool, 256)
	for name := range strings.FieldsSeq(list) {
		set[name] = true
	}
	return set
}
