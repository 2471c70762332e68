package wp

import "strings"

const upperHex = "0123456789ABCDEF"

// FormEncode encodes a value of a query string as forms do: a space is "+", all
// but letters, digits and "-_." is percent-encoded.
func FormEncode(s string) string { return encode(s, true) }

// rawURLEncode encodes a part of an address: all but letters, digits and "-_.~"
// is percent-encoded.
func rawURLEncode(s string) string { return encode(s, false) }

func encode(s string, form bool) string {
	extra := 0
	for i := range len(s) {
		if !unreserved(s[i], form) {
			extra++
		}
	}
	if extra == 0 {
		return s
	}
	b := make([]byte, 0, len(s)+2*extra)
	for i := range len(s) {
		switch c := s[i]; {
		case unreserved(c, form):
			b = append(b, c)
		case form && c == ' ':
			b = append(b, '+')
		default:
			b = append(b, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return string(b)
}

func unreserved(c byte, form bool) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	case c == '-', c == '_', c == '.':
		return true
	}
	return c == '~' && !form
}

// formDecode undoes FormEncode; a "%" without two hex digits stays.
func formDecode(s string) string {
	if !strings.ContainsAny(s, "%+") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '+':
			b = append(b, ' ')
		case IsOctet(s[i:]):
			b = append(b, Unhex(s[i+1])<<4|Unhex(s[i+2]))
			i += 2
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}

// IsOctet reports whether s starts with "%" and two hex digits.
func IsOctet(s string) bool {
	return len(s) >= 3 && s[0] == '%' && IsDigit(s[1], 16) && IsDigit(s[2], 16)
}

// Unhex returns the value of a hex digit.
func Unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
