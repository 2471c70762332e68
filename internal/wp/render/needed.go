package render

import (
	"slices"
	"strings"
)

// Need is what the rendering of a text needs.
type Need struct {
	Files  []int64  // uploaded files, in the order in which they occur
	Pages  []int64  // those of them whose own pages are linked
	Tracks []int64  // those of them that are played, with their pictures
	Posts  []int64  // posts whose attached pictures are shown
	Own    bool     // the pictures attached to the text's own post are shown
	Embeds []string // keys of cached forms of addresses
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
