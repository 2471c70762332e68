package kses

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// blocks normalizes block delimiters: single spaces, filtered and newly encoded attributes, a void delimiter for an
// empty block, and a closing delimiter if there is none. After a closing delimiter without an opening one, it changes
// nothing.
func (a *Allowed) blocks(s string, depth int) string {
	if !strings.Contains(s, "<!--") {
		return s
	}
	s = shortenClosings(s)
	var w blockWriter
	from := 0
	for d := range Delimiters(s) {
		if d.Closer && !d.Void && len(w.open) == 0 {
			break
		}
		w.b = append(w.b, s[from:d.Start]...)
		from = d.End
		if d.Void || !d.Closer {
			w.opener(d.Name, a.blockAttributes(d, depth))
		}
		if d.Void || d.Closer {
			w.close()
		}
	}
	if from == 0 {
		return s
	}
	w.b = append(w.b, s[from:]...)
	for len(w.open) > 0 {
		w.close()
	}
	return string(w.b)
}

// blockWriter writes delimiters. open contains the open blocks, outermost first.
type blockWriter struct {
	b    []byte
	open []openBlock
}

type openBlock struct {
	name string
	from int // position at which its content starts
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

// shortenClosings replaces "--->", with any number of additional dashes, by "-->" if it is on the same line as a
// "<!--".
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

// blockAttributes filters the attributes of a block and encodes them again.
func (a *Allowed) blockAttributes(d Delimiter, depth int) string {
	v, ok := decodeJSON(d.Attrs)
	if !ok {
		return ""
	}
	list, _ := a.blockValue(v, d.Name, depth).(*phpval.Array)
	if list.Len() == 0 {
		return ""
	}
	return string(appendJSON(nil, list))
}

// blockValue filters the strings and names in an attribute's value.
func (a *Allowed) blockValue(v phpval.Value, block string, depth int) phpval.Value {
	switch x := v.(type) {
	case string:
		return a.value(x, depth)
	case *phpval.Array:
		return a.blockMembers(x, block, depth)
	}
	return v
}

// blockMembers filters the members of an object. A member whose name changes moves to the end, or replaces the one that
// has that name, as in PHP.
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

// templateTag returns the name of the element that wraps a template part, "" if it is not allowed.
func (a *Allowed) templateTag(v phpval.Value) phpval.Value {
	name, ok := v.(string)
	if _, allowed := a.tags[name]; ok && !allowed && phpval.Truthy(name) {
		return ""
	}
	return v
}
