package kses

import (
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// appendJSON writes a value so that it can stand in a comment: what could end
// the comment or start a tag is escaped.
func appendJSON(b []byte, v phpval.Value) []byte {
	switch x := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, x)
	case int64:
		return strconv.AppendInt(b, x, 10)
	case float64:
		text := strings.Trim(phpval.Serialize(x), "d:;")
		return append(b, strings.Replace(text, "E", "e", 1)...)
	case string:
		return appendText(b, x)
	}
	list, _ := v.(*phpval.Array)
	named := !phpval.IsList(list)
	open, end := byte('['), byte(']')
	if named {
		open, end = '{', '}'
	}
	b = append(b, open)
	first := true
	for k, e := range list.All() {
		if !first {
			b = append(b, ',')
		}
		first = false
		if named {
			b = append(appendText(b, k.String()), ':')
		}
		b = appendJSON(b, e)
	}
	return append(b, end)
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
