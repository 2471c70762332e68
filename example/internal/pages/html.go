package pages

import (
	"html"
	"html/template"
	"regexp"
	"strings"
)

// markup returns HTML that the site's own editors wrote and the interface rendered: titles, descriptions and excerpts. It is the only place
// where text is added to a page unescaped; the policy of the page still blocks scripts, frames and styles in it.
func markup(t text) template.HTML { return template.HTML(t) }

var tagPattern = regexp.MustCompile(`<[^>]*>`)

// unmarked returns the text of such HTML, or of a name with entities, to be escaped again.
func unmarked[T ~string](t T) string {
	return strings.TrimSpace(html.UnescapeString(tagPattern.ReplaceAllString(string(t), "")))
}

// summary returns the excerpt of an event or the first words of its
// description.
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
