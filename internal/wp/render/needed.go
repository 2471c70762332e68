package render

import (
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Need is what the rendering of a text needs.
type Need struct {
	Files  []int64  // uploaded files, in the order in which they occur
	Pages  []int64  // those of them whose own pages are linked
	Tracks []int64  // those of them that are played, with their pictures
	Posts  []int64  // posts whose attached pictures are shown
	Own    bool     // the pictures attached to the text's own post are shown
	Embeds []string // keys of cached forms of addresses

	Patterns []int64 // synced patterns, whose texts need more
}

// Needed returns what the rendering of a text needs.
func (e *Env) Needed(content string) Need {
	n := Need{Embeds: e.neededEmbeds(content)}
	for rest := content; ; {
		i := indexImageClass(rest)
		if i < 0 {
			break
		}
		n.Files = addID(n.Files, imageID(rest[i:min(len(rest), i+40)]))
		rest = rest[i+len(imageClass):]
	}
	n.addBlocks(content)
	names := usedShortcodes(content, []string{"gallery", "playlist"})
	if len(names) == 0 {
		return n
	}
	scan := scanShortcodes(content, names)
	for i := 0; ; {
		t, ok := scan.next(i)
		if !ok {
			return n
		}
		n.addFiles(t)
		i = t.tagEnd
	}
}

// addBlocks adds the patterns that a text shows, with the images that it puts into them, and the files of films.
func (n *Need) addBlocks(content string) {
	if !strings.Contains(content, "wp:block") && !strings.Contains(content, "wp:video") && !strings.Contains(content, "wp:core/") {
		return
	}
	for d := range kses.Delimiters(content) {
		if d.Closer && !d.Void || d.Attrs == "" || d.Name != patternBlock && d.Name != videoBlock {
			continue
		}
		attrs := decodeBlockJSON(d.Attrs)
		if d.Name == videoBlock {
			n.Files = addID(n.Files, phpval.Int(attrs.At("id")))
			continue
		}
		n.Patterns = addID(n.Patterns, patternID(attrs))
		for _, v := range patternOverrides(attrs).All() {
			if own, ok := v.(*phpval.Array); ok {
				n.Files = addID(n.Files, phpval.Int(own.At("id")))
			}
		}
	}
}

// Add adds another need. Keys of embeds may then be there twice.
func (n *Need) Add(m *Need) {
	for _, lists := range []struct {
		to   *[]int64
		from []int64
	}{{&n.Files, m.Files}, {&n.Pages, m.Pages}, {&n.Tracks, m.Tracks}, {&n.Posts, m.Posts}, {&n.Patterns, m.Patterns}} {
		for _, id := range lists.from {
			*lists.to = addID(*lists.to, id)
		}
	}
	n.Own = n.Own || m.Own
	n.Embeds = append(n.Embeds, m.Embeds...)
}

// addFiles adds what a gallery or a list of tracks needs.
func (n *Need) addFiles(t shortcode) {
	q := filesQuery(t)
	for _, id := range q.ids {
		n.Files = addID(n.Files, id)
		if t.name == "playlist" {
			n.Tracks = addID(n.Tracks, id)
		} else if q.get("link", "") != "none" && q.get("link", "") != "file" {
			n.Pages = addID(n.Pages, id)
		}
	}
	if len(q.ids) > 0 || q.named || t.name != "gallery" {
		return
	}
	if id, given := q.post(); given {
		n.Posts = addID(n.Posts, id)
	} else {
		n.Own = true
	}
}

// addID adds an id that is not in the list, as long as that is not too long.
func addID(ids []int64, id int64) []int64 {
	if id > 0 && len(ids) < maxGallery && !slices.Contains(ids, id) {
		ids = append(ids, id)
	}
	return ids
}

// neededEmbeds returns the keys under which the cached forms of addresses in a
// text are found.
func (e *Env) neededEmbeds(content string) []string {
	if !strings.Contains(content, "://") && !strings.Contains(content, "[embed") {
		return nil
	}
	var keys []string
	seen := map[string]bool{}
	embed := embedder{width: e.ContentWidth, find: func(key string) string {
		if !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
		return ""
	}}
	embed.embeds(content)
	return keys
}
