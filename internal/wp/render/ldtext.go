package render

import (
	"html"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// LDText returns a stored field of a venue or organizer as The Events Calendar writes it in JSON-LD: on one line,
// without tags and surrounding white space, and escaped. Existing entities are kept.
func LDText(s string) string { return wp.EscapeHTML(wp.TextField(s)) }

// LDLink returns the stored URL of an organizer as The Events Calendar writes it in JSON-LD: escaped, with "http://" if
// it has no scheme, "" if its scheme is not allowed.
func LDLink(s string) string { return displayURL(LDText(s)) }

// LDPlaceURL returns the stored URL of a venue as The Events Calendar writes it in JSON-LD: unchanged. But it returns
// "" if the scheme is not http or https.
func LDPlaceURL(s string) string {
	if scheme := urlScheme(s); scheme != "" && scheme != "http" && scheme != "https" {
		return ""
	}
	return s
}

// ignoredInURL removes characters that browsers ignore in URLs.
var ignoredInURL = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// urlScheme returns the scheme of a URL in lower case, "" if it has none. It parses the URL as browsers do in a page
// that contains it unescaped: entities are decoded, tabs and line breaks ignored. In "example.org:80" the colon
// precedes a port.
func urlScheme(s string) string {
	s = ignoredInURL.Replace(html.UnescapeString(s))
	s = strings.TrimLeftFunc(s, func(r rune) bool { return r <= ' ' })
	scheme, rest, found := strings.Cut(s, ":")
	if !found || scheme == "" || !isLetter(scheme[0]) || strings.Contains(scheme, ".") && startsWithPort(rest) {
		return ""
	}
	for _, c := range []byte(scheme) {
		if !isLetter(c) && !wp.IsDigit(c, 10) && strings.IndexByte("+-.", c) < 0 {
			return ""
		}
	}
	return strings.ToLower(scheme)
}

// startsWithPort reports whether the text after a host and a colon is a port.
func startsWithPort(s string) bool {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	return digits > 0 && (digits == len(s) || strings.IndexByte("/?#", s[digits]) >= 0)
}

// firstWords returns the first n words of a text without tags, separated by single spaces. If there are more words,
// more is appended.
func firstWords(s string, n int, more string) string {
	s = wp.StripToText(s)
	var b strings.Builder
	b.Grow(min(len(s), 16*n) + len(more))
	for word := range strings.FieldsFuncSeq(s, func(c rune) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }) {
		if n == 0 {
			b.WriteString(more)
			break
		}
		if n--; b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
}

// escapeJS escapes a string for use in a quoted JavaScript string in a page, like WordPress's esc_js. Existing entities
// are kept, except that those of an apostrophe are decoded first.
func escapeJS(s string) string {
	s = plainApostrophes(dropSlashes(wp.EscapeHTML(s)))
	if !strings.ContainsAny(s, "'\"\\\x00\r\n") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/16 + 8)
	for i := range len(s) {
		switch c := s[i]; c {
		case '\'', '"', '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case 0:
			b.WriteString(`\0`)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// dropSlashes removes one level of backslashes, like PHP's stripslashes.
func dropSlashes(s string) string {
	return replaceAt(s, '\\', func(i int) (int, string) {
		switch {
		case i+1 == len(s):
			return 1, ""
		case s[i+1] == '0':
			return 2, "\x00"
		}
		return 2, s[i+1 : i+2]
	})
}

// plainApostrophes decodes entities of apostrophes. As in WordPress, the semicolon is optional, so the beginning of a
// longer numeric entity is decoded too.
func plainApostrophes(s string) string {
	if !strings.Contains(s, "&#") {
		return s
	}
	return replaceAt(s, '&', func(i int) (int, string) {
		if n := apostropheLen(s[i:]); n > 0 {
			return n, "'"
		}
		return 0, ""
	})
}

func apostropheLen(s string) int {
	if !strings.HasPrefix(s, "&#") {
		return 0
	}
	i, number := 2, "39"
	if i < len(s) && s[i]|0x20 == 'x' {
		i, number = 3, "27"
	}
	for i < len(s) && s[i] == '0' {
		i++
	}
	if !strings.HasPrefix(s[i:], number) {
		return 0
	}
	i += len(number)
	if i < len(s) && s[i] == ';' {
		i++
	}
	return i
}
