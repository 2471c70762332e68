package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/release"
)

// knownBlocks are the blocks of WordPress itself. laterBlocks are those of them that were added by a later release.
// Other blocks belong to plugins and exist in the editor only.
var (
	knownBlocks = wp.NameSet(`accordion accordion-heading accordion-item accordion-panel audio block button buttons code column
columns cover details embed file freeform gallery group heading html image list list-item math media-text missing more nextpage
paragraph preformatted pullquote quote separator shortcode social-link social-links spacer table text-columns verse video`)

	laterBlocks = map[string]release.Behaviour{
		"icon": release.Icons, "navigation-overlay-close": release.OverlayClose, "tabs": release.Tabs, "tab-list": release.Tabs,
		"tab-panels": release.Tabs, "tab-panel": release.Tabs, "playlist": release.Playlists, "playlist-track": release.Playlists,
	}
)

// isKnown reports whether a release has a block.
func isKnown(name string, r release.Release) bool {
	kind, ok := strings.CutPrefix(name, "core/")
	if !ok {
		return serverRendered(name)
	}
	if since, later := laterBlocks[kind]; later {
		return r.Has(since)
	}
	return knownBlocks[kind] || serverBlocks[kind]
}
