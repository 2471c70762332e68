package kses

import (
	"html"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// attribute is one attribute of a tag. quote is 0 if it has no value.
type attribute struct {
	name, value string
	quote       byte
}

// attributes filters the attributes of a tag, the end of the tag included. The
// result is false if nothing of the tag may stay.
func (a *Allowed) attributes(e element, s string) (string, bool) {
	end := ">"
	if strings.HasSuffix(strings.TrimRight(s, space), "/") {
		end = " />"
	}
	if len(e.rules) == 0 {
		return end, true
	}
	// An element that lacks a required attribute keeps none, and does not stay
	// at all if it has no content.
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
			at.write(&b)
		}
	}
	if len(found) < e.required {
		return ">", end == ">"
	}
	return b.String() + end, true
}

// parse reads attributes as the release does.
func (a *Allowed) parse(s string) []attribute {
	if a.release.Has(release.ParsedAttributes) {
		return parseAsBrowser(s)
	}
	return parseAttributes(s)
}

// style filters the value of a style attribute, which is written as parse returns it.
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

// changedStyle writes a style of which something was left out.
var changedStyle = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#039;")

// ruleOf returns the rule of an attribute, and whether it is allowed.
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

func (at attribute) write(b *strings.Builder) {
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

// attributeList collects attributes. Of several with one name the first counts.
type attributeList struct {
	all   []attribute
	names map[string]bool // only of long lists
}

// indexFrom is the number of attributes from which their names are indexed.
const indexFrom = 16

// add adds an attribute, whose value encode writes once its address is checked.
func (l *attributeList) add(at attribute, encode func(string) string) {
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

// parseAttributes reads attributes from left to right. What is malformed is
// skipped up to the next white space.
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
			list.add(at, asWritten)
			s = left
			continue
		}
		if rest != "" && len(after) == len(rest) {
			s = skipMalformed(rest)
			continue
		}
		list.add(attribute{name: name}, asWritten)
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

// parseValue reads a value and the white space after it; one that anything else
// follows is malformed. Before the end of the tag a slash may follow.
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

// skipMalformed skips quoted text and anything else up to white space, and that.
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
