package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/release"
)

var (
	hideBrackets    = strings.NewReplacer("[", "&#91;", "]", "&#93;")
	restoreBrackets = strings.NewReplacer("&#91;", "[", "&#93;", "]")
	longBrackets    = strings.NewReplacer("&#91;", "&#091;", "&#93;", "&#093;")
)

// shortcodesInTags replaces shortcodes in attributes of tags, and encodes all other brackets in markup, so that no
// shortcode begins or ends there. It corresponds to WordPress's do_shortcodes_in_html_tags.
func shortcodesInTags(s string, names []string, rawTags bool, do shortcodeFunc) string {
	s = longBrackets.Replace(s)
	return eachTag(s, func(g *tags, i int) (int, bool) {
		end := htmlTagEnd(s, i)
		t := s[i:end]
		open, shut := strings.IndexByte(t, '[') >= 0, strings.IndexByte(t, ']') >= 0
		if !open && !shut {
			return end, true
		}
		if open && shut && !rawTags && !strings.HasPrefix(t, "<!--") && !strings.HasPrefix(t, "<![CDATA[") {
			t = shortcodesInTag(t, names, do)
		}
		g.insert(i, hideBrackets.Replace(t))
		g.skip(end)
		return end, true
	})
}

func shortcodesInTag(t string, names []string, do shortcodeFunc) string {
	front, attrs, back, ok := splitTag(t)
	if !ok {
		if bracketFirst(t) {
			return replaceShortcodes(t, names, do)
		}
		return t
	}
	element := strings.Trim(front, "<"+asciiSpace)
	for k, a := range attrs {
		open := strings.IndexByte(a, '[')
		if open < 0 || strings.IndexByte(a, ']') < 0 {
			continue
		}
		changed := replaceShortcodes(a, names, do)
		if quote := strings.IndexAny(a, `"'`); quote < 0 || open < quote {
			attrs[k] = changed
		} else if changed != a {
			if safe := safeAttr(changed, element); strings.Trim(safe, phpSpace) != "" {
				attrs[k] = safe
			}
		}
	}
	return front + strings.Join(attrs, "") + back
}

// bracketFirst reports whether a tag begins with a shortcode, as in "<[address]>".
func bracketFirst(t string) bool {
	p := skipSpace(t, 1)
	if p >= len(t) || t[p] != '[' {
		return false
	}
	t = strings.TrimPrefix(t[p+1:], "[")
	n := strings.IndexAny(t, "[]")
	return n > 0 && t[n] == ']'
}

// splitTag splits a start tag into "<name ", its attributes with the white space after each, and the end.
func splitTag(t string) (front string, attrs []string, back string, ok bool) {
	p := skipSpace(t, 1)
	from := p
	for p < len(t) && (isLetter(t[p]) || wp.IsDigit(t[p], 10)) {
		p++
	}
	if p == from {
		return "", nil, "", false
	}
	p = skipSpace(t, p)
	front, rest := t[:p], t[p:]
	body := strings.TrimSuffix(rest, ">")
	if strings.IndexByte(body, '>') >= 0 {
		return "", nil, "", false
	}
	if slash := strings.TrimRight(body, asciiSpace); strings.HasSuffix(slash, "/") {
		body = strings.TrimRight(slash[:len(slash)-1], asciiSpace)
	}
	attrs, ok = splitAttrs(body)
	return front, attrs, rest[len(body):], ok
}

// splitAttrs splits attributes. The second result is false if they are malformed.
func splitAttrs(s string) ([]string, bool) {
	var list []string
	for s != "" {
		n := attrNameLen(s)
		if n == 0 {
			return nil, false
		}
		end := attrValueEnd(s, n)
		if end < 0 {
			return nil, false
		}
		end = skipSpace(s, end)
		list = append(list, s[:end])
		s = s[end:]
	}
	return list, true
}

// attrNameLen returns the length of the attribute's name, or of a shortcode in its place, 0 if there is neither.
func attrNameLen(s string) int {
	if s[0] == '[' {
		from := 1
		if strings.HasPrefix(s, "[[") {
			from = 2
		}
		n := strings.IndexAny(s[from:], "[]")
		if n < 1 || s[from+n] == '[' {
			return 0
		}
		end := from + n + 1
		if end < len(s) && s[end] == ']' {
			end++
		}
		return end
	}
	n := 0
	for n < len(s) && (isLetter(s[n]) || s[n] == '_' || n > 0 && (wp.IsDigit(s[n], 10) || strings.IndexByte("-:.", s[n]) >= 0)) {
		n++
	}
	return n
}

// attrValueEnd returns the end of the value after a name that ends at n, the end of the name if there is no value, or
// -1 if the attribute is malformed.
func attrValueEnd(s string, n int) int {
	p := skipSpace(s, n)
	if p == len(s) || s[p] != '=' {
		if p == n && p < len(s) {
			return -1
		}
		return p
	}
	p = skipSpace(s, p+1)
	if p == len(s) {
		return -1
	}
	if q := s[p]; q == '"' || q == '\'' {
		n := strings.IndexByte(s[p+1:], q)
		if n < 0 {
			return -1
		}
		return p + n + 2
	}
	from := p
	for p < len(s) && !isSpace(s[p]) && s[p] != '"' && s[p] != '\'' {
		p++
	}
	if p == from || p < len(s) && !isSpace(s[p]) {
		return -1
	}
	return p
}

// safeAttr filters an attribute to which a shortcode contributed. It returns "" if the element must not have it.
func safeAttr(a, element string) string {
	body := strings.TrimLeft(a, asciiSpace)
	lead := a[:len(a)-len(body)]
	body = strings.TrimRight(body, asciiSpace)
	trail := a[len(lead)+len(body):]
	name, value, ok := strings.Cut(body, "=")
	if ok {
		name, value = strings.TrimRight(name, asciiSpace), strings.TrimLeft(value, asciiSpace)
		quote := `"`
		if strings.HasPrefix(value, `"`) || strings.HasPrefix(value, "'") {
			quote = value[:1]
			if !strings.HasSuffix(value, quote) {
				return ""
			}
			value = strings.TrimSuffix(value[1:], quote)
		}
		body = name + "=" + quote + wp.EscapeHTML(value) + quote
	}
	// A single attribute is written in the same way by all releases, that of the oldest.
	safe := kses.Filter("<"+element+" "+body+">", kses.Post(release.WP69))
	safe, ok = strings.CutPrefix(safe, "<"+element+" ")
	if !ok {
		return ""
	}
	return lead + strings.TrimSuffix(safe, ">") + trail
}
