package render

import (
	"crypto/md5"
	"encoding/hex"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// embedWidth is the width of embeds in pixels if the theme sets none.
const embedWidth = 500

// unknownEmbed is cached for a URL that cannot be embedded.
const unknownEmbed = "{{unknown}}"

// embedder replaces URLs by their cached HTML. It fetches nothing.
type embedder struct {
	width int
	find  func(key string) string // returns the cached HTML, "" if there is none
}

// embeds replaces embed shortcodes first, then URLs that are alone on their line or in their paragraph.
func (e *embedder) embeds(s string) string {
	s = doShortcodes(s, []string{"embed"}, true, e.shortcode)
	if !strings.Contains(s, "://") || !mayBeAlone(s) && !strings.Contains(s, tagLine) {
		return s
	}
	return e.alone(s)
}

// tagLine stands for a line break in a tag. If the text contains tagLine itself, it also becomes a line break, as in
// WordPress.
const tagLine = "<!-- wp-line-break -->"

// alone replaces URLs that are alone on their line or in their paragraph.
func (e *embedder) alone(s string) string {
	s = protectTagLines(s, tagLine)
	s = e.inParagraphs(e.onLines(s))
	return strings.ReplaceAll(s, tagLine, "\n")
}

// mayBeAlone reports whether the beginning of a line or a tag precedes any URL. Most URLs are inside tags.
func mayBeAlone(s string) bool {
	for i := 0; ; i += len("://") {
		n := strings.Index(s[i:], "://")
		if n < 0 {
			return false
		}
		i += n
		start := i
		for start > 0 && isLetter(s[start-1]) {
			start--
		}
		for ; start > 0 && isSpace(s[start-1]); start-- {
			if s[start-1] == '\n' {
				return true
			}
		}
		if start == 0 || s[start-1] == '>' {
			return true
		}
	}
}

func (e *embedder) shortcode(t shortcode) string {
	attrs := parseShortcodeAttrs(t.attrs)
	url := t.content
	if url == "" || url == "0" {
		url, _ = attrs.At("src").(string)
	}
	if url == "" || url == "0" {
		return ""
	}
	html, ok := e.resolve(url, attrs)
	if !ok {
		return `<a href="` + displayURL(html) + `">` + wp.EscapeHTML(html) + "</a>"
	}
	return html
}

// onLines replaces URLs that are alone on their line.
func (e *embedder) onLines(s string) string {
	var b strings.Builder
	last := 0
	for i := 0; i < len(s); {
		end := len(s)
		if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
			end = i + n
		}
		from := skipSpace(s[:end], i)
		if to := from + addressLen(s[from:end]); to > from && skipSpace(s[:end], to) == end {
			html, _ := e.resolve(s[from:to], &phpval.Array{})
			b.WriteString(s[last:from])
			b.WriteString(html)
			last = to
		}
		i = end + 1
	}
	if last == 0 {
		return s
	}
	b.WriteString(s[last:])
	return b.String()
}

// inParagraphs replaces URLs that are alone in their paragraph.
func (e *embedder) inParagraphs(s string) string {
	return eachTag(s, func(g *tags, i int) (int, bool) {
		if i+2 >= len(s) || s[i+1]|0x20 != 'p' || s[i+2] != '>' && s[i+2] != ' ' {
			return 0, false
		}
		end := g.end(i + 2)
		if end < 0 {
			return 0, false
		}
		from := skipSpace(s, end)
		to := from + addressLen(s[from:])
		if to == from {
			return 0, false
		}
		end = skipSpace(s, to)
		if !strings.HasPrefix(s[end:], "</p>") && !strings.HasPrefix(s[end:], "</P>") {
			return 0, false
		}
		html, _ := e.resolve(s[from:to], &phpval.Array{})
		g.insert(from, html)
		g.skip(to)
		return end + len("</p>"), true
	})
}

// addressLen returns the length of the http or https URL at the beginning of s, 0 if there is none.
func addressLen(s string) int {
	n := schemeLen(s)
	if n == 0 {
		return 0
	}
	end := n
	for end < len(s) && !isSpace(s[end]) && s[end] != '<' && s[end] != '>' && s[end] != '"' {
		end++
	}
	if end == n {
		return 0
	}
	return end
}

func schemeLen(s string) int {
	for _, scheme := range []string{"https://", "http://"} {
		if len(s) >= len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			return len(scheme)
		}
	}
	return 0
}

// resolve returns the HTML for a URL: a player for a media file, or the cached embed. If there is neither, it returns
// the URL and false.
func (e *embedder) resolve(url string, attrs *phpval.Array) (string, bool) {
	url = strings.ReplaceAll(url, "&amp;", "&")
	if id := videoID(url); id != "" {
		html, _ := e.resolve("https://youtube.com/watch?v="+wp.FormEncode(id), &phpval.Array{})
		return html, true
	}
	if schemeLen(url) > 0 {
		switch kind := playerFor(url); kind {
		case "audio":
			return `[audio src="` + displayURL(url) + `" /]`, true
		case "video":
			return "[video " + askedSize(attrs) + ` src="` + displayURL(url) + `" /]`, true
		}
	}
	if html := e.find(embedKey(url, attrs, e.width)); html != "" && html != "0" && html != unknownEmbed {
		return html, true
	}
	return url, false
}

var videoAddress = regexp.MustCompile(`(?i)https?://(?:www.)?youtube\.com/(?:v|embed)/([^/]+)`)

// videoID returns the id of the video in a YouTube URL for iframes.
func videoID(url string) string {
	if !strings.Contains(phpval.Lower(url), "youtube.com/") {
		return ""
	}
	if m := videoAddress.FindStringSubmatch(url); m != nil {
		return m[1]
	}
	return ""
}

// playerFor returns "audio" or "video" by the extension of a URL, "" for others.
func playerFor(url string) string {
	n := schemeLen(url)
	dot := strings.LastIndexByte(url, '.')
	if dot <= n || strings.IndexByte(url, '\n') >= 0 {
		return ""
	}
	ext := phpval.Lower(url[dot+1:])
	switch {
	case slices.Contains(audioTypes, ext):
		return "audio"
	case slices.Contains(videoTypes, ext):
		return "video"
	}
	return ""
}

func askedSize(attrs *phpval.Array) string {
	w, h := attrs.At("width"), attrs.At("height")
	if !phpval.Truthy(w) || !phpval.Truthy(h) {
		return ""
	}
	return `width="` + phpval.Text(phpval.Int(w)) + `" height="` + phpval.Text(phpval.Int(h)) + `" `
}

// embedKey returns the key under which WordPress caches the embed of a URL. It depends on all attributes and their
// order.
func embedKey(url string, attrs *phpval.Array, width int) string {
	if width <= 0 {
		width = embedWidth
	}
	all := phpval.Members("width", int64(width), "height", int64(min(math.Ceil(float64(width)*1.5), 1000)))
	n := int64(0)
	for k, v := range attrs.All() {
		if _, numbered := k.Int(); numbered {
			k = phpval.IntKey(n)
			n++
		}
		all.Set(k, v)
	}
	sum := md5.Sum([]byte(url + phpval.Serialize(all)))
	return hex.EncodeToString(sum[:])
}
