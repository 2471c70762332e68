package render

import (
	"math"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// gallery renders the shortcode gallery: the images whose ids are given or, without ids, those attached to a post,
// which is the given one or the one that contains the text.
func (r *contentRun) gallery(t shortcode) string {
	r.galleries++
	q := filesQuery(t)
	post, given := q.post()
	if !given && len(q.ids) == 0 && !q.named {
		post = r.post
	}
	list := r.room(func() []*ContentAttachment { return r.galleryImages(q, post) })
	if len(list) == 0 {
		return ""
	}
	g := galleryMarkup{
		selector: "gallery-" + strconv.Itoa(r.galleries),
		item:     galleryTag(q.get("itemtag", "figure"), "dl"),
		icon:     galleryTag(q.get("icontag", "div"), "dt"),
		caption:  galleryTag(q.get("captiontag", "figcaption"), "dd"),
		link:     q.get("link", ""),
		size:     q.get("size", "thumbnail"),
	}
	columns := strconv.FormatInt(phpval.Int(q.get("columns", "3")), 10)
	id := strconv.FormatInt(post, 10)
	var b strings.Builder
	b.WriteString("<div id='" + g.selector + "' class='gallery galleryid-" + id + " gallery-columns-" + columns +
		" gallery-size-" + classWord(g.size) + "'>")
	for _, a := range list {
		r.galleryItem(&b, g, a)
	}
	b.WriteString("\n\t\t</div>\n")
	return b.String()
}

// galleryImages returns the images of a gallery in order.
func (r *contentRun) galleryImages(q *fileQuery, post int64) []*ContentAttachment {
	switch {
	case q.named:
		return q.selected(r.env.Attachments, "image/")
	case post == r.post:
		return q.without(r.env.Own[post])
	}
	return q.without(r.env.Attached[post])
}

type galleryMarkup struct{ selector, item, icon, caption, link, size string }

func galleryTag(name, otherwise string) string {
	tag := make([]byte, 0, len(name))
	for _, c := range []byte(phpval.Lower(name)) {
		if isLetter(c) || wp.IsDigit(c, 10) || strings.IndexByte("-_:", c) >= 0 {
			tag = append(tag, c)
		}
	}
	if kses.Post(release.Newest).Has(string(tag)) {
		return string(tag)
	}
	return otherwise
}

func (r *contentRun) galleryItem(b *strings.Builder, g galleryMarkup, a *ContentAttachment) {
	id := g.selector + "-" + strconv.FormatInt(a.ID, 10)
	captioned := strings.Trim(a.Caption, phpSpace) != ""
	described := ""
	if captioned {
		described = id
	}
	url := attachedURL(a.Attachment, r.env.Uploads)
	image := ""
	if g.size != "none" && phpval.Truthy(g.size) || g.link == "none" {
		image = r.attachmentImage(a, g.size, described)
	}
	switch g.link {
	case "none":
	case "file":
		image = linked(a, url, image)
	default:
		if url == "" {
			image = linked(a, "", "")
			break
		}
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
			texturize(a.Caption, r.env.Marks, contentShortcodes) + "\n\t\t\t\t</" + g.caption + ">")
	}
	b.WriteString("</" + g.item + ">")
}

// linked returns a link to a file or to its page. The link contains an image or the file's name.
func linked(a *ContentAttachment, url, image string) string {
	if url == "" {
		return "Missing Attachment"
	}
	if image == "" {
		if image = a.Title; strings.Trim(image, phpSpace) == "" {
			name := baseName(a.File)
			if i := strings.LastIndexByte(name, '.'); i >= 0 {
				name = name[:i]
			}
			image = wp.EscapeHTML(name)
		}
	}
	return "<a href='" + displayURL(url) + "'>" + image + "</a>"
}

// attachmentImage returns the img element of an image in one of its sizes. Its loading attributes are added later by
// mediaTags.
func (r *contentRun) attachmentImage(a *ContentAttachment, size, described string) string {
	src, w, h := r.imageIn(a, size)
	if src == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString("<img")
	if w != 0 {
		b.WriteString(` width="` + strconv.FormatInt(abs(w), 10) + `"`)
	}
	if h != 0 {
		b.WriteString(` height="` + strconv.FormatInt(abs(h), 10) + `"`)
	}
	b.WriteString(` src="` + wp.EscapeHTML(src) + `" class="` + wp.EscapeHTML("attachment-"+size+" size-"+size) + `" alt="` +
		wp.EscapeHTML(strings.Trim(wp.StripTags(a.Alt), phpSpace)) + `"`)
	if described != "" {
		b.WriteString(` aria-describedby="` + described + `"`)
	}
	if m := metaOf(a); m != nil {
		if sources := m.sources(src, r.env.Uploads, w, h); sources != "" {
			b.WriteString(` srcset="` + wp.EscapeHTML(sources) + `" sizes="` + shownSizes(w) + `"`)
		}
	}
	b.WriteString(" />")
	return b.String()
}

// imageIn returns the URL, width and height of an attachment's image in a size. src is "" if there is none; w and h are
// 0 if they are not stored.
func (r *contentRun) imageIn(a *ContentAttachment, size string) (src string, w, h int64) {
	url, m := attachedURL(a.Attachment, r.env.Uploads), metaOf(a)
	if m == nil {
		m = &imageMeta{}
	}
	if !isImage(a.Attachment) {
		full, ok := m.size("full")
		if !ok || url == "" {
			return "", 0, 0
		}
		url, m.width, m.height = sibling(url, full.file), full.width, full.height
	}
	if url == "" {
		return "", 0, 0
	}
	return m.inSize(url, size)
}

func (m *imageMeta) size(name string) (imageFile, bool) {
	for _, f := range m.sizes {
		if f.name == name && f.file != "" {
			return f, true
		}
	}
	return imageFile{}, false
}

// boxes are the greatest width and height of sizes, for images without a file of that size.
var boxes = map[string][2]int64{
	"thumbnail": {150, 150}, "thumb": {150, 150}, "medium": {300, 300}, "medium_large": {768, math.MaxInt32}, "large": {1024, 1024},
	"1536x1536": {1536, 1536}, "2048x2048": {2048, 2048},
}

// inSize returns the file of a size. If there is none, it returns the full image with its dimensions constrained to
// that size.
func (m *imageMeta) inSize(url, size string) (src string, w, h int64) {
	if f, ok := m.size(size); ok {
		return sibling(url, f.file), f.width, f.height
	}
	box, ok := boxes[size]
	if !ok {
		return url, m.width, m.height
	}
	w, h = constrain(m.width, m.height, box[0], box[1])
	return url, w, h
}
