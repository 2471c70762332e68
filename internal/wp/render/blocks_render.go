package render

import (
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// blockDepth is the depth up to which nested blocks are changed. Deeper ones are shown as they are
// stored: each level reads all of its content.
const blockDepth = 32

// elementsDepth is the same for the hash of a block with colors of its own,
// which costs more.
const elementsDepth = 12

// blockRenderer renders the blocks of one text.
type blockRenderer struct {
	theme *Theme
	out   []byte
	ids   int // numbers given out
}

// renderBlocks drops block delimiters and finishes the markup of the blocks.
func renderBlocks(s string, theme *Theme) string {
	if !strings.Contains(s, "<!--") {
		return s
	}
	r := blockRenderer{theme: theme, out: make([]byte, 0, len(s))}
	for _, b := range parseBlocks(s) {
		r.block(b, nil, 0)
	}
	return string(r.out)
}

// block appends a block.
func (r *blockRenderer) block(b, parent *block, depth int) {
	start := len(r.out)
	var class []string // for the first tag
	var style string
	plain := b.name == "" || depth > blockDepth
	if !plain {
		if depth <= elementsDepth {
			if c := elementsClass(b); c != "" {
				class = append(class, c)
			}
		}
		style = r.styleClass(b)
	}
	for _, p := range b.content {
		if p.inner != nil {
			r.block(p.inner, b, depth+1)
		} else {
			r.out = append(r.out, p.text...)
		}
	}
	if plain {
		return
	}
	if serverRendered(b.name) {
		r.out = r.out[:start]
		return
	}
	change := changers[b.name]
	layout := layoutOf(b, parent)
	if change == nil && layout == nil && class == nil && style == "" && !hidden(b) {
		return
	}
	html := string(r.out[start:])
	if change != nil {
		html = change(r, b, parent, html)
	}
	html = firstTagClasses(html, class...)
	if layout != nil {
		html = layout.apply(html, b, r.theme.rootPadding)
	}
	html = firstTagClasses(html, style)
	if hidden(b) {
		html = ""
	}
	r.out = append(r.out[:start], html...)
}

// id returns the next number of this text.
func (r *blockRenderer) id() string {
	r.ids++
	return strconv.Itoa(r.ids)
}

func firstTagClasses(html string, classes ...string) string {
	if len(classes) == 0 || classes[0] == "" {
		return html
	}
	if t, ok := nextTag(html, 0, false); ok {
		return t.addClasses(html, classes...)
	}
	return html
}

// hidden reports whether a block is switched off.
func hidden(b *block) bool {
	if !strings.Contains(b.raw, "metadata") || !strings.HasPrefix(b.name, "core/") {
		return false
	}
	return b.attrs().ArrayAt("metadata").At("blockVisibility") == false
}

// changers are the blocks whose markup depends on more than what is stored.
var changers = map[string]func(r *blockRenderer, b, parent *block, html string) string{
	"core/heading":   changeHeading,
	"core/list":      changeList,
	"core/image":     changeImage,
	"core/gallery":   changeGallery,
	"core/button":    changeButton,
	"core/shortcode": changeShortcode,
}

func changeHeading(_ *blockRenderer, _, _ *block, html string) string {
	t, ok := nextTag(html, 0, false)
	if ok && len(t.name) == 2 && t.name[0] == 'h' && '1' <= t.name[1] && t.name[1] <= '6' {
		return t.addClasses(html, "wp-block-heading")
	}
	return html
}

func changeList(_ *blockRenderer, _, _ *block, html string) string {
	for t := range openTags(html, 0) {
		if t.name == "ul" || t.name == "ol" {
			return t.addClasses(html, "wp-block-list")
		}
	}
	return html
}

// changeImage hides an image block without an image, its caption too. In a
// gallery it adds the id to the image.
func changeImage(_ *blockRenderer, b, parent *block, html string) string {
	for t := range openTags(html, 0) {
		if t.name != "img" {
			continue
		}
		src, ok := t.attr(html, "src")
		if !ok || src.has && (src.value == "" || src.value == "0") {
			return ""
		}
		id := b.attrs().At("data-id")
		if id == nil && parent != nil && parent.name == "core/gallery" {
			id = b.attrs().At("id")
		}
		if id != nil {
			return t.setAttr(html, "data-id", phpval.Text(id))
		}
		return html
	}
	return ""
}

func changeGallery(r *blockRenderer, _, _ *block, html string) string {
	return firstTagClasses(html, "wp-block-gallery-"+r.id())
}

// changeButton hides a button without text.
func changeButton(_ *blockRenderer, _, _ *block, html string) string {
	var last htmlTag
	for last = range openTags(html, 0) {
		if last.name == "a" || last.name == "button" {
			break
		}
	}
	if last.name == "" {
		return html
	}
	i := last.next
	for strings.HasPrefix(html[i:], "<!--") {
		if i = markupEnd(html, i); i < 0 {
			return ""
		}
	}
	if i == len(html) {
		return ""
	}
	if t, ok := nextTag(html, i, true); ok && t.start == i && t.name == last.name {
		return ""
	}
	return html
}

func changeShortcode(_ *blockRenderer, _, _ *block, html string) string { return autop(html) }

// serverRendered reports whether a block is made from what is not available here: other posts, the
// page around, the visitor.
func serverRendered(name string) bool {
	kind, ok := strings.CutPrefix(name, "core/")
	return ok && serverBlocks[kind] || strings.HasPrefix(name, "tribe/")
}

var serverBlocks = wp.NameSet(`archives avatar block breadcrumbs calendar categories comment-author-avatar
comment-author-name comment-content comment-date comment-edit-link comment-reply-link
comment-template comments comments-pagination comments-pagination-next comments-pagination-numbers
comments-pagination-previous comments-title footnotes home-link latest-comments latest-posts
legacy-widget loginout navigation navigation-link navigation-submenu page-list page-list-item pattern
post-author post-author-biography post-author-name post-comment post-comments-count
post-comments-form post-comments-link post-content post-date post-excerpt post-featured-image
post-navigation-link post-template post-terms post-time-to-read post-title query query-no-results
query-pagination query-pagination-next query-pagination-numbers query-pagination-previous query-title
query-total read-more rss search site-logo site-tagline site-title social-link tag-cloud
template-part term-count term-description term-name term-template terms-query widget-group`)
