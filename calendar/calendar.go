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
	"github.com/agendahq/agenda/internal/media"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/schema"
)

// Calendar is a configured calendar, ready to be mounted.
type Calendar struct {
	options   Options
	engine    *rest.Engine
	server    server // answers requests from outside the process
	api       *api.Adapter
	env       *item.Service
	events    *event.UseCases
	texts     map[string]rest.Translator // messages of the API, by language tag
	site      *site.Cache
	items     map[string]rest.ItemLanguage // languages of items that requests may ask for
	ownTypes  map[string]map[string]string // types of the host's own fields, by collection and name
	state     api.State
	tracker   *change.Tracker // nil if the database cannot report changes
	uncached  string          // why there is no tracker
	hooks     *follow.Hook
	journal   *follow.Runner
	users     *auth.Users
	replicas  *replicas // nil if there are none
	webhooks  follow.Webhooks
	sender    *follow.Sender // of messages to webhooks; nil if this process sends none
	published follow.Published
	accounts  *auth.Accounts
	own       rest.Mounts     // that Handler serves
	mounted   rest.Mounts     // by Register
	cancel    func()          // ends the loop that publishes scheduled posts
	ended     <-chan struct{} // closed when that loop has ended
}

// server answers requests. It is the engine itself, or replicas, which distributes requests.
type server interface {
	Serve(w http.ResponseWriter, r *http.Request, to rest.Target) error
}

// checkTimeout limits the time of Register's queries.
const checkTimeout = 30 * time.Second

// Register checks the options and the database, and mounts the calendar on an engine or group. It changes no setting of
// the engine and starts nothing in the background. So it rejects PublishEvery, Hooks.OnChange, Replicas and
// Webhooks.Send, which require New and, at the end, Close. For the same reason it does not keep the site's journal.
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

// New checks the options and the database, which must have the tables that schema.Check requires. Its error lists all
// problems.
func New(ctx context.Context, opts Options) (*Calendar, error) {
	c := &Calendar{options: opts.withDefaults()}
	if err := c.open(ctx); err != nil {
		return nil, fmt.Errorf("calendar: %w", err)
	}
	o, writes := &c.options, !c.ReadOnly()
	if writes && !o.unattended {
		if err := c.journal.Start(ctx); err != nil {
			c.env.Content.Store.Close()
			return nil, fmt.Errorf("calendar: %w", err)
		}
	}
	p := follow.Publisher{Publish: c.PublishDue, Closed: ErrClosed, Journal: c.journal, Logger: o.Logger}
	if writes {
		media.SweepAtStart(c.env.Content.Uploads, o.Logger)
		p.Every = o.PublishEvery
	}
	c.cancel, c.ended = p.Start()
	if r := watchReplicas(ctx, c); r != nil {
		c.replicas, c.server = r, r
	}
	if writes && o.Webhooks.Send {
		c.sender = follow.Start(c.webhooks.Messages)
	}
	return c, nil
}

// open sets up the calendar from its options.
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
		Dates:      schema.DateForm(o.Site.Dates),
		WriteDates: o.Site.WriteDates,
		WordPress:  o.Site.release(), UserStyles: st.Options.UserStyles, Logger: o.Logger,
	}
	c.site.Languages, c.site.EveryKind = st.Languages.Form()
	c.state = api.State{Tracker: c.tracker, Site: c.site, Store: st}
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
	if err := o.defaultLanguage(settings.Home, tagOf(code)); err != nil {
		return err
	}
	if c.own, err = o.pathsBelow(""); err != nil {
		return fmt.Errorf("options: %w", err)
	}
	if c.users, err = o.users(ctx, st); err != nil {
		return err
	}
	c.accounts = &auth.Accounts{Users: c.users}
	c.hooks = newHook(o)
	c.texts = o.translators()
	covered := &api.Covered{Store: st, Site: c.site, Settle: o.Cache.Settle}
	c.journal = newRunner(o, covered, c.hooks, readOnly != nil)
	if st.Languages.Translated() {
		c.items = api.ItemLanguages(codes, o.versions())
	}
	c.env = o.env(st, c.users, follow.Commits{Hook: c.hooks, Journal: c.journal}.Changed(readOnly != nil || o.unattended), code, c.texts)
	if o.itemName(c.items) != "" {
		api.DeclareItemLanguage(c.env, c.items)
	}
	if o.Hooks.BeforeWrite != nil {
		c.env.BeforeWrite = func(ctx context.Context, d *item.Draft) error { return review(ctx, c, d) }
	}
	if err := o.tellUnindexed(ctx); err != nil {
		return err
	}
	c.ownTypes = o.ownTypes()
	c.api, c.events = api.New(c.env), registry.Register(c.env, o.Site.Names, o.declared())
	covered.Events = c.events
	c.api.Comparison = covered.Comparison
	c.webhooks = newWebhooks(c)
	if c.engine, err = c.newEngine(ctx, st, readOnly); err != nil {
		return err
	}
	c.server = c.engine
	c.tracker.Poll(ctx) // so that the log shows at startup how changes are noticed, or why nothing is cached
	return nil
}

