package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// socialNames maps services to their names.
var socialNames = map[string]string{
	"fivehundredpx": "500px", "amazon": "Amazon", "bandcamp": "Bandcamp", "behance": "Behance", "bluesky": "Bluesky", "chain": "Link",
	"codepen": "CodePen", "deviantart": "DeviantArt", "discord": "Discord", "dribbble": "Dribbble", "dropbox": "Dropbox", "etsy": "Etsy",
	"facebook": "Facebook", "feed": "RSS Feed", "flickr": "Flickr", "foursquare": "Foursquare", "goodreads": "Goodreads",
	"google": "Google", "github": "GitHub", "gravatar": "Gravatar", "instagram": "Instagram", "lastfm": "Last.fm", "linkedin": "LinkedIn",
	"mail": "Mail", "mastodon": "Mastodon", "meetup": "Meetup", "medium": "Medium", "patreon": "Patreon", "pinterest": "Pinterest",
	"pocket": "Pocket", "reddit": "Reddit", "skype": "Skype", "snapchat": "Snapchat", "soundcloud": "SoundCloud", "spotify": "Spotify",
	"telegram": "Telegram", "threads": "Threads", "tiktok": "TikTok", "tumblr": "Tumblr", "twitch": "Twitch", "twitter": "Twitter",
	"vimeo": "Vimeo", "vk": "VK", "wordpress": "WordPress", "whatsapp": "WhatsApp", "x": "X", "yelp": "Yelp", "youtube": "YouTube",
}

// unknownService is the label of an unknown service.
const unknownService = "Share Icon"

// The icons of social links: an envelope for mail, waves for feeds, and a chain for all others. Logos of services are
// not used, since they are trade marks; each link contains the name of the service.
const (
	iconHead = `<svg width="24" height="24" viewBox="0 0 24 24" version="1.1" xmlns="http://www.w3.org/2000/svg" aria-hidden="true" ` +
		`focusable="false"><path d="`
	iconTail = `"></path></svg>`

	iconMail = iconHead + `M3 5h18v14H3V5zm2 3v9h14V8l-7 5-7-5zm1.5-1 5.5 4 5.5-4h-11z` + iconTail
	iconFeed = iconHead + `M4 4a16 16 0 0 1 16 16h-3A13 13 0 0 0 4 7V4zm0 6a10 10 0 0 1 10 10h-3a7 7 0 0 0-7-7v-3z` +
		`m2 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4z` + iconTail
	iconChain = iconHead + `M10 7v2H7a3 3 0 0 0 0 6h3v2H7A5 5 0 0 1 7 7h3zm4 0h3a5 5 0 0 1 0 10h-3v-2h3a3 3 0 0 0 0-6h-3V7z` +
		`m-6 4h8v2H8v-2z` + iconTail
)

// changeSocialLink renders a link to a service, with settings from the enclosing list.
func changeSocialLink(r *blockRenderer, b, parent *block, _ string) string {
	text := func(list *phpval.Array, name string) string {
		s, _ := list.At(name).(string)
		return s
	}
	url := text(b.attrs(), "url")
	if url == "" || url == "0" || !r.makes() {
		return ""
	}
	around := &phpval.Array{}
	if parent != nil && parent.name == "core/social-links" {
		around = parent.attrs()
	}
	service := text(b.attrs(), "service")
	if b.attrs().At("service") == nil {
		service = "Icon"
	}
	label := phpval.Trim(text(b.attrs(), "label"))
	if label == "" || label == "0" {
		label = socialName(service)
	}
	hidden := " screen-reader-text"
	if phpval.Truthy(around.At("showLabels")) {
		hidden = ""
	}
	return "<li" + r.socialWrapper(b, service, around) + "><a" +
		socialRel(text(b.attrs(), "rel"), phpval.Truthy(around.At("openInNewTab"))) +
		` href="` + displayURL(socialURL(url)) + `" class="wp-block-social-link-anchor">` + socialIcon(service) +
		`<span class="wp-block-social-link-label` + hidden + `">` + wp.EscapeHTML(label) + "</span></a></li>"
}

func socialName(service string) string {
	if name, ok := socialNames[service]; ok {
		return name
	}
	return unknownService
}

func socialIcon(service string) string {
	switch service {
	case "mail":
		return iconMail
	case "feed":
		return iconFeed
	}
	return iconChain
}

// socialWrapper returns the attributes of a link's list item, each preceded by a space.
func (r *blockRenderer) socialWrapper(b *block, service string, around *phpval.Array) string {
	var colors []string
	var style string
	for _, c := range []struct{ name, property string }{{"iconColor", "color"}, {"iconBackgroundColor", "background-color"}} {
		if name, ok := around.At(c.name).(string); ok {
			colors = append(colors, "has-"+name+"-"+c.property)
		}
		if value, ok := around.At(c.name + "Value").(string); ok {
			style += c.property + ":" + value + ";"
		}
	}
	if r.has(release.WrapperOrder) {
		class := "wp-social-link wp-social-link-" + service + " " + strings.Join(colors, " ")
		return r.wrapper(b, wrapped{class: class, style: style, supports: wrapperSupport{anchor: true}})
	}
	own := r.className(b)
	if own != "" {
		own += " "
	}
	class := "wp-social-link wp-social-link-" + service + " " + strings.Join(colors, " ") + " " + own + "wp-block-social-link"
	class = `class="` + wp.EscapeHTML(class) + `"`
	if style == "" {
		return " " + class
	}
	return ` style="` + wp.EscapeHTML(style) + `" ` + class
}

func socialRel(rel string, newTab bool) string {
	switch {
	case newTab:
		return ` rel="` + wp.EscapeHTML(phpval.Trim(rel+" noopener nofollow")) + `" target="_blank"`
	case rel != "":
		return ` rel="` + wp.EscapeHTML(phpval.Trim(rel)) + `"`
	}
	return ""
}

// socialURL completes the URL of a link: an email address gets "mailto:", a URL without a scheme "https://".
func socialURL(url string) string {
	switch {
	case wp.IsEmail(url):
		return "mailto:" + url
	case hasScheme(url) || strings.HasPrefix(url, "//") || strings.HasPrefix(url, "#"):
		return url
	}
	return "https://" + url
}

// hasScheme reports whether a URL begins with a scheme, rather than with a host and a port.
func hasScheme(s string) bool {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || scheme == "" || !isLetter(scheme[0]) {
		return false
	}
	for _, c := range []byte(scheme) {
		if !isLetter(c) && !wp.IsDigit(c, 10) && c != '+' && c != '-' && c != '.' {
			return false
		}
	}
	port := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	return port == 0 || port > 5 || port < len(rest) && rest[port] != '/'
}
