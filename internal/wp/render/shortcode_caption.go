package render

import (
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// caption renders the shortcode caption: a figure with an image and a caption.
func (r *contentRun) caption(t shortcode) string {
	attrs := parseShortcodeAttrs(t.attrs)
	get := func(name string) string { return phpval.Text(attrs.At(name)) }
	content, text := t.content, get("caption")
	if _, old := attrs.Get("caption"); old {
		if strings.IndexByte(text, '<') >= 0 {
			text = kses.Filter(text, kses.Post(r.env.Release))
		}
	} else if from, to := leadingImage(content); to > 0 {
		text = strings.Trim(content[to:], phpSpace)
		content = content[from:to]
	}
	width := phpval.Int(get("width"))
	if width < 1 || !phpval.Truthy(text) {
		return content
	}
	align := "alignnone"
	if _, ok := attrs.Get("align"); ok {
		align = get("align")
	}
	class := strings.Trim("wp-caption "+align+" "+get("class"), phpSpace)
	html5 := !r.env.theme().plainCaptions
	if !html5 {
		width += 10
	}
	id, captionID, described := r.captionAttrs(get("id"), get("caption_id"))
	head := id + described + `style="width: ` + strconv.FormatInt(width, 10) + `px" class="` + wp.EscapeHTML(class) + `">`
	content = doShortcodes(content, contentShortcodes, false, r.shortcode)
	if !html5 {
		return "<div " + head + content + "<p " + captionID + `class="wp-caption-text">` + text + "</p></div>"
	}
	return "<figure " + head + content + "<figcaption " + captionID + `class="wp-caption-text">` + text + "</figcaption></figure>"
}

// captionAttrs returns the attributes that connect the caption with the image.
func (r *contentRun) captionAttrs(id, caption string) (idAttr, captionAttr, described string) {
	if phpval.Truthy(id) {
		id = r.captionID(classWord(id))
		idAttr = `id="` + id + `" `
	} else {
		id = ""
	}
	if phpval.Truthy(caption) {
		caption = r.captionID(classWord(caption))
	} else {
		caption = ""
		if phpval.Truthy(id) {
			caption = "caption-" + strings.ReplaceAll(id, "_", "-")
		}
	}
	if phpval.Truthy(caption) {
		captionAttr = `id="` + caption + `" `
		described = `aria-describedby="` + caption + `" `
	}
	return idAttr, captionAttr, described
}

// captionID appends a number to an id from its second use on.
func (r *contentRun) captionID(id string) string {
	if id == "" || !r.env.Release.Has(release.CaptionCounter) {
		return id
	}
	if r.captions == nil {
		r.captions = map[string]int{}
	}
	r.captions[id]++
	if n := r.captions[id]; n > 1 {
		return id + "-" + strconv.Itoa(n)
	}
	return id
}

// classWord removes characters that are not allowed in a class, like WordPress's sanitize_html_class.
func classWord(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case wp.IsOctet(s[i:]):
			i += 2
		case wordNext(s[i:]):
			b = append(b, s[i])
		}
	}
	return string(b)
}

// leadingImage finds the first image of a text, with the link around it.
func leadingImage(s string) (from, to int) {
	eachTag(s, func(g *tags, i int) (int, bool) {
		if to > 0 {
			return len(s), true
		}
		img := i
		if hasFold(s[i:], "<a ") {
			end := g.end(i + 4)
			if end < 0 || i+3 >= len(s) || s[i+3] == '>' {
				return 0, false
			}
			img = skipSpace(s, end)
		}
		if !hasFold(s[img:], "<img ") || img+5 >= len(s) || s[img+5] == '>' {
			return 0, false
		}
		end := g.end(img + 6)
		if end < 0 {
			return 0, false
		}
		from, to = i, end
		if after := skipSpace(s, end); hasFold(s[after:], "</a>") {
			to = after + len("</a>")
		}
		return len(s), true
	})
	return from, to
}

func hasFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
