package render

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// audioTypes and videoTypes are the extensions of files for which there is a player.
var (
	audioTypes = []string{"mp3", "ogg", "flac", "m4a", "wav"}
	videoTypes = []string{"mp4", "m4v", "webm", "ogv", "flv"}
)

// playerTypes maps extensions to MIME types.
var playerTypes = map[string]string{
	"mp3": "audio/mpeg", "m4a": "audio/mpeg", "m4b": "audio/mpeg", "aac": "audio/aac", "ra": "audio/x-realaudio",
	"ram": "audio/x-realaudio",
	"wav": "audio/wav", "x-wav": "audio/wav", "ogg": "audio/ogg", "oga": "audio/ogg", "flac": "audio/flac", "mid": "audio/midi",
	"midi": "audio/midi", "wma": "audio/x-ms-wma", "wax": "audio/x-ms-wax", "mka": "audio/x-matroska",
	"asf": "video/x-ms-asf", "asx": "video/x-ms-asf", "wmv": "video/x-ms-wmv", "wmx": "video/x-ms-wmx", "wm": "video/x-ms-wm",
	"avi": "video/avi", "divx": "video/divx", "flv": "video/x-flv", "mov": "video/quicktime", "qt": "video/quicktime",
	"mpeg": "video/mpeg", "mpg": "video/mpeg", "mpe": "video/mpeg", "mp4": "video/mp4", "m4v": "video/mp4", "ogv": "video/ogg",
	"webm": "video/webm", "mkv": "video/x-matroska", "3gp": "video/3gpp", "3gpp": "video/3gpp", "3g2": "video/3gpp2", "3gp2": "video/3gpp2",
}

// player is what the shortcodes audio and video have in common.
type player struct {
	kind  string
	types []string
	attrs *phpval.Array
	src   string
	n     int
}

func (p *player) get(name, missing string) string { return attrText(p.attrs, name, missing) }

func fileType(url string) string {
	return phpval.Lower(url[strings.LastIndexByte(url, '.')+1:])
}

// source determines what to play. ok is false if nothing can be played; link is then a link to the file, if there is
// one.
func (p *player) source() (link string, ok bool) {
	if p.src = p.get("src", ""); phpval.Truthy(p.src) {
		if p.kind == "video" && streamType(p.src) != "" {
			return "", true
		}
		if !strings.Contains(p.src, ".") || !slices.Contains(p.types, fileType(p.src)) {
			return `<a class="wp-embedded-` + p.kind + `" href="` + displayURL(p.src) + `">` + wp.EscapeHTML(p.src) + "</a>", false
		}
		return "", true
	}
	p.src = ""
	for _, t := range p.types {
		if v := p.get(t, ""); strings.Contains(v, ".") && fileType(v) == t {
			ok = true
		}
	}
	return "", ok
}

// sources returns the source elements of all files, and a link for browsers that cannot play any.
func (p *player) sources() (list, link string) {
	first := ""
	add := func(url, kind string) {
		if first == "" {
			first = url
		}
		list += `<source type="` + kind + `" src="` + displayURL(withQuery(url, "_", strconv.Itoa(p.n))) + `" />`
	}
	if p.src != "" {
		kind := streamType(p.src)
		if kind == "" || p.kind != "video" {
			kind = playerTypes[fileType(p.src)]
		}
		add(p.streamURL(), kind)
	}
	for _, t := range p.types {
		if v := p.get(t, ""); phpval.Truthy(v) {
			add(v, playerTypes[fileType(v)])
		}
	}
	url := displayURL(first)
	return list, `<a href="` + url + `">` + url + "</a>"
}

// streamType returns the MIME type of a video on YouTube or Vimeo, "" for other URLs.
func streamType(url string) string {
	rest, ok := strings.CutPrefix(url, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(url, "http://"); !ok {
			return ""
		}
	}
	site := strings.TrimPrefix(rest, "www.")
	if strings.HasPrefix(site, "youtube.com/watch") || strings.HasPrefix(site, "youtu.be/") {
		return "video/youtube"
	}
	if strings.HasPrefix(rest, "vimeo.com/") || strings.Contains(rest, ".vimeo.com/") {
		return "video/vimeo"
	}
	return ""
}

