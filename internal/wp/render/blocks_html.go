package render

import (
	"html"
	"iter"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// htmlTag is a start tag or, if closer is set, an end tag.
type htmlTag struct {
	start, end int    // including the angle brackets
	nameEnd    int    // end of the name
	name       string // in lower case
	closer     bool
	next       int // where to continue: after the content, if that is not HTML
}

type htmlAttr struct {
	start, end int    // including the value and its quotes
	value      string // as written
	has        bool   // the attribute has a value
}

// nextTag finds the first tag at or after i. It skips comments and elements whose content is not HTML. If one of these
// is never closed, there are no more tags.
func nextTag(s string, i int, closers bool) (htmlTag, bool) {
	for {
		n := strings.IndexByte(s[i:], '<')
		if n < 0 || i+n+1 >= len(s) {
			return htmlTag{}, false
		}
		i += n
		closer := s[i+1] == '/'
		name := i + 1
		if closer {
			name++
		}
		if name < len(s) && isLetter(s[name]) {
			t, ok := readTag(s, i, name)
			if !ok {
				return t, false
			}
			t.closer = closer
			if !closer && !t.passContent(s) {
				return t, false
			}
			if !closer || closers {
				return t, true
			}
			i = t.next
			continue
		}
		end := markupEnd(s, i)
		if end < 0 {
			return htmlTag{}, false
		}
		i = end
	}
}

// openTags yields the start tags of a text from i on.
func openTags(s string, i int) iter.Seq[htmlTag] {
	return func(yield func(htmlTag) bool) {
		for {
			t, ok := nextTag(s, i, false)
			if !ok || !yield(t) {
				return
			}
			i = t.next
		}
	}
}

func isLetter(c byte) bool { return c|0x20-'a' < 26 }

// markupEnd returns the end of the markup at i that is not a tag: a comment, something that counts as one, or just the
// "<". It returns -1 if it is never closed.
func markupEnd(s string, i int) int {
	switch {
	case strings.HasPrefix(s[i:], "<!-->"):
		return i + len("<!-->")
	case strings.HasPrefix(s[i:], "<!--->"):
		return i + len("<!--->")
	case strings.HasPrefix(s[i:], "<!--"):
		return commentEnd(s, i+4)
	case i+1 < len(s) && (s[i+1] == '!' || s[i+1] == '?' || s[i+1] == '/'):
	default:
		return i + 1
	}
	n := strings.IndexByte(s[i+2:], '>')
	if n < 0 {
		return -1
	}
	return i + 2 + n + 1
}

// commentEnd returns the end of a comment, which may also be closed by "--!>", or -1.
func commentEnd(s string, i int) int {
	for {
		n := strings.Index(s[i:], "--")
		if n < 0 {
			return -1
		}
		i += n
		rest := s[i+2:]
		if strings.HasPrefix(rest, ">") {
			return i + 3
		}
		if strings.HasPrefix(rest, "!>") {
			return i + 4
		}
		i++
	}
}

func readTag(s string, i, name int) (htmlTag, bool) {
	p := name
	for p < len(s) && s[p] != '/' && s[p] != '>' && !tagSpace(s[p]) {
		p++
	}
	t := htmlTag{start: i, nameEnd: p, name: phpval.Lower(s[name:p])}
	for {
		a, _, ok := readAttr(s, p)
		if !ok {
			return t, false
		}
		if a.start == a.end {
			t.end, t.next = a.end+1, a.end+1
			return t, true
		}
		p = a.end
	}
}

// tagSpace reports whether c is white space between attributes.
func tagSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' }

func skipTagSpace(s string, i int) int {
	for i < len(s) && tagSpace(s[i]) {
		i++
	}
	return i
}

// readAttr parses the next attribute at or after p. An empty attribute means that p is at the ">" of the tag. ok is
// false if the text ends before the tag does.
func readAttr(s string, p int) (a htmlAttr, name string, ok bool) {
	for p < len(s) && (tagSpace(s[p]) || s[p] == '/') {
		p++
	}
	a.start = p
	for p < len(s) && (s[p] != '=' || p == a.start) && s[p] != '/' && s[p] != '>' && !tagSpace(s[p]) {
		p++
	}
	name, a.end = s[a.start:p], p
	if p == len(s) || p == a.start {
		return a, "", p < len(s)
	}
	p = skipTagSpace(s, p)
	if p == len(s) || s[p] != '=' {
		return a, name, p < len(s)
	}
	if p = skipTagSpace(s, p+1); p == len(s) {
		return a, name, false
	}
	a.has = true
	if q := s[p]; q == '"' || q == '\'' {
		n := strings.IndexByte(s[p+1:], q)
		if n < 0 {
			return a, name, false
		}
		a.value, a.end = s[p+1:p+1+n], p+n+2
		return a, name, true
	}
	from := p
	for p < len(s) && s[p] != '>' && !tagSpace(s[p]) {
		p++
	}
	a.value, a.end = s[from:p], p
	return a, name, p < len(s)
}

// attr finds an attribute by its name in lower case. The first one counts.
func (t htmlTag) attr(s, want string) (htmlAttr, bool) {
	for p := t.nameEnd; ; {
		a, name, ok := readAttr(s, p)
		if !ok || a.start == a.end {
			return htmlAttr{}, false
		}
		if len(name) == len(want) && phpval.Lower(name) == want {
			return a, true
		}
		p = a.end
	}
}

// passContent sets next to the end of an element whose content is not HTML. It returns false if the element is never
// closed.
func (t *htmlTag) passContent(s string) bool {
	switch t.name {
	case "script", "style", "textarea", "title", "iframe", "noembed", "noframes", "xmp":
	default:
		return true
	}
	for p := t.end; ; {
		n := strings.Index(s[p:], "</")
		if n < 0 {
			return false
		}
		p += n + 2
		end := p + len(t.name)
		if end < len(s) && strings.EqualFold(s[p:end], t.name) && (tagSpace(s[end]) || s[end] == '/' || s[end] == '>') {
			c, ok := readTag(s, p-2, p)
			t.next = c.end
			return ok
		}
	}
}

// tagAttr is an attribute to be set. If bare is set, it has no value.
type tagAttr struct {
	name, value string
	bare        bool
}

// markup returns the attribute as HTML. URLs are escaped as in links.
func (a tagAttr) markup() string {
	switch {
	case a.bare:
		return a.name
	case a.name == "href" || a.name == "src":
		return a.name + `="` + displayURL(a.value) + `"`
	}
	return a.name + `="` + attrEscapes.Replace(a.value) + `"`
}

var attrEscapes = strings.NewReplacer("<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;", "&", "&amp;")

// setAttrs sets attributes of a tag in s. Existing ones are replaced; new ones are inserted after the tag's name,
// sorted by their HTML, as WordPress's WP_HTML_Tag_Processor does.
func (t htmlTag) setAttrs(s string, attrs ...tagAttr) string {
	if len(attrs) == 1 {
		if old, ok := t.attr(s, attrs[0].name); ok {
			return s[:old.start] + attrs[0].markup() + s[old.end:]
		}
		return s[:t.nameEnd] + " " + attrs[0].markup() + s[t.nameEnd:]
	}
	var added []string
	for _, a := range attrs {
		if old, ok := t.attr(s, a.name); ok {
			s = s[:old.start] + a.markup() + s[old.end:]
		} else {
			added = append(added, " "+a.markup())
		}
	}
	slices.Sort(added)
	return s[:t.nameEnd] + strings.Join(added, "") + s[t.nameEnd:]
}

// withoutAttr removes an attribute from a tag in s. The white space around it is kept.
func (t htmlTag) withoutAttr(s, name string) string {
	if a, ok := t.attr(s, name); ok {
		return s[:a.start] + s[a.end:]
	}
	return s
}

// changeTags calls change for each start tag of a text and replaces the tag by the result.
func changeTags(html string, change func(tag string, t htmlTag) string) string {
	var out strings.Builder
	last := 0
	for t := range openTags(html, 0) {
		tag := html[t.start:t.end]
		changed := change(tag, htmlTag{end: len(tag), nameEnd: t.nameEnd - t.start, name: t.name})
		if changed == tag {
			continue
		}
		out.WriteString(html[last:t.start])
		out.WriteString(changed)
		last = t.end
	}
	if last == 0 {
		return html
	}
	out.WriteString(html[last:])
	return out.String()
}

// decoded returns the value of an attribute with entities decoded.
func (a htmlAttr) decoded() string { return html.UnescapeString(a.value) }

// manyClasses is the number of classes from which a map is used.
const manyClasses = 32

// addClasses adds classes to a tag in s, except those that it already has.
func (t htmlTag) addClasses(s string, classes ...string) string {
	a, _ := t.attr(s, "class")
	old := a.decoded()
	names := make([]string, 0, manyClasses)
	var many map[string]bool
	isNew := func(name string) bool {
		if name == "" || many[name] || many == nil && slices.Contains(names, name) {
			return false
		}
		names = append(names, name)
		if many == nil && len(names) > manyClasses {
			many = make(map[string]bool)
			for _, n := range names {
				many[n] = true
			}
		} else if many != nil {
			many[name] = true
		}
		return true
	}
	value := make([]byte, 0, len(old)+64)
	for p := 0; p < len(old); {
		from := skipTagSpace(old, p)
		gap := old[p:from]
		p = from
		for p < len(old) && !tagSpace(old[p]) {
			p++
		}
		if name := old[from:p]; isNew(name) {
			if len(value) > 0 {
				value = append(value, gap...)
			}
			value = append(value, name...)
		}
	}
	changed := false
	for _, c := range classes {
		if !isNew(c) {
			continue
		}
		changed = true
		if len(value) > 0 {
			value = append(value, ' ')
		}
		value = append(value, c...)
	}
	if !changed {
		return s
	}
	return t.setAttrs(s, tagAttr{name: "class", value: string(value)})
}
