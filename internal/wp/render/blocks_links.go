package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// BlockIDs returns the positive ids that blocks with a name have in an attribute, in order and without duplicates.
func BlockIDs(s, block, attribute string) []int64 {
	var ids []int64
	seen := map[int64]bool{}
	for d := range kses.Delimiters(s) {
		if d.Closer || d.Name != block || d.Attrs == "" {
			continue
		}
		v := decodeBlockJSON(d.Attrs).At(attribute)
		if _, nested := v.(*phpval.Array); nested {
			continue
		}
		if id := phpval.Int(v); id > 0 && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// DecodeSpecial decodes the entities of "&", "<", ">" and quotes once, and keeps others, like WordPress's
// wp_specialchars_decode.
func DecodeSpecial(s string) string { return specialEntities.Replace(s) }

var specialEntities = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#039;", "'")
