package calendar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/internal/api"
	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/follow"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
)

// Calendar is a configured calendar, ready to be mounted.
type Calendar struct {
	options   Options
	engine    *rest.Engine
	server    server // of requests from outside
	api       *api.Adapter
	env       *item.Service
	events    *event.UseCases
	texts     map[string]rest.Translator // of the API, by language tag
	site      *site.Cache
	items     map[string]rest.ItemLanguage // those that requests may ask for
	ownTypes  map[string]map[string]string // of the host's own fields, by collection and name
	tracker   *change.Tracker              // nil where the database cannot report changes
	uncached  string                       // why
	hooks     *hooks
	journal   *follow.Runner
	users     *auth.Users
	replicas  *replicas      // nil without any
	webhooks  *follow.Sender // nil where nothing is sent
	published published
	first     firstUser
	own       []mount         // for Handler
	mounts    []mount         // by Register
	cancel    func()          // ends the loop that publishes
	ended     <-chan struct{} // closed at its end
}

// server answers requests: the engine, or the replicas before it.
type server interface {
	Serve(w http.ResponseWriter, r *http.Request, to rest.Target) error
}

// checkTimeout bounds what Register asks the database.
const checkTimeout = 30 * time.Second

// Register checks the options and the database and mounts the calendar on an
// engine or group. It changes no setting of the engine and starts nothing, so it
// refuses PublishEvery, Hooks.OnChange and Replicas: they need New, and Close, which
// ends what they run. Nor does it keep the site's journal.
func Register(router gin.IRouter, opts Options) error {
	if opts.PublishEvery != 0 || opts.Hooks.OnChange != nil || len(opts.Replicas) > 0 || opts.Webhooks.Send {
		return errors.New("calendar: options: PublishEvery, Hooks.OnChange, Replicas and Webhooks.Send need New and its Register: " +
			"Close ends what they run")
	}
	opts.unattended = true
	ctx, cancel := context.WithTimeout(context.Background(), checkTimeout)
	defer cancel()
	c, err := New(ctx, opts)
	if err != nil {
		return err
	}
	return c.Register(router)
}

// New checks the options and the database, which has to have the tables of
// schema.Check. Its error names all problems.
func New(ctx context.Context, opts Options) (*Calendar, error) {
	c := &Calendar{options: opts.withDefaults()}
	if err := c.open(ctx); err != nil {
		return nil, fmt.Errorf("calendar: %w", err)
	}
	if err := (journaling{c}).keepJournal(ctx); err != nil {
		c.env.Content.Store.Close()
		return nil, fmt.Errorf("calendar: %w", err)
	}
	upkeep{c}.sweepUploads()
	upkeep{c}.publishLoop()
	c.watchReplicas(ctx)
	if c.options.Webhooks.Send && !c.ReadOnly() {
		c.webhooks = follow.Start(messaging{c}.messages())
	}
	return c, nil
}

// open turns the options into what the calendar works with.
func (c *Calendar) open(ctx context.Context) (err error) {
	o := &c.options
	if err := o.validate(); err != nil {
		return err
	}
	st, readOnly, err := o.openStore(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			st.Close()
		}
	}()
	c.tracker, c.uncached = st.Tracker, st.Unwatched
	if c.tracker == nil {
		o.Logger.InfoContext(ctx, "nothing is cached", "reason", c.uncached)
	}
	if o.Cache.MaxStale == 0 {
		c.tracker.Advise()
	}
	c.site = &site.Cache{
		Options: st.Options.Values, Prefix: o.Site.Prefix, Address: strings.TrimRight(o.Site.URL, "/"), Tracker: c.tracker,
		Dates:      site.Dates(o.Site.Dates),
		WriteDates: o.Site.WriteDates,
		WordPress:  o.Site.release(), UserStyles: st.Options.UserStyles, Logger: o.Logger,
	}
	c.site.Languages, c.site.EveryKind = st.Languages.Form()
	settings, err := c.site.Settings(ctx)
	if err != nil {
		return err
	}
	if err := st.DB.UseDates(ctx, !settings.Unmigrated); err != nil {
		return err
	}
	codes, err := st.Languages.Stored(ctx)
	if err != nil {
		return err
	}
	code, err := st.Languages.Default(ctx)
	if err != nil {
		return err
	}
	if err := o.defaultLanguage(ctx, c.site, tagOf(code)); err != nil {
		return err
	}
	if c.own, err = o.mountsBelow(""); err != nil {
		return fmt.Errorf("options: %w", err)
	}
	if c.users, err = o.users(ctx, st); err != nil {
		return err
	}
	c.hooks = &hooks{call: o.Hooks.OnChange, logger: o.Logger}
	bundle, err := ownTexts()
	if err != nil {
		return err
	}
	c.texts = translators(o.Languages, o.Logger, o.Texts, bundle, o.declaredTexts())
	c.journal = journaling{c}.newRunner(st, readOnly != nil)
	c.items = o.itemLanguages(st.Languages.Translated(), codes)
	c.env = o.env(st, c.users, journaling{c}.changed(readOnly != nil), code, c.texts)
	c.declareItemLanguage()
	c.env.BeforeWrite = c.beforeWrite()
	if err := o.tellUnindexed(ctx); err != nil {
		return err
	}
	c.ownTypes = o.ownTypes()
	c.api, c.events = api.New(c.env), registry.Register(c.env, o.Site.Names, o.declared())
	c.api.Comparison = journaling{c}.comparison
	if c.engine, err = c.newEngine(ctx, st, readOnly); err != nil {
		return err
	}
	c.server = c.engine
	c.tracker.Look(ctx) // so that the log says from the start how changes are told, or why nothing is cached
	return nil
}

