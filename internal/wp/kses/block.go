package kses

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// delimiter is one "<!-- wp:name {…} -->" and where it stands.
type delimiter struct {
	start, end   int
	name, json   string
	closer, void bool
}

// blocks writes block delimiters in their one form: single spaces, attributes
// filtered and encoded anew, void if nothing stands in the block, closed at the
// end if nothing closes it. A closer without an opener ends it all: what follows
// stays as it is.
func (a *Allowed) blocks(s string, depth int) string {
	if !strings.Contains(s, "<!--") {
		return s
	}
	s = shortenClosings(s)
	f := finder{s: s}
	d, ok := f.next(0)
	if !ok {
		return s
	}
	var w blockWriter
	from := 0
	for ; ok; d, ok = f.next(from) {
		if d.closer && !d.void && len(w.open) == 0 {
			break
		}
		w.b = append(w.b, s[from:d.start]...)
		from = d.end
		switch {
		case d.void:
			w.opener(d.name, a.blockAttributes(d, depth))
			w.close()
		case d.closer:
			w.close()
		default:
			w.opener(d.name, a.blockAttributes(d, depth))
		}
	}
	w.b = append(w.b, s[from:]...)
	for len(w.open) > 0 {
		w.close()
	}
	return string(w.b)
}

// blockWriter writes delimiters. open are the blocks that are open.
type blockWriter struct {
	b    []byte
	open []openBlock
}

type openBlock struct {
	name string
	from int // where its content starts
}

func (w *blockWriter) opener(name, attributes string) {
	name = strings.TrimPrefix(name, "core/")
	w.b = append(w.b, "<!-- wp:"+name+" "...)
	if attributes != "" {
		w.b = append(w.b, attributes...)
		w.b = append(w.b, ' ')
	}
	w.b = append(w.b, "-->"...)
	w.open = append(w.open, openBlock{name, len(w.b)})
}

func (w *blockWriter) close() {
	last := w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	if len(w.b) == last.from {
		w.b = append(w.b[:last.from-len("-->")], "/-->"...)
		return
	}
	w.b = append(w.b, "<!-- /wp:"+last.name+" -->"...)
}

// finder finds delimiters. It remembers where attributes end next, so that many
// openings without an end cost no more than one.
type finder struct {
	s        string
	jsonEnd  int // the "}" before the end of a delimiter, -1 if there is none
	jsonSeen int // from where that holds
	sought   bool
}

// next finds the first delimiter from i on.
func (f *finder) next(i int) (delimiter, bool) {
	for {
		n := strings.Index(f.s[i:], "<!--")
		if n < 0 {
			return delimiter{}, false
		}
		i += n
		if d, ok := f.at(i); ok {
			return d, true
		}
		i += len("<!--")
	}
}

// at reads the delimiter at i.
func (f *finder) at(i int) (delimiter, bool) {
	d := delimiter{start: i}
	i += len("<!--")
	from := f.skip(i)
	if from == i {
		return d, false
	}
	i = from
	if strings.HasPrefix(f.s[i:], "/") {
		d.closer = true
		i++
	}
	if !strings.HasPrefix(f.s[i:], "wp:") {
		return d, false
	}
	i += len("wp:")
	n := blockNameLen(f.s[i:])
	if n == 0 {
		return d, false
	}
	d.name = f.s[i : i+n]
	if !strings.Contains(d.name, "/") {
		d.name = "core/" + d.name
	}
	i += n
	if from = f.skip(i); from == i {
		return d, false
	}
	i = from
	if strings.HasPrefix(f.s[i:], "{") {
		end := f.endOfJSON(i)
		if end < 0 {
			return d, false
		}
		d.json = f.s[i : end+1]
		i = f.skip(end + 1)
	}
	rest := f.s[i:]
	if strings.HasPrefix(rest, "/") {
		d.void = true
		i++
	}
	d.end = i + len("-->")
	return d, strings.HasPrefix(f.s[i:], "-->")
}

func (f *finder) skip(i int) int {
	for i < len(f.s) && isSpace(f.s[i]) {
		i++
	}
	return i
}

