package render

import (
	"html"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// LDText is a stored field of a venue or organizer as JSON-LD shows it: on one
// line, without markup and white space around it, and escaped. Entities in it
// stay.
func LDText(s string) string { return wp.EscapeHTML(wp.TextField(s)) }

// LDLink is the stored web address of an organizer as JSON-LD shows it: escaped,
// with "http://" before one without a scheme, "" for one that must not be linked.
func LDLink(s string) string { return displayURL(LDText(s)) }

// LDPlaceURL is the stored web address of a venue as JSON-LD shows it: as it is,
// but "" if following it leads elsewhere than to a page.
func LDPlaceURL(s string) string {
	if scheme := urlScheme(s); scheme != "" && scheme != "http" && scheme != "https" {
		return ""
	}
	return s
}

// urlScheme is the scheme of an address in lower case, "" for one without. It
// reads what browsers read in a page that prints the address unescaped: entities
// are decoded, and line breaks and tabs count nowhere. In "example.org:80" the
// colon starts a port.
func urlScheme(s string) string {
	s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(html.UnescapeString(s))
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

// startsWithPort reports whether what follows a host and a colon is a port.
func startsWithPort(s string) bool {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	return digits > 0 && (digits == len(s) || strings.IndexByte("/?#", s[digits]) >= 0)
}
