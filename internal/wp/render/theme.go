package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Theme is what the theme of a site adds to the markup of blocks.
type Theme struct {
	// Name is the name that the theme is known by here: its own, or that of its parent; "" for a theme that
	// is not known.
	Name string
	// styles are the block styles of the theme, by the name of the block.
	styles map[string][]string
	// rootPadding reports whether full-width blocks reach beyond the padding of
	// the page: in all current block themes they do.
	rootPadding bool
	// plainCaptions reports whether the theme is without HTML5 captions and
	// galleries.
	plainCaptions bool
	// wide is the width of the window, in pixels, at which font sizes are full: in narrower ones they
	// are smaller. It is 0 if font sizes are fixed.
	wide float64
	// duotones are the pairs of colors of the theme, beside those of all themes.
	duotones []string
	// gaps are the gaps between blocks, those of users before those of the theme's files: by the name of the
	// block, "" for all others, or by its name, a blank and the name of a block style.
	gaps map[string]string
}

// DefaultTheme is the theme of a site that names none.
const DefaultTheme = "twentytwentyfive"

// known are the themes whose files are known, as additions to a block theme without styles of its own.
var known = map[string]func(*Theme){
	"twentytwentyfive": func(t *Theme) {
		text := []string{"text-display", "text-subtitle", "text-annotation"}
		section := []string{"section-1", "section-2", "section-3", "section-4", "section-5"}
		t.styles["core/quote"] = []string{"plain"}
		t.styles["core/separator"] = []string{"wide"}
		t.styles["core/paragraph"], t.styles["core/heading"] = text, text
		t.styles["core/group"], t.styles["core/columns"], t.styles["core/column"] = section, section, section
		t.wide = 1340
		t.gaps = map[string]string{
			"": "1.2rem", "core/columns": "var:preset|spacing|50", "core/buttons": "16px", "core/quote": "var:preset|spacing|30",
		}
	},
	"twentytwentyfour": func(t *Theme) {
		t.styles["core/quote"] = []string{"plain"}
		t.wide = 1280
		t.duotones = []string{"duotone-1", "duotone-2", "duotone-3", "duotone-4", "duotone-5"}
		t.gaps = map[string]string{"": "1.2rem", "core/buttons": "0.7rem"}
	},
	"twentytwentythree": func(t *Theme) {
		t.wide = 1200
		t.gaps = map[string]string{"": "1.5rem"}
	},
}

// ThemeOf describes the theme of a site by the names of its directory and of its parent's (options
// "stylesheet" and "template"), and by what users changed of it: the content of its post of the type
// wp_global_styles, "" without one. A theme that is not known, nor its parent, counts as a block theme
// without styles of its own; an empty name means the default theme.
func ThemeOf(stylesheet, template, userStyles string) *Theme {
	t := &Theme{rootPadding: true, styles: map[string][]string{"core/button": {"outline"}}, gaps: map[string]string{}}
	if stylesheet == "" {
		stylesheet = DefaultTheme
	}
	for _, name := range []string{stylesheet, template} {
		if add := known[name]; add != nil {
			add(t)
			t.Name = name
			break
		}
	}
	t.addUserGaps(userStyles)
	return t
}

// addUserGaps adds the gaps that users have set.
func (t *Theme) addUserGaps(userStyles string) {
	if !strings.Contains(userStyles, "blockGap") {
		return
	}
	styles := decodeBlockJSON(userStyles).ArrayAt("styles")
	t.setGap("", styles)
	for name, block := range styles.ArrayAt("blocks").All() {
		settings, _ := block.(*phpval.Array)
		t.setGap(name.String(), settings)
		for style, variation := range settings.ArrayAt("variations").All() {
			settings, _ := variation.(*phpval.Array)
			t.setGap(name.String()+" "+style.String(), settings)
		}
	}
}

func (t *Theme) setGap(name string, settings *phpval.Array) {
	if gap, ok := settings.ArrayAt("spacing").At("blockGap").(string); ok && gap != "" {
		t.gaps[name] = gap
	}
}

// gap returns the gap between the blocks in a block of that name with that block style, "" if the theme and
// its users set none.
func (t *Theme) gap(block, style string) string {
	for _, name := range []string{block + " " + style, block, ""} {
		if gap := t.gaps[name]; gap != "" {
			return presetVariable(gap)
		}
	}
	return ""
}

// presetVariable returns the variable that a value of the form "var:preset|kind|name" names, else the value.
func presetVariable(value string) string {
	if name, ok := strings.CutPrefix(value, "var:"); ok {
		return "var(--wp--" + strings.ReplaceAll(name, "|", "--") + ")"
	}
	return value
}
