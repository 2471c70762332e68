package render

import (
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// Names of the blocks that make up playlists.
const (
	playlistBlock = "core/playlist"
	trackBlock    = "core/playlist-track"
)

// changePlaylist adds the attributes with which WordPress's script plays a playlist. A playlist without files renders
// nothing.
func changePlaylist(r *blockRenderer, b, _ *block, html string) string {
	if !r.has(release.Playlists) {
		return html
	}
	tracks := &phpval.Array{}
	for _, p := range b.content {
		if p.inner != nil && p.inner.name == trackBlock && hasTrack(p.inner) {
			n := int64(tracks.Len())
			tracks.Set(phpval.IntKey(n), "track-"+strconv.FormatInt(n, 10))
		}
	}
	if tracks.Len() == 0 {
		return ""
	}
	id := "playlist-" + r.id()
	if _, ok := findTag(html, "figure", ""); !ok {
		return html
	}
	html = trackContexts(html, tracks)
	html = withPlayer(html, b.attrs())
	figure, _ := findTag(html, "figure", "")
	style, given := b.attrs().At("waveformStyle").(string)
	if !given {
		style = "bars"
	}
	context := appendPHPJSON(nil, phpval.Members("playlistId", id, "currentId", "track-0", "isPlaying", false, "tracks", tracks,
		"waveformStyle", style, "showPlayButtonArtwork", b.attrs().At("showPlayButtonArtwork") == true,
		"labelPauseTrack", "Pause", "labelSelectTrack", "Play"))
	return figure.setAttrs(html, tagAttr{name: "data-wp-context", value: string(context)},
		tagAttr{name: "data-wp-interactive", value: playlistBlock})
}

// hasTrack reports whether a track refers to a file.
func hasTrack(b *block) bool {
	switch id := b.attrs().At("id").(type) {
	case int64:
		return id != 0
	case float64:
		return id != 0
	case string:
		f, _, ok := wp.Numeric(id)
		return ok && f != 0
	}
	return false
}

// trackContexts numbers the buttons of tracks.
func trackContexts(html string, tracks *phpval.Array) string {
	n := 0
	return changeTags(html, func(tag string, t htmlTag) string {
		if n == tracks.Len() || !t.hasClass(tag, "wp-block-playlist-track__button") {
			return tag
		}
		n++
		return t.setAttrs(tag, tagAttr{name: "data-wp-context", value: `{"trackId":"track-` + strconv.Itoa(n-1) + `"}`})
	})
}

// withPlayer inserts the player before the tracks, in the first figure whose tag is in lower case.
func withPlayer(html string, attrs *phpval.Array) string {
	i := strings.Index(html, "<figure")
	if i < 0 {
		return html
	}
	end := strings.IndexByte(html[i:], '>')
	if end < 0 {
		return html
	}
	var player strings.Builder
	player.WriteString(`<div class="wp-block-playlist__waveform-player"`)
	for _, a := range []struct{ setting, name string }{
		{"waveformColor", "color"}, {"waveformGradient", "gradient"}, {"waveformBackgroundColor", "background-color"},
		{"waveformBackgroundGradient", "background-gradient"},
	} {
		if v, _ := attrs.At(a.setting).(string); phpval.Truthy(v) {
			player.WriteString(" data-waveform-player-" + a.name + `="` + wp.EscapeHTML(v) + `"`)
		}
	}
	player.WriteString("\n\t\tdata-wp-watch=\"callbacks.initWaveformPlayer\"\n\t\tdata-label-play=\"Play\"\n" +
		"\t\tdata-label-pause=\"Pause\"\n" +
		"\t\tdata-label-seek=\"Seek\"\n\t\tdata-label-seek-value=\"%1$s of %2$s\"\n\t></div>")
	at := i + end + 1
	return html[:at] + player.String() + html[at:]
}

func changeTrack(r *blockRenderer, b, _ *block, html string) string {
	if !r.has(release.Playlists) {
		return html
	}
	if !hasTrack(b) || !r.makes() {
		return ""
	}
	text := func(name string) string {
		s, _ := b.attrs().At(name).(string)
		if s == "0" {
			return ""
		}
		return s
	}
	span := func(class, text string) string {
		if text == "" {
			return ""
		}
		return `<span class="wp-block-playlist-track__` + class + `">` + text + "</span>"
	}
	title, image, length := text("title"), "", text("length")
	if title == "" {
		title = "Unknown title"
	}
	if src := text("image"); src != "" && !r.noTrackImages {
		image = `<img class="wp-block-playlist-track__image" src="` + displayURL(src) + `" alt="` + wp.EscapeHTML(text("imageAlt")) + `" />`
	}
	if length != "" {
		length = `<span class="screen-reader-text">Duration: </span>` + wp.EscapeHTML(length)
	}
	action := "Play"
	if r.playlists > 0 {
		action = "" // the playlist's script sets it
	}
	return "<li" + r.wrapper(b, wrapped{}) + `><button data-wp-on--click="actions.changeTrack" ` +
		`data-wp-bind--aria-current="state.isCurrentTrack" class="wp-block-playlist-track__button">` + image +
		span("content", span("title", wp.EscapeHTML(title))+span("artist", wp.EscapeHTML(text("artist")))) + span("length", length) +
		`<span class="screen-reader-text" data-wp-text="state.trackButtonActionLabel">` + action + "</span></button></li>"
}
