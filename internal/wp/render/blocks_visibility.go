package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// Blocks that older releases render even if they are hidden, and blocks that cannot be hidden in some viewports only.
var (
	alwaysShown = wp.NameSet("core/accordion-heading core/accordion-panel core/freeform core/pattern")
	allWindows  = wp.NameSet(`core/accordion-heading core/accordion-panel core/freeform core/html core/missing core/more
core/nextpage core/pattern core/shortcode core/tab-list core/tab-panel core/tab-panels`)
)

// windowSizes are the viewports, with the class that hides a block in each, in the order of the classes.
var windowSizes = []struct{ name, class string }{
	{"desktop", "wp-block-hidden-desktop"}, {"mobile", "wp-block-hidden-mobile"}, {"tablet", "wp-block-hidden-tablet"},
}

// visibility returns the setting that hides a block, nil if it has none or cannot be hidden.
func visibility(b *block, r release.Release) phpval.Value {
	if !strings.Contains(b.raw, "blockVisibility") || !isKnown(b.name, r) {
		return nil
	}
	return b.attrs().ArrayAt("metadata").At("blockVisibility")
}

// hidden reports whether a block is hidden everywhere.
func hidden(b *block, r release.Release) bool {
	return visibility(b, r) == false && (r.Has(release.HiddenFreeform) || !alwaysShown[b.name])
}

// hiddenIn returns the classes that hide a block in some viewports.
func (r *blockRenderer) hiddenIn(b *block) []string {
	set, _ := visibility(b, r.env.Release).(*phpval.Array)
	if set == nil || allWindows[b.name] || !r.has(release.ViewportVisibility) {
		return nil
	}
	var classes []string
	for _, size := range windowSizes {
		if set.ArrayAt("viewport").At(size.name) == false {
			classes = append(classes, size.class)
		}
	}
	return classes
}

// imagePriority sets the fetch priority of all images in a block.
func imagePriority(html, priority string) string {
	return changeTags(html, func(tag string, t htmlTag) string {
		if t.name != "img" {
			return tag
		}
		return t.setAttrs(tag, tagAttr{name: "fetchpriority", value: priority})
	})
}
