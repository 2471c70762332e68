package render

import (
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// changeAccordion adds what the script of the site needs to open and close the items of an accordion.
func changeAccordion(_ *blockRenderer, b, _ *block, html string) string {
	t, ok := findTag(html, "", "wp-block-accordion")
	if !ok {
		return html
	}
	context := `{ "autoclose": ` + truth(b, "autoclose") + `, "accordionItems": [] }`
	return t.setAttrs(html, tagAttr{name: "data-wp-interactive", value: accordionBlock}, tagAttr{name: "data-wp-context", value: context})
}

// truth returns an attribute as "true" or "false".
func truth(b *block, name string) string {
	if v := b.attrs().At(name); phpval.Truthy(v) && v != "false" {
		return "true"
	}
	return "false"
}

// changeAccordionItem links the button of an item with its panel. Within an accordion it also opens or closes
// the panel.
func changeAccordionItem(r *blockRenderer, b, _ *block, html string) string {
	if html == "" {
		return html
	}
	id, open := "accordion-item-"+r.id(), truth(b, "openByDefault")
	tags := classTags(html, "wp-block-accordion-item", "wp-block-accordion-heading__toggle", "wp-block-accordion-panel")
	if tags == nil {
		return html
	}
	html = tags[2].setAttrs(html, tagAttr{name: "id", value: id + "-panel"}, tagAttr{name: "aria-labelledby", value: id},
		tagAttr{name: "data-wp-bind--inert", value: "!state.isOpen"})
	if r.accordions > 0 && open != "true" {
		html = tags[2].setAttrs(html, tagAttr{name: "inert", bare: true})
	}
	html = tags[1].setAttrs(html, tagAttr{name: "data-wp-on--click", value: "actions.toggle"},
		tagAttr{name: "data-wp-on--keydown", value: "actions.handleKeyDown"}, tagAttr{name: "id", value: id},
		tagAttr{name: "aria-controls", value: id + "-panel"}, tagAttr{name: "data-wp-bind--aria-expanded", value: "state.isOpen"})
	if r.accordions > 0 {
		html = tags[1].setAttrs(html, tagAttr{name: "aria-expanded", value: open})
	}
	return tags[0].setAttrs(html, tagAttr{name: "data-wp-context", value: `{ "id": "` + id + `", "openByDefault": ` + open + ` }`},
		tagAttr{name: "data-wp-class--is-open", value: "state.isOpen"},
		tagAttr{name: "data-wp-init", value: "callbacks.initAccordionItems"},
		tagAttr{name: "data-wp-on-window--hashchange", value: "callbacks.hashChange"})
}

// classTags finds the first tag with each class after that with the class before, nil if one is missing.
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

// openItem makes the class of an item that is linked with its panel say whether it is open.
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
