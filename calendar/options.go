package calendar

import (
	"cmp"
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/schema"
)

// None switches off what a duration or size of Options bounds or keeps, where
// its description says so. The zero value always means the default.
const None = -1

// Options configure a calendar. Only DB has to be set; the zero value of every
// other field means its default. What stands in a group can be skipped until it
// is needed.
type Options struct {
	// DB is the database of the site, with bun's MySQL dialect (MySQL, MariaDB)
	// or its SQLite dialect. The calendar does not close it. Of the options in its
	// DSN only two matter: charset, which has to be utf8mb4, and autocommit, which
	// has to be on, as they are unless changed; New refuses others. Set readTimeout
	// there, so that a server that stops answering is noticed. Each read tells the
	// server how long it may take, unless a ConnResolver of bun's sends it to
	// another pool (RoutedReads): set max_statement_time (MySQL: max_execution_time) in the DSN
	// of that one.
	DB *bun.DB

	// RoutedReads says that DB has a ConnResolver of bun's that sends reads to other servers. What changed there is
	// not known, so nothing is kept in memory (Cache), and these reads tell no server how long they may take.
	// Default false: every statement goes to the one database of DB.
	RoutedReads bool

	// Replicas are copies of DB that follow it by global transaction identifiers. They
	// answer anonymous reads, in turn, each with caches of its own (Cache.Bytes is for
	// each). One that is more than half of Cache.Settle behind DB, or does not answer, is
	// not read; that, and its return, is noticed within 2 s and logged. Who just wrote
	// through this calendar, by the client's address, reads from DB until a replica has
	// the write. All else, and all while no replica can be read, is read from DB. Their
	// accounts need no more than SELECT. The calendar does not close them. Register (the
	// function) refuses them: use New.
	Replicas []*bun.DB

	// Languages are the language versions, each with its own root. Default: one
	// at the site's own address (its "home" option) + "/wp-json", in the default
	// language of its translations, or in English.
	Languages []Language

	// Namespace is the path of the API below each root. Default "vendor/events/v1".
	Namespace string

	// Authenticator finds the caller of a request. Default: the users of the site
	// log in, as Login says. Anonymous lets nobody in.
	Authenticator Authenticator

	// ReadOnly makes the calendar write nothing at all: writes are answered with
	// 503, scheduled posts are not published, the use of application passwords is
	// not recorded. Default false; it also holds, and is logged once, where the
	// account of DB may not INSERT, UPDATE and DELETE in the site's tables.
	ReadOnly bool

	// PublishEvery is how often scheduled posts whose date has come are
	// published, until Close. Default 0: only PublishDue publishes them, or the
	// site. Register (the function) refuses it: use New.
	PublishEvery time.Duration

	// ServeRoot makes the calendar answer at its REST roots too, above its
	// namespace: Register mounts an index there, by which clients find out what the
	// site serves, and NoRoute and Handler answer unknown paths below the roots in
	// the API's form. For hosts on which nothing else answers there: every answer
	// links the root, whoever serves it. Default false.
	ServeRoot bool

	// NoCORS sends none of the headers by which browsers decide what pages of other
	// origins may do (Access-Control-…), for hosts whose own middleware sends them.
	// Default false: pages of any origin may read what everybody may, and send what
	// the route takes; see Login.CredentialOrigins.
	NoCORS bool

	// Logger takes errors and panics, never credentials. Default slog.Default().
	Logger *slog.Logger

	Site    Site    // where and how the site stores its calendar
	Limits  Limits  // of requests and pages
	Cache   Cache   // what is kept in memory
	Login   Login   // how the users of the site log in
	Uploads Uploads // where images go that a write gives by an address or as a file
	Hooks   Hooks   // what the calendar calls

	Webhooks Webhooks // whom changes are told, and whether this process does

	// Fields are fields of the host's own, which events, venues, organizers, categories and tags have besides those of the
	// API. New refuses a declaration that is wrong, and names it. Default: none.
	Fields []Field

	// Filters are filters of lists by these fields. New refuses a declaration that is wrong, and names it; the log says at the
	// start which of them no index helps. Default: none.
	Filters []Filter

	// Routes are routes of the host's own below the namespace, beside those of the API. New refuses a declaration that is wrong, and
	// names it. Default: none.
	Routes []Route

	// LanguageParam is the name of the parameter by which a request asks for
	// another language than its root's. Default "i18n_language".
	LanguageParam string

	// PlainPermalinks answers "?rest_route=/NAMESPACE/…" too, the form of sites with
	// plain permalinks, at the address above Mount: at "/" and "/index.php" where that
	// is "/wp-json". Requests there without this parameter are left to the host. It
	// holds for routes that the host mounts after Register, and in NoRoute. Handler
	// answers them in any case.
	PlainPermalinks bool

	// JournalShare is how much of the time of one core of the database comparisons may take that find out for the site's journal
	// what others changed: see schema.InstallJournal. One process at a time compares. None: this one does not; what it
	// writes itself it notes all the same. Default 0.1.
	JournalShare float64

	// Texts are texts of the host's own: in languages that the API has none in, or
	// in place of the API's. Ids, template variables and plural forms are those of
	// locales/active.en.toml. What a language lacks here is taken from the API's
	// texts in that language, then from its English ones, which is logged once.
	// The bundle must not be changed any more. Default: the API's alone.
	Texts *i18n.Bundle

	// Now is the clock. Default time.Now.
	Now func() time.Time

	more       registry.More
	unattended bool // nobody calls Close
}