// streamURL returns the URL in the form that WordPress's player supports.
func (p *player) streamURL() string {
	url := p.src
	if p.kind != "video" {
		return url
	}
	switch streamType(url) {
	case "video/youtube":
		return "https:" + dropParameter(url, "feature")[strings.IndexByte(url, ':')+1:]
	case "video/vimeo":
		_, rest, _ := strings.Cut(url, "://")
		if end := strings.IndexAny(rest, "?#"); end >= 0 {
			rest = rest[:end]
		}
		loop := "0"
		if phpval.Truthy(p.get("loop", "")) {
			loop = "1"
		}
		return withQuery("https://"+rest, "loop", loop)
	}
	return url
}

// dropParameter removes a query parameter from a URL.
func dropParameter(url, name string) string {
	base, query, ok := strings.Cut(url, "?")
	if !ok {
		return url
	}
	var kept []string
	for part := range strings.SplitSeq(query, "&") {
		if key, _, _ := strings.Cut(part, "="); key != name {
			kept = append(kept, part)
		}
	}
	if len(kept) == 0 {
		return base
	}
	return base + "?" + strings.Join(kept, "&")
}

// isOn reports whether the value of an attribute turns it on.
func isOn(v string) bool { return phpval.Truthy(v) && !strings.EqualFold(v, "false") }

// switches returns the boolean attributes that are on, and preload.
func (p *player) switches(preload string, names ...string) string {
	s := ""
	for _, name := range names {
		if isOn(p.get(name, "")) {
			s += " " + name
		}
	}
	switch v := p.get("preload", preload); v {
	case "none", "metadata", "auto":
		s += ` preload="` + v + `"`
	}
	return s
}

func (r *contentRun) audio(t shortcode) string {
	r.audios++
	p := player{kind: "audio", types: audioTypes, attrs: parseShortcodeAttrs(t.attrs), n: r.audios}
	if link, ok := p.source(); !ok {
		return link
	}
	list, link := p.sources()
	return `<audio class="` + wp.EscapeHTML(p.get("class", "wp-audio-shortcode")) + `" id="audio-0-` + strconv.Itoa(p.n) + `"` +
		p.switches("none", "loop", "autoplay") +
		` style="` + wp.EscapeHTML(p.get("style", "width: 100%;")) + `" controls="controls">` + list + link + "</audio>"
}

func (r *contentRun) video(t shortcode) string {
	r.videos++
	p := player{kind: "video", types: videoTypes, attrs: parseShortcodeAttrs(t.attrs), n: r.videos}
	if link, ok := p.source(); !ok {
		return link
	}
	w, h := phpval.Int(p.get("width", "640")), phpval.Int(p.get("height", "360"))
	if most := int64(r.env.ContentWidth); most > 0 && w > most {
		w, h = most, int64(math.Round(float64(h)*float64(most)/float64(w)))
	}
	size := ` width="` + strconv.FormatInt(abs(w), 10) + `" height="` + strconv.FormatInt(abs(h), 10) + `"`
	if poster := displayURL(p.get("poster", "")); poster != "" {
		size += ` poster="` + poster + `"`
	}
	list, link := p.sources()
	if t.content != "" && t.content != "0" {
		content := t.content
		if strings.Contains(content, "\n") {
			content = strings.NewReplacer("\r\n", "", "\n", "", "\t", "").Replace(content)
		}
		list += strings.Trim(content, phpSpace)
	}
	rule := ""
	if phpval.Truthy(w) {
		rule = "width: " + strconv.FormatInt(w, 10) + "px;"
	}
	return `<div style="` + rule + `" class="wp-video"><video class="` + wp.EscapeHTML(p.get("class", "wp-video-shortcode")) +
		`" id="video-0-` + strconv.Itoa(p.n) + `"` + size + p.switches("metadata", "loop", "autoplay", "muted") +
		` controls="controls">` + list + link + "</video></div>"
}

func abs(n int64) int64 { return max(n, -n) }
