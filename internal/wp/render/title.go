package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// Title renders a stored title, or the name of a venue or organizer.
// Shortcodes are not run there, but keep the marks in their tags.
func Title(s string, m *Marks) string {
	s = wp.TrimText(escapeLoneAmpersands(texturize(s, m, contentShortcodes)))
	return strings.ReplaceAll(s, "Wordpress", "WordPress")
}
