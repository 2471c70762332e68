package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Theme contains the properties of a site's theme that the HTML of blocks depends on.
type Theme struct {
	// Name is the name of the known theme: its own, or that of its parent. It is "" if neither is known.
	Name string
	// styles are the block styles of the theme, by block name.
	styles map[string][]string
	// rootPadding reports whether full-width blocks extend beyond the padding of the page. It is true for all current
	// block themes.
	rootPadding bool
	// plainCaptions reports whether the theme does not support HTML5 captions and galleries.
	plainCaptions bool
	// wide is the viewport width in pixels from which font sizes have their full size. It is 0 if font sizes are not
	// fluid.
	wide float64
	// duotones are the theme's duotone presets.
	duotones []string
	// gaps are the gaps between blocks; those of users override those in the theme's files. The key is the name of a
	// block, "" for all others, or a block name and a block style separated by a space.
	gaps map[string]string
}

// DefaultTheme is the theme of a site that stores none.
const DefaultTheme = "twentytwentyfive"

// known contains the themes that are known, as changes to a block theme without any styles.
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

// ThemeOf returns the theme of a site, given the names of its directory and its parent's (options "stylesheet" and
// "template"), and the users' changes (the content of its post of type wp_global_styles, or ""). If neither the theme
// nor its parent is known, the result is a block theme without any styles. If stylesheet is "", it is the default
// theme.
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

// gap returns the gap between blocks inside a block with a name and a block style, "" if neither the theme nor users
// set one.
func (t *Theme) gap(block, style string) string {
	for _, name := range []string{block + " " + style, block, ""} {
		if gap := t.gaps[name]; gap != "" {
			return presetVariable(gap)
		}
	}
	return ""
}

// presetVariable returns the CSS variable for a value of the form "var:preset|kind|name". It returns other values
// unchanged.
func presetVariable(value string) string {
	if name, ok := strings.CutPrefix(value, "var:"); ok {
		return "var(--wp--" + strings.ReplaceAll(name, "|", "--") + ")"
	}
	return value
}
