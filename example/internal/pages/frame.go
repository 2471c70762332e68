package pages

import (
	"net/http"
	"strings"
)

// frame is the head and navigation of every page.
type frame struct {
	Tag       string // language of the page
	Site      string // name of the calendar
	Title     string // of the page
	Home      string
	Style     string
	Here      string // address of this page
	Canonical string // the same, or the page of the item in its own language
	Languages []languageLink
	Data      []languageLink // the JSON interface in each language
	JSON      string         // the JSON of what this page shows
}

type languageLink struct {
	Tag, Name, URL string
	Current        bool
	Same           bool // it leads to what this page shows, not to a replacement
}

// messagePage shows a message. Heading and Text are keys of the dictionary.
type messagePage struct {
	frame
	Heading, Text string
	Password      bool // show a form for one
	Wrong         bool // the one that was given
}

// frame returns the frame of a route, with links to the same page in the other languages; item is what the page shows, if it shows one.
func (s *site) frame(r *http.Request, v *version, to route, item localized) frame {
	f := frame{
		Tag: v.lang.Tag, Site: s.opts.Title, Home: v.link(route{kind: home}), Style: stylePath, Here: v.link(to),
	}
	if f.Site == "" {
		f.Site = v.texts.word("calendar")
	}
	f.Canonical = f.Here
	query := ""
	if r.URL.RawQuery != "" && r.Method != http.MethodPost {
		query = "?" + r.URL.Query().Encode()
	}
	for _, other := range s.versions {
		l := languageLink{Tag: other.lang.Tag, Name: other.texts.Name, Current: other == v}
		l.URL, l.Same = other.in(to, item)
		switch {
		case l.Same:
			l.URL += query
		case l.Current: // an item of another language
			l.URL = f.Here
		}
		if other.lang.Tag == item.Language {
			f.Canonical = other.link(to)
		}
		f.Languages = append(f.Languages, l)
		l.URL = s.client.address(other.lang, "/events")
		f.Data = append(f.Data, l)
	}
	return f
}

// image is a picture as a page shows it.
type image struct {
	URL           string
	Width, Height int
}

// image returns the first of the sizes that the picture has, or the picture itself.
func (s *site) image(p picture, sizes ...string) image {
	if p.URL == "" {
		return image{}
	}
	for _, name := range sizes {
		if z := p.Sizes[name]; z.URL != "" {
			return image{s.local(z.URL), z.Width, z.Height}
		}
	}
	return image{s.local(p.URL), p.Width, p.Height}
}

// local returns the address of a picture, shortened to its path if it is on
// this server.
func (s *site) local(address text) string {
	if s.opts.Origin != "" {
		if path, ok := strings.CutPrefix(string(address), s.opts.Origin+"/"); ok {
			return "/" + path
		}
	}
	return string(address)
}
