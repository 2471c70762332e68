package calendar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/api"
	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/media"
	"github.com/agendahq/agenda/internal/openapi"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/rendercache"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/stmtcount"
	"github.com/agendahq/agenda/internal/store/userstore"
	"github.com/agendahq/agenda/locales"
	"github.com/agendahq/agenda/schema"
)

// openStore checks the database and opens the store on the site's tables and those of its users. readOnly is the answer
// to writes if the calendar is read-only, and nil otherwise.
func (o *Options) openStore(ctx context.Context) (st *store.Store, readOnly *apierror.Error, err error) {
	report, err := schema.CheckSite(ctx, o.DB, schema.SiteTables{Prefix: o.Site.Prefix, UserPrefix: o.Site.UserPrefix})
	if err == nil {
		err = report.Err()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("database: %w", err)
	}
	o.Site.UserPrefix = report.UserPrefix
	db, err := o.bind(o.Site.Prefix)
	if err != nil {
		return nil, nil, err
	}
	users, err := o.bind(o.Site.UserPrefix)
	if err != nil {
		return nil, nil, err
	}
	if o.Site.SearchIndex {
		if err := schema.CheckSearchIndex(ctx, o.DB, o.Site.Prefix); err != nil {
			return nil, nil, fmt.Errorf("options: Site.SearchIndex: %w", err)
		}
	}
	if readOnly, err = o.readOnly(ctx, report.Misread); err != nil {
		return nil, nil, fmt.Errorf("database: %w", err)
	}
	if err := o.checkTermMeta(ctx, report, readOnly != nil); err != nil {
		return nil, nil, err
	}
	narrow := make([]string, len(report.UTF8MB3))
	for i, column := range report.UTF8MB3 {
		narrow[i] = strings.TrimPrefix(column, o.Site.Prefix)
	}
	st, err = store.New(ctx, store.Config{
		DB: db, Users: users, Names: o.Site.Names,
		Links: registry.Types(o.Site.Names, o.declared()).LinkKeys(), Occurrences: report.HasOccurrences,
		DateColumns: report.Dates.HasRecurrence, SearchIndex: o.Site.SearchIndex, TermMeta: o.declared().TermFields(),
		UTF8MB3: len(report.UTF8MB3) > 0, Narrow: narrow, Foreign: report.Foreign, ReadOnly: readOnly != nil,
		Translations: o.Site.Translations.form(),
		LimitReads:   true, RoutedReads: o.RoutedReads,
		Watch: &store.Watch{Options: site.OptionNames(o.Site.Prefix), Settle: o.Cache.Settle, MaxAge: o.Cache.MaxAge},
		Now:   o.Now, Logger: o.Logger,
	})
	switch {
	case errors.Is(err, store.ErrNoTranslations):
		return nil, nil, fmt.Errorf("options: Site.Translations %q: the site does not store languages in this form", o.Site.Translations)
	case err != nil:
		return nil, nil, fmt.Errorf("database: %w", err)
	}
	return st, readOnly, nil
}

// bind returns the database with a table prefix. Its statements are counted if the host observes requests.
func (o *Options) bind(prefix string) (*bun.DB, error) {
	db, err := schema.Bind(o.DB, prefix)
	if err != nil || o.Hooks.Observe == nil {
		return db, err
	}
	return stmtcount.DB(db), nil
}

// readOnly returns the answer to writes if the calendar is read-only, and nil otherwise. It is read-only if the options
// say so, if texts of the site are encoded differently from what their columns declare, or if the account at the
// database lacks rights.
func (o *Options) readOnly(ctx context.Context, misread []string) (*apierror.Error, error) {
	switch {
	case o.ReadOnly:
		return rest.ErrReadOnly, nil
	case len(misread) > 0 && !o.Site.Latin1AsIs:
		o.Logger.WarnContext(ctx, "columns declared as latin1 hold UTF-8: the calendar is read-only and shows these texts wrongly; "+
			"schema.Diagnose says how to repair them", "columns", strings.Join(misread, ", "))
		return rest.ErrMisread, nil
	}
	missing, err := schema.MissingRights(ctx, o.DB, o.Site.Prefix)
	if err != nil || len(missing) == 0 {
		return nil, err
	}
	o.Logger.WarnContext(ctx, "the database account may not write: the calendar is read-only",
		"missing", strings.Join(missing, ", "))
	return rest.ErrNoRights, nil
}

// keepsAnswers reports whether answers to requests with an Idempotency-Key can be stored, that is whether their table
// exists.
func (o *Options) keepsAnswers(ctx context.Context, st *store.Store) (bool, error) {
	if st.Config.ReadOnly {
		return false, nil
	}
	keeps, missing, err := schema.HasIdempotency(ctx, o.DB, o.Site.Prefix)
	if len(missing) > 0 {
		o.Logger.WarnContext(ctx, "the database account may not write the table for Idempotency-Key: requests with it are rejected",
			"missing", strings.Join(missing, ", "))
	}
	return keeps, err
}

// ownTexts returns the API's messages. All calendars of the process share them, since they only read them. They take
// more than a megabyte, so they are only read when the first message is needed: most imports and commands need none.
var ownTexts = sync.OnceValues(locales.Bundle)

