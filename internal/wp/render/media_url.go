package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/kses"
)

// displayURL returns a URL for use in an HTML attribute, like WordPress's esc_url: invalid characters are removed, a
// missing scheme is added, and a URL whose scheme is not allowed becomes "".
func displayURL(s string) string {
	s = strings.ReplaceAll(strings.TrimLeft(s, phpSpace), " ", "%20")
	b := make([]byte, 0, len(s))
	for _, c := range []byte(s) {
		if c >= 0x80 || isLetter(c) || wp.IsDigit(c, 10) || strings.IndexByte("-~+_.?#=!&;,/:%@$|*'()[]", c) >= 0 {
			b = append(b, c)
		}
	}
	s = string(b)
	if len(s) < 7 || !strings.EqualFold(s[:7], "mailto:") {
		s = dropLineEnds(s)
	}
	s = strings.ReplaceAll(s, ";//", "://")
	if s == "" {
		return ""
	}
	if strings.IndexByte(s, ':') < 0 && strings.IndexByte("/#?", s[0]) < 0 && !phpScript(s) {
		s = "http://" + s
	}
	s = strings.ReplaceAll(wp.EscapeHTML(s), "&amp;", "&#038;")
	s = bracketsInURL(s)
	if s[0] != '/' && !strings.EqualFold(kses.URL(s), s) {
		return ""
	}
	return s
}

// dropLineEnds removes percent-encoded line breaks, including those that result from removing others.
func dropLineEnds(s string) string {
	if !strings.Contains(s, "%0") {
		return s
	}
	b := make([]byte, 0, len(s))
	for _, c := range []byte(s) {
		b = append(b, c)
		if n := len(b) - 3; n >= 0 && b[n] == '%' && b[n+1] == '0' && (b[n+2]|0x20 == 'd' || b[n+2]|0x20 == 'a') {
			b = b[:n]
		}
	}
	return string(b)
}

// phpScript reports whether a URL without a scheme begins with the name of a PHP script in the same directory.
func phpScript(s string) bool {
	n := 0
	for n < len(s) && (isLetter(s[n]) || wp.IsDigit(s[n], 10) || s[n] == '-') {
		n++
	}
	return n > 0 && len(s) >= n+4 && strings.EqualFold(s[n:n+4], ".php")
}

// bracketsInURL encodes square brackets after the host.
func bracketsInURL(s string) string {
	if !strings.ContainsAny(s, "[]") {
		return s
	}
	front := 0
	if n := strings.Index(s, "//"); n >= 0 {
		if m := strings.IndexAny(s[n+2:], "/?#"); m >= 0 {
			front = n + 2 + m
		} else {
			front = len(s)
		}
	}
	return s[:front] + strings.NewReplacer("[", "%5B", "]", "%5D").Replace(s[front:])
}

// withQuery appends a parameter to a URL.
func withQuery(url, name, value string) string {
	url, fragment, hash := strings.Cut(url, "#")
	sep := "?"
	if strings.IndexByte(url, '?') >= 0 {
		sep = "&"
		if strings.HasSuffix(url, "?") || strings.HasSuffix(url, "&") {
			sep = ""
		}
	}
	url += sep + name + "=" + value
	if hash {
		url += "#" + fragment
	}
	return url
}
