// Package site holds the settings and roles of the site whose tables are served, and
// the rule of rights. It holds no SQL: stored values are given to it.
package site

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/cost"
	"github.com/agendahq/agenda/internal/wp/members"
	"github.com/agendahq/agenda/internal/wp/migration"
	"github.com/agendahq/agenda/internal/wp/permalink"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
	"github.com/agendahq/agenda/internal/wp/render"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// Settings are the site's options for reads.
type Settings struct {
	Digest        string // hash of all of them as stored
	stored        string // hash of those that are options
	Name          string // of the site, with its markup escaped
	Description   string // likewise
	Home          string // address of the site, without trailing slash
	SiteURL       string // address of its files
	PageSize      any    // items per page as stored: a text or a number
	Location      *time.Location
	WeekStart     time.Weekday
	ZoneName      string          // of Location, "" where the site has an offset instead
	Offset        string          // in hours, as stored
	UTC           bool            // the site's own zone is UTC
	InSiteZone    bool            // events are compared in the site's zone, not in their own
	Cutoff        string          // "HH:MM" at which a day of events begins, "" for midnight
	Disabled      bool            // the site switched its events API off
	WritesDates   bool            // explicit dates of events that have several may be written
	MakesDates    bool            // events may be given several dates
	DateForm      schema.DateForm // of lists, by what the site stores
	Unmigrated    bool            // the tables of dates do not count (D92)
	DateBase      int64           // what the ids of dates are above where lists have one item for each date, else 0
	MonthsAhead   int             // for which the dates of a rule without an end are made
	CustomFields  []CustomField
	Links         permalink.Settings
	Cost          cost.Format
	WordPress     release.Release // that the site runs, or counts as
	Stored        release.Found   // what the site's rows say of it
	Theme         *render.Theme
	Stylesheet    string // name of the theme
	Template      string // name of its parent, or its own
	UserStyles    string // what users changed of it, as JSON
	NoSmilies     bool
	CommentStatus string // of new events: "open" or "closed"
	Roles         Roles
	Languages     schema.LanguageSettings
	Tickets       schema.TicketSettings
	// ApplicationPasswords reports whether the site lets users in with them.
	ApplicationPasswords bool
	Network              *Network // that the site belongs to, nil for none

	Members    members.Settings              // of the plugin Members, where it is active
	Restricted map[int64]members.Restriction // which posts the plugin keeps from others, by id
}

// Slug makes the slug of a title or name on the site.
func (s *Settings) Slug(title string) string { return s.Links.Slug(title) }

// Host returns the host in the address of the site, without its port.
func (s *Settings) Host() string {
	home, err := url.Parse(s.Home)
	if err != nil {
		return ""
	}
	return home.Hostname()
}

// Shown returns a text of the settings that items show: it is another one when an answer may be.
func (s *Settings) Shown() ([]byte, error) {
	return json.Marshal(struct {
		Home, SiteURL, ZoneName, Offset   string
		UTC, InSiteZone, Disabled, Smiles bool
		DateForm                          schema.DateForm
		DateBase                          int64
		CustomFields                      []CustomField
		Links                             permalink.Settings
		Cost                              cost.Format
		Theme                             string
		Languages                         schema.LanguageSettings
		Tickets                           schema.TicketSettings
	}{
		s.Home, s.SiteURL, s.ZoneName, s.Offset, s.UTC, s.InSiteZone, s.Disabled, !s.NoSmilies, s.DateForm, s.DateBase, s.CustomFields,
		s.Links, s.Cost, s.ThemeKey(), s.Languages, s.Tickets,
	})
}

// ThemeKey returns a text of all that rendering knows of the theme.
func (s *Settings) ThemeKey() string {
	return strings.Join([]string{s.Stylesheet, s.Template, s.UserStyles}, "\n")
}

// CustomField is an additional field of events, defined by the site's editors.
type CustomField struct{ Name, Label string }

// Keys of schema.OptionCalendar that say how costs are shown.
const (
	keySymbol  = "defaultCurrencySymbol"
	keyCode    = "defaultCurrencyCode"
	keyReverse = "reverseCurrencyPosition" // the symbol comes last
)

// NewCalendar returns the value of schema.OptionCalendar for a new site: the currency of its events, as far as one is named.
func NewCalendar(c cost.Currency) string {
	var calendar phpval.Array
	if c.Symbol != "" {
		calendar.Set(phpval.StrKey(keySymbol), c.Symbol)
		calendar.Set(phpval.StrKey(keyCode), c.Code)
	}
	if c.Position != "" {
		calendar.Set(phpval.StrKey(keyReverse), c.Position == "postfix")
	}
	return phpval.Serialize(&calendar)
}

var optionNames = []string{
	schema.OptionBlogName, "blogdescription", "home", "siteurl", "posts_per_page", "timezone_string", "gmt_offset", "permalink_structure",
	"tag_base", "upload_path", "upload_url_path", "WPLANG", "stylesheet", schema.OptionUseSmilies, "using_application_passwords",
	schema.OptionDefaultComments, schema.OptionPlugins, schema.NetworkPlugins, schema.OptionRecurrence, schema.OptionOwn,
	schema.OptionDateBase, release.BlockFiles, release.UpdateCheck, release.Database, "template", schema.OptionCalendar,
	schema.NetworkSite, schema.NetworkClosed, schema.NetworkURL, schema.NetworkAdmins, schema.NetworkMainSite, schema.NetworkFiles,
	schema.OptionStartOfWeek, schema.OptionPolylang, schema.OptionWPML, migration.State, migration.Active, members.Option,
}

