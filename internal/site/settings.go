// Package site defines the settings and roles of the WordPress site whose tables are served, and the rules for rights
// on posts. It contains no SQL: callers pass the stored values.
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

// Settings are the parsed options of the site.
type Settings struct {
	Digest        string // hash of all settings as stored
	stored        string // hash of the options alone, without the users' styles
	Name          string // site title, with its HTML escaped
	Description   string // tagline, with its HTML escaped
	Home          string // URL of the site, without a trailing slash
	SiteURL       string // URL of WordPress's files
	PageSize      any    // posts per page as stored: a string or an int
	Location      *time.Location
	WeekStart     time.Weekday
	ZoneName      string          // name of Location; "" if the site has a UTC offset instead of a zone
	Offset        string          // UTC offset in hours, as stored
	UTC           bool            // the site's time zone is UTC
	InSiteZone    bool            // times of events are compared in the site's zone, not in each event's own
	Cutoff        string          // time of day, "HH:MM", at which a day of events begins; "" for midnight
	Disabled      bool            // the site has disabled the REST API of The Events Calendar
	WritesDates   bool            // explicit occurrences may be written
	MakesDates    bool            // single events may be turned into recurring ones
	DateForm      schema.DateForm // how lists show recurring events, by the site's settings
	Own           bool            // Agenda created the site, and no admin of another program is in use
	Unmigrated    bool            // the migration to the tables of occurrences has not happened, so they are ignored (D92)
	DateBase      int64           // base of the ids of occurrences in lists, which are above it; 0 if lists show events
	MonthsAhead   int             // for how many months the occurrences of an endless rule are created
	CustomFields  []CustomField
	Links         permalink.Settings
	Cost          cost.Format
	WordPress     release.Release // release of WordPress to assume
	Stored        release.Found   // release of WordPress according to the database
	Theme         *render.Theme
	Stylesheet    string // name of the theme
	Template      string // name of the parent theme, or of the theme itself
	UserStyles    string // users' changes to the theme, as JSON
	NoSmilies     bool
	CommentStatus string // of new events: "open" or "closed"
	Roles         Roles
	Languages     schema.LanguageSettings
	Tickets       schema.TicketSettings
	// ApplicationPasswords reports whether users may log in with application passwords.
	ApplicationPasswords bool
	Network              *Network // multisite network of the site; nil for none

	Members    members.Settings              // settings of the plugin Members, if it is active
	Restricted map[int64]members.Restriction // posts that the plugin Members restricts, by id
}

// Slug returns the slug of a title or a name, as WordPress makes it (sanitize_title).
func (s *Settings) Slug(title string) string { return s.Links.Slug(title) }

// Host returns the host name of the site, without a port.
func (s *Settings) Host() string {
	home, err := url.Parse(s.Home)
	if err != nil {
		return ""
	}
	return home.Hostname()
}

// Shown returns a JSON encoding of the settings that the content of items depends on. If it changes, answers may
// change.
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

// ThemeKey returns a string that identifies the theme and the users' changes to it, for caches.
func (s *Settings) ThemeKey() string {
	return strings.Join([]string{s.Stylesheet, s.Template, s.UserStyles}, "\n")
}

// CustomField is an additional field of events that the site's editors defined (a feature of Events Calendar Pro).
type CustomField struct{ Name, Label string }

// Keys in the option schema.OptionCalendar that determine how costs are displayed.
const (
	keySymbol  = "defaultCurrencySymbol"
	keyCode    = "defaultCurrencyCode"
	keyReverse = "reverseCurrencyPosition" // the symbol follows the amount
)

// NewCalendar returns the value of the option schema.OptionCalendar for a new site, with the currency of its events if
// one is named.
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

// parse parses options into settings.
func parse(options map[string]string) *Settings {
	calendar := phpval.ArrayOf(options[schema.OptionCalendar])
	text := func(name string) string { return phpval.Text(calendar.At(name)) }
	word := func(name, unless string) string {
		if _, stored := calendar.Get(name); !stored {
			return unless
		}
		return text(name)
	}
	offset, _ := strconv.ParseFloat(strings.TrimSpace(options["gmt_offset"]), 64)
	zone := options["timezone_string"]
	home := strings.TrimRight(options["home"], "/")
	siteURL := cmp.Or(strings.TrimRight(options["siteurl"], "/"), home)
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
		Disabled:     phpval.Truthy(calendar.At("rest-v1-disabled")),
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
	if v := calendar.At("posts_per_page"); phpval.Truthy(v) {
		s.PageSize = v
	} else if v := options["posts_per_page"]; v != "" && v != "0" {
		s.PageSize = v
	}
	return s
}

// weekStart returns the first day of the week, given the stored number. It is Monday if the number is invalid.
func weekStart(stored string) time.Weekday {
	n, err := strconv.Atoi(stored)
	if err != nil || n < 0 || n > 6 {
		return time.Monday
	}
	return time.Weekday(n)
}

func customFields(calendar *phpval.Array) (fields []CustomField) {
	for _, d := range calendar.ArrayAt("custom-fields").All() {
		definition, _ := d.(*phpval.Array)
		if name := phpval.Text(definition.At("name")); name != "" {
			fields = append(fields, CustomField{name, phpval.Text(definition.At("label"))})
		}
	}
	return fields
}

// LinksIn returns the settings for URLs of pages in a language, given by its code; "" is for items without a language.
func (s *Settings) LinksIn(code string) permalink.Settings {
	links := s.Links
	at := s.Languages.Addresses.Place(code, links.Home, links.Permalink == "")
	links.Host, links.Path, links.Query = at.Host, at.Path, at.Query
	return links
}

type contextKey struct{}

// With returns a context with the settings.
func With(ctx context.Context, s *Settings) context.Context {
	return context.WithValue(ctx, contextKey{}, s)
}

// From returns the settings of a context. The context of every request has them; for other contexts it returns
// defaults.
func From(ctx context.Context) *Settings {
	s, _ := ctx.Value(contextKey{}).(*Settings)
	if s == nil {
		return &Settings{Location: time.UTC, UTC: true}
	}
	return s
}
