package render

import (
	"crypto/md5"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// styleClass returns a numbered class for the first block style that the theme supports.
func (r *blockRenderer) styleClass(b *block) string {
	if style := r.blockStyle(b); style != "" {
		return stylePrefix + style + "--" + r.id()
	}
	return ""
}

const stylePrefix = "is-style-"

// blockStyle returns the first block style of a block that the theme supports, "" if there is none.
func (r *blockRenderer) blockStyle(b *block) string {
	if !strings.Contains(b.raw, stylePrefix) {
		return ""
	}
	classes, _ := b.attrs().At("className").(string)
	for _, c := range strings.FieldsFunc(classes, func(r rune) bool { return r < 0x80 && isSpace(byte(r)) }) {
		style, ok := strings.CutPrefix(c, stylePrefix)
		if ok && slices.Contains(r.theme.styles[b.name], style) {
			return style
		}
	}
	return ""
}

// ownColors are the blocks that apply their colours themselves.
var ownColors = wp.NameSet("core/button core/search core/separator core/table")

const elementsPrefix = "wp-elements-"

// elementsClass returns the class of a block that sets colours for elements in it. It contains a number or, in older
// releases, a hash of the whole block.
func (r *blockRenderer) elementsClass(b *block, depth int) string {
	if !strings.Contains(b.raw, "elements") || ownColors[b.name] {
		return ""
	}
	if !hasElementColor(b.attrs().ArrayAt("style").ArrayAt("elements")) {
		return ""
	}
	if r.has(release.ElementsCounter) {
		if !isKnown(b.name, r.env.Release) {
			return ""
		}
		r.elements++
		return elementsPrefix + strconv.Itoa(r.elements)
	}
	if depth > hashDepth {
		return ""
	}
	sum := md5.Sum([]byte(phpval.Serialize(b.value())))
	return elementsPrefix + hex.EncodeToString(sum[:])
}

func hasElementColor(elements *phpval.Array) bool {
	link := elements.ArrayAt("link")
	if link.ArrayAt("color").At("text") != nil || link.ArrayAt(":hover").ArrayAt("color").At("text") != nil {
		return true
	}
	for _, name := range []string{"button", "heading", "h1", "h2", "h3", "h4", "h5", "h6"} {
		color := elements.ArrayAt(name).ArrayAt("color")
		if color.At("text") != nil || color.At("background") != nil || color.At("gradient") != nil {
			return true
		}
	}
	return false
}

// value returns the block as the PHP array that WordPress's parse_blocks returns.
func (b *block) value() *phpval.Array {
	inner, parts := &phpval.Array{}, &phpval.Array{}
	for i, p := range b.content {
		key := phpval.IntKey(int64(i))
		if p.inner == nil {
			parts.Set(key, p.text)
			continue
		}
		parts.Set(key, nil)
		inner.Set(phpval.IntKey(int64(inner.Len())), p.inner.value())
	}
	var attrs phpval.Value
	if list := b.attrs(); list != nil {
		attrs = list
	}
	return phpval.Members("blockName", b.name, "attrs", attrs, "innerBlocks", inner, "innerHTML", b.html(), "innerContent", parts)
}