// endOfJSON finds the first "}" from i on that white space and the end of a
// comment follow.
func (f *finder) endOfJSON(i int) int {
	if f.sought && i >= f.jsonSeen && (f.jsonEnd < 0 || f.jsonEnd >= i) {
		return f.jsonEnd
	}
	f.sought, f.jsonSeen, f.jsonEnd = true, i, -1
	for {
		n := strings.IndexByte(f.s[i:], '}')
		if n < 0 {
			return -1
		}
		end := i + n
		i = f.skip(end + 1)
		if i == end+1 {
			continue
		}
		if strings.HasPrefix(strings.TrimPrefix(f.s[i:min(len(f.s), i+4)], "/"), "-->") {
			f.jsonEnd = end
			return end
		}
	}
}

// blockNameLen is the length of the name of a block, with its namespace.
func blockNameLen(s string) int {
	n := wordLen(s)
	if n > 0 && n < len(s) && s[n] == '/' {
		m := wordLen(s[n+1:])
		if m == 0 {
			return 0
		}
		return n + 1 + m
	}
	return n
}

func wordLen(s string) int {
	n := 0
	for n < len(s) {
		c := s[n]
		if 'a' <= c && c <= 'z' || n > 0 && (isDigit(c) || c == '_' || c == '-') {
			n++
			continue
		}
		break
	}
	return n
}

// shortenClosings turns a "--->" with more dashes before it, on the line of a
// "<!--", into "-->".
func shortenClosings(s string) string {
	if !strings.Contains(s, "--->") {
		return s
	}
	var b strings.Builder
	var long, line seeker
	for from, i := 0, 0; ; {
		n := strings.Index(s[i:], "<!--")
		if n < 0 {
			b.WriteString(s[from:])
			return b.String()
		}
		inside := i + n + len("<!--")
		end, newline := long.from(s, "--->", inside), line.from(s, "\n", inside)
		switch {
		case end == len(s):
			b.WriteString(s[from:])
			return b.String()
		case newline < end:
			i = newline
		default:
			b.WriteString(s[from:inside])
			b.WriteString(strings.TrimRight(s[inside:end], "-"))
			b.WriteString("-->")
			i = end + len("--->")
			from = i
		}
	}
}

// blockAttributes filters the attributes of a block and encodes them anew.
func (a *Allowed) blockAttributes(d delimiter, depth int) string {
	if d.json == "" {
		return ""
	}
	v, ok := decodeJSON(d.json)
	if !ok {
		return ""
	}
	list, _ := a.blockValue(v, d.name, depth).(*phpval.Array)
	if list.Len() == 0 {
		return ""
	}
	return string(appendJSON(nil, list))
}

// blockValue filters the texts and names in an attribute.
func (a *Allowed) blockValue(v phpval.Value, block string, depth int) phpval.Value {
	switch x := v.(type) {
	case string:
		return a.value(x, depth)
	case *phpval.Array:
		return a.blockMembers(x, block, depth)
	}
	return v
}

// blockMembers filters the members of an attribute. A changed name moves its
// member to the end, or into the place of one that has the name.
func (a *Allowed) blockMembers(x *phpval.Array, block string, depth int) *phpval.Array {
	out := &phpval.Array{}
	for k, e := range x.All() {
		out.Set(k, e)
	}
	for k, e := range x.All() {
		key := k
		if _, isInt := k.Int(); !isInt {
			key = phpval.StrKey(a.value(k.String(), depth))
		}
		e = a.blockValue(e, block, depth)
		if block == "core/template-part" && key.String() == "tagName" {
			e = a.templateTag(e)
		}
		if key != k {
			out.Delete(k)
		}
		out.Set(key, e)
	}
	return out
}

// templateTag is the name of the element that a template part is wrapped in: ""
// if it is not allowed.
func (a *Allowed) templateTag(v phpval.Value) phpval.Value {
	name, ok := v.(string)
	if _, allowed := a.tags[name]; ok && !allowed && phpval.Truthy(name) {
		return ""
	}
	return v
}