// ReadOnly reports whether all writes are rejected: because Options.ReadOnly is set, or because the account at the
// database had no right to write when New was called.
func (c *Calendar) ReadOnly() bool { return c.engine.ReadOnly != nil }

// Stats are statistics of a calendar since it was created.
type Stats struct {
	Requests int64 // answered or in progress
	InFlight int64 // in progress
	Failures int64 // answered with a status of 500 or more

	// ChangesWaiting is the number of changes for which Hooks.OnChange is running or has yet to be called.
	ChangesWaiting int64

	// Publishing contains the statistics of PublishDue.
	Publishing PublishStats

	// Journal contains the statistics of the site's journal.
	Journal JournalStats

	// TextHits, TextMisses and TextBytes are about the cache of rendered texts, whose keys are their sources: how often
	// a text was found, how often it had to be rendered, and the size of the cache.
	TextHits, TextMisses, TextBytes int64

	// Cache contains the statistics of Options.Cache. Replicas have caches of their own.
	Cache CacheStats

	// Replicas contains the statistics of Options.Replicas. Their requests are also counted above.
	Replicas []ReplicaStats
}

// ReplicaStats are statistics of a replica.
type ReplicaStats struct {
	Reason   string // why it is not read; "" while it is read
	Requests int64  // answered or in progress
	Cache    CacheStats

	// Lag is how long ago the primary committed the first transaction that the replica is known to lack, or 0 if none
	// is known. Positions are polled four times per second.
	Lag time.Duration

	// Position maps each domain of MariaDB's global transaction identifiers, or each server of MySQL's, to the number
	// of the last transaction that the replica has applied. It is nil while the replica does not respond.
	Position map[string]uint64
}

// CacheStats are statistics of Options.Cache.
type CacheStats struct {
	// Off is why nothing is cached, or "".
	Off string

	// Changes is how changes of the database are noticed: by "the database's version" (SQLite), "times of transactions"
	// (MariaDB), "times of commits" (MySQL) or "global transaction identifiers" (MySQL if it logs them). It is "" if
	// nothing is cached.
	Changes string

	// Looks is how often the database was polled for changes. Calendars of one site that share a connection pool share
	// the polls: Looks, Epochs and Unsettled are the same for all of them.
	Looks int64

	// Epochs counts how often the whole cache became invalid, by reason: "table changed", "option changed", "own
	// commit", "other connection", "look failed", "unknown version", "long without a look", "server's clock jumped",
	// "maximal age", "transactions", "transactions not logged".
	Epochs map[string]int64

	// Written counts, by the name of a table without the prefix, how many polls found that the table had been written
	// since the poll before. It is nil for the embedded database.
	Written map[string]int64

	// Unsettled is for how long nothing could be cached because of a recent change, as far as the polls show.
	Unsettled time.Duration

	// Of the answers that could be cached, Hits were in the cache or were shared with a simultaneous request, and
	// Misses had to be created. Evictions were dropped for lack of memory. Bytes is the memory in use.
	Hits, Misses, Evictions, Bytes int64
}

// Stats returns the current statistics.
func (c *Calendar) Stats() Stats {
	n, t := c.engine.Counters(), c.env.Texts.Stats()
	replicas, answered := c.replicas.stats()
	n.Requests += answered.Requests
	n.InFlight += answered.InFlight
	n.Failures += answered.Failures
	return Stats{
		Cache: cacheStats(c), Replicas: replicas, Requests: n.Requests, InFlight: n.InFlight, Failures: n.Failures,
		ChangesWaiting: c.hooks.Pending(), Journal: journalStats(c.journal.Stats()), Publishing: PublishStats(c.published.Stats()),
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
