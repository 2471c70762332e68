package kses

import (
	"html"
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// tagSpace is the white space between attributes, to browsers.
const tagSpace = " \t\n\f\r"

// parseAsBrowser reads attributes as browsers do: with names in lower case, and values that are decoded, whose
// addresses are checked, and which are written for double quotes. A value without its closing quote takes the end of
// the tag with it, so that there is no attribute at all.
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
		list.add(at, encoded.Replace)
	}
}

// browserNameLen returns the length of the name at the start of s, which may begin with "=".
func browserNameLen(s string) int {
	if n := strings.IndexAny(s[1:], tagSpace+"/=>"); n >= 0 {
		return n + 1
	}
	return len(s)
}

// browserValue reads a value, and returns what follows it. It is not closed if its quote is missing.
func browserValue(s string) (value, rest string, closed bool) {
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		return strings.Cut(s[1:], s[:1])
	}
	if n := strings.IndexAny(s, tagSpace+">"); n >= 0 {
		return s[:n], s[n:], true
	}
	return s, "", true
}

// encoded writes a value for double quotes.
var encoded = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")