// declared returns what the calendar serves besides what this module declares.
func (o *Options) declared() registry.More {
	more := o.more
	for _, f := range o.Fields {
		more.Own = append(more.Own, item.Own(f))
	}
	for _, f := range o.named() {
		more.By = append(more.By, item.OwnFilter(f))
	}
	return more
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
	// "https://example.org/fr/wp-json". Every rest_url begins with it. That of a site
	// with plain permalinks is "https://example.org/index.php?rest_route=", which also
	// asks for Options.PlainPermalinks.
	BaseURL string

	// SiteURL is the address on which the site's pages of this language live;
	// the addresses of events, venues and so on begin with it. Default: that of
	// the site.
	SiteURL string

	// Mount is the path where this version is served. Default: the path of
	// BaseURL, less the path of the router group if it begins with that, or with
	// plain permalinks the path of the site with "/wp-json". "/" is the group itself.
	Mount string
}

// Limits bound requests and pages.
type Limits struct {
	// RequestTimeout bounds a request with all its statements; past it the
	// answer is 503. The body has to come within it, else the answer is 408, and
	// the answer has to be taken within it (a late one has half as long again),
	// else the connection is closed: by deadlines on the connection, whatever the
	// host's http.Server sets. The server's own deadlines hold where they are
	// earlier, and again once the answer is written. Default 30 s.
	RequestTimeout time.Duration

	// MaxBody is the largest body of a request, in bytes; a larger one is
	// answered with 413. A form with the file of an image may be larger by
	// Uploads.MaxBytes, if its caller may upload. Default 1 MiB.
	MaxBody int64

	// MaxAnswer is the largest answer to a read, in bytes, and the most bytes of rows that it
	// is made of; a larger one is answered with 413. Answers to writes, transactions and
	// exports have no such bound. Default 16 MiB; None for no bound.
	MaxAnswer int64

	// Answers is the memory of all answers in the making, from their rows until they are sent.
	// An answer for which others leave no room waits for some seconds, then it is 503; a write
	// is refused before anything is stored, or answered. Several calendars of a process can
	// have the same. Default 256 MiB of its own.
	Answers *Memory

	// PageSize is the number of items per page where a request names none.
	// Default: the site's own setting (10 unless it was changed).
	PageSize int

	// MaxPageSize is the largest page; greater requests are cut. Default 50.
	MaxPageSize int
}

// Memory is what the answers of calendars may take together. See Limits.Answers.
type Memory struct{ pool *budget.Pool }

// NewMemory returns a Memory of about n bytes, None for no bound. The first 64 KiB of each answer
// are not counted, like the buffers of its connection, and one answer at a time may go beyond
// the bound, so that each gets its turn.
func NewMemory(n int64) *Memory { return &Memory{budget.NewPool(n)} }

// Used returns how many bytes are taken now.
func (m *Memory) Used() int64 { return m.pool.Used() }

