package render

import (
	"crypto/md5"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Theme is what the theme of a site adds to the markup of blocks.
type Theme struct {
	// styles are the block styles of the theme, by the name of the block.
	styles map[string][]string
	// rootPadding reports whether full-width blocks reach beyond the padding of
	// the page: in all current block themes they do.
	rootPadding bool
	// plainCaptions reports whether the theme is without HTML5 captions and
	// galleries.
	plainCaptions bool
	// wide is the width of the window, in pixels, at which font sizes are full: in narrower ones they
	// are smaller. It is 0 if font sizes are fixed.
	wide float64
	// duotones are the pairs of colors of the theme, beside those of all themes.
	duotones []string
}

// ThemeOf describes the theme of a site by the name of its directory (option "stylesheet"). Others
// count as block themes without styles of their own; an empty name means the current default theme.
func ThemeOf(stylesheet string) *Theme {
	t := &Theme{rootPadding: true, styles: map[string][]string{"core/button": {"outline"}}}
	switch stylesheet {
	case "", "twentytwentyfive":
		text := []string{"text-display", "text-subtitle", "text-annotation"}
		section := []string{"section-1", "section-2", "section-3", "section-4", "section-5"}
		t.styles["core/quote"] = []string{"plain"}
		t.styles["core/separator"] = []string{"wide"}
		t.styles["core/paragraph"], t.styles["core/heading"] = text, text
		t.styles["core/group"], t.styles["core/columns"], t.styles["core/column"] = section, section, section
		t.wide = 1340
	case "twentytwentyfour":
		t.styles["core/quote"] = []string{"plain"}
		t.wide = 1280
		t.duotones = []string{"duotone-1", "duotone-2", "duotone-3", "duotone-4", "duotone-5"}
	case "twentytwentythree":
		t.wide = 1200
	}
	return t
}

// styleClass returns a numbered class for the first style of a block that the
// theme has.
func (r *blockRenderer) styleClass(b *block) string {
	if !strings.Contains(b.raw, "is-style-") {
		return ""
	}
	classes, _ := b.attrs().At("className").(string)
	for _, c := range strings.FieldsFunc(classes, func(r rune) bool { return r < 0x80 && isSpace(byte(r)) }) {
		style, ok := strings.CutPrefix(c, "is-style-")
		if ok && slices.Contains(r.theme.styles[b.name], style) {
			return c + "--" + r.id()
		}
	}
	return ""
}

// ownColors are the blocks that write their colors themselves.
var ownColors = wp.NameSet("core/button core/search core/separator core/table")

// elementsClass returns the class of a block that has colors for the elements
// in it: a hash of the whole block.
func elementsClass(b *block) string {
	if !strings.Contains(b.raw, "elements") || ownColors[b.name] {
		return ""
	}
	if !hasElementColor(b.attrs().ArrayAt("style").ArrayAt("elements")) {
		return ""
	}
	sum := md5.Sum([]byte(phpval.Serialize(b.value())))
	return "wp-elements-" + hex.EncodeToString(sum[:])
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

// value returns a parsed block as a PHP array.
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