// ReadOnly reports whether all writes are refused: because Options.ReadOnly asks
// for that, or because the database's user might not write when the calendar was
// made.
func (c *Calendar) ReadOnly() bool { return c.engine.ReadOnly != nil }

// Stats are figures about a calendar since it was made.
type Stats struct {
	Requests int64 // answered or under way
	InFlight int64 // under way
	Failures int64 // answered with a status of 500 or more

	// ChangesWaiting are the changes that Hooks.OnChange is called for or still
	// to be called for.
	ChangesWaiting int64

	// Publishing are the figures of PublishDue.
	Publishing PublishStats

	// Journal are the figures of the site's journal.
	Journal JournalStats

	// Rendered texts are kept by their content: how often one was found, how
	// often it had to be rendered, and how many bytes are kept.
	TextHits, TextMisses, TextBytes int64

	// Cache are the figures of what is cached while nothing changes. Replicas have
	// caches of their own.
	Cache CacheStats

	// Replicas are those of Options.Replicas. Their requests are counted above too.
	Replicas []ReplicaStats
}

// ReplicaStats are figures about a replica.
type ReplicaStats struct {
	Reason   string // why it is not read, "" while it is
	Requests int64  // that it answered, or answers
	Cache    CacheStats

	// Lag is how long ago the primary had committed what the replica lacks, 0 if it
	// lacks nothing that is known of. Positions are asked for four times a second.
	Lag time.Duration

	// Position is the number of the last transaction that the replica has, by domain of
	// MariaDB's global transaction identifiers or by server of MySQL's; nil while it does
	// not answer.
	Position map[string]uint64
}

// CacheStats are figures about Options.Cache.
type CacheStats struct {
	// Off is why nothing is cached, "" where it is.
	Off string

	// Changes is how changes of the database are noticed: by "the database's version"
	// (SQLite), "times of transactions" (MariaDB), "times of commits" (MySQL), or "global
	// transaction identifiers" (a MySQL that logs with them). "" where nothing is cached.
	Changes string

	// Looks are the questions to the database whether something changed. Calendars
	// of one site that share a pool ask together; Looks, Epochs and Unsettled are
	// those of all.
	Looks int64

	// Epochs is how often what was cached became invalid, by reason: "table
	// changed", "option changed", "own commit", "other connection", "look failed",
	// "unknown version", "long without a look", "server's clock jumped", "maximal
	// age", "transactions", "transactions not logged".
	Epochs map[string]int64

	// Written is how many of these questions found that a table had been written since
	// the one before, by its name without the prefix; nil for the embedded database.
	Written map[string]int64

	// Unsettled is how long nothing could be cached because of a recent change, as
	// far as looks show.
	Unsettled time.Duration

	// Of answers that could be cached, Hits were in memory, or made for another
	// request that waited too, and Misses were made. Evictions are those that were
	// dropped for lack of room, Bytes the memory in use.
	Hits, Misses, Evictions, Bytes int64
}

// Stats returns the figures of this moment.
func (c *Calendar) Stats() Stats {
	n, t := c.engine.Counters(), c.env.Texts.Stats()
	replicas, answered := c.replicas.stats()
	n.Requests += answered.Requests
	n.InFlight += answered.InFlight
	n.Failures += answered.Failures
	return Stats{
		Cache: cacheStats(c), Replicas: replicas, Requests: n.Requests, InFlight: n.InFlight, Failures: n.Failures,
		ChangesWaiting: c.hooks.pending(), Journal: journaling{c}.journalStats(), Publishing: c.published.figures(),
		TextHits: t.Hits, TextMisses: t.Misses, TextBytes: t.Bytes,
	}
}

func cacheStats(c *Calendar) CacheStats {
	k, a := c.tracker.Stats(), c.engine.Answers.Stats()
	return CacheStats{
		Off: cmp.Or(c.uncached, k.Unknown), Changes: k.Method, Looks: k.Looks, Epochs: k.Epochs, Written: k.Moved, Unsettled: k.Unsettled,
		Hits: a.Hits, Misses: a.Misses, Evictions: a.Evictions, Bytes: a.Bytes,
	}
}
