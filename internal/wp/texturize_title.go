package wp

import "strings"

// RenderTitle renders a stored title, or the name of a venue or organizer.
// Shortcodes are not run there, but keep the marks in their tags.
func RenderTitle(s string, m *Marks) string {
	s = trimText(escapeLoneAmpersands(Texturize(s, m, contentShortcodes)))
	return strings.ReplaceAll(s, "Wordpress", "WordPress")
}