// Cache bounds what is cached in memory. Answers to anonymous reads and the values of a Kind, settings, roles,
// totals and categories are cached as long as nothing in the database has changed, by
// whichever program: the database is asked for that before each answer, with one
// statement for all requests that wait. That takes a connection of DB, which needs
// three at least; where the database cannot report changes,
// nothing is cached, and the log and Stats say why. Rendered texts are cached by their
// content, up to 16 MiB.
type Cache struct {
	// Bytes bounds the memory of cached answers, each of 1 MiB at most. Default
	// 64 MiB; -1 caches no answers.
	Bytes int64

	// Settle is how long the second of the last change must be over before anything
	// is cached again. MariaDB shows in which second the transaction began that was
	// committed last: what another program commits in a transaction that takes
	// longer than Settle can stay unseen, until MaxAge. Writes through a calendar
	// take half of Settle at most. MySQL, which shows times of commits or tells its
	// transactions, and the embedded database need no such time.
	// Default 3 s.
	Settle time.Duration

	// MaxAge is how long anything is cached at most. Default 5 min.
	MaxAge time.Duration

	// MaxStale allows answers to anonymous callers that lack what others committed up
	// to MaxStale before the request: for sites whose tables are written all day, by
	// counters of views or orders, so that hardly anything could be cached. What this
	// process commits shows at once, what another one of the same program does may
	// take as long; so may an event that is hidden. It also holds for what such callers read
	// by Do or a Kind. The settings of the site that such answers follow from may be as old; everything for
	// callers with credentials or passwords is never old. Under an Authenticator of the host's own the database is asked
	// for each request all the same. Default 0: no answer is old.
	MaxStale time.Duration

	// Tags is the name of the header, SurrogateKey or CacheTag, by which answers to anonymous reads tell a cache in front what they
	// show: items as events-12, venues-3, images-45, and the kinds of the lists that they depend on, such as events. A cache
	// drops by the Tags of each Change what is old. Beyond 4 KiB it has the kinds alone. Default: none.
	Tags string
}

// Hooks are what the calendar calls when something has happened.
type Hooks struct {
	// OnChange is called for every change that was committed: for search indexes,
	// webhooks, caches. It is called after the answer is on its way, for one
	// change after the other. Its context has the values of the request's, and
	// ends after 30 s, whatever becomes of the request; its panics are logged. Up
	// to 4,096 changes wait for it; further ones are dropped and logged, but on a site with a journal (see
	// schema.InstallJournal), where they come later as Change.Foreign. There it is also called for the changes of
	// others, at least once each, in their order, and where an item changed more than once maybe once for all, in one
	// process at a time, and also for images and settings; and for its own when they are noted: if the process is killed
	// between, it is not called for them. Close waits for it. Register (the function) refuses it: use New. A Kind reads with
	// its context what the caller of the change may see; see WithPrincipal.
	OnChange func(ctx context.Context, c Change)

	// BeforeWrite is called for every event, venue, organizer, category and tag that is created, updated, moved to the trash, taken out
	// of it or deleted, by requests, imports, batches and the host: what it refuses is not stored, nor is anything else of the
	// same request. It is called after all checks, within the transaction, which holds up other writes and runs again where it
	// conflicts with another: so it has to be quick, and to keep nothing from one call for the next. What it reads of this calendar
	// with its context, as the caller of the write, is that of the transaction; it must not write, which is refused. Its time
	// counts against the request's. Not called: PublishDue, since the event was asked about when it was scheduled. See Draft,
	// Refuse and ErrForbidden; any other error is logged, like a panic, and answered with 500.
	BeforeWrite func(ctx context.Context, d *Draft) error

	// Observe is called after the answer to each request, with its context and in its
	// goroutine, so it has to be quick and may be called at the same time by several:
	// for metrics and logs. Its panics are logged.
	Observe func(ctx context.Context, o Observation)
}

// defaultMemory bounds the answers in the making.
const defaultMemory = 256 << 20

// withDefaults fills in what is not set.
func (o Options) withDefaults() Options {
	site, limits := &o.Site, &o.Limits
	site.Prefix = cmp.Or(site.Prefix, schema.DefaultPrefix)
	site.Names = site.Names.OrDefaults()
	site.GeoRadius = cmp.Or(site.GeoRadius, 25)
	limits.RequestTimeout = cmp.Or(limits.RequestTimeout, 30*time.Second)
	limits.MaxBody = cmp.Or(limits.MaxBody, 1<<20)
	limits.MaxAnswer = cmp.Or(limits.MaxAnswer, 16<<20)
	if limits.Answers == nil {
		limits.Answers = NewMemory(defaultMemory)
	}
	limits.MaxPageSize = cmp.Or(limits.MaxPageSize, 50)
	o.Cache.Settle = cmp.Or(o.Cache.Settle, 3*time.Second)
	o.Cache.MaxAge = cmp.Or(o.Cache.MaxAge, 5*time.Minute)
	o.Namespace = strings.Trim(cmp.Or(o.Namespace, "vendor/events/v1"), "/")
	o.LanguageParam = cmp.Or(o.LanguageParam, "i18n_language")
	o.JournalShare = cmp.Or(o.JournalShare, 0.1)
	o.Login.Limiter = cmp.Or(o.Login.Limiter, &LoginLimiter{}) // also of replicas
	o.Logger = cmp.Or(o.Logger, slog.Default())
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}
