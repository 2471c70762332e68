package render

import (
	"crypto/md5"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// layoutBlock is how a kind of block lays out its content.
type layoutBlock struct {
	layout  []phpval.Value // of a block without a layout of its own, as pairs
	gap     string         // between its parts
	skipGap bool           // the block sets the gap itself
}

var layoutBlocks = map[string]layoutBlock{
	"core/group":        {gap: "0.5em"},
	"core/column":       {gap: "0.5em"},
	"core/quote":        {gap: "0.5em"},
	"core/details":      {gap: "0.5em"},
	"core/cover":        {gap: "0.5em"},
	"core/columns":      {gap: "2em", layout: []phpval.Value{"type", "flex", "flexWrap", "nowrap"}},
	"core/buttons":      {gap: "0.5em", layout: []phpval.Value{"type", "flex"}},
	"core/social-links": {gap: "0.5em", layout: []phpval.Value{"type", "flex"}},

	accordionBlock:         {gap: "0.5em"},
	accordionItem:          {gap: "0.5em"},
	"core/accordion-panel": {gap: "0.5em"},

	"core/gallery": {gap: "0.5em", layout: []phpval.Value{"type", "flex"}, skipGap: true},
}

// blockLayout is what the layout of a block, or of the one around it, adds.
type blockLayout struct {
	outer string // a class for the outermost tag
	kind  *layoutBlock
}

// layoutOf returns what to add to a block, nil for nothing.
func layoutOf(b, parent *block) *blockLayout {
	var l blockLayout
	if strings.Contains(b.raw, "layout") {
		l.outer = childClass(b, parent)
	}
	if kind, ok := layoutBlocks[b.name]; ok {
		l.kind = &kind
	}
	if l.kind == nil && l.outer == "" {
		return nil
	}
	return &l
}

// childClass returns the class of a block that has its own size in the layout of the
// block around it. A place alone makes none.
func childClass(b, parent *block) string {
	child := b.attrs().ArrayAt("style").ArrayAt("layout")
	stretch := child.At("selfStretch")
	placed := stretch == "fill" || stretch == "fixed" && child.At("flexSize") != nil
	if !placed && child.At("columnSpan") == nil && child.At("rowSpan") == nil {
		return ""
	}
	around := &phpval.Array{}
	if parent != nil {
		around = onlyKeys(parent.attrs().ArrayAt("layout"), "minimumColumnWidth", "columnCount")
	}
	own := onlyKeys(child, "selfStretch", "flexSize", "columnStart", "columnSpan", "rowStart", "rowSpan")
	return "wp-container-content-" + shortHash(phpval.Members("layout", own, "parentLayout", around))
}

func onlyKeys(list *phpval.Array, names ...string) *phpval.Array {
	out := &phpval.Array{}
	for k, v := range list.All() {
		if slices.Contains(names, k.String()) {
			out.Set(k, v)
		}
	}
	return out
}

// shortHash returns the start of a hash of a value.
func shortHash(v phpval.Value) string {
	sum := md5.Sum(appendPHPJSON(nil, v))
	return hex.EncodeToString(sum[:4])
}

// apply adds the classes: to the element around the inner blocks if that can be
// found, else to the first one.
func (l *blockLayout) apply(html string, b *block, rootPadding bool) string {
	t, ok := nextTag(html, 0, false)
	if !ok {
		return html
	}
	if l.kind == nil {
		return t.addClasses(html, l.outer)
	}
	classes := l.kind.classes(b, rootPadding)
	first, wrapper := t.start, innerWrapper(b)
	for wrapper != "" {
		if class, _ := t.attr(html, "class"); strings.Contains(class.value, wrapper) {
			break
		}
		inner, ok := nextTag(html, t.next, false)
		if !ok {
			return firstTagClasses(html, l.outer)
		}
		t = inner
	}
	if t.start == first {
		return t.addClasses(html, append([]string{l.outer}, classes...)...)
	}
	return firstTagClasses(t.addClasses(html, classes...), l.outer)
}

// innerWrapper returns the class of the last tag before the first inner block.
func innerWrapper(b *block) string {
	if len(b.content) < 2 || b.content[0].inner != nil {
		return ""
	}
	text, wrapper := b.content[0].text, ""
	for t := range openTags(text, 0) {
		if class, ok := t.attr(text, "class"); ok && class.value != "" {
			wrapper = class.value
		}
	}
	return wrapper
}

// layoutAttrs returns the settings of the block, nil without any, and those in
// use, which may be the defaults.
func (k layoutBlock) layoutAttrs(b *block) (own, used *phpval.Array) {
	own = b.attrs().ArrayAt("layout")
	if own == nil {
		return nil, phpval.Members(k.layout...)
	}
	used = &phpval.Array{}
	for key, v := range own.All() {
		used.Set(key, v)
	}
	if phpval.Truthy(own.At("inherit")) || phpval.Truthy(own.At("contentSize")) {
		used.Set(phpval.StrKey("type"), "constrained")
	}
	return own, used
}

// classes returns the classes of a layout in their order.
func (k layoutBlock) classes(b *block, rootPadding bool) []string {
	own, used := k.layoutAttrs(b)
	var list []string
	kind := "default"
	if v := used.At("type"); v != nil {
		kind = phpval.Text(v)
	}
	if kind == "constrained" && rootPadding {
		list = append(list, "has-global-padding")
	}
	if v := own.At("orientation"); phpval.Truthy(v) {
		list = append(list, "is-"+wp.Slug(phpval.Text(v)))
	}
	if v := own.At("justifyContent"); phpval.Truthy(v) {
		list = append(list, "is-content-justification-"+wp.Slug(phpval.Text(v)))
	}
	if own.At("flexWrap") == "nowrap" {
		list = append(list, "is-nowrap")
	}
	class := ""
	switch kind {
	case "default":
		class = "is-layout-flow"
	case "constrained", "flex", "grid":
		class = "is-layout-" + kind
	}
	list = append(list, class)
	spacing := b.attrs().ArrayAt("style").At("spacing")
	gap := safeGap(spacing)
	if k.ownCSS(kind, used, gap, spacing) {
		h := shortHash(phpval.List(used, true, gap, k.skipGap, k.gap, spacing))
		list = append(list, "wp-container-"+wp.Slug(b.name)+"-is-layout-"+h)
	}
	name := b.name[strings.LastIndexByte(b.name, '/')+1:]
	return append(list, "wp-block-"+name+"-"+class)
}

// safeGap returns the gap in the settings of a block, without values that are
// no plain sizes.
func safeGap(spacing phpval.Value) phpval.Value {
	list, _ := spacing.(*phpval.Array)
	gap := list.At("blockGap")
	safe := func(v phpval.Value) phpval.Value {
		if text, ok := v.(string); ok && (strings.ContainsAny(text, `\(&=}`) || strings.Contains(text, "/*")) {
			return nil
		}
		return v
	}
	sides, ok := gap.(*phpval.Array)
	if !ok {
		return safe(gap)
	}
	out := &phpval.Array{}
	for k, v := range sides.All() {
		out.Set(k, safe(v))
	}
	return out
}

// ownCSS reports whether a layout differs from that of its class.
func (k layoutBlock) ownCSS(kind string, used *phpval.Array, gap, spacing phpval.Value) bool {
	text := func(name string) string {
		s, _ := used.At(name).(string)
		return s
	}
	ownGap := gap != nil && !k.skipGap
	if sides, ok := gap.(*phpval.Array); ok && kind != "flex" {
		ownGap = ownGap && sides.At("top") != nil
	}
	switch kind {
	case "default":
		return ownGap
	case "grid":
		return true
	case "constrained":
		if text("contentSize") != "" || text("wideSize") != "" {
			return true
		}
		list, _ := spacing.(*phpval.Array)
		padding, side := list.ArrayAt("padding"), text("justifyContent")
		return ownGap || phpval.Truthy(padding.At("right")) || phpval.Truthy(padding.At("left")) || side == "left" || side == "right"
	case "flex":
		return ownGap || flexCSS(text)
	}
	return false
}

func flexCSS(text func(string) string) bool {
	if text("flexWrap") == "nowrap" {
		return true
	}
	if o := text("orientation"); o != "" && o != "horizontal" {
		return true
	}
	switch text("justifyContent") {
	case "left", "right", "center", "space-between":
		return true
	}
	switch text("verticalAlignment") {
	case "top", "center", "bottom", "stretch":
		return true
	}
	return false
}
