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

// None disables a limit or a feature that is a duration, size or number in Options, where the description says so. The
// zero value always means the default.
const None = -1

// Options configure a calendar. Only DB must be set. The zero value of every other field means its default. The groups
// of options can be ignored until they are needed.
type Options struct {
	// DB is the database of the site, with bun's MySQL dialect (MySQL, MariaDB) or its SQLite dialect. The calendar
	// does not close it. Two options of its DSN matter, whose defaults are right: charset must be utf8mb4, and
	// autocommit must be on; New rejects other values. Set readTimeout in the DSN, so that a server that stops
	// responding is noticed. Each read limits its own execution time on the server, except for reads that a
	// ConnResolver of bun sends to another pool (RoutedReads): set max_statement_time (MySQL: max_execution_time) in
	// the DSN of that pool.
	DB *bun.DB

	// RoutedReads says that DB has a ConnResolver of bun that sends reads to other servers. The calendar does not know
	// what changed on those servers, so nothing is cached (Cache), and these reads do not limit their execution time.
	// Default false: every statement is sent to the one database of DB.
	RoutedReads bool

	// Replicas are copies of DB that follow it by global transaction identifiers. They answer anonymous reads in turn,
	// each with caches of its own (Cache.Bytes applies to each). A replica that is more than half of Cache.Settle
	// behind DB, or that does not respond, is not read; this, and its return, is noticed within 2 s and logged. A
	// client that wrote through this calendar, identified by its address, reads from DB until a replica has applied the
	// write. All other requests, and all requests while no replica is available, use DB. The accounts of replicas need
	// no rights other than SELECT. The calendar does not close them. The function Register rejects them: use New.
	Replicas []*bun.DB

	// Languages are the language versions, each with its own root. Default: one version at the site's address (its
	// option "home") + "/wp-json", in the default language of the site's translations, or in English.
	Languages []Language

	// Namespace is the path of the API below each root. Default "vendor/events/v1".
	Namespace string

	// Authenticator determines the caller of a request. Default: the users of the site log in, as Login describes. With
	// Anonymous nobody can log in.
	Authenticator Authenticator

	// ReadOnly prevents all writes: they are answered with 503, scheduled posts are not published, and the use of
	// application passwords is not recorded. Default false; a calendar is also read-only, which is logged once, if the
	// account of DB lacks the right to INSERT, UPDATE and DELETE in the site's tables.
	ReadOnly bool

	// PublishEvery is the interval at which scheduled posts that are due are published, until Close. Default 0: only
	// PublishDue or the site publishes them. The function Register rejects it: use New.
	PublishEvery time.Duration

	// ServeRoot makes the calendar also answer at its REST roots, above its namespace. Register then mounts an index
	// there, in which clients find what the site serves, and NoRoute and Handler answer unknown paths below the roots
	// in the API's form. It is for hosts without another program at these addresses: every answer links to the root.
	// Default false.
	ServeRoot bool

	// NoCORS omits the headers that tell browsers what pages of other origins may do (Access-Control-…), for hosts
	// whose own middleware sets them. Default false: pages of any origin may read what is public, and send what the
	// route accepts; see Login.CredentialOrigins.
	NoCORS bool

	// Logger receives errors and panics, but never credentials. Default slog.Default().
	Logger *slog.Logger

	Site    Site    // where and how the site stores its calendar
	Limits  Limits  // of requests and pages
	Cache   Cache   // of answers and settings, in memory
	Login   Login   // how the users of the site log in
	Uploads Uploads // where images are stored that a write supplies as an address or a file
	Hooks   Hooks   // functions of the host that the calendar calls

	Webhooks Webhooks // whether this process sends webhook messages, and where to

	// Fields are fields of the host's own that events, venues, organizers, categories and tags have in addition to
	// those of the API. New returns an error that names an invalid declaration. Default: none.
	Fields []Field

	// Filters are filters of lists by these fields. New returns an error that names an invalid declaration, and logs
	// the filters that cannot use an index. Default: none.
	Filters []Filter

	// Routes are routes of the host's own below the namespace, in addition to those of the API. New returns an error
	// that names an invalid declaration. Default: none.
	Routes []Route

	// LanguageParam is the name of the parameter with which a request selects another language than that of its root.
	// Default "i18n_language".
	LanguageParam string

	// PlainPermalinks also answers "?rest_route=/NAMESPACE/…", the form of sites with plain permalinks, at the parent
	// path of Mount: at "/" and "/index.php" if Mount is "/wp-json". Requests to these addresses without the parameter
	// are left to the host. It applies to routes that the host mounts after Register, and in NoRoute. Handler always
	// answers such requests.
	PlainPermalinks bool

	// JournalShare is the share of one core of the database's machine that comparisons for the site's journal may use
	// to find what other programs changed: see schema.InstallJournal. Only one process at a time compares. With None
	// this process does not compare, but still records its own writes. Default 0.1.
	JournalShare float64

	// Texts contains messages of the host's own: in languages that the API lacks, or in place of the API's. Message
	// ids, template variables and plural forms are those of locales/active.en.toml. A message that is missing is taken
	// from the API's messages in the same language, then from the English ones, which is logged once. The bundle must
	// not be modified any more. Default: only the API's messages.
	Texts *i18n.Bundle

	// Now returns the current time. Default time.Now.
	Now func() time.Time

	more       registry.More
	unattended bool // set by the function Register: nobody calls Close
}

