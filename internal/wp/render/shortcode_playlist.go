package render

import (
	"math"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// The size of a video in pixels if neither its metadata nor the theme determines one, and the part of the content width
// that the frame around the player needs.
const (
	filmWidth, filmHeight = 640, 360
	playerFrame           = 22
)

// trackFacts are the metadata that a playlist shows of its tracks.
var trackFacts = []string{"artist", "album", "genre", "year", "length_formatted"}

// playlist renders the shortcode playlist with the files whose ids are given. Without ids it renders nothing.
func (r *contentRun) playlist(t shortcode) string {
	q := filesQuery(t)
	kind := "audio"
	if q.get("type", "audio") != "audio" {
		kind = "video"
	}
	list := r.room(func() []*ContentAttachment { return q.selected(r.env.Attachments, kind+"/") })
	if len(list) == 0 {
		return ""
	}
	p := trackList{run: r, video: kind == "video", images: phpval.Truthy(q.get("images", "1")), width: filmWidth, height: filmHeight}
	if w := r.env.ContentWidth; w > 0 {
		p.width = int64(w) - playerFrame
		p.height = scaled(filmHeight, p.width, filmWidth)
	}
	tracks, names := &phpval.Array{}, ""
	for i, a := range list {
		tracks.Set(phpval.IntKey(int64(i)), p.track(a))
		names += "<li>" + linked(a, attachedURL(a.Attachment, r.env.Uploads), r.attachmentImage(a, "thumbnail", "")) + "</li>"
	}
	data := phpval.Members("type", kind)
	for _, name := range []string{"tracklist", "tracknumbers", "images", "artists"} {
		data.Set(phpval.StrKey(name), isOn(q.get(name, "1")))
	}
	data.Set(phpval.StrKey("tracks"), tracks)
	current, height := "\t\t\t<div class=\"wp-playlist-current-item\"></div>\n", ""
	if p.video {
		current, height = "", ` height="`+strconv.FormatInt(p.height, 10)+`"`
	}
	return `<div class="wp-playlist wp-` + kind + `-playlist wp-playlist-` + wp.EscapeHTML(q.get("style", "light")) + "\">\n" + current +
		"\t\t<" + kind + ` controls="controls" preload="none" width="` + strconv.FormatInt(p.width, 10) + "\"\n\t\t" + height + "\t></" +
		kind + ">\n" +
		"\t<div class=\"wp-playlist-next\"></div>\n\t<div class=\"wp-playlist-prev\"></div>\n" +
		"\t<noscript>\n\t<ol>\n\t\t" + names + "\t</ol>\n\t</noscript>\n" +
		"\t<script type=\"application/json\" class=\"wp-playlist-script\">" +
		string(phpval.AppendJSON(nil, data, false, appendScriptText)) + "</script>\n</div>\n\t"
}

// trackList builds the data of a playlist's tracks.
type trackList struct {
	run           *contentRun
	video, images bool
	width, height int64 // size of the player: that of the last video that has one
}

// track returns the data of a file for the player.
func (p *trackList) track(a *ContentAttachment) *phpval.Array {
	url := attachedURL(a.Attachment, p.run.env.Uploads)
	var mime phpval.Value = false
	if known := playerTypes[fileType(url)]; known != "" && strings.IndexByte(url, '.') >= 0 {
		mime = known
	}
	facts := &phpval.Array{}
	track := phpval.Members("src", url, "type", mime, "title", a.Title, "caption", a.Caption, "description", a.Description, "meta", facts)
	if url == "" {
		track.Set(phpval.StrKey("src"), false)
	}
	meta, _ := a.Meta.(*phpval.Array)
	for _, name := range trackFacts {
		if v := meta.At(name); phpval.Truthy(v) {
			facts.Set(phpval.StrKey(name), v)
		}
	}
	if p.video && meta.Len() > 0 {
		track.Set(phpval.StrKey("dimensions"), p.dimensions(meta))
	}
	if p.images {
		full, thumb := p.pictures(a)
		track.Set(phpval.StrKey("image"), full)
		track.Set(phpval.StrKey("thumb"), thumb)
	}
	return track
}

// dimensions returns the size of a video and the resulting size of the player.
func (p *trackList) dimensions(meta *phpval.Array) *phpval.Array {
	width, height := meta.At("width"), meta.At("height")
	if phpval.Truthy(width) && phpval.Truthy(height) {
		p.height = scaled(phpval.Int(height), p.width, phpval.Int(width))
	} else {
		width, height = int64(filmWidth), int64(filmHeight)
	}
	return phpval.Members("original", phpval.Members("width", width, "height", height),
		"resized", phpval.Members("width", p.width, "height", p.height))
}

// pictures returns the image of a track in full and thumbnail size, or the icon for its type if it has none.
func (p *trackList) pictures(a *ContentAttachment) (full, thumb *phpval.Array) {
	of := func(src phpval.Value, w, h phpval.Value) *phpval.Array {
		return phpval.Members("src", src, "width", w, "height", h)
	}
	if a.Thumbnail == 0 {
		kind, _, _ := strings.Cut(a.Mime, "/")
		icon := of(strings.TrimRight(p.run.env.SiteURL, "/")+"/wp-includes/images/media/"+kind+".svg", int64(48), int64(64))
		return icon, icon
	}
	own := func(size string) *phpval.Array {
		picture := p.run.env.Attachments[a.Thumbnail]
		if picture == nil {
			return of(nil, nil, nil)
		}
		src, w, h := p.run.imageIn(picture, size)
		if src == "" {
			return of(nil, nil, nil)
		}
		return of(src, w, h)
	}
	return own("full"), own("thumbnail")
}

// scaled returns n*by/of, rounded.
func scaled(n, by, of int64) int64 {
	if of == 0 {
		return 0
	}
	return int64(math.Round(float64(n) * float64(by) / float64(of)))
}

// appendScriptText appends a string as JSON that is safe in a script element.
func appendScriptText(b []byte, s string) []byte {
	return append(b, scriptSafe.Replace(string(appendPHPText(nil, s)))...)
}

var scriptSafe = strings.NewReplacer(`\/`, `/`, "<", `\u003C`, ">", `\u003E`)
