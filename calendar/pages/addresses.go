package pages

import (
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// addresses are those of the pages' server.
type addresses struct {
	host   string // scheme and host of the public address that the host gave, "" if it gave none
	public string // scheme and host of canonical addresses, "" if they are those of each request
	assets string // the path below which the style sheet, the icon and the scripts are: that of the first language
}

// image is a picture as a page shows it.
type image struct {
	URL, Alt      string
	Width, Height int64
}

// image returns the first of the sizes that the picture has, or the picture itself.
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

// local returns the address of a picture, shortened to its path if it is on this server.
func (a *addresses) local(address string) string {
	if a.host != "" {
		if path, ok := strings.CutPrefix(address, a.host+"/"); ok {
			return "/" + path
		}
	}
	return address
}

// absolute returns an address with scheme and host: those of the public address, or of the request where none is known.
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

// hostOf returns the scheme and host of an address.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// feedLinks lead to an iCalendar file: one to subscribe to and one to download.
type feedLinks struct {
	Webcal template.URL // a scheme that templates do not know
	File   string
}

// feed returns the links to the feed with a path.
func (a *addresses) feed(r *http.Request, path string) feedLinks {
	address := a.absolute(r, path)
	_, rest, _ := strings.Cut(address, "://")
	return feedLinks{Webcal: template.URL("webcal://" + rest), File: path}
}
