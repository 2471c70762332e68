// Package render renders stored texts as the site shows them: titles, descriptions with their
// blocks, shortcodes, embeds and media, excerpts, images, and the plain texts of JSON-LD. It does
// no I/O: callers provide what a text needs.
package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/release"
)

// Env is what the rendering depends on besides the texts. It is safe for
// concurrent use.
type Env struct {
	// Home and SiteURL are the addresses of the site and of its program files,
	// Uploads that of uploaded files.
	Home, SiteURL, Uploads string
	// Attachments are the uploaded files that the texts need, by id.
	Attachments map[int64]*ContentAttachment
	// Attached are the files of galleries that give the id of a post, by that id: of posts that
	// everybody may read. Own are those of galleries without ids, by the id of the post whose text
	// they are in.
	Attached, Own map[int64][]*ContentAttachment
	// Patterns are the texts of synced patterns that everybody may see, by id.
	Patterns map[int64]string
	// Embeds are the cached forms of addresses, by the keys in Need.
	Embeds map[string]string
	// Marks are the typographic marks; nil means the English ones.
	Marks *Marks
	// ContentWidth is the width of texts in the theme, 0 if it sets none.
	ContentWidth int
	// Release is the release of WordPress that the site runs.
	Release release.Release
	// Theme is the theme; nil means the current default theme.
	Theme *Theme
	// NoSmilies leaves the codes of smilies as they are.
	NoSmilies bool
}

// contentRun is the state of rendering one text.
type contentRun struct {
	env                       *Env
	post                      int64 // whose own text it is, 0 for none
	audios, videos, galleries int
	captions                  map[string]int // uses of the ids of captions
	media                     int            // shortcodes of players, galleries and lists of tracks
	files                     int            // that galleries and lists of tracks have shown
	priority                  bool           // an image that comes first is found
}

// Content renders a stored description. Each text is rendered as if it
// were the only one, so that the result depends on nothing else. post is the id
// of the post whose files a gallery without ids shows, 0 for none.
func (e *Env) Content(content string, post int64) string {
	if strings.Trim(content, phpSpace) == "" {
		return ""
	}
	r := contentRun{env: e, post: post}
	s := e.embedded(content)
	blocks := strings.Contains(s, "<!-- wp:")
	s = e.renderBlocks(s)
	s = texturize(s, e.Marks, contentShortcodes)
	if !blocks {
		s = autop(s)
	}
	s = unwrapShortcodes(s)
	s = e.fixBrand(s)
	s = doShortcodes(s, contentShortcodes, false, r.shortcode)
	s = r.mediaTags(s)
	if !e.NoSmilies {
		s = replaceSmilies(s, e.SiteURL)
	}
	return strings.Trim(s, phpSpace)
}

// embedded replaces addresses by what is cached for them.
func (e *Env) embedded(s string) string {
	embed := embedder{width: e.ContentWidth, find: func(key string) string { return e.Embeds[key] }}
	return embed.embeds(s)
}

// Excerpt renders a stored excerpt.
func (e *Env) Excerpt(excerpt string) string {
	if strings.Trim(excerpt, phpSpace) == "" {
		return ""
	}
	r := contentRun{env: e}
	s := texturize(excerpt, e.Marks, contentShortcodes)
	if !e.NoSmilies {
		s = replaceSmilies(s, e.SiteURL)
	}
	s = autop(escapeLoneAmpersands(s))
	s = r.mediaTags(unwrapShortcodes(s))
	return strings.Trim(s, phpSpace)
}

func (e *Env) theme() *Theme {
	if e.Theme != nil {
		return e.Theme
	}
	return defaultTheme
}

// defaultTheme is never changed.
var defaultTheme = ThemeOf("", "", "")

// maxMedia bounds the shortcodes of media that a text shows: one of 19 bytes renders to 300.
const maxMedia = 100

// shortcode renders a shortcode of a text. Those of media beyond the bound print nothing.
func (r *contentRun) shortcode(t shortcode) string {
	switch t.name {
	case "caption", "wp_caption":
		return r.caption(t)
	}
	if r.media++; r.media > maxMedia {
		return ""
	}
	switch t.name {
	case "audio":
		return r.audio(t)
	case "video":
		return r.video(t)
	case "gallery":
		return r.gallery(t)
	case "playlist":
		return r.playlist(t)
	}
	return ""
}

// fixBrand corrects the spelling of "WordPress" where it starts a word.
func (e *Env) fixBrand(s string) string {
	const typed, right = "Wordpress", "WordPress"
	if !strings.Contains(s, typed) {
		return s
	}
	quote := "&#8220;"
	if e.Marks != nil {
		quote = e.Marks.OpenDouble
	}
	return replaceAt(s, 'W', func(i int) (int, string) {
		if strings.HasPrefix(s[i:], typed) {
			for _, mark := range []string{" ", "&#8216;", quote, ">", "("} {
				if mark != "" && strings.HasSuffix(s[:i], mark) {
					return len(typed), right
				}
			}
		}
		return 0, ""
	})
}
