package kses

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// blocks writes block delimiters in their one form: single spaces, attributes filtered and encoded
// anew, void if the block is empty, closed at the end if nothing closes it. After a closer without
// an opener the text stays as it is.
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
