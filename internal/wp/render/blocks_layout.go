package render

import (
	"crypto/md5"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// layoutBlock describes how a type of block arranges its inner blocks.
type layoutBlock struct {
	layout   []phpval.Value // default layout, as pairs of key and value
	gap      string         // gap between inner blocks in a theme that sets none
	laterGap string         // that gap in releases with ThemeGaps, if it differs from gap
	skipGap  bool           // in older releases the block sets the gap itself
}

const galleryGap = "var( --wp--style--gallery-gap-default, var( --gallery-block--gutter-size, var( --wp--style--block-gap, 0.5em ) ) )"

var layoutBlocks = map[string]*layoutBlock{
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

	"core/gallery": {gap: "0.5em", laterGap: galleryGap, layout: []phpval.Value{"type", "flex"}, skipGap: true},

	tabsBlock:     {gap: "0.5em"},
	tabListBlock:  {gap: "0.5em", layout: []phpval.Value{"type", "flex", "flexWrap", "wrap"}},
	tabPanelBlock: {gap: "0.5em"},
}

// blockLayout describes what layouts add to a block: the parent's layout a class, the block's own layout classes and a gap.
type blockLayout struct {
	outer string       // class for the outermost tag, "" for none
	kind  *layoutBlock // nil for a block that does not arrange inner blocks
}

// layoutOf returns what the layouts add to a block, nil if nothing.
func (r *blockRenderer) layoutOf(b, parent *block) *blockLayout {
	outer := ""
	if strings.Contains(b.raw, "layout") {
		outer = r.childClass(b, parent)
	}
	kind := layoutBlocks[b.name]
	if kind != nil && !isKnown(b.name, r.env.Release) {
		kind = nil
	}
	if kind == nil && outer == "" {
		return nil
	}
	return &blockLayout{outer, kind}
}

// childClass returns the class of a block that has a size or position of its own in its parent's layout.
func (r *blockRenderer) childClass(b, parent *block) string {
	style := b.attrs().ArrayAt("style")
	child := style.ArrayAt("layout")
	placed := r.isPlaced(child)
	around := &phpval.Array{}
	if parent != nil {
		around = onlyKeys(parent.attrs().ArrayAt("layout"), "minimumColumnWidth", "columnCount")
	}
	whole := phpval.Members("layout", onlyKeys(child, childKeys...), "parentLayout", around)
	if r.has(release.ChildLayout) {
		for _, v := range viewports {
			set := onlyKeys(style.ArrayAt(v.name).ArrayAt("layout"), childKeys...)
			if set.Len() == 0 {
				continue
			}
			whole.Set(phpval.StrKey(v.name), set)
			placed = placed || r.isPlaced(set)
		}
	}
	if !placed {
		return ""
	}
	return "wp-container-content-" + shortHash(whole)
}

// childKeys are the layout settings that belong to a block in a layout, not to the layout itself.
var childKeys = []string{"selfStretch", "flexSize", "columnStart", "columnSpan", "rowStart", "rowSpan"}

// isPlaced reports whether settings give a block a size or position of its own.
func (r *blockRenderer) isPlaced(child *phpval.Array) bool {
	if child.Len() == 0 {
		return false
	}
	sized := child.At("flexSize") != nil
	switch child.At("selfStretch") {
	case "fill":
		return true
	case "fixed":
		if sized {
			return true
		}
	case "fixedNoShrink":
		if sized && r.has(release.ChildLayout) {
			return true
		}
	}
	if r.has(release.ChildLayout) && (child.At("columnStart") != nil || child.At("rowStart") != nil) {
		return true
	}
	return child.At("columnSpan") != nil || child.At("rowSpan") != nil
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

// shortHash returns the first 8 hexadecimal digits of a hash of a value.
func shortHash(v phpval.Value) string {
	sum := md5.Sum(appendPHPJSON(nil, v))
	return hex.EncodeToString(sum[:4])
}

// apply adds the classes to the element around the inner blocks if it can be found, else to the first element.
func (l *blockLayout) apply(r *blockRenderer, html string, b *block) string {
	t, ok := nextTag(html, 0, false)
	if !ok {
		return html
	}
	if l.kind == nil {
		return t.addClasses(html, l.outer)
	}
	classes := l.kind.classes(r, b)
	first, wrapper := t.start, r.innerWrapper(b)
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

// innerWrapper returns the class of the last tag before the first inner block whose element is still open there. In
// older releases, closed elements count too.
func (r *blockRenderer) innerWrapper(b *block) string {
	if len(b.content) < 2 || b.content[0].inner != nil {
		return ""
	}
	type element struct{ name, class string }
	text := b.content[0].text
	openOnly := r.has(release.LayoutTag)
	var open []element
	var count map[string]int // number of open elements by name
	if openOnly {
		count = map[string]int{}
	}
	for i := 0; ; {
		t, ok := nextTag(text, i, openOnly)
		if !ok {
			break
		}
		i = t.next
		switch {
		case t.closer:
			for closed := count[t.name] == 0; !closed; open = open[:len(open)-1] {
				name := open[len(open)-1].name
				count[name]--
				closed = name == t.name
			}
		case !openOnly || !voidElements[t.name] && t.next == t.end:
			class, _ := t.attr(text, "class")
			open = append(open, element{t.name, class.value})
			if openOnly {
				count[t.name]++
			}
		}
	}
	for _, e := range slices.Backward(open) {
		if e.class != "" {
			return e.class
		}
	}
	return ""
}

// voidElements are the elements without content.
var voidElements = wp.NameSet("area base br col embed hr img input link meta source track wbr")

// layoutAttrs returns the layout settings of a block, nil if it has none, and the effective ones, which may be the
// defaults.
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

// classes returns the classes of a layout, in the order in which WordPress writes them.
func (k layoutBlock) classes(r *blockRenderer, b *block) []string {
	own, used := k.layoutAttrs(b)
	var list []string
	kind := "default"
	if v := used.At("type"); v != nil {
		kind = phpval.Text(v)
	}
	if kind == "constrained" && r.theme.rootPadding {
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
	if class := k.container(r, b, kind, used); class != "" {
		list = append(list, class)
	}
	name := b.name[strings.LastIndexByte(b.name, '/')+1:]
	return append(list, "wp-block-"+name+"-"+class)
}

// container returns the class of a layout that has CSS rules of its own, "" if it has none.
func (k layoutBlock) container(r *blockRenderer, b *block, kind string, used *phpval.Array) string {
	style := b.attrs().ArrayAt("style")
	spacing := style.At("spacing")
	gap := safeGap(spacing)
	skip := k.skipGap && !r.has(release.ViewportLayout)
	rules := ownRules(kind, used, gap, skip, spacing)
	small := r.has(release.ViewportLayout) && strings.Contains(b.raw, `"@`)
	if !rules && !small {
		return ""
	}
	whole := phpval.List(used, true, gap, skip, k.fallback(r, b), spacing)
	if small {
		for _, v := range viewports {
			rules = addViewport(whole, v.name, style.ArrayAt(v.name), kind) || rules
		}
	}
	if !rules {
		return ""
	}
	return "wp-container-" + wp.Slug(b.name) + "-is-layout-" + shortHash(whole)
}

// addViewport adds the layout and the gap for a small viewport. It reports whether they have CSS rules.
func addViewport(whole *phpval.Array, name string, style *phpval.Array, kind string) bool {
	layout := &phpval.Array{}
	for key, v := range style.ArrayAt("layout").All() {
		if !slices.Contains(childKeys, key.String()) {
			layout.Set(key, v)
		}
	}
	rules := false
	put := func(member string, v phpval.Value) {
		whole.Set(phpval.IntKey(int64(whole.Len())), phpval.Members("breakpoint", name, member, v))
	}
	if layout.Len() > 0 {
		put("layout", layout)
		rules = ownRules(kind, layout, nil, false, nil) || kind == "flex" && changesFlex(layout)
	}
	spacing := style.At("spacing")
	if gap := style.ArrayAt("spacing").At("blockGap"); gap != nil {
		gap = safeGap(spacing)
		put("blockGap", gap)
		rules = rules || ownRules(kind, &phpval.Array{}, gap, false, nil)
	}
	return rules
}

// changesFlex reports whether a layout for a small viewport contains settings that may override the general ones.
func changesFlex(layout *phpval.Array) bool {
	return layout.At("flexWrap") != nil || layout.At("orientation") != nil
}

// fallback returns the gap of a block that sets none.
func (k layoutBlock) fallback(r *blockRenderer, b *block) string {
	if !r.has(release.ThemeGaps) {
		return k.gap
	}
	if gap := r.theme.gap(b.name, r.blockStyle(b)); gap != "" {
		return gap
	}
	if k.laterGap != "" {
		return k.laterGap
	}
	return k.gap
}

// safeGap returns the gap in the settings of a block, without values that are unsafe in CSS.
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

// ownRules reports whether a layout needs CSS rules in addition to those of its class.
func ownRules(kind string, used *phpval.Array, gap phpval.Value, skipGap bool, spacing phpval.Value) bool {
	text := func(name string) string {
		s, _ := used.At(name).(string)
		return s
	}
	ownGap := gap != nil && !skipGap
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
