package kses

import (
	"html"
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// tagSpace contains the characters that browsers treat as white space between attributes.
const tagSpace = " \t\n\f\r"

// parseAsBrowser parses attributes as browsers do, for releases with the behaviour ParsedAttributes. Names are
// converted to lower case. Values are decoded, URLs in them are checked, and they are encoded for double quotes. If a
// quote is not closed, the end of the tag is part of the value, so that the tag has no attributes at all.
func parseAsBrowser(s string) []attribute {
	var list attributeList
	for {
		s = strings.TrimLeft(s, tagSpace+"/")
		if s == "" {
			return list.all
		}
		n := browserNameLen(s)
		at := attribute{name: phpval.Lower(s[:n])}
		s = s[n:]
		if rest, ok := strings.CutPrefix(strings.TrimLeft(s, tagSpace), "="); ok {
			value, after, closed := browserValue(strings.TrimLeft(rest, tagSpace))
			if !closed {
				return nil
			}
			at.value, at.quote, s = html.UnescapeString(value), '"', after
		}
		list.addAttribute(at, encoded.Replace)
	}
}

// browserNameLen returns the length of the name at the beginning of s. A name may begin with "=".
func browserNameLen(s string) int {
	if n := strings.IndexAny(s[1:], tagSpace+"/=>"); n >= 0 {
		return n + 1
	}
	return len(s)
}

// browserValue parses a value and returns what follows it. closed is false if its closing quote is missing.
func browserValue(s string) (value, rest string, closed bool) {
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		return strings.Cut(s[1:], s[:1])
	}
	if n := strings.IndexAny(s, tagSpace+">"); n >= 0 {
		return s[:n], s[n:], true
	}
	return s, "", true
}

// encoded escapes a value for double quotes.
var encoded = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")