// declared returns what the calendar serves in addition to what this module declares.
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

// Language is a language version of the API.
type Language struct {
	// Tag is the language as a BCP 47 tag. The API has messages in English ("en"), Dutch ("nl") and French ("fr"),
	// which also serve their regions ("nl-BE"), and in the languages of Options.Texts. All other languages use English.
	Tag string

	// Code is the code of the language in the site's translations. Default: Tag in lower case.
	Code string

	// BaseURL is the public address of the REST root, such as "https://example.org/fr/wp-json". Every rest_url begins
	// with it. For a site with plain permalinks it is "https://example.org/index.php?rest_route=", which implies
	// Options.PlainPermalinks.
	BaseURL string

	// SiteURL is the address of the site's pages in this language. The addresses of events, venues and so on begin with
	// it. Default: the address of the site.
	SiteURL string

	// Mount is the path at which this version is served; "/" is the router group itself. Default: the path of BaseURL,
	// without the path of the router group if it begins with that; with plain permalinks the path of the site followed
	// by "/wp-json".
	Mount string
}

// Limits are limits of requests and pages.
type Limits struct {
	// RequestTimeout limits the time of a request, including all its statements; after it the answer is 503. The body
	// must be received within it, otherwise the answer is 408. The client must receive the answer within it, too, and a
	// late answer within one and a half times of it; otherwise the connection is closed. These limits are deadlines on
	// the connection, independent of the settings of the host's http.Server. The server's own deadlines apply if they
	// are earlier, and again after the answer. Default 30 s.
	RequestTimeout time.Duration

	// MaxBody is the maximal size of a request's body, in bytes; a larger one is answered with 413. A form with an
	// image file may be larger by Uploads.MaxBytes, if the caller may upload. Default 1 MiB.
	MaxBody int64

	// MaxAnswer is the maximal size of an answer to a read, and of the rows from which it is created, in bytes; a
	// larger one is answered with 413. Answers to writes, transactions and exports have no such limit. Default 16 MiB;
	// None for no limit.
	MaxAnswer int64

	// Answers limits the memory of all answers in progress, from reading their rows until they are sent. An answer for
	// which there is not enough memory waits for some seconds; then it is 503. A write is either rejected before
	// anything is stored, or answered. Several calendars of a process can share a Memory. Default: a separate one of
	// 256 MiB.
	Answers *Memory

	// PageSize is the number of items per page for requests without per_page. Default: the site's setting (10 unless it
	// was changed).
	PageSize int

	// MaxPageSize is the maximal number of items per page; greater values of requests are reduced to it. Default 50.
	MaxPageSize int
}

// Memory limits the memory of answers in progress. See Limits.Answers.
type Memory struct{ pool *budget.Pool }

// NewMemory returns a Memory of about n bytes; None is no limit. The first 64 KiB of each answer are not counted, like
// the buffers of its connection, and one answer at a time may exceed the limit, so that none waits forever.
func NewMemory(n int64) *Memory { return &Memory{budget.NewPool(n)} }

// Used returns the number of bytes in use.
func (m *Memory) Used() int64 { return m.pool.Used() }

