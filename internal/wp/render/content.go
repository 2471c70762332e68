// Package render renders stored texts as WordPress does: titles, content with blocks, shortcodes, embeds and media,
// excerpts, images, and texts in JSON-LD. It does no I/O: callers provide what a text needs.
package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/release"
)

// Env is everything apart from the texts that rendering depends on. It is safe for concurrent use.
type Env struct {
	// Home and SiteURL are the URLs of the site and of WordPress's files. Uploads is the URL of the uploads directory.
	Home, SiteURL, Uploads string
	// Attachments contains the attachments that the texts need, by id.
	Attachments map[int64]*ContentAttachment
	// Attached contains, by post id, the attachments of published posts whose id a gallery shortcode names. Own
	// contains those for galleries that name no ids, by the id of the post that contains the gallery.
	Attached, Own map[int64][]*ContentAttachment
	// Patterns contains the content of published synced patterns, by id.
	Patterns map[int64]string
	// Embeds contains the cached HTML of embedded URLs, by the keys in Need.
	Embeds map[string]string
	// Marks are the typographic quotes and dashes of the site's language. nil means those of English.
	Marks *Marks
	// ContentWidth is the theme's content width in pixels, 0 if it sets none.
	ContentWidth int
	// Release is the release of WordPress that the site runs.
	Release release.Release
	// Theme is the site's theme. nil means the current default theme.
	Theme *Theme
	// NoSmilies disables the conversion of smilies to images.
	NoSmilies bool
}

// contentRun is the state of rendering one text.
type contentRun struct {
	env                       *Env
	post                      int64 // id of the post that contains the text; 0 for none
	audios, videos, galleries int
	captions                  map[string]int // how often each id of a caption was used
	media                     int            // number of media shortcodes so far
	files                     int            // number of files in galleries and playlists so far
	priority                  bool           // the first large image has been found
}

// Content renders the content of a post, like WordPress's filter the_content. Each text is rendered as if it were the
// only one in a page, so that the result depends on nothing else. post is the id of the post whose files a gallery
// without ids shows, 0 for none.
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

// embedded replaces URLs by their cached HTML.
func (e *Env) embedded(s string) string {
	embed := embedder{width: e.ContentWidth, find: func(key string) string { return e.Embeds[key] }}
	return embed.embeds(s)
}

// Excerpt renders a stored excerpt, like WordPress's filter the_excerpt.
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

// defaultTheme is never modified.
var defaultTheme = ThemeOf("", "", "")

// maxMedia is the greatest number of media shortcodes that are rendered in a text: a shortcode of 19 bytes becomes 300
// bytes of HTML.
const maxMedia = 100

// shortcode renders a shortcode. Media shortcodes beyond maxMedia render nothing.
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

// fixBrand corrects the capitalization of "WordPress" at the beginning of words, like WordPress's capital_P_dangit.
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
