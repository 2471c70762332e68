package render

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// changeButton removes a button without a link or with a link without text, and sets the width from the block's
// settings.
func changeButton(r *blockRenderer, b, _ *block, html string) string {
	if hasEmptyLink(html) {
		return ""
	}
	if !r.has(release.ButtonWidth) || !strings.Contains(b.raw, "width") {
		return html
	}
	width := b.attrs().ArrayAt("style").ArrayAt("dimensions").At("width")
	if _, list := width.(*phpval.Array); list || !phpval.Truthy(width) {
		return html
	}
	return buttonWidth(html, presetWidth(phpval.Text(width)))
}

// hasEmptyLink reports whether the first link or button is empty, or whether there are tags but no link or button.
func hasEmptyLink(html string) bool {
	var link htmlTag
	for link = range openTags(html, 0) {
		if link.name == "a" || link.name == "button" {
			break
		}
	}
	switch link.name {
	case "a", "button":
	default:
		return link.name != ""
	}
	i := link.next
	for strings.HasPrefix(html[i:], "<!--") {
		if i = markupEnd(html, i); i < 0 {
			return true
		}
	}
	if i == len(html) {
		return true
	}
	t, ok := nextTag(html, i, true)
	return ok && t.start == i && t.name == link.name
}

// buttonWidth sets the width of a button. A percentage is passed to the style sheet, which knows the gap between
// buttons.
func buttonWidth(html, width string) string {
	t, ok := findTag(html, "", "wp-block-button")
	if !ok {
		return html
	}
	css, classes := "width: "+width+";", []string{"has-custom-width"}
	if percent, ok := strings.CutSuffix(width, "%"); ok {
		num, _ := phpval.Number(percent)
		value, _ := strconv.ParseFloat(num, 64)
		css = "--wp--block-button--width: " + number(value) + ";"
		classes = append(classes, "wp-block-button__width")
		switch percent {
		case "25", "50", "75", "100":
			classes = append(classes, "wp-block-button__width-"+percent)
		}
	}
	if a, _ := t.attr(html, "style"); a.value != "" {
		css += " " + a.decoded()
	}
	html = t.addClasses(html, classes...)
	t, _ = findTag(html, "", "wp-block-button")
	return t.setAttrs(html, tagAttr{name: "style", value: css})
}

// presetWidth returns the width that a preset stands for. WordPress has four presets, which are percentages; others are
// CSS variables.
func presetWidth(width string) string {
	slug, ok := strings.CutPrefix(width, "var:preset|dimension|")
	if !ok {
		return width
	}
	switch slug {
	case "25", "50", "75", "100":
		return slug + "%"
	}
	return "var(--wp--preset--dimension--" + kebab(slug) + ")"
}

// kebab converts a name to the form used in CSS variables: its words and numbers in lower case, separated by "-".
func kebab(name string) string {
	chars := []rune(name)
	var out strings.Builder
	var before rune
	for i, c := range chars {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			before = 0
			continue
		}
		lowerNext := i+1 < len(chars) && unicode.IsLower(chars[i+1])
		starts := before == 0 || unicode.IsDigit(before) != unicode.IsDigit(c) ||
			unicode.IsUpper(c) && (unicode.IsLower(before) || unicode.IsUpper(before) && lowerNext)
		if out.Len() > 0 && starts {
			out.WriteByte('-')
		}
		out.WriteRune(unicode.ToLower(c))
		before = c
	}
	return out.String()
}
