package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages/editing"
)

// Language is one language version of the calendar.
type Language struct {
	// Tag is that of the calendar's language (calendar.Language). Pages in nl, en and fr, with or without a region, have words of
	// their own; those in any other language have English words, and say so.
	Tag string
	// Prefix is the start of the path of every page of this language: "" or
	// "/nl".
	Prefix string
	// Mount is where the API of this language is mounted: "/wp-json" or "/nl/wp-json".
	Mount string
	// Root is the public address of the REST root that the pages link, for programs that are given the address of a page. Default: none.
	Root string
}

// Options are the settings of New; the zero value shows a calendar in Brussels.
type Options struct {
	// Languages are the languages that have pages. The first one is that of addresses that belong to none. Default: those of the
	// calendar, each below the path of its SiteURL.
	Languages []Language
	// Content is the language of what the site's editors write, where the API names none, such as de-DE. Default: that of each page.
	Content string
	// Title is the name of the calendar in the head of each page. Default: the word for calendar in the language of the page.
	Title string
	// Colour is that of links, buttons and today, such as #a3312b. Where a text in it could not be read on its ground it is made
	// darker or lighter. Default DefaultColour, also for what CheckColour refuses.
	Colour string
	// WeekStart is the first day of a week. Default: that of the site when New is called.
	WeekStart *time.Weekday
	// Docs is the path of the documentation of the API, below the prefix of each language. Default: there is none.
	Docs string
	// Zone is the zone of the visitors: it determines what today is, and times in other zones are also shown in this
	// one. Default: that of the site when New is called.
	Zone *time.Location
	// Now is the clock. Default time.Now.
	Now func() time.Time
	// Origin is the public address of this server, such as http://127.0.0.1:8080; a path in it does not count. Pictures with an
	// address on it are linked by path, so they are shown whatever host name the visitor uses. Canonical addresses, feeds and the
	// sitemap begin with it. Default for these: the SiteURL of the first language, or the address of the site.
	Origin string
	// Head, Header and Footer return HTML of the host's own for each page: what is added to its head, and what stands in place of the
	// header with the calendar's name and of the footer. The origins of other servers that they load from are in Sources.
	Head, Header, Footer func(ctx context.Context) template.HTML
	// Stylesheet is the address of a style sheet that each page has after the calendar's own, whose custom properties (--accent, --ground,
	// --surface, --ink …) it may set.
	Stylesheet string
	// Logo is the address of a picture before the calendar's name in the header.
	Logo string
	// Sources are what the policy of the pages allows besides: origins that scripts, styles, fonts and pictures may come from and be
	// connected to, such as https://cdn.example.org, or SourceSelf for scripts and fonts of this server. Default: none.
	Sources []string
	// FrameAncestors are the origins whose pages may frame the pages below /embed/, such as https://example.org, or FrameNone alone.
	// Default: any. No other page may be framed.
	FrameAncestors []string
	// Editing adds the pages below "/edit/" of each language, on which users of the site sign in and write its calendar. They are for
	// sites of our own (calendar.SiteSettings.Own), which have no other admin; beside one that has, users sign in with application
	// passwords. Default: there are none.
	Editing bool
	// Logger gets the errors that visitors do not see. Default slog.Default().
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

// New returns the pages of a calendar. What is wrong with the options is the error of Register.
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
		s.edit(c)
	}
	if err != nil {
		s.err = errors.Join(s.err, fmt.Errorf("pages: settings of the site: %w", err))
	}
	return s
}

// edit adds the pages for editing.
func (s *Site) edit(c *calendar.Calendar) {
	of := editing.Config{
		Calendar: c, Name: s.opts.Title, Style: s.style(), Icon: s.icon(), Logo: s.opts.Logo, Origin: s.at.public,
		Zone: s.opts.Zone, Now: s.opts.Now, Logger: s.opts.Logger,
	}
	for _, v := range s.versions {
		of.Languages = append(of.Languages, editing.Language{
			Tag: v.lang.Tag, Words: base(v.lang.Tag), Prefix: v.lang.Prefix, Name: v.languageName(),
		})
	}
	s.editing = editing.New(of)
}

// settingsTimeout bounds how long New waits for the settings of the site.
const settingsTimeout = 30 * time.Second

// pathOf returns the path of an address.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.EscapedPath()
}

func newSite(c *client, opts Options) *Site {
	opts = opts.withDefaults()
	colour, _ := parseColour(opts.Colour) // checked
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
	s.at.assets, c.versions = s.versions[0].lang.Prefix, s.versions
	return s
}
