package render

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp/release"
)

// changeAccordion adds the attributes with which WordPress's script opens and closes the items of an accordion.
func changeAccordion(_ *blockRenderer, b, _ *block, html string) string {
	t, ok := findTag(html, "", "wp-block-accordion")
	if !ok {
		return html
	}
	context := `{ "autoclose": ` + strconv.FormatBool(b.attrs().At("autoclose") == true) + `, "accordionItems": [] }`
	return t.setAttrs(html, tagAttr{name: "data-wp-interactive", value: accordionBlock}, tagAttr{name: "data-wp-context", value: context})
}

// isOpen reports whether an item of an accordion is initially open. A setting that is not a boolean counts as false.
func isOpen(b *block) bool { return b.attrs().At("openByDefault") == true }

// changeAccordionItem links the button of an item with its panel. Within an accordion, it also shows or hides the
// panel.
func changeAccordionItem(r *blockRenderer, b, _ *block, html string) string {
	if html == "" {
		return html
	}
	if r.has(release.FetchPriority) && !isOpen(b) {
		html = imagePriority(html, "low")
	}
	id, open := "accordion-item-"+r.id(), strconv.FormatBool(isOpen(b))
	tags := classTags(html, "wp-block-accordion-item", "wp-block-accordion-heading__toggle", "wp-block-accordion-panel")
	if tags == nil {
		return html
	}
	html = r.accordionPanel(html, tags[2], id, isOpen(b))
	button := []tagAttr{
		{name: "data-wp-on--click", value: "actions.toggle"}, {name: "id", value: id},
		{name: "aria-controls", value: id + "-panel"}, {name: "data-wp-bind--aria-expanded", value: "state.isOpen"},
	}
	if !r.has(release.AccordionHidden) {
		button = append(button, tagAttr{name: "data-wp-on--keydown", value: "actions.handleKeyDown"})
	}
	html = tags[1].setAttrs(html, button...)
	if r.accordions > 0 {
		html = tags[1].setAttrs(html, tagAttr{name: "aria-expanded", value: open})
	}
	return tags[0].setAttrs(html, tagAttr{name: "data-wp-context", value: `{ "id": "` + id + `", "openByDefault": ` + open + ` }`},
		tagAttr{name: "data-wp-class--is-open", value: "state.isOpen"},
		tagAttr{name: "data-wp-init", value: "callbacks.initAccordionItems"},
		tagAttr{name: "data-wp-on-window--hashchange", value: "callbacks.hashChange"})
}

// accordionPanel links a panel with its button and hides it. Newer releases do so in a way that lets browsers find text
// in it.
func (r *blockRenderer) accordionPanel(html string, panel htmlTag, id string, open bool) string {
	set := []tagAttr{{name: "id", value: id + "-panel"}, {name: "aria-labelledby", value: id}}
	if r.has(release.AccordionHidden) {
		if r.accordions > 0 {
			html = panel.withoutAttr(html, "hidden")
		}
		return panel.setAttrs(html, append(set, tagAttr{name: "data-wp-bind--hidden", value: "state.isHidden"},
			tagAttr{name: "data-wp-on--beforematch", value: "actions.handleBeforeMatch"})...)
	}
	html = panel.setAttrs(html, append(set, tagAttr{name: "data-wp-bind--inert", value: "!state.isOpen"})...)
	switch {
	case r.accordions == 0:
	case open:
		html = panel.withoutAttr(html, "inert")
	default:
		html = panel.setAttrs(html, tagAttr{name: "inert", bare: true})
	}
	return html
}

// classTags finds the first tag with classes[0], then the first after it with classes[1], and so on. It returns nil if
// one is missing.
func classTags(html string, classes ...string) []htmlTag {
	var found []htmlTag
	for t := range openTags(html, 0) {
		if t.hasClass(html, classes[len(found)]) {
			if found = append(found, t); len(found) == len(classes) {
				return found
			}
		}
	}
	return nil
}

// openItem sets or removes the class "is-open" of an item that is linked with its panel.
func openItem(html string, open bool) string {
	t, ok := findTag(html, "", "wp-block-accordion-item")
	if !ok {
		return html
	}
	if _, linked := t.attr(html, "data-wp-class--is-open"); !linked {
		return html
	}
	if open {
		return t.addClasses(html, "is-open")
	}
	if !t.hasClass(html, "is-open") {
		return html
	}
	a, _ := t.attr(html, "class")
	classes := slices.DeleteFunc(strings.Fields(a.decoded()), func(c string) bool { return c == "is-open" })
	return t.setAttrs(html, tagAttr{name: "class", value: strings.Join(classes, " ")})
}
