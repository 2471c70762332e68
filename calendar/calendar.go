package calendar

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/media"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rendercache"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/locales"
	"github.com/agendahq/agenda/schema"
)

// Calendar is a configured calendar, ready to be mounted.
type Calendar struct {
	options Options
	engine  *rest.Engine
	env     *resource.Service
	site    *site.Cache
	hooks   *hooks
	own     []mount         // for Handler
	mounts  []mount         // by Register
	cancel  func()          // ends the loop that publishes
	ended   <-chan struct{} // closed at its end
}

// checkTimeout bounds Register's look at the database.
const checkTimeout = 30 * time.Second

// Register checks the options and the database and mounts the calendar on an
// engine or group. It changes no setting of the engine and starts nothing, so it
// refuses PublishEvery and Hooks.OnChange: they need New, and Close, which ends
// what they run.
func Register(router gin.IRouter, opts Options) error {
	if opts.PublishEvery != 0 || opts.Hooks.OnChange != nil {
		return errors.New("calendar: options: PublishEvery and Hooks.OnChange need New and its Register: Close ends what they run")
	}
	ctx, cancel := context.WithTimeout(context.Background(), checkTimeout)
	defer cancel()
	c, err := New(ctx, opts)
	if err != nil {
		return err
	}
	return c.Register(router)
}

// New checks the options and looks at the database, which has to have the
// tables of schema.Check. Its error names everything that is in the way.
func New(ctx context.Context, opts Options) (*Calendar, error) {
	o := opts.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	st, narrow, err := o.openStore(ctx)
	if err != nil {
		return nil, fmt.Errorf("calendar: %w", err)
	}
	readOnly, err := o.readOnly(ctx, st)
	if err != nil {
		return nil, fmt.Errorf("calendar: database: %w", err)
	}
	settings := &site.Cache{Options: st.Options, Prefix: o.Site.Prefix, Address: strings.TrimRight(o.Site.URL, "/")}
	code, translated, err := o.findTranslations(ctx, st)
	if err != nil {
		return nil, fmt.Errorf("calendar: %w", err)
	}
	if err := o.defaultLanguage(ctx, settings, tagOf(code)); err != nil {
		return nil, err
	}
	users, err := o.users(ctx, st)
	if err != nil {
		return nil, fmt.Errorf("calendar: %w", err)
	}
	c := &Calendar{options: o, site: settings, hooks: newHooks(o.Hooks.OnChange, o.Logger)}
	if c.own, err = c.mountsBelow(""); err != nil {
		return nil, fmt.Errorf("calendar: options: %w", err)
	}
	c.env = o.env(st, users, c.hooks)
	if translated {
		c.env.Languages = o.languages(code)
	}
	if c.engine, err = o.engine(settings, users); err != nil {
		return nil, fmt.Errorf("calendar: %w", err)
	}
	c.engine.Narrow, c.engine.ReadOnly = narrow, readOnly
	c.engine.Mount(routes(c.engine, c.env, o.Site.Names))
	c.sweepUploads()
	c.publishLoop()
	return c, nil
}

// sweepUploads removes the unfinished images of processes that were killed.
func (c *Calendar) sweepUploads() {
	if c.env.Uploads == nil || c.ReadOnly() {
		return
	}
	n, err := c.env.Uploads.Sweep(time.Now()) // the age of files goes by the machine's clock
	if err != nil {
		c.options.Logger.Warn("unfinished images could not be removed", "error", err)
	}
	if n > 0 {
		c.options.Logger.Info("unfinished images of an earlier process were removed", "count", n)
	}
}

// openStore looks at the database and binds it to the site's tables. Narrow are
// tables that cannot hold every character.
func (o *Options) openStore(ctx context.Context) (st *store.Store, narrow bool, err error) {
	report, err := schema.Check(ctx, o.DB, o.Site.Prefix)
	if err == nil {
		err = report.Err()
	}
	if err != nil {
		return nil, false, fmt.Errorf("database: %w", err)
	}
	db, err := schema.Bind(o.DB, o.Site.Prefix)
	if err != nil {
		return nil, false, err
	}
	st = store.New(db, o.Site.Names, report.HasOccurrences, o.Now)
	st.LogTo(o.Logger)
	st.KeepTotals(max(o.Cache.TotalTTL, 0))
	if err := st.LimitReads(ctx); err != nil {
		return nil, false, fmt.Errorf("database: %w", err)
	}
	if o.Site.SearchIndex {
		if err := schema.CheckSearchIndex(ctx, o.DB, o.Site.Prefix); err != nil {
			return nil, false, fmt.Errorf("options: Site.SearchIndex: %w", err)
		}
		st.UseSearchIndex()
	}
	if narrow = len(report.Narrow) > 0; narrow {
		st.Narrow()
	}
	return st, narrow, nil
}

// readOnly returns the answer to writes where nothing may be written: because the
// options say so, or because the account at the database lacks rights. It may be nil.
func (o *Options) readOnly(ctx context.Context, st *store.Store) (*rest.Error, error) {
	if o.ReadOnly {
		st.ReadOnly()
		return rest.ErrReadOnly, nil
	}
	missing, err := schema.MissingRights(ctx, o.DB, o.Site.Prefix)
	if err != nil || len(missing) == 0 {
		return nil, err
	}
	o.Logger.WarnContext(ctx, "the account at the database may not write: the calendar only takes reads", "missing", strings.Join(missing, ", "))
	st.ReadOnly()
	return rest.ErrNoRights, nil
}

