package render

import (
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// priorityArea is the area in square pixels from which an image may get a high fetch priority.
const priorityArea = 50000

// mediaTags adds sizes, sources and loading attributes to the images and iframes of a text, like WordPress's
// wp_filter_content_tags.
func (r *contentRun) mediaTags(s string) string {
	if !strings.Contains(s, "<img") && !strings.Contains(s, "<iframe") {
		return s
	}
	done := map[string]string{}
	return eachTag(s, func(g *tags, i int) (int, bool) {
		name, frame := len("<img"), false
		if !strings.HasPrefix(s[i:], "<img") {
			if !strings.HasPrefix(s[i:], "<iframe") {
				return 0, false
			}
			name, frame = len("<iframe"), true
		}
		p := i + name
		if p >= len(s) || !isSpace(s[p]) || p+1 >= len(s) || s[p+1] == '>' {
			return 0, false
		}
		end := g.end(p + 1)
		if end < 0 {
			return 0, false
		}
		t := s[i:end]
		changed, ok := done[t]
		if !ok {
			if frame {
				changed = frameTag(t)
			} else {
				changed = r.imageTag(t)
			}
			done[t] = changed
		}
		if changed != t {
			g.insert(i, changed)
			g.skip(end)
		}
		return end, true
	})
}

func frameTag(t string) string {
	if strings.Contains(t, " loading=") || !hasSource(t) || !hasSize(t) {
		return t
	}
	return strings.ReplaceAll(t, "<iframe", `<iframe loading="lazy"`)
}

func hasSource(t string) bool { return strings.Contains(t, ` src="`) }

func hasSize(t string) bool {
	return strings.Contains(t, ` width="`) && strings.Contains(t, ` height="`)
}

func (r *contentRun) imageTag(t string) string {
	if a := r.env.Attachments[imageID(t)]; a != nil {
		if m := metaOf(a); m != nil {
			if !strings.Contains(t, " width=") && !strings.Contains(t, " height=") {
				t = m.addSize(t)
			}
			if !strings.Contains(t, " srcset=") {
				t = m.addSources(t, r.env.Uploads)
			}
		}
	}
	return autoSizes(r.loading(t))
}

// imageID returns the id of the attachment in the class of an image, 0 if there is none.
func imageID(t string) int64 {
	for {
		i := indexImageClass(t)
		if i < 0 {
			return 0
		}
		t = t[i+len(imageClass):]
		if digits := t[:len(t)-len(strings.TrimLeft(t, "0123456789"))]; digits != "" {
			id, _ := strconv.ParseInt(digits, 10, 64)
			return id
		}
	}
}

const imageClass = "wp-image-"

// indexImageClass returns the index of the class that contains an attachment's id, in upper or lower case, or -1.
func indexImageClass(s string) int {
	for i := 0; ; {
		n := strings.IndexByte(s[i:], '-')
		if n < 0 {
			return -1
		}
		i += n + 1
		if i >= 3 && hasFold(s[i-3:], imageClass) {
			return i - 3
		}
	}
}

// loading adds the attributes for decoding and loading an image. It cannot be known which images are visible first, so
// all are loaded lazily unless they have other attributes.
func (r *contentRun) loading(t string) string {
	width, okW := tagDigits(t, " width=", `"'`)
	height, okH := tagDigits(t, " height=", `"'`)
	loading, fetch := tagWord(t, " loading="), tagWord(t, " fetchpriority=")
	add := ""
	if okW && okH {
		add = r.when(loading, fetch, width, height)
	}
	if !hasSource(t) {
		return t
	}
	if tagWord(t, " decoding=") == "" {
		t = strings.ReplaceAll(t, "<img", `<img decoding="async"`)
	}
	if add != "" && hasSize(t) {
		t = strings.ReplaceAll(t, "<img", "<img "+add)
	}
	return t
}

// when returns the attribute that determines when an image of a known size is loaded. The first large one that is not
// loaded lazily gets a high priority.
func (r *contentRun) when(loading, fetch string, width, height int64) string {
	low := r.env.Release.Has(release.FetchPriority)
	switch {
	case low && fetch == "low":
		return ""
	case loading == "" && fetch != "high":
		return `loading="lazy"`
	case loading == "lazy":
		return ""
	case fetch == "high":
		r.priority = true
	case low && fetch == "auto" && width*height >= priorityArea:
		r.priority = true
	case fetch == "" && !r.priority && width*height >= priorityArea:
		r.priority = true
		return `fetchpriority="high"`
	}
	return ""
}

// autoSizes adds "auto" to the sizes of a lazily loaded image, so that the browser determines its size.
func autoSizes(t string) string {
	tag, ok := nextTag(t, 0, false)
	if !ok || tag.name != "img" {
		return t
	}
	loading, _ := tag.attr(t, "loading")
	width, _ := tag.attr(t, "width")
	sizes, _ := tag.attr(t, "sizes")
	if !strings.EqualFold(strings.Trim(loading.value, " \t\f\r\n"), "lazy") || width.value == "" || !sizes.has {
		return t
	}
	if first, _, _ := strings.Cut(sizes.value, ","); strings.EqualFold(strings.Trim(first, " \t\f\r\n"), "auto") {
		return t
	}
	return tag.setAttrs(t, tagAttr{name: "sizes", value: "auto, " + sizes.decoded()})
}

// tagValue returns the characters after name and a quote for which ok returns true, "" if there is none.
func tagValue(t, name, quotes string, ok func(c byte) bool) string {
	for {
		_, rest, found := strings.Cut(t, name)
		if !found {
			return ""
		}
		t = rest
		if t == "" || strings.IndexByte(quotes, t[0]) < 0 {
			continue
		}
		n := 1
		for n < len(t) && ok(t[n]) {
			n++
		}
		if n > 1 && n < len(t) && strings.IndexByte(quotes, t[n]) >= 0 {
			return t[1:n]
		}
	}
}

func tagWord(t, name string) string { return tagValue(t, name, `"'`, isLetter) }

func tagDigits(t, name, quotes string) (int64, bool) {
	v := tagValue(t, name, quotes, func(c byte) bool { return wp.IsDigit(c, 10) })
	return min(phpval.Int(v), 1<<31-1), v != ""
}

// tagSource returns the URL of an image without its query.
func tagSource(t string) string {
	v := tagValue(t, `src=`, `"`, func(c byte) bool { return c != '"' })
	v, _, _ = strings.Cut(v, "?")
	return v
}
