package kses

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// appendJSON writes a value so that it can stand in a comment: what could end
// the comment or start a tag is escaped.
func appendJSON(b []byte, v phpval.Value) []byte {
	return phpval.AppendJSON(b, v, false, appendText)
}

func appendText(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			b = append(b, `\\`...)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c < ' ', c == '<', c == '>', c == '&', c == '"':
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		case c == '-' && strings.HasPrefix(s[i+1:], "-"):
			b = append(b, `\u002d\u002d`...)
			i++
		case strings.HasPrefix(s[i:], "\u2028"), strings.HasPrefix(s[i:], "\u2029"):
			b = append(b, `\u202`...)
			b = append(b, '8'+s[i+2]-0xA8)
			i += 2
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
