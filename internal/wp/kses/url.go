package kses

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// maxSchemes is how many schemes are removed from a URL. If it still has one after that, the URL is dropped.
const maxSchemes = 6

// URL removes schemes that are not allowed from a URL: "javascript:alert(1)" becomes "alert(1)". Entities in s have to
// be normalized.
func URL(s string) string {
	if strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") {
		return s
	}
	for range maxSchemes {
		next := checkScheme(s, 1)
		if next == s {
			return s
		}
		s = next
	}
	return ""
}

// checkScheme removes a scheme that is not allowed. feeds is the number of "feed:" schemes so far; such a scheme may be
// followed by another one.
func checkScheme(s string, feeds int) string {
	i, n := colon(s)
	if i < 0 || strings.Contains(s[:i], "/?") {
		return s
	}
	scheme, rest := plainScheme(s[:i]), phpval.Trim(s[i+n:])
	if !data.protocols[scheme] {
		return rest
	}
	if scheme == "feed" {
		if feeds > 2 {
			return ""
		}
		rest = checkScheme(rest, feeds+1)
		if rest == "" || rest == "0" {
			return rest
		}
	}
	return scheme + ":" + rest
}

// colon returns the position and length of the first colon, as a character or an entity.
func colon(s string) (at, length int) {
	for i := range len(s) {
		switch s[i] {
		case ':':
			return i, 1
		case '&':
			if r, n := number(s[i:]); n > 0 && r == ':' {
				return i, n
			}
		}
	}
	return -1, 0
}

// number parses the numeric entity at the beginning of s. As in WordPress, only the lowest byte of the number counts.
// That can only detect more schemes, not fewer.
func number(s string) (c byte, length int) {
	i, base := 2, 10
	if !strings.HasPrefix(s, "&#") {
		return 0, 0
	}
	if i < len(s) && s[i]|0x20 == 'x' {
		i, base = 3, 16
	}
	n, from := 0, i
	for ; i < len(s) && isDigitOf(s[i], base); i++ {
		d := int(s[i] - '0')
		if !isDigit(s[i]) {
			d = int(s[i]|0x20-'a') + 10
		}
		n = (n*base + d) & 0xFF
	}
	if i == from || i == len(s) || s[i] != ';' {
		return 0, 0
	}
	return byte(n), i + 1
}

// plainScheme returns a scheme as browsers read it: with entities decoded, without white space, control characters and
// backslash-zero sequences.
func plainScheme(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		c, n := s[i], 1
		if c == '&' {
			if e, length := number(s[i:]); length > 0 {
				c, n = e, length
			}
		}
		i += n
		if !isSpace(c) && !isControl(c) {
			b = append(b, c)
		}
	}
	return phpval.Lower(dropSlashZeros(string(b)))
}

// dropSlashZeros removes backslashes that are followed by zeros, which some old programs read as NUL.
func dropSlashZeros(s string) string {
	if !strings.Contains(s, `\0`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		from := i
		for i < len(s) && s[i] == '\\' {
			i++
		}
		if slashes := i; slashes > from && i < len(s) && s[i] == '0' {
			for i < len(s) && s[i] == '0' {
				i++
			}
			continue
		}
		if i == from {
			i++
		}
		b.WriteString(s[from:i])
	}
	return b.String()
}
