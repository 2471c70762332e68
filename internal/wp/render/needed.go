package render

import (
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Need describes the data that rendering a text needs.
type Need struct {
	Files  []int64  // ids of attachments, in the order in which they occur
	Pages  []int64  // those whose pages are linked
	Tracks []int64  // those that are played, with their images
	Posts  []int64  // ids of posts whose attached images are shown
	Own    bool     // the images attached to the text's own post are shown
	Embeds []string // keys of cached embeds

	Patterns []int64 // ids of synced patterns, whose content may need more data
}

// Needed returns what rendering a text needs.
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

// addBlocks adds the synced patterns in a text, with the images of their overrides, and the files of videos.
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

// Add merges the needs of another text. Keys of embeds may then occur twice.
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

// addFiles adds what a gallery or a playlist needs.
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

// addID adds an id to a list, unless the list contains it or is full.
func addID(ids []int64, id int64) []int64 {
	if id > 0 && len(ids) < maxGallery && !slices.Contains(ids, id) {
		ids = append(ids, id)
	}
	return ids
}

// neededEmbeds returns the keys of the cached embeds that a text needs.
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
