package wp

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// gallery shows the images whose ids are given. Without ids it would show what
// was uploaded to the post, and here there is none.
func (r *contentRun) gallery(t shortcode) string {
	r.galleries++
	attrs := parseShortcodeAttrs(t.attrs)
	get := func(name, missing string) string {
		if v, ok := attrs.Get(name); ok && v != nil {
			return phpval.Text(v)
		}
		return missing
	}
	list := r.galleryImages(attrs)
	if len(list) == 0 {
		return ""
	}
	g := galleryMarkup{
		selector: "gallery-" + strconv.Itoa(r.galleries),
		item:     galleryTag(get("itemtag", "figure"), "dl"),
		icon:     galleryTag(get("icontag", "div"), "dt"),
		caption:  galleryTag(get("captiontag", "figcaption"), "dd"),
		link:     get("link", ""),
		size:     get("size", "thumbnail"),
	}
	columns := strconv.FormatInt(LeadingInt(get("columns", "3")), 10)
	id := strconv.FormatInt(LeadingInt(get("id", "0")), 10)
	var b strings.Builder
	b.WriteString("<div id='" + g.selector + "' class='gallery galleryid-" + id + " gallery-columns-" + columns +
		" gallery-size-" + classWord(g.size) + "'>")
	for _, a := range list {
		r.galleryItem(&b, g, a)
	}
	b.WriteString("\n\t\t</div>\n")
	return b.String()
}

// galleryMarkup is how a gallery is written.
type galleryMarkup struct{ selector, item, icon, caption, link, size string }

func galleryTag(name, otherwise string) string {
	tag := make([]byte, 0, len(name))
	for _, c := range []byte(lowerASCII(name)) {
		if isLetter(c) || isDigit(c, 10) || strings.IndexByte("-_:", c) >= 0 {
			tag = append(tag, c)
		}
	}
	switch string(tag) {
	case "figure", "div", "figcaption", "dl", "dt", "dd", "ul", "ol", "li", "p", "span", "section", "article",
		"blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "table", "tr", "td", "aside", "em", "strong":
		return string(tag)
	}
	return otherwise
}

// galleryImages are the images of a gallery in their order: that of the ids,
// unless one is asked for that can be told from the ids.
func (r *contentRun) galleryImages(attrs *phpval.Array) []*ContentAttachment {
	var list []*ContentAttachment
	ids, ordered := galleryIDs(attrs)
	for _, id := range ids {
		if a := r.env.Attachments[id]; a != nil && strings.HasPrefix(a.Mime, "image/") {
			list = append(list, a)
		}
	}
	if !ordered {
		slices.SortFunc(list, func(a, b *ContentAttachment) int { return cmp.Compare(a.ID, b.ID) })
	}
	order, _ := attrs.Get("order")
	if text, _ := order.(string); !ordered && strings.EqualFold(text, "DESC") {
		slices.Reverse(list)
	}
	return list
}

// galleryIDs are the ids that a gallery names, and whether their order counts.
func galleryIDs(attrs *phpval.Array) (ids []int64, ordered bool) {
	v, _ := attrs.Get("ids")
	if ordered = phpval.Truthy(v); !ordered {
		v, _ = attrs.Get("include")
	}
	if by, _ := attrs.Get("orderby"); by == "ID" || by == "menu_order ID" || by == "menu_order" {
		ordered = false
	}
	for part := range strings.FieldsFuncSeq(phpval.Text(v), func(c rune) bool { return c == ',' || c < 0x80 && isSpace(byte(c)) }) {
		if id := abs(LeadingInt(part)); id != 0 && !slices.Contains(ids, id) && len(ids) < maxGallery {
			ids = append(ids, id)
		}
	}
	return ids, ordered
}

// maxGallery bounds the images of one gallery.
const maxGallery = 1000

