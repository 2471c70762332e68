package calendar

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/uptrace/bun"
	"golang.org/x/text/language"

	"github.com/agendahq/agenda/internal/wp/render"
	"github.com/agendahq/agenda/schema"
)

// Options configure a calendar. Only DB has to be set; the zero value of every
// other field means its default.
type Options struct {
	// DB is the database of the site, with bun's MySQL dialect (MySQL, MariaDB)
	// or its SQLite dialect. The calendar does not close it. No option of its
	// DSN matters (parseTime, loc, clientFoundRows) but its charset, which has to
	// be utf8mb4, and autocommit, which has to be on, as they are unless changed;
	// New refuses others. Set readTimeout there, so that a server that stops
	// answering is noticed. Reads tell the server how long they may take, so that
	// none goes on when nobody waits for it any more, but not those that a
	// ConnResolver of bun's sends elsewhere: set max_statement_time (MySQL:
	// max_execution_time) in the DSN of its pools.
	DB *bun.DB

	// Prefix is the table prefix, 1 to 32 letters, digits or underscores.
	// Default "wp_". Calendars with different prefixes may share a DB.
	Prefix string

	// SiteURL is the address of the site, where the stored one is not to count: of
	// a copy that is served elsewhere, say. It takes the place of the site's
	// options "home" and "siteurl", which stay as they are. Default: those.
	SiteURL string

	// Languages are the language versions, each with its own root. Default: one
	// at the site's own address (its "home" option) + "/wp-json", in the default
	// language of its translations, or in English.
	Languages []Language

	// Translations is where the site stores the languages of its items, if it
	// does: then each root shows the items in its language, writes record them in
	// it, and items name their versions in the others. Default: wherever it is
	// found when the calendar is made; nothing is ever created for it.
	Translations Translations

	// DefaultLanguage is the tag of the language of items for which none is
	// stored. Default: what the site's own settings say, or the first of
	// Languages.
	DefaultLanguage string

	// Namespace is the path of the API below a root. Default "vendor/events/v1".
	Namespace string

	// LanguageParam is the name of the parameter by which a request asks for
	// another language than its root's. Default "i18n_language".
	LanguageParam string

	// Texts are texts of the host's own: in languages that the API has none in, or
	// instead of ours. Their ids, template variables and plural forms are those of
	// locales/active.en.toml. What a language lacks here is taken from our texts of
	// that language, then from the English ones; it is logged once. The bundle must
	// not be changed any more. Default: ours alone.
	Texts *i18n.Bundle

	// Names are the post types and taxonomies in which the site stores its
	// calendar. Default schema.DefaultNames().
	Names schema.Names

	// PageSize is the number of items per page where a request names none.
	// Default: the site's own setting (10 unless it was changed).
	PageSize int

	// MaxPageSize is the largest page; greater requests are cut. Default 50.
	MaxPageSize int

	// TotalTTL is how long the total of a list may be kept, which is counted over
	// all that a filter selects; pages are never kept. Every write through this
	// calendar drops it at once, so it is late only in what another program wrote.
	// 0 keeps none. Default (nil) 1 s.
	TotalTTL *time.Duration

	// SearchIndex has the searches of event lists look words up in a FULLTEXT
	// index of the site, which spares reading the texts of all events. They find
	// whole words then, as the collation of the texts compares them: "jazz" finds
	// no "jazzy". Words of one or two letters, common English ones ("with",
	// "from"), those in scripts without spaces, punctuation and the order of a
	// phrase are looked for in the texts as without it. The index is InnoDB's,
	// over post_title, post_excerpt and post_content; it is never made here. New
	// refuses with the statement that makes it where it is missing, and refuses
	// SQLite and servers whose indexes leave out further words. Venues and
	// organizers are searched as before. Default false: words are also found
	// within others.
	SearchIndex bool

	// RequestTimeout bounds a request with all its statements; past it the
	// answer is 503. The body has to come within it, else the answer is 408, and
	// the answer has to be taken within it (a late one has half as long again),
	// else the connection is closed: by deadlines on the connection, whatever the
	// host's http.Server sets. Its own deadlines hold where they are earlier, and
	// again once the answer is written. Default 30 s.
	RequestTimeout time.Duration

	// MaxBody is the largest body of a request, in bytes; a larger one is
	// answered with 413. Default 1 MiB.
	MaxBody int64

	// GeoRadius is how far around a point geoloc_lat and geoloc_lng look, in
	// km. Default 25.
	GeoRadius float64

	// CredentialOrigins are the origins ("https://app.example.org") whose pages
	// may read answers with the browser's credentials. Other origins may read
	// what everybody may. Default none.
	CredentialOrigins []string

	// Marks are the typographic marks that typed quotes, dashes and so on turn
	// into. Default: those of English.
	Marks *Marks

	// UserPrefix is the table prefix of the users. Default: Prefix. The sites of
	// a network share the users of its first one: there Prefix is "wp_3_", say,
	// and UserPrefix "wp_". A user's roles are those on the site with Prefix.
	UserPrefix string

	// FilterHTML has the texts of all callers go through the list of allowed HTML,
	// also of those with the right unfiltered_html, whoever gave it to them: the
	// site, or an Authenticator. It is for sites whose configuration file says
	// DISALLOW_UNFILTERED_HTML; on a network of sites, where only its
	// administrators have that right, it is always so.
	FilterHTML bool

	// Authenticator finds the caller of a request. Default: the users of the
	// site, by application passwords (HTTP Basic) and, with Login.Keys, by the
	// site's own cookie. calendar.Anonymous lets nobody in.
	Authenticator Authenticator

	// Login says how the users of the site log in.
	Login Login

	// Uploads is where images go that a write names by an address. Default:
	// nowhere; such a write is refused.
	Uploads *Uploads

	// OnChange is called for every change that was committed: for search indexes,
	// webhooks, caches. It is called after the answer is on its way, for one
	// change after the other. Its context has the values of the request's, and
	// ends after 30 s, whatever becomes of the request; its panics are logged.
	// Changes wait for it, up to 4,096; further ones are dropped and logged. Close
	// waits for it. Register (the function) refuses it: use New.
	OnChange func(ctx context.Context, c Change)

	// ReadOnly has the calendar write nothing at all: writes are answered with 503,
	// scheduled posts are not published, the use of application passwords is not
	// noted. Default false; where the account of DB may not INSERT, UPDATE and
	// DELETE in the site's tables it is so all the same, which is logged once.
	ReadOnly bool

	// PublishEvery is how often scheduled posts are looked for whose date has
	// come, until Close. Default 0: only PublishDue publishes them, or the site.
	// Register (the function) refuses it: use New.
	PublishEvery time.Duration

	// Logger takes errors and panics, never credentials. Default slog.Default().
	Logger *slog.Logger

	// Now is the clock. Default time.Now.
	Now func() time.Time
}