// newEngine creates the engine with its routes. readOnly is the answer to writes if the calendar is read-only, and nil
// otherwise.
func (c *Calendar) newEngine(ctx context.Context, st *store.Store, readOnly *apierror.Error) (*rest.Engine, error) {
	o := &c.options
	keeps, err := o.keepsAnswers(ctx, st)
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	own := routes(o.Namespace, c.api, c.events, func() []openapi.Webhook { return documentedMessages(c) })
	hosts, err := hostRouting{c.env.Language, st.Transactions}.hostRoutes(o, own)
	if err != nil {
		return nil, err
	}
	config := rest.Config{
		Namespace: o.Namespace, LanguageParam: o.LanguageParam, ItemParam: o.itemName(c.items), ItemLanguages: c.items, Logger: o.Logger,
		Timeout: o.Limits.RequestTimeout,
		MaxBody: o.Limits.MaxBody, MaxFile: content.MaxFile(c.env.Content), MaxAnswer: o.Limits.MaxAnswer, Budget: o.Limits.Answers.pool,
		Version: rest.Version(fmt.Sprintf("%q\n%+v\n%q", o.Namespace, o.Site.Marks, o.Site.Names)),
		UTF8MB3: st.Config.UTF8MB3, ReadOnly: readOnly,
		Prepare:      c.prepareRequest,
		Recall:       c.state.Recall,
		Texts:        c.texts,
		Authenticate: c.users.Authenticate, Personal: c.users.Personal, TryPassword: c.users.TryPostPassword,
		CredentialOrigins: map[string]bool{}, NoCORS: o.NoCORS, Explain: api.Explain, Now: o.Now,
		KeysHeader: o.Cache.Tags, Keys: []string{kindSettings},
		Routes: append(own, hosts...), Atomically: c.atomically, Doubt: api.Doubt,
	}
	if o.Hooks.BeforeWrite == nil { // it would be called again for the requests of a group of which one is rejected
		config.Grouped = grouped(c)
	}
	if keeps {
		config.Kept = c.api.Kept
	}
	if c.tracker != nil && o.Cache.Bytes != None {
		config.Answers = rest.NewAnswerCache(cmp.Or(o.Cache.Bytes, defaultCacheBytes), o.Cache.MaxStale)
	}
	o.Hooks.observe(&config)
	if o.Authenticator != nil {
		config.Authenticate = byHost(o.Authenticator, c.users)
	} else {
		config.MayBeLogin = auth.MayBeLogin
	}
	for _, origin := range o.Login.CredentialOrigins {
		config.CredentialOrigins[origin] = true
	}
	if o.ServeRoot {
		config.RootRoute = rootRoute(c.env, rest.Logins{Passwords: o.Authenticator == nil, Page: !o.Login.NoAuthorizePage})
	}
	return rest.New(config), nil
}

// env creates the service that all resources share. code is the code of the site's default language, or "" if the site
// stores no languages. texts are the API's messages, by language tag.
func (o *Options) env(st *store.Store, users *auth.Users, changed func(context.Context, []content.Change), code string,
	texts map[string]rest.Translator,
) *item.Service {
	writes := content.Config{
		Store: st, Types: registry.Types(o.Site.Names, o.declared()), Taxonomies: registry.Taxonomies(o.Site.Names),
		Now: o.Now, Logger: o.Logger,
	}
	if st.Languages.Translated() {
		writes.Languages = o.languages(code)
	}
	writes.Changed, writes.NoLanguages = changed, o.Hooks.OnChange == nil
	if u := o.Uploads; u.Dir != "" {
		writes.Uploads = &media.Store{Dir: u.Dir, BaseURL: u.BaseURL}
		writes.Fetcher = &media.Fetcher{
			MaxBytes: u.MaxBytes, MaxPixels: u.MaxPixels, MaxDecoded: u.MaxDecodedBytes, Timeout: u.Timeout, Allow: u.Allow, Ports: u.Ports,
		}
	}
	return item.New(item.Config{
		Content:  content.New(writes),
		PageSize: int64(o.Limits.PageSize), MaxPageSize: int64(o.Limits.MaxPageSize), GeoRadius: o.Site.GeoRadius,
		Language: api.LanguageParam(o.LanguageParam, o.versions()),
		Texts:    rendercache.New(textBytes), Marks: o.Site.Marks.rendered(), UserExists: users.Store.Exists,
		Say: func(tag, id string, data map[string]any) string { return texts[tag].Text(id, data) },
	})
}

// users returns what authenticates the users of the site.
func (o *Options) users(ctx context.Context, st *store.Store) (*auth.Users, error) {
	accounts, err := userstore.ForStore(ctx, st, schema.UserMetaCapabilities(o.Site.Prefix))
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	l := o.Login
	limits := auth.Limits{PerPair: l.MaxPerUserAndAddress, PerAddress: l.MaxPerAddress, PerUser: l.MaxPerUser, Window: l.Window}
	limiter := l.Limiter.shared.ForLimits(limits)
	if limiter == nil {
		return nil, errors.New("options: Login.Limiter belongs to a calendar with other limits")
	}
	return auth.New(auth.Config{
		Store: accounts, Filtered: o.Site.FilterHTML, UnknownNetwork: st.DB.NetworkUnknown(),
		Rights:  o.rights(),
		Network: auth.Network{TrustedProxies: l.TrustedProxies, Address: l.ClientAddress, PlainHTTP: l.PlainHTTP},
		Keys:    l.keys(), Limits: limits, Limiter: limiter,
		Counter: l.counter(), Now: o.Now, Logger: o.Logger, RefuseAfter: l.RefuseAfter,
	}), nil
}

// rights returns all capabilities that the calendar checks.
func (o *Options) rights() []string {
	all := content.AllRights(registry.Types(o.Site.Names, o.declared()))
	for _, f := range o.Fields {
		all = append(all, f.Read, f.Write)
	}
	return slices.DeleteFunc(all, func(right string) bool { return right == "" || right == registry.NobodysRight })
}

// defaultCacheBytes is the default of Cache.Bytes.
const defaultCacheBytes = 64 << 20

// textBytes is the maximal size of the cache of rendered texts, in bytes.
const textBytes = 16 << 20
