package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages/editing"
)

// Language is a language version of the pages.
type Language struct {
	// Tag is the Tag of one of the calendar's languages (calendar.Language). The pages have texts in Dutch, English and
	// French (nl, en and fr, with or without a region). Pages in other languages have English texts, which are marked
	// as English.
	Tag string
	// Prefix is the beginning of the path of every page in this language: "" or "/nl".
	Prefix string
	// Mount is the path at which the API of this language is mounted: "/wp-json" or "/nl/wp-json".
	Mount string
	// Root is the public address of the REST root. Pages link to it, for programs that are given the address of a page.
	// Default: none.
	Root string
}

// Options are the options of New. The zero value serves the pages of a calendar in its languages and time zone.
type Options struct {
	// Languages are the languages of the pages. Addresses below no prefix belong to the first one. Default: the
	// languages of the calendar, each below the path of its SiteURL.
	Languages []Language
	// Content is the language of items for which the API returns none, such as de-DE. Default: the language of each
	// page.
	Content string
	// Title is the name of the calendar, shown at the top of each page. Default: the word for calendar in the language
	// of the page.
	Title string
	// Colour is the colour of links, buttons and the current day, such as #a3312b. It is darkened or lightened where
	// text in this colour would not be legible. Default: DefaultColour, also for a value that CheckColour rejects.
	Colour string
	// WeekStart is the first weekday. Default: according to the site's settings when New is called.
	WeekStart *time.Weekday
	// Docs is the path of the documentation of the API, below the prefix of each language. Default: none.
	Docs string
	// Zone is the time zone of the visitors. It determines the current day; times in other zones are also shown in this
	// one. Default: according to the site's settings when New is called.
	Zone *time.Location
	// Now returns the current time. Default: time.Now.
	Now func() time.Time
	// Origin is the public address of this server, such as http://127.0.0.1:8080; a path in it is ignored. Images on
	// this server are linked by path, so that they load with whatever host name a visitor uses. Canonical addresses,
	// feeds and the sitemap begin with it. Default for these: the SiteURL of the first language, or the address of the
	// site.
	Origin string
	// Head, Header and Footer return HTML of the host for each page: Head is added to the head element, and Header and
	// Footer replace the header with the calendar's name and the footer. If they load from other servers, the origins
	// of these must be in Sources.
	Head, Header, Footer func(ctx context.Context) template.HTML
	// Stylesheet is the address of a style sheet that each page loads after its own one. It may set the custom
	// properties of that one (--accent, --ground, --surface, --ink …).
	Stylesheet string
	// Logo is the address of an image before the calendar's name in the header.
	Logo string
	// Sources are the additional sources that the Content-Security-Policy of the pages permits: origins of scripts,
	// styles, fonts, images and connections, such as https://cdn.example.org, or SourceSelf for scripts and fonts of
	// this server. Default: none.
	Sources []string
	// FrameAncestors are the origins whose pages may frame the pages below /embed/, such as https://example.org, or
	// FrameNone alone. Default: all origins. Other pages cannot be framed.
	FrameAncestors []string
	// Editing adds pages below "/edit/" of each language, on which users of the site sign in and edit its calendar.
	// They are for standalone sites (calendar.SiteSettings.Own), which have no other admin. On other sites, users sign
	// in with application passwords. Default false.
	Editing bool
	// Logger receives the errors that visitors do not see. Default: slog.Default().
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.WeekStart == nil {
		monday := time.Monday
		o.WeekStart = &monday
	}
	if CheckColour(o.Colour) != nil {
		o.Colour = DefaultColour
	}
	return o
}

// New returns the pages of a calendar. If the options are invalid, Register returns the error.
func New(c *calendar.Calendar, opts Options) *Site {
	if len(opts.Languages) == 0 {
		for _, l := range c.Languages() {
			own := Language{Tag: l.Tag, Prefix: pathOf(l.SiteURL), Mount: l.Mount}
			if l.BaseURL != "" {
				own.Root = strings.TrimSuffix(l.BaseURL, "/") + "/"
			}
			opts.Languages = append(opts.Languages, own)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), settingsTimeout)
	defer cancel()
	settings, err := c.SiteSettings(ctx)
	if opts.Zone == nil {
		opts.Zone = settings.Zone
	}
	if opts.WeekStart == nil {
		opts.WeekStart = &settings.WeekStart
	}
	s := newSite(newClient(c), opts)
	s.at.public = cmp.Or(s.at.host, hostOf(c.Languages()[0].SiteURL), hostOf(settings.Home))
	if opts.Editing {
		s.edit(c, settings.Uploads)
	}
	if err != nil {
		s.err = errors.Join(s.err, fmt.Errorf("pages: settings of the site: %w", err))
	}
	return s
}

// edit adds the pages for editing.
func (s *Site) edit(c *calendar.Calendar, uploads string) {
	of := editing.Config{
		Calendar: c, Name: s.opts.Title, Style: s.style(), Icon: s.icon(), Logo: s.opts.Logo, Origin: s.at.public,
		Uploads: uploads, Zone: s.opts.Zone, Now: s.opts.Now, Logger: s.opts.Logger,
	}
	for _, v := range s.versions {
		of.Languages = append(of.Languages, editing.Language{
			Tag: v.lang.Tag, Words: base(v.lang.Tag), Prefix: v.lang.Prefix, Name: v.languageName(),
		})
	}
	s.editing = editing.New(of)
	s.guard = http.NewCrossOriginProtection()
	if s.at.public != "" {
		// Required if a proxy changes the host of requests. New and Register reject an invalid address.
		_ = s.guard.AddTrustedOrigin(s.at.public)
	}
}

// settingsTimeout limits how long New waits for the settings of the site.
const settingsTimeout = 30 * time.Second

// pathOf returns the path of an address.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.EscapedPath()
}

// checkPrefixes returns an error if two languages have the same prefix, since the pages of the second one would never
// be shown. Hosts are not distinguished.
func checkPrefixes(all []Language) error {
	for i, l := range all {
		for _, other := range all[:i] {
			if strings.TrimSuffix(other.Prefix, "/") == strings.TrimSuffix(l.Prefix, "/") {
				return fmt.Errorf("pages: options: Languages: %s and %s have the same prefix %q: give each its own, or use pages.New "+
					"once for each host, with one language", other.Tag, l.Tag, l.Prefix)
			}
		}
	}
	return nil
}

func newSite(c *client, opts Options) *Site {
	opts = opts.withDefaults()
	colour, _ := parseColour(opts.Colour) // withDefaults has checked it
	host := hostOf(opts.Origin)
	s := &Site{opts: opts, client: c, at: &addresses{host: host, public: host}, theme: newTheme(colour)}
	s.policy, s.err = newPolicy(opts, host)
	s.err = errors.Join(s.err, c.own.check())
	for _, l := range opts.Languages {
		l.Prefix, l.Mount = strings.TrimSuffix(l.Prefix, "/"), strings.TrimSuffix(l.Mount, "/")
		v := newVersion(l, opts)
		v.at = s.at
		s.versions = append(s.versions, v)
	}
	s.err = errors.Join(s.err, checkPrefixes(opts.Languages))
	s.at.assets, c.versions = s.versions[0].lang.Prefix, s.versions
	return s
}
