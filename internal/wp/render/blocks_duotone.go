package render

import (
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// duotones are the duotone presets that all themes have.
var duotones = []string{"dark-grayscale", "grayscale", "purple-yellow", "blue-red", "midnight", "magenta-yellow", "purple-green",
	"blue-orange"}

// duotone returns the class of a block with a duotone filter, "" if it has none. Custom colours get a numbered class.
func (r *blockRenderer) duotone(style *phpval.Array) string {
	var name string
	switch v := style.ArrayAt("color").At("duotone").(type) {
	case *phpval.Array:
		colors := make([]string, 0, v.Len())
		for _, c := range v.All() {
			colors = append(colors, phpval.Text(c))
		}
		name = strings.Join(colors, "-")
	case string:
		if p := duotonePreset(v); slices.Contains(duotones, p) || slices.Contains(r.theme.duotones, p) {
			return "wp-duotone-" + p
		}
		name = v
	default:
		return ""
	}
	return "wp-duotone-" + plainKey(name) + "-" + r.id()
}

// duotonePreset returns the name in "var:preset|duotone|name" or "var(--wp--preset--duotone--name)".
func duotonePreset(s string) string {
	if name, ok := strings.CutPrefix(s, "var:preset|duotone|"); ok {
		return name
	}
	name, _ := strings.CutPrefix(s, "var(--wp--preset--duotone--")
	return strings.TrimSuffix(name, ")")
}

// plainKey converts a string to lower case and keeps only letters, digits, "-" and "_", like WordPress's sanitize_key.
func plainKey(s string) string {
	b := make([]byte, 0, len(s))
	for _, c := range []byte(phpval.Lower(s)) {
		if isLetter(c) || wp.IsDigit(c, 10) || c == '-' || c == '_' {
			b = append(b, c)
		}
	}
	return string(b)
}
