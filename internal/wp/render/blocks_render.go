package render

import (
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// blockDepth is the depth up to which nested blocks are processed. Deeper ones are rendered as stored, because each
// level processes all of its content.
const blockDepth = 32

// hashDepth is the depth up to which whole blocks are hashed, which is more expensive.
const hashDepth = 12

// blockRenderer renders the blocks of one text.
type blockRenderer struct {
	env      *Env
	theme    *Theme
	out      []byte
	ids      int // how many numbers id has returned
	elements int // how many numbers classes for element colours have used
	patterns patternRun
	// accordions and playlists are the numbers of those that enclose the current block. images is the number of
	// expandable images so far.
	accordions, playlists, images int
	noTrackImages                 bool           // the enclosing playlist shows no images
	tabs                          *tabsRun       // the tabs that enclose the current block; nil for none
	panels                        map[string]int // number of panels so far, by the id of their tabs
	notes                         bool           // the text may contain notes
	made                          int            // number of blocks so far that makes limits
	current                       blockMarks     // of the block being finished
}

// has reports whether the site's release has a behaviour.
func (r *blockRenderer) has(b release.Behaviour) bool { return r.env.Release.Has(b) }

// renderBlocks removes block delimiters and completes the HTML of blocks as WordPress's do_blocks does.
func (e *Env) renderBlocks(s string) string {
	notes := e.Release.Has(release.NoteMarks) && strings.Contains(s, noteClass)
	if !strings.Contains(s, "<!--") {
		if notes {
			return withoutNotes(s)
		}
		return s
	}
	if strings.IndexByte(s, '\r') >= 0 {
		s = lineEnds.Replace(s)
	}
	r := blockRenderer{env: e, theme: e.theme(), out: make([]byte, 0, len(s)), notes: notes}
	for _, b := range parseBlocks(s) {
		r.block(b, nil, 0)
	}
	return string(r.out)
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// block appends a block to out.
func (r *blockRenderer) block(b, parent *block, depth int) {
	start := len(r.out)
	if b.name == "" || depth > blockDepth {
		r.inside(b, depth)
		if b.name == "" && r.notes {
			r.out = append(r.out[:start], withoutNotes(string(r.out[start:]))...)
		}
		return
	}
	marks := r.marks(b, parent, depth)
	leave := r.enter(b)
	r.inside(b, depth)
	if serverRendered(b.name) {
		leave()
		r.out = append(r.out[:start], r.frame(b)...)
		return
	}
	f := finishing{marks, changers[b.name], r.layoutOf(b, parent), b.styled()}
	if f.change != nil || f.layout != nil || f.styled || r.notes || marks != (blockMarks{}) {
		html := r.finish(b, parent, r.inner(b, start), f)
		r.out = append(r.out[:start], html...)
	} else if b.name == paragraphBlock && r.has(release.ParagraphClass) {
		r.out = appendParagraph(r.out[:start], r.inner(b, start))
	}
	leave()
}

// inner returns the content of a block that has been appended at start.
func (r *blockRenderer) inner(b *block, start int) string {
	if len(b.content) == 1 && b.content[0].inner == nil {
		return b.content[0].text
	}
	return string(r.out[start:])
}

// enter updates the state that inner blocks depend on. It returns a function that restores it.
func (r *blockRenderer) enter(b *block) func() {
	switch b.name {
	case accordionBlock:
		r.accordions++
		return func() { r.accordions-- }
	case tabsBlock:
		around := r.openTabs(b)
		return func() { r.tabs = around }
	case playlistBlock:
		around := r.noTrackImages
		r.playlists++
		r.noTrackImages = b.attrs().At("showImages") == false
		return func() {
			r.playlists--
			r.noTrackImages = around
		}
	}
	return func() {}
}

// inside appends the content of a block.
func (r *blockRenderer) inside(b *block, depth int) {
	if b.name == patternBlock {
		r.pattern(b, depth)
		return
	}
	for _, p := range b.content {
		if p.inner != nil {
			r.block(p.inner, b, depth+1)
		} else {
			r.out = append(r.out, p.text...)
		}
	}
}

// change completes the HTML of a type of block.
type change func(r *blockRenderer, b, parent *block, html string) string

// finishing contains what finish has to do to a block.
type finishing struct {
	blockMarks

	change change
	layout *blockLayout
	styled bool // the block may have settings that change its HTML
}

// finish completes the HTML of a block: first what is special to its type, then what its settings imply, in the order
// of WordPress's filters.
func (r *blockRenderer) finish(b, parent *block, html string, f finishing) string {
	around := r.current
	r.current = f.blockMarks
	if f.styled {
		html = r.overridden(b, html)
	}
	if f.change != nil {
		html = f.change(r, b, parent, html)
	}
	if f.styled {
		html = typography(b, html, r.theme.wide)
	}
	if r.notes {
		html = withoutNotes(html)
	}
	html = firstTagClasses(html, f.blockMarks.elements)
	if f.layout != nil {
		html = f.layout.apply(r, html, b)
	}
	if f.styled {
		html = r.decorate(b, html)
	}
	html = firstTagClasses(html, f.style)
	if hidden(b, r.env.Release) {
		html = ""
	}
	if f.styled || f.css != "" {
		html = r.conditional(b, html, f.css)
	}
	r.current = around
	return r.last(b, html)
}

// conditional adds classes for visibility, custom CSS and states such as hover.
func (r *blockRenderer) conditional(b *block, html, css string) string {
	if classes := r.hiddenIn(b); classes != nil {
		html = imagePriority(firstTagClasses(html, classes...), "auto")
	}
	if css != "" {
		html = firstTagClasses(html, "has-custom-css", css)
	}
	if r.has(release.States) {
		html = firstTagClasses(html, r.statesClass(b))
	}
	return html
}

// last applies what some types of blocks do after everything else.
func (r *blockRenderer) last(b *block, html string) string {
	switch b.name {
	case accordionItem:
		return openItem(html, r.accordions > 0 && isOpen(b))
	case imageBlock:
		return r.lightbox(b, html)
	case detailsBlock:
		if r.has(release.FetchPriority) && !phpval.Truthy(b.attrs().At("showContent")) {
			return imagePriority(html, "low")
		}
	case paragraphBlock:
		if r.has(release.ParagraphClass) {
			return string(appendParagraph(nil, html))
		}
	}
	return html
}

// appendParagraph appends the HTML of a paragraph block, with the class on its first p tag.
func appendParagraph(out []byte, html string) []byte {
	for t := range openTags(html, 0) {
		if t.name != "p" {
			continue
		}
		if _, ok := t.attr(html, "class"); ok {
			return append(out, t.addClasses(html, paragraphClass)...)
		}
		out = append(out, html[:t.nameEnd]...)
		out = append(out, ` class="`+paragraphClass+`"`...)
		return append(out, html[t.nameEnd:]...)
	}
	return append(out, html...)
}

const paragraphClass = "wp-block-paragraph"

// id returns the next number in this text, as WordPress's wp_unique_id does in a page.
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

// Names of blocks that other code depends on.
const (
	accordionBlock = "core/accordion"
	accordionItem  = "core/accordion-item"
	detailsBlock   = "core/details"
	imageBlock     = "core/image"
	paragraphBlock = "core/paragraph"
	patternBlock   = "core/block"
	videoBlock     = "core/video"
)

// changers are the blocks whose HTML depends on more than what is stored.
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
	tabsBlock:          changeTabs,
	tabListBlock:       changeTabList,
	tabPanelBlock:      changeTabPanel,
	playlistBlock:      changePlaylist,
	trackBlock:         changeTrack,
	iconBlock:          changeIcon,

	"core/navigation-overlay-close": changeOverlayClose,
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

func changeGallery(r *blockRenderer, b, _ *block, html string) string {
	if r.has(release.DynamicGallery) && strings.Contains(b.raw, "dynamicContent") && b.attrs().At("dynamicContent") != nil {
		return ""
	}
	html = firstTagClasses(html, "wp-block-gallery-"+r.id())
	if r.has(release.LightboxPreload) && strings.Contains(html, "wp-lightbox-container") {
		if t, ok := findTag(html, "figure", ""); ok {
			return t.setAttrs(html, tagAttr{name: "data-wp-context", value: `{"galleryId":"` + r.imageID(html) + `"}`},
				tagAttr{name: "data-wp-interactive", value: "core/gallery"})
		}
	}
	return html
}

func changeShortcode(_ *blockRenderer, _, _ *block, html string) string { return autop(html) }

// serverRendered reports whether a block is rendered from data that is not available here: other posts, the surrounding
// page, or the visitor.
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
