package pages

import (
	"html"
	"html/template"
	"regexp"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// markup returns HTML of the site's editors, as rendered by the API, for templates: titles, descriptions and excerpts.
// Nothing else is added to a page unescaped. Scripts, frames and styles in it are blocked by the
// Content-Security-Policy. Since no script can open accordions, their panels are shown open: the attribute inert is
// removed.
func markup(t string) template.HTML {
	return template.HTML(strings.ReplaceAll(t, `<div inert aria-labelledby="accordion-item-`, `<div aria-labelledby="accordion-item-`))
}

var (
	tagPattern   = regexp.MustCompile(`<[^>]*>`)
	breakPattern = regexp.MustCompile(`(?i)<(br|hr|/p|/li|/div|/h[1-6]|/td|/th|/dt|/dd|/blockquote)\b[^>]*>`)
)

// unmarked returns the plain text of HTML, or of a name with entities. It must be escaped again. Block elements
// and line breaks become spaces.
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

// shortened returns the first words of a text, up to the length of a description for search engines.
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
