package render

import (
	"crypto/md5"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// changeImage removes an image block without an image, including its caption. In a gallery, it adds the attachment's id
// to the image.
func changeImage(_ *blockRenderer, b, parent *block, html string) string {
	t, ok := findTag(html, "img", "")
	if !ok {
		return ""
	}
	src, ok := t.attr(html, "src")
	if !ok || src.has && (src.value == "" || src.value == "0") {
		return ""
	}
	id := b.attrs().At("data-id")
	if id == nil && parent != nil && parent.name == "core/gallery" {
		id = b.attrs().At("id")
	}
	if id != nil {
		return t.setAttrs(html, tagAttr{name: "data-id", value: phpval.Text(id)})
	}
	return html
}

// lightbox makes an image without a link expand on click: it adds a button and the attributes that WordPress's script
// needs.
func (r *blockRenderer) lightbox(b *block, html string) string {
	link := b.attrs().At("linkDestination")
	if b.attrs().ArrayAt("lightbox").At("enabled") != true || link != nil && link != "none" {
		return html
	}
	figure, ok := findTag(html, "figure", "")
	if !ok {
		return html
	}
	var img htmlTag
	for img = range openTags(html, figure.next) {
		if img.name == "img" {
			break
		}
	}
	if img.name != "img" {
		return html
	}
	id := r.imageID(html)
	button, set := lightboxButton, []tagAttr(nil)
	if r.has(release.LightboxPreload) {
		button = laterLightbox.Replace(button)
		set = []tagAttr{
			{name: "data-wp-on--pointerdown", value: "actions.preloadImage"},
			{name: "data-wp-on--pointerenter", value: "actions.preloadImageWithDelay"},
			{name: "data-wp-on--pointerleave", value: "actions.cancelPreload"},
		}
	}
	html = html[:img.end] + button + html[img.end:]
	html = img.setAttrs(html, append(set,
		tagAttr{name: "data-wp-class--hide", value: "state.isContentHidden"},
		tagAttr{name: "data-wp-class--show", value: "state.isContentVisible"},
		tagAttr{name: "data-wp-init", value: "callbacks.setButtonStyles"},
		tagAttr{name: "data-wp-on--click", value: "actions.showLightbox"},
		tagAttr{name: "data-wp-on--load", value: "callbacks.setButtonStyles"},
		tagAttr{name: "data-wp-on-window--resize", value: "callbacks.setButtonStyles"})...)
	html = figure.setAttrs(html,
		tagAttr{name: "data-wp-context", value: `{"imageId":"` + id + `"}`},
		tagAttr{name: "data-wp-interactive", value: "core/image"},
		tagAttr{name: "data-wp-key", value: id})
	figure, _ = findTag(html, "figure", "")
	return figure.addClasses(html, "wp-lightbox-container")
}

// imageID returns an id of 13 hexadecimal digits that is unique in the text.
func (r *blockRenderer) imageID(html string) string {
	r.images++
	sum := md5.Sum([]byte(strconv.Itoa(r.images) + html))
	return hex.EncodeToString(sum[:])[:13]
}

const lightboxButton = `<button
			class="lightbox-trigger"
			type="button"
			aria-haspopup="dialog"
			aria-label="Enlarge"
			data-wp-init="callbacks.initTriggerButton"
			data-wp-on--click="actions.showLightbox"
			data-wp-style--right="state.imageButtonRight"
			data-wp-style--top="state.imageButtonTop"
		>
			<svg xmlns="http://www.w3.org/2000/svg" width="12" height="12" viewBox="0 0 12 12" fill="none"><path stroke="#fff" ` +
	`d="M1 5V1h4M7 1h4v4M11 7v4H7M5 11H1V7" /></svg>
		</button>`

// laterLightbox changes the button to the one of newer releases.
var laterLightbox = strings.NewReplacer(
	`aria-label="Enlarge"`, `data-wp-bind--aria-label="state.thisImage.triggerButtonAriaLabel"`,
	"state.imageButtonRight", "state.thisImage.buttonRight", "state.imageButtonTop", "state.thisImage.buttonTop",
)

// findTag finds the first start tag with a name and a class; "" for either matches all.
func findTag(html, name, class string) (htmlTag, bool) {
	for t := range openTags(html, 0) {
		if name != "" && t.name != name {
			continue
		}
		if class == "" || t.hasClass(html, class) {
			return t, true
		}
	}
	return htmlTag{}, false
}

func (t htmlTag) hasClass(s, class string) bool {
	a, _ := t.attr(s, "class")
	return strings.Contains(a.value, class) && slices.Contains(strings.Fields(a.decoded()), class)
}
