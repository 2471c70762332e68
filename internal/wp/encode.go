package wp

import (
	"net/url"
	"strings"
)

// FormEncode encodes a value in a query string as PHP's urlencode does: a space becomes "+", and all characters but
// letters, digits and "-_." are percent-encoded.
func FormEncode(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "~", "%7E") }

// rawURLEncode encodes a part of a URL as PHP's rawurlencode does: all characters but letters, digits and "-_.~" are
// percent-encoded.
func rawURLEncode(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// FormDecode reverses FormEncode. A "%" without two hexadecimal digits is kept.
func FormDecode(s string) string {
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

// IsOctet reports whether s begins with a percent-encoded byte: "%" and two hexadecimal digits.
func IsOctet(s string) bool {
	return len(s) >= 3 && s[0] == '%' && IsDigit(s[1], 16) && IsDigit(s[2], 16)
}

// Unhex returns the value of a hexadecimal digit.
func Unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
