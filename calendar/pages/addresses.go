package pages

import (
	"cmp"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// addresses contains the addresses of the server of the pages.
type addresses struct {
	host   string // scheme and host of Options.Origin; "" if not set
	public string // scheme and host of canonical addresses; "" to use those of each request
	assets string // path below which the style sheet, the icon and the scripts are served: the prefix of the first language
}

// image is an image in the form in which pages show it.
type image struct {
	URL, Alt      string
	Width, Height int64
}

// image returns the first of the given sizes that an image has, or the original image.
func (a *addresses) image(p *calendar.Image, sizes ...string) image {
	if p == nil || p.URL == "" {
		return image{}
	}
	for _, name := range sizes {
		if z := p.Sizes[name]; z.URL != "" {
			return image{a.local(z.URL), p.Alt, z.Width, z.Height}
		}
	}
	return image{a.local(p.URL), p.Alt, p.Width, p.Height}
}

// local shortens the address of an image to its path if the image is on this server.
func (a *addresses) local(address string) string {
	if a.host != "" {
		if path, ok := strings.CutPrefix(address, a.host+"/"); ok {
			return "/" + path
		}
	}
	return address
}

// absolute adds a scheme and a host to a path: those of the public address, or those of the request if it is not known.
func (a *addresses) absolute(r *http.Request, path string) string {
	if path == "" || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") {
		return path
	}
	return a.base(r) + path
}

func (a *addresses) base(r *http.Request) string {
	if a.public != "" {
		return a.public
	}
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// tag returns an identifier of an event, or of an occurrence of a recurring event, for news feeds. It stays the same if
// the address of the event's page changes.
func (a *addresses) tag(r *http.Request, e calendar.Event) string {
	host := ""
	if u, err := url.Parse(a.base(r)); err == nil {
		host = strings.ToLower(u.Hostname())
	}
	const since = "2026" // RFC 4151 requires a date at which the host belonged to the site
	id := "tag:" + host + "," + since + ":" + a.assets + "/event/" + decimal(cmp.Or(e.EventID, e.ID))
	if e.ID != e.EventID || e.DatesTotal > 1 {
		id += "/" + e.Start.UTC().Format("20060102T150405Z")
	}
	return id
}

// hostOf returns the scheme and host of an address.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// feedLinks are the links to an iCalendar feed.
type feedLinks struct {
	Webcal template.URL // for subscribing; a template.URL, since templates do not trust the scheme webcal
	File   string
}

// feed returns the links to the feed at a path.
func (a *addresses) feed(r *http.Request, path string) feedLinks {
	address := a.absolute(r, path)
	_, rest, _ := strings.Cut(address, "://")
	return feedLinks{Webcal: template.URL("webcal://" + rest), File: path}
}
