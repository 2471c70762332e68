package phpval

import (
	"strconv"
	"strings"
)

// AppendJSON appends a value as JSON without white space. text encodes strings, including their quotes. If whole is
// set, a float without a fraction is written as "1.0".
func AppendJSON(b []byte, v Value, whole bool, text func([]byte, string) []byte) []byte {
	switch x := v.(type) {
	case bool:
		return strconv.AppendBool(b, x)
	case int64:
		return strconv.AppendInt(b, x, 10)
	case float64:
		s := strings.TrimSuffix(strings.TrimPrefix(Serialize(x), "d:"), ";")
		if whole && !strings.ContainsAny(s, ".E") {
			s += ".0"
		}
		return append(b, strings.Replace(s, "E", "e", 1)...)
	case string:
		return text(b, x)
	case *Array:
		return appendJSONArray(b, x, whole, text)
	}
	return append(b, "null"...)
}

func appendJSONArray(b []byte, list *Array, whole bool, text func([]byte, string) []byte) []byte {
	named := !IsList(list)
	open, end := byte('['), byte(']')
	if named {
		open, end = '{', '}'
	}
	b = append(b, open)
	first := true
	for k, v := range list.All() {
		if !first {
			b = append(b, ',')
		}
		first = false
		if named {
			b = append(text(b, k.String()), ':')
		}
		b = AppendJSON(b, v, whole, text)
	}
	return append(b, end)
}
