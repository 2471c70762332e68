package kses

import (
	"html"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// attribute is an attribute of a tag. quote is 0 if it has no value.
type attribute struct {
	name, value string
	quote       byte
}

// attributes filters the attributes in a tag and returns them with the end of the tag. ok is false if the whole tag has
// to be removed.
func (a *Allowed) attributes(e element, s string) (string, bool) {
	end := ">"
	if strings.HasSuffix(strings.TrimRight(s, space), "/") {
		end = " />"
	}
	if len(e.rules) == 0 {
		return end, true
	}
	// An element without a required attribute loses all its attributes. If it is a void element, it is removed.
	var found []string
	var b strings.Builder
	for _, at := range a.parse(s) {
		name := phpval.Lower(at.name)
		r, ok := ruleOf(e.rules, name)
		if ok && name == "style" {
			at.value = a.style(at.value)
			ok = at.value != "" && at.value != "0"
		}
		ok = ok && a.permits(r, at.value, at.quote == 0)
		if r.required && !slices.Contains(found, name) {
			if !ok {
				return ">", end == ">"
			}
			found = append(found, name)
		}
		if ok {
			at.writeTo(&b)
		}
	}
	if len(found) < e.required {
		return ">", end == ">"
	}
	return b.String() + end, true
}

// parse parses attributes by the rules of the list's release.
func (a *Allowed) parse(s string) []attribute {
	if a.release.Has(release.ParsedAttributes) {
		return parseAsBrowser(s)
	}
	return parseAttributes(s)
}

// style filters the value of a style attribute. The value is escaped like those that parse returns.
func (a *Allowed) style(value string) string {
	if !a.release.Has(release.DecodedStyles) {
		return Style(value, a.release)
	}
	decoded := html.UnescapeString(value)
	kept := Style(decoded, a.release)
	if kept == decoded {
		return value
	}
	return changedStyle.Replace(kept)
}

// changedStyle escapes a style from which something was removed.
var changedStyle = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#039;")

// ruleOf returns the rule of an attribute. The second result is false if the attribute is not allowed.
func ruleOf(allowed map[string]rule, name string) (rule, bool) {
	if r, ok := allowed[name]; ok && name != "data-*" {
		return r, true
	}
	if rest, ok := strings.CutPrefix(name, "data-"); !ok || !isPlainName(rest) {
		return rule{}, false
	}
	r, ok := allowed["data-*"]
	return r, ok
}

func (at attribute) writeTo(b *strings.Builder) {
	b.WriteByte(' ')
	b.WriteString(at.name)
	if at.quote == 0 {
		return
	}
	b.WriteByte('=')
	b.WriteByte(at.quote)
	for i := range len(at.value) {
		if c := at.value[i]; c != '<' && c != '>' {
			b.WriteByte(c)
		}
	}
	b.WriteByte(at.quote)
}

// attributeList collects attributes. The first of several with the same name counts.
type attributeList struct {
	all   []attribute
	names map[string]bool // set in long lists only
}

// indexFrom is the number of attributes from which their names are indexed.
const indexFrom = 16

// addAttribute adds an attribute. encode escapes its value after a URL in it has been checked.
func (l *attributeList) addAttribute(at attribute, encode func(string) string) {
	if l.has(at.name) {
		return
	}
	if data.addresses[phpval.Lower(at.name)] {
		at.value = URL(at.value)
	}
	at.value = encode(at.value)
	l.all = append(l.all, at)
	switch {
	case len(l.all) > indexFrom:
		l.names[at.name] = true
	case len(l.all) == indexFrom:
		l.names = make(map[string]bool, 2*indexFrom)
		for _, at := range l.all {
			l.names[at.name] = true
		}
	}
}

func (l *attributeList) has(name string) bool {
	if l.names != nil {
		return l.names[name]
	}
	return slices.ContainsFunc(l.all, func(at attribute) bool { return at.name == name })
}

// parseAttributes parses attributes from left to right. After an error it continues after the next white space.
func parseAttributes(s string) []attribute {
	var list attributeList
	for s != "" {
		n := nameLen(s)
		if n == 0 {
			s = skipMalformed(s)
			continue
		}
		name, rest := s[:n], s[n:]
		after := skipSpace(rest)
		if value, ok := strings.CutPrefix(after, "="); ok {
			value = skipSpace(value)
			at, left, ok := parseValue(value)
			if !ok {
				s = skipMalformed(value)
				continue
			}
			at.name = name
			list.addAttribute(at, asWritten)
			s = left
			continue
		}
		if rest != "" && len(after) == len(rest) {
			s = skipMalformed(rest)
			continue
		}
		list.addAttribute(attribute{name: name}, asWritten)
		s = after
	}
	return list.all
}

func asWritten(value string) string { return value }

func nameLen(s string) int {
	n := 0
	for n < len(s) && (isLetter(s[n]) || s[n] == '_' || n > 0 && (isDigit(s[n]) || strings.IndexByte("-:.", s[n]) >= 0)) {
		n++
	}
	return n
}

// parseValue parses a value and the white space after it. ok is false if anything else follows, except a slash before
// the end of the tag.
func parseValue(s string) (at attribute, rest string, ok bool) {
	if s == "" {
		return at, "", false
	}
	at.quote = s[0]
	if at.quote == '"' || at.quote == '\'' {
		end := strings.IndexByte(s[1:], at.quote)
		if end < 0 {
			return at, "", false
		}
		at.value, rest = s[1:1+end], s[end+2:]
		if rest == "/" || rest == "/\n" {
			rest = ""
		}
		return at, skipSpace(rest), rest == "" || isSpace(rest[0])
	}
	at.quote = '"'
	end := 0
	for end < len(s) && !isSpace(s[end]) && s[end] != '"' && s[end] != '\'' {
		end++
	}
	at.value, rest = s[:end], s[end:]
	return at, skipSpace(rest), rest == "" || isSpace(rest[0])
}

// skipMalformed skips everything up to and including the next white space that is not in quotes.
func skipMalformed(s string) string {
	i := 0
	for i < len(s) && !isSpace(s[i]) {
		if s[i] == '"' || s[i] == '\'' {
			end := strings.IndexByte(s[i+1:], s[i])
			if end < 0 {
				return ""
			}
			i += end + 1
		}
		i++
	}
	return skipSpace(s[i:])
}