// Cache configures caching in memory. Answers to anonymous reads, the values of a Kind, settings, roles, totals and
// categories are cached as long as nothing in the database has changed, whichever program changes it: before each
// answer the database is polled for changes, with one statement for all requests that wait. This uses a connection of
// DB, which must allow at least three. If the database cannot report changes, nothing is cached, and the log and Stats
// say why. Rendered texts are cached by their source, up to 16 MiB.
type Cache struct {
	// Bytes is the maximal memory of cached answers, each of at most 1 MiB. Default 64 MiB; None caches no answers.
	Bytes int64

	// Settle is how long after the second of the last change something is cached again. MariaDB reports the second in
	// which the transaction that was committed last began: what another program commits in a transaction that takes
	// longer than Settle may remain unnoticed until MaxAge. Writes through a calendar take at most half of Settle.
	// MySQL, which reports times of commits or transaction identifiers, and the embedded database do not need it.
	// Default 3 s.
	Settle time.Duration

	// MaxAge is how long something is cached at most. Default 5 min.
	MaxAge time.Duration

	// MaxStale permits answers to anonymous callers that lack what other programs committed up to MaxStale before the
	// request. It is for sites whose tables are written all day, by counters of views or orders, so that hardly
	// anything could be cached otherwise. What this process commits is shown at once. What another process with a
	// calendar commits may be shown as late, including that an event was hidden. MaxStale also applies to anonymous
	// reads through Do or a Kind, and to the settings of the site on which such answers depend. Answers to callers with
	// credentials or passwords are never stale. If the host has an Authenticator, the database is still polled for each
	// request. Default 0: no answer is stale.
	MaxStale time.Duration

	// Tags is the name of a header, SurrogateKey or CacheTag, with which answers to anonymous reads list for a cache in
	// front what they show: items, as events-12, venues-3 or images-45, and the collections of the lists on which they
	// depend, such as events. With the Tags of each Change the cache can drop what has become stale. If the header
	// would exceed 4 KiB, it contains only collections. Default: none.
	Tags string
}

// Hooks are functions of the host that the calendar calls.
type Hooks struct {
	// OnChange is called for every committed change: for search indexes, webhooks, caches. It is called after the
	// answer was sent, for one change after the other. Its context has the values of the request's context, and ends
	// after 30 s, independent of the request. Panics are logged. Up to 4,096 changes can wait for it; further ones are
	// dropped and logged. On a site with a journal (see schema.InstallJournal) those are not lost, but reported later
	// with Change.Foreign.
	//
	// On such a site OnChange is also called for the changes of other programs: at least once per change and in order,
	// but possibly once for several changes of one item; in one process at a time; and also for images and settings. It
	// is called for the calendar's own changes after they are recorded in the journal. If the process is killed before
	// that, it is not called for them.
	//
	// Close waits for OnChange. The function Register rejects it: use New. A Kind, called with the hook's context,
	// reads with the rights of the caller who made the change; see WithPrincipal.
	OnChange func(ctx context.Context, c Change)

	// BeforeWrite is called before every event, venue, organizer, category and tag is created, updated, moved to or out
	// of the trash, or deleted, by requests, imports, batches and the host. If it returns an error, nothing of the
	// request is stored. It is called after all checks, within the transaction. Since the transaction blocks other
	// writes, and is repeated if it conflicts with another one, BeforeWrite should be quick and must keep nothing from
	// one call for the next. What it reads of this calendar with its context is read in the transaction, as the caller
	// of the write. It must not write: such writes are rejected. Its time is part of the request's. It is not called by
	// PublishDue, since it was called when the event was scheduled. See Draft, Refuse and ErrForbidden for how to
	// reject a write. Any other error is logged, like a panic, and answered with 500.
	BeforeWrite func(ctx context.Context, d *Draft) error

	// Observe is called after the answer to each request, for metrics and logs. It is called with the context of the
	// request and in its goroutine: it should be quick, and can be called concurrently. Panics are logged.
	Observe func(ctx context.Context, o Observation)
}

// defaultMemory is the default of Limits.Answers, in bytes.
const defaultMemory = 256 << 20

// withDefaults returns the options with the defaults of fields that are not set.
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
	o.Login.Limiter = cmp.Or(o.Login.Limiter, &LoginLimiter{}) // replicas use it too
	o.Logger = cmp.Or(o.Logger, slog.Default())
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}
