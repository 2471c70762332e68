package render

import (
	"strings"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// wideBlanks replaces characters that count as spaces between the attributes of a shortcode.
var wideBlanks = strings.NewReplacer("\u00a0", " ", "\u200b", " ")

// parseShortcodeAttrs parses the attributes of a shortcode. Those without a name get an integer key. It corresponds to
// WordPress's shortcode_parse_atts.
func parseShortcodeAttrs(s string) *phpval.Array {
	list := &phpval.Array{}
	if !utf8.ValidString(s) {
		return list
	}
	s = wideBlanks.Replace(s)
	n := int64(0)
	for i := skipSpace(s, 0); i < len(s); i = skipSpace(s, i) {
		name, value, end := shortcodeAttr(s, i)
		quotes := value == "" // an empty quoted value
		value = unescapeC(value)
		if !closedTags(value) {
			value = ""
		}
		i = end
		switch {
		case name == "0" || name == "" && quotes:
		case name == "":
			list.Set(phpval.IntKey(n), value)
			n++
		default:
			list.Set(phpval.StrKey(phpval.Lower(name)), value)
		}
	}
	return list
}

// attrText returns an attribute, or missing if it is not set.
func attrText(attrs *phpval.Array, name, missing string) string {
	if v := attrs.At(name); v != nil {
		return phpval.Text(v)
	}
	return missing
}

// shortcodeAttr parses the attribute at i. Anything else up to the next white space is an attribute without a name.
func shortcodeAttr(s string, i int) (name, value string, end int) {
	p := i
	for p < len(s) && wordNext(s[p:]) {
		p++
	}
	if p > i {
		if q := skipSpace(s, p); q < len(s) && s[q] == '=' {
			from := skipSpace(s, q+1)
			if value, end := quotedValue(s, from); end > 0 {
				return s[i:p], value, end
			}
			q = from
			for q < len(s) && !isSpace(s[q]) && s[q] != '"' && s[q] != '\'' {
				q++
			}
			if q > from && (q == len(s) || isSpace(s[q])) {
				return s[i:p], s[from:q], q
			}
		}
	}
	if value, end := quotedValue(s, i); end > 0 {
		return "", value, end
	}
	p = i
	for p < len(s) && !isSpace(s[p]) {
		p++
	}
	return "", s[i:p], p
}

// quotedValue parses a quoted value that is followed by white space or the end. It returns the value and its end, which
// is 0 if there is none.
func quotedValue(s string, i int) (string, int) {
	if i >= len(s) || s[i] != '"' && s[i] != '\'' {
		return "", 0
	}
	n := strings.IndexByte(s[i+1:], s[i])
	end := i + n + 2
	if n < 0 || end < len(s) && !isSpace(s[end]) {
		return "", 0
	}
	return s[i+1 : end-1], end
}

// closedTags reports whether each "<" is followed by a ">".
func closedTags(s string) bool {
	for {
		open := strings.IndexByte(s, '<')
		if open < 0 {
			return true
		}
		end := strings.IndexByte(s[open:], '>')
		if end < 0 {
			return false
		}
		s = s[open+end+1:]
	}
}

// unescapeC resolves C escape sequences, like PHP's stripcslashes.
func unescapeC(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			continue
		}
		i++
		if n := strings.IndexByte("ntrabvf", s[i]); n >= 0 {
			b = append(b, "\n\t\r\a\b\v\f"[n])
			continue
		}
		base, from := 8, i
		if s[i] == 'x' && i+1 < len(s) && wp.IsDigit(s[i+1], 16) {
			base, from = 16, i+1
		}
		p, v := from, 0
		for most := from + 2 + 8/base; p < len(s) && p < most && octalOrHex(s[p], base); p++ {
			v = v*base + int(wp.Unhex(s[p]))
		}
		if p == from {
			b = append(b, s[i])
			continue
		}
		b = append(b, byte(v))
		i = p - 1
	}
	return string(b)
}

func octalOrHex(c byte, base int) bool {
	if base == 8 {
		return c-'0' < 8
	}
	return wp.IsDigit(c, 16)
}
