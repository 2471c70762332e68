package render

import (
	_ "embed"
	"strings"
)

//go:embed icons.txt
var iconsText string

// iconDrawings are our own drawings of the icons of WordPress, by their names: each is what is in a frame of 24
// by 24.
var iconDrawings = readDrawings(iconsText)

// readDrawings reads lines of the form "name|path".
func readDrawings(text string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(text) {
		if name, path, ok := strings.Cut(strings.TrimSpace(line), "|"); ok {
			all[name] = `<path fill-rule="evenodd" d="` + path + `"></path>`
		}
	}
	return all
}