func (r *contentRun) galleryItem(b *strings.Builder, g galleryMarkup, a *ContentAttachment) {
	id := g.selector + "-" + strconv.FormatInt(a.ID, 10)
	captioned := strings.Trim(a.Caption, phpSpace) != ""
	described := ""
	if captioned {
		described = id
	}
	image := r.attachmentImage(a, g.size, described)
	switch g.link {
	case "none":
	case "file":
		image = linked(a, attachedURL(a.Attachment, r.env.Uploads), image)
	default:
		link := a.Link
		if link == "" {
			link = strings.TrimRight(r.env.Home, "/") + "/?attachment_id=" + strconv.FormatInt(a.ID, 10)
		}
		image = linked(a, link, image)
	}
	shape := ""
	if m := metaOf(a); m != nil && m.height > m.width {
		shape = "portrait"
	} else if m != nil {
		shape = "landscape"
	}
	b.WriteString("<" + g.item + " class='gallery-item'>\n\t\t\t<" + g.icon + " class='gallery-icon " + shape +
		"'>\n\t\t\t\t" + image + "\n\t\t\t</" + g.icon + ">")
	if captioned {
		b.WriteString("\n\t\t\t\t<" + g.caption + " class='wp-caption-text gallery-caption' id='" + id + "'>\n\t\t\t\t" +
			Texturize(a.Caption, r.env.Marks, contentShortcodes) + "\n\t\t\t\t</" + g.caption + ">")
	}
	b.WriteString("</" + g.item + ">")
}

func linked(a *ContentAttachment, url, image string) string {
	if image == "" {
		if image = a.Title; strings.Trim(image, phpSpace) == "" {
			name := baseName(a.File)
			if i := strings.LastIndexByte(name, '.'); i >= 0 {
				name = name[:i]
			}
			image = EscapeHTML(name)
		}
	}
	return "<a href='" + displayURL(url) + "'>" + image + "</a>"
}

// attachmentImage is the element for an image in one of its sizes.
func (r *contentRun) attachmentImage(a *ContentAttachment, size, described string) string {
	url := attachedURL(a.Attachment, r.env.Uploads)
	m := metaOf(a)
	if url == "" {
		return ""
	}
	src, w, h := url, int64(0), int64(0)
	if m != nil {
		src, w, h = m.inSize(url, size)
	}
	class := EscapeHTML("attachment-" + size + " size-" + size)
	var b strings.Builder
	b.WriteString("<img")
	if w > 0 {
		b.WriteString(` width="` + strconv.FormatInt(w, 10) + `"`)
	}
	if h > 0 {
		b.WriteString(` height="` + strconv.FormatInt(h, 10) + `"`)
	}
	b.WriteString(` src="` + EscapeHTML(src) + `" class="` + class + `" alt="` +
		EscapeHTML(strings.Trim(stripTags(a.Alt), phpSpace)) + `"`)
	if described != "" {
		b.WriteString(` aria-describedby="` + described + `"`)
	}
	b.WriteString(` decoding="async" loading="lazy"`)
	if m != nil {
		if sources := m.sources(src, r.env.Uploads, w, h); sources != "" {
			b.WriteString(` srcset="` + EscapeHTML(sources) + `" sizes="auto, ` + shownSizes(w) + `"`)
		}
	}
	b.WriteString(" />")
	return b.String()
}

// inSize is the file for a size; without one of its own, the full image fitted
// into the box of that size.
func (m *imageMeta) inSize(url, size string) (src string, w, h int64) {
	for _, f := range m.sizes {
		if f.name == size && f.file != "" {
			return sibling(url, f.file), f.width, f.height
		}
	}
	box := int64(math.MaxInt32)
	switch size {
	case "thumbnail":
		box = 150
	case "medium":
		box = 300
	case "large":
		box = 1024
	case "medium_large":
		w, h = constrain(m.width, m.height, 768, math.MaxInt32)
		return url, w, h
	}
	w, h = constrain(m.width, m.height, box, box)
	return url, w, h
}
