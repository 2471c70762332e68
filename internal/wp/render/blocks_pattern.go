package render

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// Limits of synced patterns. Patterns beyond them are not rendered, since each pattern may contain many others.
const (
	PatternDepth = 4       // greatest depth of patterns in patterns
	maxPatterns  = 100     // greatest number in one text
	patternBytes = 1 << 20 // greatest total size in one text
)

// patternRun is the state of rendering synced patterns in a text.
type patternRun struct {
	open      []int64       // ids of the patterns around the current block
	overrides *phpval.Array // overrides of the innermost pattern, by block name
	count     int
	bytes     int
}

func (r *blockRenderer) pattern(b *block, depth int) {
	p := &r.patterns
	id := patternID(b.attrs())
	text := r.env.Patterns[id]
	full := len(p.open) == PatternDepth || p.count == maxPatterns || p.bytes+len(text) > patternBytes
	if text == "" || full || slices.Contains(p.open, id) {
		return
	}
	p.count++
	p.bytes += len(text)
	around := p.overrides
	p.open, p.overrides = append(p.open, id), patternOverrides(b.attrs())
	r.notes = r.notes || r.has(release.NoteMarks) && strings.Contains(text, noteClass)
	for _, in := range parseBlocks(r.env.embedded(text)) {
		r.block(in, nil, depth+1)
	}
	p.open, p.overrides = p.open[:len(p.open)-1], around
}

// patternID returns the id of the pattern that a block with these attributes shows, 0 if there is none.
func patternID(attrs *phpval.Array) int64 {
	switch v := attrs.At("ref").(type) {
	case int64, float64:
		return phpval.Int(v)
	case string:
		if _, _, numeric := wp.Numeric(v); numeric {
			return phpval.Int(v)
		}
	}
	return 0
}

// patternOverrides returns the overrides of a pattern by block name. Older posts store them in another attribute, and
// with one more level of nesting.
func patternOverrides(attrs *phpval.Array) *phpval.Array {
	list := attrs.ArrayAt("content")
	if attrs.At("content") == nil {
		return attrs.ArrayAt("overrides")
	}
	out := &phpval.Array{}
	for name, v := range list.All() {
		if own, ok := v.(*phpval.Array); ok {
			if values := own.ArrayAt("values"); values.Len() > 0 && !phpval.IsList(values) {
				v = values
			}
		}
		out.Set(name, v)
	}
	return out
}

// overridable is an attribute of a block that a pattern can override: an attribute of a tag or, if attr is "", the
// content of an element.
type overridable struct {
	name, attr string
	tags       []string // elements that have it; the first one found counts
}

var overridables = map[string][]overridable{
	"core/paragraph": {{name: "content", tags: []string{"p"}}},
	"core/heading":   {{name: "content", tags: []string{"h1", "h2", "h3", "h4", "h5", "h6"}}},
	imageBlock: {{name: "url", attr: "src", tags: []string{"img"}}, {name: "title", attr: "title", tags: []string{"img"}},
		{name: "alt", attr: "alt", tags: []string{"img"}}, {name: "caption", tags: []string{"figcaption"}}},
	"core/button": {{name: "url", attr: "href", tags: []string{"a"}}, {name: "text", tags: []string{"a", "button"}},
		{name: "linkTarget", attr: "target", tags: []string{"a"}}, {name: "rel", attr: "rel", tags: []string{"a"}}},
}

// overridden applies the overrides of the enclosing pattern to a block.
func (r *blockRenderer) overridden(b *block, html string) string {
	list := overridables[b.name]
	meta := b.attrs().ArrayAt("metadata")
	bindings := meta.ArrayAt("bindings")
	if list == nil || html == "" || bindings.Len() == 0 {
		return html
	}
	name, _ := meta.At("name").(string)
	values := r.patterns.overrides.ArrayAt(name)
	all := isOverride(bindings.At("__default"))
	bound := func(name string) bool {
		own := bindings.At(name)
		return isOverride(own) || own == nil && all
	}
	for _, o := range list {
		if v := values.At(o.name); v != nil && bound(o.name) {
			if _, nested := v.(*phpval.Array); !nested {
				html = o.override(html, phpval.Text(v), r.env.Release)
			}
		}
	}
	if b.name == imageBlock && bound("id") {
		id := values.At("id")
		if id == nil {
			id = b.attrs().At("id")
		}
		html = imageOf(html, phpval.Int(id))
	}
	return html
}

func isOverride(binding phpval.Value) bool {
	b, _ := binding.(*phpval.Array)
	return b.At("source") == "core/pattern-overrides"
}

func (o overridable) override(html, value string, rel release.Release) string {
	for _, name := range o.tags {
		t, ok := findTag(html, name, "")
		if !ok {
			continue
		}
		if o.attr != "" {
			return t.setAttrs(html, tagAttr{name: o.attr, value: value})
		}
		if end := closerOf(html, t); end >= 0 {
			return html[:t.end] + kses.Filter(value, kses.Post(rel)) + html[end:]
		}
		return html
	}
	return html
}

// closerOf returns the beginning of an element's end tag, or -1.
func closerOf(html string, t htmlTag) int {
	open := 1
	for i := t.next; ; {
		in, ok := nextTag(html, i, true)
		if !ok {
			return -1
		}
		switch {
		case in.name != t.name:
		case in.closer:
			if open--; open == 0 {
				return in.start
			}
		default:
			open++
		}
		i = in.next
	}
}

// imageOf changes the attachment's id in the class of an image.
func imageOf(html string, id int64) string {
	t, ok := findTag(html, "img", "")
	if !ok || id == 0 {
		return html
	}
	a, _ := t.attr(html, "class")
	class, want := a.decoded(), imageClass+strconv.FormatInt(id, 10)
	if i := strings.Index(class, imageClass); i >= 0 && !strings.Contains(class, want) {
		rest := strings.TrimLeft(class[i+len(imageClass):], "0123456789")
		return t.setAttrs(html, tagAttr{name: "class", value: class[:i] + want + rest})
	}
	return html
}
