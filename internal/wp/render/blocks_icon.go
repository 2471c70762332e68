package render

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

const iconBlock = "core/icon"

// changeIcon renders an icon. The drawings are our own, in the markup that WordPress uses.
func changeIcon(r *blockRenderer, b, _ *block, html string) string {
	if !r.has(release.Icons) {
		return html
	}
	name, _ := b.attrs().At("icon").(string)
	name, ok := strings.CutPrefix(name, "core/")
	picture := iconDrawings[name]
	if !ok || picture == "" || !r.makes() {
		return ""
	}
	wrapper := r.wrapper(b, wrapped{supports: wrapperSupport{align: true, anchor: true, margin: true}})
	return "<div" + wrapper + ">" + r.iconFrame(b) + picture + "</svg>\n</div>"
}

// iconFrame returns the svg tag around a drawing.
func (r *blockRenderer) iconFrame(b *block) string {
	css, classes := r.iconStyle(b)
	svg := `<svg xmlns="http://www.w3.org/2000/svg" viewbox="0 0 24 24">`
	set := []tagAttr{{name: "aria-hidden", value: "true"}, {name: "focusable", value: "false"}}
	if label, _ := b.attrs().At("ariaLabel").(string); label != "" {
		set = []tagAttr{{name: "aria-label", value: label}, {name: "role", value: "img"}}
	}
	if len(classes) > 0 {
		set = append(set, tagAttr{name: "class", value: strings.Join(classes, " ")})
	}
	if css != "" && !r.has(release.IconTurns) {
		set = append(set, tagAttr{name: "style", value: css})
	}
	t, _ := nextTag(svg, 0, false)
	svg = t.setAttrs(svg, set...)
	if r.has(release.IconTurns) {
		svg = turnedIcon(svg, b.attrs(), css)
	}
	return svg
}

// iconStyle returns the CSS declarations and classes of a drawing.
func (r *blockRenderer) iconStyle(b *block) (css string, classes []string) {
	colors, classes := blockColors(b, true)
	own := b.attrs().ArrayAt("style")
	color, _ := own.ArrayAt("border").At("color").(string)
	border, _ := b.attrs().At("borderColor").(string)
	if slug, named := strings.CutPrefix(color, "var:preset|color|"); named && border == "" {
		border = slug
	}
	if color != "" || border != "" {
		classes = append(classes, "has-border-color")
	}
	if border != "" {
		classes = append(classes, "has-"+kebab(border)+"-border-color")
	}
	style := &phpval.Array{}
	copyMembers(style, "color", colors)
	copyMembers(style, "border", sortedSides(own.ArrayAt("border")))
	copyMembers(style, "dimensions", phpval.Members("width", own.ArrayAt("dimensions").At("width")))
	copyMembers(style, "spacing", phpval.Members("padding", own.ArrayAt("spacing").At("padding")))
	return r.css(style), classes
}

// turnedIcon flips and rotates a drawing and sets its style.
func turnedIcon(svg string, attrs *phpval.Array, css string) string {
	var flips []string
	for _, f := range []struct{ setting, class string }{
		{"flipHorizontal", "is-flip-horizontal"}, {"flipVertical", "is-flip-vertical"},
	} {
		if attrs.At(f.setting) == true {
			flips = append(flips, f.class)
		}
	}
	if angle := phpval.Int(attrs.At("rotation")); angle != 0 {
		if css != "" {
			css += " "
		}
		css += "rotate: " + strconv.FormatInt(angle, 10) + "deg;"
	}
	t, _ := nextTag(svg, 0, false)
	if css != "" && len(flips) > 0 {
		if old, ok := t.attr(svg, "class"); ok {
			flips = append([]string{old.decoded()}, flips...)
		}
		return t.setAttrs(svg, tagAttr{name: "class", value: strings.Join(flips, " ")}, tagAttr{name: "style", value: css})
	}
	if css != "" {
		return t.setAttrs(svg, tagAttr{name: "style", value: css})
	}
	return t.addClasses(svg, flips...)
}

// sortedSides returns the settings of a border. Those of each side are in the order in which WordPress writes them.
func sortedSides(border *phpval.Array) *phpval.Array {
	out := &phpval.Array{}
	for key, v := range border.All() {
		side, ok := v.(*phpval.Array)
		if ok && slices.Contains([]string{"top", "right", "bottom", "left"}, key.String()) {
			v = phpval.Members("color", side.At("color"), "style", side.At("style"), "width", side.At("width"))
		}
		out.Set(key, v)
	}
	return out
}

// changeOverlayClose renders the button that closes a navigation menu.
func changeOverlayClose(r *blockRenderer, b, _ *block, html string) string {
	if !r.has(release.OverlayClose) {
		return html
	}
	if !r.makes() {
		return ""
	}
	mode, _ := b.attrs().At("displayMode").(string)
	picture, text, label := "", "", ""
	if mode != "text" {
		picture = iconHead + "M5 6.4 6.4 5l5.6 5.6L17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4 19 5 17.6l5.6-5.6z" + iconTail
	}
	if mode == "text" || mode == "both" {
		if text, _ = b.attrs().At("text").(string); text == "" {
			text = "Close"
		}
		text = `<span class="wp-block-navigation-overlay-close__text">` + kses.Filter(text, kses.Post(r.env.Release)) + "</span>"
	} else {
		label = `aria-label="Close"`
	}
	wrapper := r.wrapper(b, wrapped{supports: wrapperSupport{colors: true, typography: true}})
	return "<button" + wrapper + ` type="button" ` + label + " >" + picture + text + "</button>"
}
