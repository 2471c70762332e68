package pages

import (
	"html"
	"html/template"
	"regexp"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// markup returns HTML that the site's own editors wrote and the interface rendered: titles, descriptions and excerpts. It is the only place
// where text is added to a page unescaped; the policy of the page still blocks scripts, frames and styles in it. So no script opens
// accordions: their panels are shown, and must not be inert.
func markup(t string) template.HTML {
	return template.HTML(strings.ReplaceAll(t, `<div inert aria-labelledby="accordion-item-`, `<div aria-labelledby="accordion-item-`))
}

var (
	tagPattern   = regexp.MustCompile(`<[^>]*>`)
	breakPattern = regexp.MustCompile(`(?i)<(br|hr|/p|/li|/div|/h[1-6]|/td|/th|/dt|/dd|/blockquote)\b[^>]*>`)
)

// unmarked returns the text of such HTML, or of a name with entities, to be escaped again. What ends a line separates words.
func unmarked(t string) string {
	t = tagPattern.ReplaceAllString(breakPattern.ReplaceAllString(t, " "), "")
	return strings.TrimSpace(html.UnescapeString(t))
}

// summary returns the excerpt of an event or the first words of its description.
func summary(e calendar.Event) string {
	if s := unmarked(e.Excerpt); s != "" {
		return s
	}
	return shortened(unmarked(e.Description))
}

// shortened returns the first words of a text, as many as a description for search engines has.
func shortened(text string) string {
	const limit = 170
	var b strings.Builder
	for _, w := range strings.Fields(text) {
		if b.Len()+len(w) > limit {
			return strings.TrimRight(b.String(), " ,;:") + " …"
		}
		b.WriteString(w + " ")
	}
	return strings.TrimSpace(b.String())
}