// parse returns the Settings of stored options.
func parse(options map[string]string) *Settings {
	calendar := &phpval.Array{}
	if v, err := phpval.Unserialize(options[schema.OptionCalendar]); err == nil {
		if a, ok := v.(*phpval.Array); ok {
			calendar = a
		}
	}
	text := func(name string) string {
		v, _ := calendar.Get(name)
		return phpval.Text(v)
	}
	word := func(name, unless string) string {
		if _, stored := calendar.Get(name); !stored {
			return unless
		}
		return text(name)
	}
	offset, _ := strconv.ParseFloat(strings.TrimSpace(options["gmt_offset"]), 64)
	zone := options["timezone_string"]
	home := strings.TrimRight(options["home"], "/")
	siteURL := strings.TrimRight(options["siteurl"], "/")
	if siteURL == "" {
		siteURL = home
	}
	disabled, _ := calendar.Get("rest-v1-disabled")
	suffix := wp.Truthy(text(keyReverse))
	s := &Settings{
		Cost: cost.Format{
			DefaultSymbol: word(keySymbol, "$"), DefaultCode: text(keyCode), Suffix: suffix,
			Locale: options["WPLANG"],
		},
		Stored:     release.OfSite(options, schema.OwnMark(options), schema.ActivePlugins(options)),
		Theme:      render.ThemeOf(options["stylesheet"], options["template"], ""),
		Stylesheet: options["stylesheet"], Template: options["template"],
		NoSmilies: !phpval.Truthy(options[schema.OptionUseSmilies]),
		Name:      options[schema.OptionBlogName], Description: options["blogdescription"],
		Home: home, SiteURL: siteURL,
		Location:     strtotime.SiteZone(zone, offset),
		WeekStart:    weekStart(options[schema.OptionStartOfWeek]),
		ZoneName:     zone,
		Offset:       cmp.Or(options["gmt_offset"], "0"),
		UTC:          zone == "UTC" || zone == "" && offset == 0,
		InSiteZone:   text("tribe_events_timezone_mode") == "site",
		Cutoff:       text("multiDayCutoff"),
		Disabled:     phpval.Truthy(disabled),
		CustomFields: customFields(calendar),
		Links: permalink.Settings{
			Home: home, SiteURL: siteURL, Permalink: options["permalink_structure"],
			EventSlug: word("singleEventSlug", "event"), EventsSlug: word("eventsSlug", "events"), TagBase: options["tag_base"],
			Locale: options["WPLANG"], UploadPath: options["upload_path"], UploadURLPath: options["upload_url_path"],
		},
		ApplicationPasswords: phpval.Truthy(options["using_application_passwords"]),
		Network:              networkOf(options),
	}
	s.setUploads(options)
	if schema.PluginActive(options, members.Plugin) {
		s.Members = members.Parse(options[members.Option])
	}
	s.Tickets = schema.TicketsOf(options, schema.DefaultNames().Event)
	s.Cost.Shop = cost.Shop(s.Tickets.Shop)
	s.setRelease(s.Stored.Release)
	s.setMonthsAhead(text("recurrenceMaxMonthsAfter"))
	s.CommentStatus = "closed"
	if wp.Truthy(text("showComments")) && options[schema.OptionDefaultComments] == "open" {
		s.CommentStatus = "open"
	}
	if v, ok := calendar.Get("posts_per_page"); ok && phpval.Truthy(v) {
		s.PageSize = v
	} else if v := options["posts_per_page"]; v != "" && v != "0" {
		s.PageSize = v
	}
	return s
}

// weekStart returns the first day of a week as WordPress stores it: Monday for what is none.
func weekStart(stored string) time.Weekday {
	n, err := strconv.Atoi(stored)
	if err != nil || n < 0 || n > 6 {
		return time.Monday
	}
	return time.Weekday(n)
}

func customFields(calendar *phpval.Array) []CustomField {
	v, _ := calendar.Get("custom-fields")
	list, ok := v.(*phpval.Array)
	if !ok {
		return nil
	}
	var fields []CustomField
	for _, d := range list.All() {
		definition, ok := d.(*phpval.Array)
		if !ok {
			continue
		}
		name, _ := definition.Get("name")
		label, _ := definition.Get("label")
		if n := phpval.Text(name); n != "" {
			fields = append(fields, CustomField{n, phpval.Text(label)})
		}
	}
	return fields
}

// LinksIn returns the settings of the addresses of pages in a language, by its code; "" for those of items that have none.
func (s *Settings) LinksIn(code string) permalink.Settings {
	links := s.Links
	at := s.Languages.Addresses.Of(code, links.Home, links.Permalink == "")
	links.Host, links.Path, links.Query = at.Host, at.Path, at.Query
	return links
}

type contextKey struct{}

// With returns a context with the settings.
func With(ctx context.Context, s *Settings) context.Context {
	return context.WithValue(ctx, contextKey{}, s)
}

// From returns the settings of a request. Every handler has them.
func From(ctx context.Context) *Settings {
	s, _ := ctx.Value(contextKey{}).(*Settings)
	if s == nil {
		return &Settings{Location: time.UTC, UTC: true}
	}
	return s
}
