package render

import (
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// blockDepth is the depth up to which nested blocks are changed. Deeper ones are shown as they are
// stored: each level reads all of its content.
const blockDepth = 32

// elementsDepth is the same for the hash of a block with colors of its own,
// which costs more.
const elementsDepth = 12

// blockRenderer renders the blocks of one text.
type blockRenderer struct {
	env      *Env
	theme    *Theme
	out      []byte
	ids      int // numbers given out
	patterns patternRun
	// accordions counts the accordions around the current block, images those that can be enlarged.
	accordions, images int
	made               int // blocks that are made of nothing but their settings
}

// renderBlocks drops block delimiters and finishes the markup of the blocks.
func (e *Env) renderBlocks(s string) string {
	if !strings.Contains(s, "<!--") {
		return s
	}
	if strings.IndexByte(s, '\r') >= 0 {
		s = lineEnds.Replace(s)
	}
	r := blockRenderer{env: e, theme: e.theme(), out: make([]byte, 0, len(s))}
	for _, b := range parseBlocks(s) {
		r.block(b, nil, 0)
	}
	return string(r.out)
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// blockMarks are the classes of a block that are made before the blocks in it are
// rendered, so that numbers are given out in the order in which blocks begin.
type blockMarks struct{ elements, style string }

// block appends a block.
func (r *blockRenderer) block(b, parent *block, depth int) {
	start := len(r.out)
	plain := b.name == "" || depth > blockDepth
	var marks blockMarks
	if !plain {
		marks = r.marks(b, depth)
	}
	r.inside(b, depth)
	if plain {
		return
	}
	if serverRendered(b.name) {
		r.out = append(r.out[:start], r.frame(b)...)
		return
	}
	change := changers[b.name]
	layout := layoutOf(b, parent)
	styled := b.styled()
	if change == nil && layout == nil && marks == (blockMarks{}) && !styled {
		return
	}
	html := r.finish(b, parent, string(r.out[start:]), finishing{marks, change, layout, styled})
	r.out = append(r.out[:start], html...)
}

// inside appends what a block has in it.
func (r *blockRenderer) inside(b *block, depth int) {
	switch b.name {
	case patternBlock:
		r.pattern(b, depth)
		return
	case accordionBlock:
		r.accordions++
		defer func() { r.accordions-- }()
	}
	for _, p := range b.content {
		if p.inner != nil {
			r.block(p.inner, b, depth+1)
		} else {
			r.out = append(r.out, p.text...)
		}
	}
}

// change finishes the markup of a kind of block.
type change func(r *blockRenderer, b, parent *block, html string) string

// finishing is what there is to do to a block.
type finishing struct {
	blockMarks

	change change
	layout *blockLayout
	styled bool // it may have settings of its own
}

// finish changes the markup of a block: first by its kind, then by the settings that kinds share, in the order of
// the site.
func (r *blockRenderer) finish(b, parent *block, html string, f finishing) string {
	if f.styled {
		html = r.overridden(b, html)
	}
	if f.change != nil {
		html = f.change(r, b, parent, html)
	}
	html = firstTagClasses(html, f.elements)
	if f.styled {
		html = r.typography(b, html)
	}
	if f.layout != nil {
		html = f.layout.apply(html, b, r.theme.rootPadding)
	}
	if f.styled {
		html = r.decorate(b, html)
	}
	html = firstTagClasses(html, f.style)
	if b.name == accordionItem {
		html = openItem(html, r.accordions > 0 && truth(b, "openByDefault") == "true")
	}
	if hidden(b) {
		html = ""
	}
	if b.name == imageBlock {
		html = r.lightbox(b, html)
	}
	return html
}

func (r *blockRenderer) marks(b *block, depth int) (m blockMarks) {
	if depth <= elementsDepth {
		m.elements = elementsClass(b)
	}
	m.style = r.styleClass(b)
	return m
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

// Names of blocks that others depend on.
const (
	accordionBlock = "core/accordion"
	accordionItem  = "core/accordion-item"
	imageBlock     = "core/image"
	patternBlock   = "core/block"
	videoBlock     = "core/video"
)

// changers are the blocks whose markup depends on more than what is stored.
var changers = map[string]change{
	"core/heading":     changeHeading,
	"core/list":        changeList,
	imageBlock:         changeImage,
	"core/gallery":     changeGallery,
	"core/button":      changeButton,
	"core/shortcode":   changeShortcode,
	"core/file":        changeFile,
	videoBlock:         changeVideo,
	accordionBlock:     changeAccordion,
	accordionItem:      changeAccordionItem,
	"core/social-link": changeSocialLink,
}

func changeHeading(_ *blockRenderer, _, _ *block, html string) string {
	for t := range openTags(html, 0) {
		if len(t.name) == 2 && t.name[0] == 'h' && '1' <= t.name[1] && t.name[1] <= '6' {
			return t.addClasses(html, "wp-block-heading")
		}
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

func changeGallery(r *blockRenderer, _, _ *block, html string) string {
	return firstTagClasses(html, "wp-block-gallery-"+r.id())
}

// changeButton hides a button without a link, and one whose link has no text.
func changeButton(_ *blockRenderer, _, _ *block, html string) string {
	var link htmlTag
	for link = range openTags(html, 0) {
		if link.name == "a" || link.name == "button" {
			break
		}
	}
	switch link.name {
	case "a", "button":
	case "":
		return html
	default:
		return ""
	}
	i := link.next
	for strings.HasPrefix(html[i:], "<!--") {
		if i = markupEnd(html, i); i < 0 {
			return ""
		}
	}
	if i == len(html) {
		return ""
	}
	if t, ok := nextTag(html, i, true); ok && t.start == i && t.name == link.name {
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

var serverBlocks = wp.NameSet(`archives avatar breadcrumbs calendar categories comment-author-avatar
comment-author-name comment-content comment-date comment-edit-link comment-reply-link
comment-template comments comments-pagination comments-pagination-next comments-pagination-numbers
comments-pagination-previous comments-title footnotes home-link latest-comments latest-posts
legacy-widget loginout navigation navigation-link navigation-submenu page-list page-list-item pattern
post-author post-author-biography post-author-name post-comment post-comments-count
post-comments-form post-comments-link post-content post-date post-excerpt post-featured-image
post-navigation-link post-template post-terms post-time-to-read post-title query query-no-results
query-pagination query-pagination-next query-pagination-numbers query-pagination-previous query-title
query-total read-more rss search site-logo site-tagline site-title tag-cloud
template-part term-count term-description term-name term-template terms-query widget-group`)
