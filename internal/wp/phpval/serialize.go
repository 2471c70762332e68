package phpval

import "strconv"

// Serialize encodes a value in PHP's serialization format. What Unserialize read from PHP's output is encoded to the
// same bytes. Values of unsupported types become null.
func Serialize(v Value) string { return string(appendValue(nil, v)) }

func appendValue(b []byte, v Value) []byte {
	switch x := v.(type) {
	case bool:
		if x {
			return append(b, "b:1;"...)
		}
		return append(b, "b:0;"...)
	case int64:
		return appendInt(b, x)
	case int:
		return appendInt(b, int64(x))
	case float64:
		b = append(b, "d:"...)
		b = append(b, formatFloat(x, 0)...)
		return append(b, ';')
	case string:
		return appendText(b, x)
	case *Array:
		b = append(b, "a:"...)
		b = strconv.AppendInt(b, int64(x.Len()), 10)
		b = append(b, ":{"...)
		for k, e := range x.All() {
			if k.str {
				b = appendText(b, k.text)
			} else {
				b = appendInt(b, k.num)
			}
			b = appendValue(b, e)
		}
		return append(b, '}')
	}
	return append(b, "N;"...)
}

func appendInt(b []byte, n int64) []byte {
	b = append(b, "i:"...)
	b = strconv.AppendInt(b, n, 10)
	return append(b, ';')
}

func appendText(b []byte, s string) []byte {
	b = append(b, "s:"...)
	b = strconv.AppendInt(b, int64(len(s)), 10)
	b = append(b, ':', '"')
	b = append(b, s...)
	return append(b, '"', ';')
}
