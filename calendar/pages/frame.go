package pages

import (
	"html/template"
	"net/http"

	"github.com/agendahq/agenda/calendar"
)

// frame contains what all pages have in common: head and navigation.
type frame struct {
	Tag       string // language of the page
	Site      string // name of the calendar
	SiteLang  string // language of Site; "" if it is the page's
	Title     string // title of the page
	Home      string
	About     string
	Docs      string // documentation of the API; "" if there is none
	Style     string
	Icon      string
	Colours   themeColours
	Here      string // path of this page
	Canonical string // canonical address: this page's, or that of the page of the item in the item's language
	Default   string // address of this page in the first language, for visitors with any other language
	Languages []languageLink
	JSON      string // address of the JSON with the content of this page

	Description string
	Picture     string // address of an image
	PictureAlt  string // alternative text
	Type        string // OpenGraph type
	Data        template.JS
	Programs    programs
	Root        template.URL // REST root, for programs that are given the address of a page
	Own         ownHTML      // HTML of the host
	Framed      bool         // shown in a frame of another site
	Editor      bool         // shown to a visitor who signed in and may edit its item
	Script      string       // address of the script for buttons; "" if the page has none
	Whole       feedLinks    // feed of the whole calendar
	Atom        string       // news feed with the filters of this page
	JSONFeed    string
}

func (f frame) framed() bool    { return f.Framed }
func (f frame) forEditor() bool { return f.Editor }

type languageLink struct {
	Tag, Name, URL string
	Address        string // URL with scheme and host
	Current        bool
	Same           bool // it leads to the same content, not to a replacement
}

// noItem is the item of pages that show none.
var noItem calendar.Localized

// messagePage shows a message. Heading is a key of the dictionary.
type messagePage struct {
	frame
	Heading, Text string
	Password      bool // show a form for a password
	Wrong         bool // the password was wrong
}

// frame returns the frame of the page with the path here. in returns the path of the same page in another language, and
// whether that shows the same content. item is the item that the page shows, or noItem.
func (s *Site) frame(r *http.Request, v *version, here string, in func(*version) (string, bool), item calendar.Localized) frame {
	f := frame{
		Tag: v.tag, Site: v.name, SiteLang: v.named, Home: v.link(route{kind: home}), About: v.link(route{kind: aboutPage}),
		Style: s.style(), Icon: s.icon(),
		Colours: s.theme.colours,
		Here:    here, Canonical: s.at.absolute(r, here), Type: "website", Whole: s.at.feed(r, v.link(route{kind: home})+"?ical=1"),
	}
	f.addNews(v, state{page: 1})
	f.Root, f.Programs, f.Own = template.URL(v.lang.Root), s.programs(v), s.ownIn(r)
	if s.opts.Docs != "" {
		f.Docs = v.lang.Prefix + s.opts.Docs
	}
	for i, other := range s.versions {
		l := languageLink{Tag: other.lang.Tag, Name: other.languageName(), Current: other == v}
		l.URL, l.Same = in(other)
		l.Address = s.at.absolute(r, l.URL)
		if other.lang.Tag == item.Language && l.Same {
			f.Canonical = l.Address
		}
		if l.Same && (i == 0 || f.Default == "") {
			f.Default = l.Address
		}
		if l.Current && !l.Same { // the page shows an item of another language
			l.URL = here
		}
		f.Languages = append(f.Languages, l)
	}
	return f
}

// style and icon return the addresses of the style sheet and the icon.
func (s *Site) style() string { return s.at.assets + stylePath + "?v=" + s.theme.version }
func (s *Site) icon() string  { return s.at.assets + iconPath + "?v=" + s.theme.version }

// buttons returns the address of the script for buttons.
func (s *Site) buttons() string { return s.at.assets + buttonsPath + "?v=" + s.theme.version }

// addNews adds the addresses of the news feeds with the filters of a state.
func (f *frame) addNews(v *version, st state) {
	f.Atom, f.JSONFeed = v.link(route{kind: atomFeed})+st.filterValues(), v.link(route{kind: jsonFeed})+st.filterValues()
}

// same returns the argument "in" of Site.frame for a page that exists in all languages.
func same(to route) func(*version) (string, bool) {
	return func(v *version) (string, bool) { return v.link(to), true }
}

// itemArgument returns the argument "in" of Site.frame for the page of an item.
func itemArgument(to route, item calendar.Localized) func(*version) (string, bool) {
	return func(v *version) (string, bool) { return v.linkTo(to, item) }
}

// describe returns the description of a page that has no text of its own.
func (v *version) describe(what string) string { return v.fill("describe", what, v.name) }