// Language is one language version of the API.
type Language struct {
	// Tag is the language as a BCP 47 tag. The texts of the API exist in English
	// ("en"), Dutch ("nl") and French ("fr"), also for their regions ("nl-BE"),
	// and in whatever Options.Texts adds; other languages get English ones.
	Tag string

	// Code is the code under which the site's translations store the language.
	// Default: Tag, in lower case.
	Code string

	// BaseURL is the public address of the REST root, such as
	// "https://example.org/fr/wp-json". Every rest_url begins with it.
	BaseURL string

	// SiteURL is the address on which the site's pages of this language live;
	// the addresses of events, venues and so on begin with it. Default: that of
	// the site.
	SiteURL string

	// Mount is the path on the router where this version is mounted. Default:
	// the path of BaseURL, less the path of the router group if it begins
	// with that. "/" is the group itself.
	Mount string
}

// Uploads is where images are stored, as the site does: under YYYY/MM.
type Uploads struct {
	// Dir is the directory of uploads; it has to exist.
	Dir string
	// BaseURL is its public address. Reads show images below the site's own
	// address of uploads, so it should be that.
	BaseURL string
	// MaxBytes bounds an image's file, MaxPixels its width times its height, and
	// MaxDecodedBytes what its pixels take in memory, those of all frames of an
	// animation together: a byte of a GIF, four of a PNG in colour, one and a half
	// to three of a JPEG. Each holds by itself. Defaults 10 MiB, 40 million, 64 MiB.
	MaxBytes, MaxPixels, MaxDecodedBytes int64
	// Timeout bounds the fetching of an image. Default 15 s.
	Timeout time.Duration
	// Allow tells whether images may be fetched from an address of the network.
	// Default: from public ones only. It is for images on an intranet, and for
	// tests.
	Allow func(netip.Addr) bool
	// Ports are those that the address of an image may name. Default 80 and 443.
	Ports []uint16
}

// Marks are the typographic marks of a language, as HTML. EnglishMarks is what
// to start from: a mark that is left empty drops what was typed.
type Marks struct {
	OpenDouble, CloseDouble string // "…"
	OpenSingle, CloseSingle string // '…'
	Apostrophe              string // ' in a word or before a year
	Prime, DoublePrime      string // 6' and 12"
	EnDash, EmDash          string // - and --
	Ellipsis                string // ...
	Trademark               string // (tm) after a space
	// Words are those that start with an apostrophe, not with a quote.
	Words []struct{ Typed, Shown string }
}

// EnglishMarks are the marks of a site in English.
func EnglishMarks() *Marks { return (*Marks)(render.EnglishMarks()) }