// engine makes the engine, without routes.
func (o *Options) engine(settings *site.Cache, users *auth.Users) (*rest.Engine, error) {
	bundle, err := locales.Bundle()
	if err != nil {
		return nil, err
	}
	e := &rest.Engine{
		Namespace: o.Namespace, LanguageParam: o.LanguageParam, Logger: o.Logger, Timeout: o.Limits.RequestTimeout, MaxBody: o.Limits.MaxBody,
		Version: o.version(),
		Texts:   translators(o.Languages, o.Logger, o.Texts, bundle), Authenticate: users.Authenticate,
		CredentialOrigins: map[string]bool{}, Explain: resource.Explain, Now: o.Now,
		Prepare: func(ctx context.Context, _ *rest.Root) (context.Context, bool, error) {
			s, err := settings.Settings(ctx)
			if err != nil {
				return ctx, false, err
			}
			return site.With(ctx, s), !s.Disabled, nil
		},
	}
	if o.Authenticator != nil {
		e.Authenticate = byHost(o.Authenticator, users)
	}
	for _, origin := range o.Login.CredentialOrigins {
		e.CredentialOrigins[origin] = true
	}
	return e, nil
}

// version stands for this package and the options that answers depend on.
func (o *Options) version() string {
	built := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		built = info.String() // modules with their versions, and the commit
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%q\n%+v\n%q", built, o.Namespace, o.Site.Marks, o.Site.Names))
	return string(sum[:])
}

// env is what all kinds work with.
func (o *Options) env(st *store.Store, users *auth.Users, h *hooks) *resource.Service {
	env := &resource.Service{
		Service:  &content.Service{Store: st, Now: o.Now, Logger: o.Logger, Changed: h.changed},
		PageSize: int64(o.Limits.PageSize), MaxPageSize: int64(o.Limits.MaxPageSize), GeoRadius: o.Site.GeoRadius, Language: languageParam(*o),
		Texts: rendercache.New(textBytes), Marks: o.Site.Marks.rendered(), UserExists: users.Store.Exists, TryPassword: users.TryPostPassword,
	}
	if u := o.Uploads; u.Dir != "" {
		env.Uploads = &media.Store{Dir: u.Dir, BaseURL: u.BaseURL}
		env.Fetcher = &media.Fetcher{MaxBytes: u.MaxBytes, MaxPixels: u.MaxPixels, MaxDecoded: u.MaxDecodedBytes,
			Timeout: u.Timeout, Allow: u.Allow, Ports: u.Ports}
	}
	return env
}

// users makes what finds the site's own users.
func (o *Options) users(ctx context.Context, st *store.Store) (*auth.Users, error) {
	db, err := schema.Bind(o.DB, o.Site.UserPrefix)
	if err != nil {
		return nil, err
	}
	l, accounts := o.Login, store.NewUsers(db, schema.UserMetaCapabilities(o.Site.Prefix))
	accounts.LimitReadsAs(st)
	if st.WritesNothing() {
		accounts.ReadOnly()
	}
	return &auth.Users{
		Store: accounts, Filtered: o.Site.FilterHTML || o.Site.UserPrefix != o.Site.Prefix || accounts.OfNetwork(ctx),
		Network: auth.Network{TrustedProxies: l.TrustedProxies, Address: l.ClientAddress, PlainHTTP: l.PlainHTTP},
		Keys:    l.keys(),
		Limits:  auth.Limits{PerPair: l.MaxPerUserAndAddress, PerAddress: l.MaxPerAddress, PerUser: l.MaxPerUser, Window: l.Window},
		Now:     o.Now, Logger: o.Logger, RefuseAfter: l.RefuseAfter,
	}, nil
}

// textBytes bounds the rendered texts that are kept.
const textBytes = 16 << 20

// defaultLanguage makes a calendar without languages one in the given language
// at the site's own address.
func (o *Options) defaultLanguage(ctx context.Context, settings *site.Cache, tag string) error {
	if len(o.Languages) > 0 {
		return nil
	}
	s, err := settings.Settings(ctx)
	if err != nil {
		return fmt.Errorf("calendar: settings of the site: %w", err)
	}
	if !absolute(s.Home) {
		return fmt.Errorf("calendar: options: Languages is empty, and the site's home option %q is no address to stand in", s.Home)
	}
	o.Languages = []Language{{Tag: tag, BaseURL: s.Home + "/wp-json"}}
	return nil
}

// languageParam declares the parameter that every operation accepts.
func languageParam(o Options) *param.Param {
	var tags []string
	for _, l := range o.Languages {
		tags = append(tags, l.Tag)
	}
	return param.New(o.LanguageParam, param.Doc("param_language"), param.Type(param.String), param.Checked(param.OneOf(tags...)))
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

	// Rendered texts are kept by their content: how often one was found, how
	// often it had to be rendered, and how many bytes are kept.
	TextHits, TextMisses, TextBytes int64
}

// Stats returns the figures of this moment.
func (c *Calendar) Stats() Stats {
	n, t := c.engine.Counters(), c.env.Texts.Stats()
	return Stats{
		Requests: n.Requests, InFlight: n.InFlight, Failures: n.Failures,
		ChangesWaiting: c.hooks.pending(), TextHits: t.Hits, TextMisses: t.Misses, TextBytes: t.Bytes,
	}
}

// root describes a language version to the engine.
func (c *Calendar) root(l Language) *rest.Root {
	base := strings.TrimRight(l.BaseURL, "/")
	return &rest.Root{
		Tag: l.Tag, BaseURL: base, SiteURL: strings.TrimRight(l.SiteURL, "/"), URL: base + "/" + c.options.Namespace,
	}
}
