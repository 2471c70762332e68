package pages

import (
	"html"
	"html/template"
	"regexp"
	"strings"
)

// markup passes on HTML that the site's own editors wrote and the interface rendered: titles, descriptions and excerpts. It is the
// only place where text reaches a page unescaped; the policy of the page still keeps scripts, frames and styles in it from working.
func markup(t text) template.HTML { return template.HTML(t) }

var tagPattern = regexp.MustCompile(`<[^>]*>`)

// unmarked turns such HTML, or a name in which signs are stored as entities, into text that is safe to escape again.
func unmarked[T ~string](t T) string {
	return strings.TrimSpace(html.UnescapeString(tagPattern.ReplaceAllString(string(t), "")))
}

// summary is the excerpt of an event or the first words of its description.
func summary(e event) string {
	if s := unmarked(e.Excerpt); s != "" {
		return s
	}
	const limit = 170
	words := strings.Fields(unmarked(e.Description))
	var b strings.Builder
	for _, w := range words {
		if b.Len()+len(w) > limit {
			return strings.TrimRight(b.String(), " ,;:") + " …"
		}
		b.WriteString(w + " ")
	}
	return strings.TrimSpace(b.String())
}
