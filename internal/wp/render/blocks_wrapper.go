package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// wrapped describes the first tag of a block that WordPress renders completely, in addition to its settings.
type wrapped struct {
	class, style string // attributes of the block type
	supports     wrapperSupport
}

// wrapperSupport says which settings of a block type apply to its first tag.
type wrapperSupport struct{ align, anchor, colors, typography, margin bool }

// wrapper returns the attributes of the first tag of a block that WordPress renders completely, each preceded by a
// space. It corresponds to WordPress's get_block_wrapper_attributes.
func (r *blockRenderer) wrapper(b *block, w wrapped) string {
	style := &phpval.Array{}
	var classes []string
	text := func(name string) string {
		s, _ := b.attrs().At(name).(string)
		return s
	}
	if align := text("align"); w.supports.align && alignments[align] {
		classes = append(classes, "align"+align)
	}
	classes = append(classes, r.className(b), "wp-block-"+strings.TrimPrefix(b.name, "core/"))
	if w.supports.colors {
		colors, names := blockColors(b, false)
		copyMembers(style, "color", colors)
		classes = append(classes, names...)
	}
	own := b.attrs().ArrayAt("style")
	if w.supports.typography {
		copyMembers(style, "typography", fluidTypography(own.ArrayAt("typography"), r.theme.wide))
		if size := text("fontSize"); size != "" {
			classes = append(classes, "has-"+kebab(size)+"-font-size")
		}
	}
	if w.supports.margin {
		copyMembers(style, "spacing", phpval.Members("margin", own.ArrayAt("spacing").At("margin")))
	}
	var out strings.Builder
	if css := r.joinStyles(w.style, r.css(style)); css != "" {
		out.WriteString(` style="` + wp.EscapeHTML(css) + `"`)
	}
	out.WriteString(` class="` + wp.EscapeHTML(joinClasses(w.class, strings.Join(classes, " "))) + `"`)
	if anchor := text("anchor"); w.supports.anchor && anchor != "" {
		out.WriteString(` id="` + wp.EscapeHTML(anchor) + `"`)
	}
	return out.String()
}

// alignments are the values of the attribute align.
var alignments = wp.NameSet("left center right wide full")

// className returns the classes in a block's attributes, followed by those that its settings imply.
func (r *blockRenderer) className(b *block) string {
	if r.current.className != "" {
		return r.current.className
	}
	own, _ := b.attrs().At("className").(string)
	return own
}

func copyMembers(style *phpval.Array, name string, group *phpval.Array) {
	if group.Len() > 0 {
		style.Set(phpval.StrKey(name), group)
	}
}

// joinStyles joins declarations and removes unsafe ones.
func (r *blockRenderer) joinStyles(lists ...string) string {
	var parts []string
	for _, css := range lists {
		if css = strings.TrimSuffix(phpval.Trim(css), ";"); css != "" {
			parts = append(parts, css)
		}
	}
	return kses.Style(strings.Join(parts, ";"), r.env.Release)
}

// joinClasses joins lists of classes and removes duplicates.
func joinClasses(lists ...string) string {
	var all []string
	seen := map[string]bool{}
	for _, list := range lists {
		for _, c := range strings.Fields(list) {
			if !seen[c] {
				seen[c] = true
				all = append(all, c)
			}
		}
	}
	return strings.Join(all, " ")
}

// blockColors returns the colours of a block as members of a style, and the classes for its text and background. Preset
// colours, which have classes, are in the style only if presets is set.
func blockColors(b *block, presets bool) (*phpval.Array, []string) {
	own := b.attrs().ArrayAt("style").ArrayAt("color")
	style := &phpval.Array{}
	var classes []string
	for _, c := range []struct{ setting, member, class, named string }{
		{"textColor", "text", "has-text-color", "-color"},
		{"backgroundColor", "background", "has-background", "-background-color"},
	} {
		value := own.At(c.member)
		if preset, _ := b.attrs().At(c.setting).(string); preset != "" {
			value = "var:preset|color|" + preset
		}
		text, _ := value.(string)
		if text == "" {
			continue
		}
		classes = append(classes, c.class)
		slug, named := strings.CutPrefix(text, "var:preset|color|")
		if named {
			classes = append(classes, "has-"+kebab(slug)+c.named)
		}
		if presets || !named {
			style.Set(phpval.StrKey(c.member), text)
		}
	}
	return style, classes
}

// fluidTypography returns typography settings with a fluid font size, if the theme has them.
func fluidTypography(own *phpval.Array, wide float64) *phpval.Array {
	size := own.At("fontSize")
	if size == nil || wide == 0 {
		return own
	}
	if fluid := fluidSize(phpval.Text(size), wide); fluid != "" {
		return withMember(own, "fontSize", fluid)
	}
	return own
}

// css returns the declarations of a style as CSS.
func (r *blockRenderer) css(style *phpval.Array) string {
	var css strings.Builder
	for _, d := range declarationsOf(style) {
		css.WriteString(r.declaration(d.property, phpval.Text(d.value)))
	}
	return css.String()
}
