package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// The blocks that support each of these settings.
var (
	stickyBlocks     = wp.NameSet("core/group")
	ratioBlocks      = wp.NameSet("core/cover")
	duotoneBlocks    = wp.NameSet("core/cover core/image")
	backgroundBlocks = wp.NameSet("core/accordion core/group core/pullquote core/quote core/verse")
)

// styled reports whether a block may have settings that change its HTML, or overrides. It only searches the undecoded
// attributes, since most blocks have neither.
func (b *block) styled() bool {
	if b.raw == "" {
		return false
	}
	for _, name := range []string{`"style"`, `"fitText"`, `"minHeight"`, `"metadata"`, `"lightbox"`} {
		if strings.Contains(b.raw, name) {
			return true
		}
	}
	return false
}

// decorate changes the first tag of a block according to its settings, in the order of WordPress's filters.
func (r *blockRenderer) decorate(b *block, html string) string {
	style := b.attrs().ArrayAt("style")
	if stickyBlocks[b.name] {
		html = r.position(style, html)
	}
	if ratioBlocks[b.name] {
		html = r.aspectRatio(b, html)
	}
	if duotoneBlocks[b.name] {
		html = firstTagClasses(html, r.duotone(style))
	}
	if backgroundBlocks[b.name] {
		html = r.background(style.ArrayAt("background"), html)
	}
	return html
}

// position adds the class of a sticky block. Other positions consume a number and change nothing, because no theme
// allows them.
func (r *blockRenderer) position(style *phpval.Array, html string) string {
	if !phpval.Truthy(style.At("position")) {
		return html
	}
	id := r.id()
	if style.ArrayAt("position").At("type") != "sticky" {
		return html
	}
	return firstTagClasses(html, "wp-container-"+id, "is-position-sticky")
}

// aspectRatio sets the aspect ratio of a block. An aspect ratio and a minimum height exclude each other.
func (r *blockRenderer) aspectRatio(b *block, html string) string {
	dimensions := b.attrs().ArrayAt("style").ArrayAt("dimensions")
	ratio := dimensions.At("aspectRatio")
	if _, list := ratio.(*phpval.Array); list {
		return html
	}
	text := phpval.Text(ratio)
	explicit, unset := ratio != nil, "min-height:unset;"
	if r.has(release.CoverRatio) {
		explicit = text != "" && !strings.EqualFold(strings.Trim(text, phpSpace), "auto")
		unset = "height:unset;min-height:unset;"
	}
	if !explicit && (dimensions.At("minHeight") != nil || b.attrs().At("minHeight") != nil) {
		return firstTagStyle(html, "aspect-ratio:unset;", "")
	}
	css, class := "", ""
	if phpval.Truthy(ratio) || ratio == "0" {
		class = "has-aspect-ratio"
		if !strings.HasPrefix(text, "var:preset|") {
			css = r.declaration("aspect-ratio", text)
		}
	}
	if !explicit {
		class = ""
	} else {
		css += unset
	}
	if css == "" {
		return html
	}
	return firstTagStyle(html, css, class)
}

// background sets the background image of a block.
func (r *blockRenderer) background(set *phpval.Array, html string) string {
	if set == nil {
		return html
	}
	text := func(name string) string {
		s, _ := set.At(name).(string)
		return s
	}
	image, size, position := text("backgroundImage"), text("backgroundSize"), text("backgroundPosition")
	if url, _ := set.ArrayAt("backgroundImage").At("url").(string); url != "" && url != "0" {
		image = "url('" + url + "')"
	}
	if phpval.Truthy(set.At("backgroundImage")) {
		if set.At("backgroundSize") == nil {
			size = "cover"
		}
		if size == "contain" && position == "" {
			position = "50% 50%"
		}
	}
	if gradient := text("gradient"); r.has(release.BackgroundGradient) &&
		r.declaration("background-image", presetVariable(gradient)) != "" {
		gradient = presetVariable(gradient)
		if image != "" {
			gradient += ", " + image
		}
		image = gradient
	}
	css := r.declaration("background-image", image) + r.declaration("background-position", position) +
		r.declaration("background-repeat", text("backgroundRepeat")) + r.declaration("background-size", size) +
		r.declaration("background-attachment", text("backgroundAttachment"))
	if css == "" {
		return html
	}
	return firstTagStyle(html, css, "has-background")
}

// declaration returns a CSS declaration, "" if its value is empty or unsafe.
func (r *blockRenderer) declaration(property, value string) string {
	if value = wp.StripToText(value); value == "" || strings.Contains(value, ";") {
		return ""
	}
	if safe := kses.Style(property+":"+value, r.env.Release); safe != "" {
		return safe + ";"
	}
	return ""
}

// firstTagStyle adds declarations to the style attribute of the first tag, and a class.
func firstTagStyle(html, css, class string) string {
	t, ok := nextTag(html, 0, false)
	if !ok {
		return html
	}
	a, _ := t.attr(html, "style")
	style := a.decoded()
	if style == "0" {
		style = ""
	}
	if style != "" && !strings.HasSuffix(style, ";") {
		style += ";"
	}
	html = t.setAttrs(html, tagAttr{name: "style", value: style + css})
	return firstTagClasses(html, class)
}
