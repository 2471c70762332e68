package kses

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

var lineBreaks = strings.NewReplacer("\n", "", "\r", "", "\t", "")

// Style filters the declarations of a style attribute: it keeps known properties with safe values. It corresponds to
// WordPress's safecss_filter_attr.
func Style(declarations string, r release.Release) string {
	return data.lists[r]().styles.filter(declarations)
}

// styleLists are the properties and functions that a release allows in styles.
type styleLists struct {
	properties, urls, functions map[string]bool
	anyGradients                bool // gradients may be combined with other values, and may contain any function
}

// filter keeps declarations of known properties with safe values. A declaration without a colon is kept if it is a safe
// value.
func (l *styleLists) filter(s string) string {
	s = lineBreaks.Replace(dropSlashZeros(dropControls(s)))
	var b strings.Builder
	for item := range strings.SplitSeq(phpval.Trim(s), ";") {
		if item == "" {
			continue
		}
		item = phpval.Trim(item)
		if !l.isSafeDeclaration(item) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(';')
		}
		b.WriteString(item)
	}
	return b.String()
}

func (l *styleLists) isSafeDeclaration(item string) bool {
	property, value, ok := strings.Cut(item, ":")
	if !ok {
		return l.isSafeValue(item)
	}
	property = phpval.Trim(property)
	urls := l.urls[property]
	gradients := property == "background" || property == "background-image"
	switch {
	case isVariable(property):
		urls = strings.HasPrefix(phpval.Trim(value), "url(")
		gradients = strings.Contains(value, "-gradient(")
	case !l.properties[property]:
		return false
	}
	rest := value
	if urls {
		if rest, ok = withoutURLs(value); !ok {
			return false
		}
	}
	switch {
	case gradients && l.anyGradients:
		if rest, ok = withoutGradients(rest); !ok {
			return false
		}
	case gradients && isGradient(phpval.Trim(value)):
		rest = ""
	}
	return l.isSafeValue(rest)
}

// isVariable reports whether a property is a CSS variable: "--" and a name.
func isVariable(property string) bool {
	name, ok := strings.CutPrefix(property, "--")
	return ok && isPlainName(name)
}

// isPlainName reports whether a name consists of letters, digits, "-" and "_".
func isPlainName(name string) bool {
	for i := range len(name) {
		if c := name[i]; !isLetter(c) && !isDigit(c) && c != '-' && c != '_' {
			return false
		}
	}
	return name != ""
}

// withoutURLs removes every "url(…)" from a value. The second result is false if one contains a URL that is not
// allowed.
func withoutURLs(value string) (string, bool) {
	var b strings.Builder
	for {
		i := strings.Index(value, "url(")
		from := i + len("url(")
		n := -1
		if i >= 0 {
			n = strings.IndexByte(value[from:], ')')
		}
		if n < 0 {
			b.WriteString(value)
			return b.String(), true
		}
		if n == 0 {
			b.WriteString(value[:from])
			value = value[from:]
			continue
		}
		address := phpval.Trim(unquoted(value[from : from+n]))
		if address == "" || address == "0" || URL(address) != address {
			return "", false
		}
		b.WriteString(value[:i])
		value = value[from+n+1:]
	}
}

// unquoted returns the content of url(…) without quotes.
func unquoted(s string) string {
	s = skipSpace(s)
	t := strings.TrimRight(s, space)
	if len(t) >= 2 && (t[0] == '"' || t[0] == '\'') && t[len(t)-1] == t[0] {
		return t[1 : len(t)-1]
	}
	return s
}

// isGradient reports whether a value is one gradient that contains no parentheses other than those of rgb(…) and
// rgba(…).
func isGradient(s string) bool {
	s = strings.TrimPrefix(s, "repeating-")
	for _, kind := range []string{"linear", "radial", "conic"} {
		if rest, ok := strings.CutPrefix(s, kind+"-gradient("); ok {
			return closesGradient(rest)
		}
	}
	return false
}

func closesGradient(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ')':
			return i == len(s)-1
		case '(':
			if !strings.HasSuffix(s[:i], "rgb") && !strings.HasSuffix(s[:i], "rgba") {
				return false
			}
			n := strings.IndexAny(s[i+1:], "()")
			if n < 0 || s[i+1+n] == '(' {
				return false
			}
			i += 1 + n
		}
	}
	return false
}

// isSafeValue reports whether a value, without calls of allowed functions, contains nothing that could execute code or
// hide it.
func (l *styleLists) isSafeValue(s string) bool {
	if strings.IndexByte(s, '(') >= 0 {
		s = l.withoutFunctions(s)
	}
	return !strings.ContainsAny(s, `\(&=}`) && !strings.Contains(s, "/*")
}

// withoutFunctions removes calls of allowed functions whose parentheses are balanced.
func (l *styleLists) withoutFunctions(s string) string {
	ends := bracketEnds(s)
	var b strings.Builder
	from := 0
	for i := 0; i < len(s); i++ {
		if s[i] != '(' || ends[i] == 0 {
			continue
		}
		name := i
		for name > 0 && (isLetter(s[name-1]) || isDigit(s[name-1]) || s[name-1] == '_') {
			name--
		}
		if name < from || !l.functions[s[name:i]] {
			continue
		}
		b.WriteString(s[from:name])
		from = ends[i] + 1
		i = ends[i]
	}
	b.WriteString(s[from:])
	return b.String()
}

// bracketEnds returns the position of the matching ")" for each "(", 0 if there is none.
func bracketEnds(s string) []int {
	ends := make([]int, len(s))
	var open []int
	for i := range len(s) {
		switch s[i] {
		case '(':
			open = append(open, i)
		case ')':
			if n := len(open); n > 0 {
				ends[open[n-1]] = i
				open = open[:n-1]
			}
		}
	}
	return ends
}