var namespacePattern = regexp.MustCompile(`^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$`)
var paramPattern = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// withDefaults fills in what is not set.
func (o Options) withDefaults() Options {
	def := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	names := schema.DefaultNames()
	def(&o.Prefix, schema.DefaultPrefix)
	def(&o.UserPrefix, o.Prefix)
	def(&o.Namespace, "vendor/events/v1")
	def(&o.LanguageParam, "i18n_language")
	def(&o.Names.Event, names.Event)
	def(&o.Names.Venue, names.Venue)
	def(&o.Names.Organizer, names.Organizer)
	def(&o.Names.Category, names.Category)
	def(&o.Names.Tag, names.Tag)
	o.Namespace = strings.Trim(o.Namespace, "/")
	if o.MaxPageSize == 0 {
		o.MaxPageSize = 50
	}
	if o.TotalTTL == nil {
		o.TotalTTL = new(time.Second)
	}
	if o.RequestTimeout == 0 {
		o.RequestTimeout = 30 * time.Second
	}
	if o.MaxBody == 0 {
		o.MaxBody = 1 << 20
	}
	if o.GeoRadius == 0 {
		o.GeoRadius = 25
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// validate tells everything that is wrong with the options, defaults filled in.
func (o Options) validate() error {
	var errs []error
	wrong := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	wrong(o.DB == nil, "DB is not set")
	wrong(!schema.ValidPrefix(o.Prefix), "Prefix %q: use 1 to 32 letters, digits or underscores", o.Prefix)
	wrong(o.UserPrefix != o.Prefix && !schema.ValidPrefix(o.UserPrefix), "UserPrefix %q: use 1 to 32 letters, digits or underscores", o.UserPrefix)
	wrong(o.SiteURL != "" && !absolute(o.SiteURL), "SiteURL %q: use an absolute http or https address", o.SiteURL)
	wrong(o.PublishEvery < 0, "PublishEvery %s is negative", o.PublishEvery)
	if k := o.Login.Keys; k != (SiteKeys{}) {
		wrong(!o.Login.keys().Complete(), "Login.Keys: all four of them are needed")
	}
	if u := o.Uploads; u != nil {
		info, err := os.Stat(u.Dir)
		wrong(u.Dir == "" || err != nil || !info.IsDir(), "Uploads.Dir %q: not a directory", u.Dir)
		wrong(!absolute(u.BaseURL), "Uploads.BaseURL %q: use an absolute http or https address", u.BaseURL)
	}
	wrong(!namespacePattern.MatchString(o.Namespace), "Namespace %q: use a path such as vendor/events/v1", o.Namespace)
	wrong(!paramPattern.MatchString(o.LanguageParam), "LanguageParam %q: use letters, digits, _ or -", o.LanguageParam)
	wrong(o.PageSize < 0 || o.MaxPageSize < 1, "PageSize %d, MaxPageSize %d: use positive numbers", o.PageSize, o.MaxPageSize)
	wrong(o.MaxPageSize > 0 && o.PageSize > o.MaxPageSize, "PageSize %d is greater than MaxPageSize %d", o.PageSize, o.MaxPageSize)
	wrong(*o.TotalTTL < 0, "TotalTTL %s is negative", *o.TotalTTL)
	wrong(o.RequestTimeout < 0, "RequestTimeout %s is negative", o.RequestTimeout)
	wrong(o.MaxBody < 0, "MaxBody %d is negative", o.MaxBody)
	wrong(o.GeoRadius < 0, "GeoRadius %g is negative", o.GeoRadius)
	forms := []Translations{TranslationsAuto, TranslationsOff, TranslationsTable, TranslationsTerms}
	wrong(!slices.Contains(forms, o.Translations), "Translations %q: use off, table, terms or nothing", o.Translations)
	seen, codes := map[string]bool{}, map[string]bool{}
	for _, l := range o.Languages {
		_, err := language.Parse(l.Tag)
		wrong(err != nil, "language %q: not a language tag", l.Tag)
		wrong(seen[l.Tag], "language %q stands twice in Languages", l.Tag)
		wrong(codes[l.code()] && !seen[l.Tag], "language %q: another one has the code %q", l.Tag, l.code())
		seen[l.Tag], codes[l.code()] = true, true
		wrong(!absolute(l.BaseURL), "language %q: BaseURL %q: use an absolute http or https address", l.Tag, l.BaseURL)
		wrong(l.SiteURL != "" && !absolute(l.SiteURL), "language %q: SiteURL %q: use an absolute http or https address", l.Tag, l.SiteURL)
	}
	wrong(o.DefaultLanguage != "" && !seen[o.DefaultLanguage], "DefaultLanguage %q is not one of Languages", o.DefaultLanguage)
	for _, origin := range o.CredentialOrigins {
		wrong(!absolute(origin) || strings.Count(origin, "/") != 2, "CredentialOrigins: %q: use an origin such as https://app.example.org", origin)
	}
	if len(errs) > 0 {
		return fmt.Errorf("calendar: options: %w", errors.Join(errs...))
	}
	return nil
}

func absolute(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.RawQuery == "" && u.Fragment == ""
}
