package render

import (
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// changeFile prepares the preview of a file, which WordPress's script hides in browsers that cannot display it.
func changeFile(_ *blockRenderer, b, _ *block, html string) string {
	if !phpval.Truthy(b.attrs().At("displayPreview")) {
		return html
	}
	html = labelPreviews(html)
	t, ok := nextTag(html, 0, false)
	if !ok {
		return html
	}
	for in := range openTags(html, t.next) {
		if in.name == "object" {
			set := []tagAttr{{name: "data-wp-bind--hidden", value: "!state.hasPdfPreview"}, {name: "hidden", bare: true}}
			if _, labeled := in.attr(html, "aria-label"); !labeled {
				set = append(set, tagAttr{name: "aria-label", value: previewLabel})
			}
			html = in.setAttrs(html, set...)
			break
		}
	}
	return t.setAttrs(html, tagAttr{name: "data-wp-interactive", value: "core/file"})
}

// previewLabel is the label of a preview that has none.
const previewLabel = "PDF embed"

// labelPreviews changes the last label on a line with an object element, so that it says that it is a preview.
// WordPress repeats this even if the editor has done it already.
func labelPreviews(html string) string {
	const object, label = "<object", `aria-label="`
	lines := strings.Split(html, "\n")
	for i, line := range lines {
		from := strings.Index(phpval.Lower(line), object)
		if from < 0 {
			continue
		}
		at := strings.LastIndex(phpval.Lower(line), label)
		if at <= from+len(object) {
			continue
		}
		name, _, ok := strings.Cut(line[at+len(label):], `"`)
		if !ok {
			continue
		}
		text := previewLabel
		if name != "" && name != "0" && name != text {
			text = "Embed of " + name + "."
		}
		end := at + len(label) + len(name) + 1
		lines[i] = line[:from] + strings.ReplaceAll(line[from:end], line[at:end], label+text+`"`) + line[end:]
	}
	return strings.Join(lines, "\n")
}

// changeVideo sets the width and height of a video to those of its file.
func changeVideo(r *blockRenderer, b, _ *block, html string) string {
	id, _ := b.attrs().At("id").(int64)
	a := r.env.Attachments[id]
	if id <= 0 || a == nil || !strings.Contains(html, "<video") {
		return html
	}
	meta, _ := a.Meta.(*phpval.Array)
	width, _ := meta.At("width").(int64)
	height, _ := meta.At("height").(int64)
	if width <= 0 || height <= 0 {
		return html
	}
	t, ok := findTag(html, "video", "")
	if !ok {
		return html
	}
	w, h := strconv.FormatInt(width, 10), strconv.FormatInt(height, 10)
	style, _ := t.attr(html, "style")
	return t.setAttrs(html, tagAttr{name: "width", value: w}, tagAttr{name: "height", value: h},
		tagAttr{name: "style", value: "aspect-ratio: " + w + " / " + h + ";" + style.decoded()})
}
