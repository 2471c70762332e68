package render

import (
	_ "embed"
	"strings"
)

//go:embed icons.txt
var iconsText string

// iconDrawings contains our own drawings of WordPress's icons by name, as the content of an svg element of 24 by 24.
var iconDrawings = readDrawings(iconsText)

// readDrawings parses lines of the form "name|path".
func readDrawings(text string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(text) {
		if name, path, ok := strings.Cut(strings.TrimSpace(line), "|"); ok {
			all[name] = `<path fill-rule="evenodd" d="` + path + `"></path>`
		}
	}
	return all
}
