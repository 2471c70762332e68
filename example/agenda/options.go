package main

import (
	"context"
	"log/slog"
	"net/netip"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/schema/embedded"
)

// check validates the flags before a database is opened.
func (s *settings) check() error {
	switch {
	case s.publishEvery < 0:
		return cli.Usagef("--publish-every %s: use a duration such as 1m, or 0 for never", s.publishEvery)
	case s.journalShare < 0 || s.journalShare > 1:
		return cli.Usagef("--journal-share %g: use a number from 0 to 1", s.journalShare)
	case s.wait < 0:
		return cli.Usagef("--wait %s: use a duration such as 60s", s.wait)
	case s.cache.Bytes < 0 && s.cache.Bytes != calendar.None:
		return cli.Usagef("--cache-bytes %d: use a number of bytes such as 67108864, or -1 for none", s.cache.Bytes)
	case s.cache.Settle <= 0:
		return cli.Usagef("--cache-settle %s: use a duration such as 3s", s.cache.Settle)
	case s.cache.MaxAge <= 0:
		return cli.Usagef("--cache-max-age %s: use a duration such as 5m", s.cache.MaxAge)
	case s.cache.MaxStale < 0 || s.cache.MaxStale > s.cache.MaxAge:
		return cli.Usagef("--max-stale %s: use a duration such as 1s, up to --cache-max-age (%s)", s.cache.MaxStale, s.cache.MaxAge)
	case !slices.Contains([]string{"", calendar.SurrogateKey, calendar.CacheTag}, s.cache.Tags):
		return cli.Usagef("--cache-tags %q: use Surrogate-Key or Cache-Tag", s.cache.Tags)
	case !slices.Contains([]string{"auto", "each", "plain"}, s.dates):
		return cli.Usagef("--dates %q: use auto, each or plain", s.dates)
	case !slices.Contains([]string{"auto", "as-is"}, s.latin1):
		return cli.Usagef("--latin1 %q: use auto or as-is", s.latin1)
	case !slices.Contains([]string{"auto", "terms", "table", "off"}, s.translations):
		return cli.Usagef("--translations %q: use auto, terms, table or off", s.translations)
	case !slices.Contains([]string{"auto", "on", "off"}, s.editing):
		return cli.Usagef("--editing %q: use auto, on or off", s.editing)
	case s.searchIndex && s.DSN == "":
		return cli.Usagef("--search-index goes with --dsn: the embedded database has no FULLTEXT index")
	case s.dbConnections < 1:
		return cli.Usagef("--db-connections %d: use a number of connections such as %d", s.dbConnections, cli.DefaultConnections)
	case len(s.replicas) > 0 && s.DSN == "":
		return errReplicaOfFile
	case s.requestTimeout <= 0:
		return cli.Usagef("--request-timeout %s: use a duration such as 30s", s.requestTimeout)
	case s.dataShared && (s.DSN != "" || s.Data == embedded.Memory):
		return cli.Usagef("--data-shared goes with --data DIRECTORY: a server of databases and a database in memory need no lock")
	case s.sharedLogins && s.readOnly:
		return cli.Usagef("--shared-logins writes to the database, which --read-only does not allow: leave one of them out")
	case s.maxBody < 1:
		return cli.Usagef("--max-body %d: use a number of bytes such as 1048576", s.maxBody)
	case s.maxAnswer < 1 && s.maxAnswer != calendar.None:
		return cli.Usagef("--max-answer %d: use a number of bytes such as 16777216, or -1", s.maxAnswer)
	case s.maxAnswers < 1 && s.maxAnswers != calendar.None:
		return cli.Usagef("--max-answers %d: use a number of bytes such as 268435456, or -1", s.maxAnswers)
	case s.uploadsURL != "" && (s.DSN == "" || s.uploads == ""):
		return cli.Usagef("--uploads-url goes with --dsn and --uploads: the embedded database has its images served here")
	}
	if slices.Equal(s.frameAncestors, []string{"any"}) {
		s.frameAncestors = nil
	}
	if err := pages.CheckFrameAncestors(s.frameAncestors); err != nil {
		return cli.Usagef("--frame-ancestors: %w", err)
	}
	if err := pages.CheckColour(s.colour); err != nil {
		return cli.Usagef("--colour %q: %w", s.colour, err)
	}
	if err := s.checkHosts(); err != nil {
		return err
	}
	if _, err := networksOf("trusted-proxies", s.trustedProxies); err != nil {
		return err
	}
	_, err := networksOf("webhook-networks", s.webhookNetworks)
	return err
}

// networksOf parses the addresses and prefixes that a flag lists.
func networksOf(flag, texts string) (list []netip.Prefix, err error) {
	if texts == "" {
		return nil, nil
	}
	for text := range strings.SplitSeq(texts, ",") {
		text = strings.TrimSpace(text)
		prefix, err := netip.ParsePrefix(text)
		if address, single := netip.ParseAddr(text); single == nil && address.Zone() == "" {
			prefix, err = address.Unmap().Prefix(address.Unmap().BitLen())
		}
		if err != nil || prefix.Addr().Is4In6() {
			return nil, cli.Usagef("--%s: %q: use addresses and prefixes such as 10.0.0.1,fd00::/8", flag, text)
		}
		list = append(list, prefix.Masked())
	}
	return list, nil
}

// options returns the calendar's options that follow from the flags.
func (s *settings) options(db *bun.DB, versions []version, uploads calendar.Uploads, log *slog.Logger) (calendar.Options, error) {
	proxies, err := networksOf("trusted-proxies", s.trustedProxies)
	if err != nil {
		return calendar.Options{}, err
	}
	hookNetworks, err := networksOf("webhook-networks", s.webhookNetworks)
	if err != nil {
		return calendar.Options{}, err
	}
	own, err := readDeclarations(s.fields)
	o := calendar.Options{
		DB: db, Namespace: s.namespace, Logger: log, PublishEvery: s.publishEvery, ReadOnly: s.readOnly,
		ServeRoot: true, PlainPermalinks: true, Fields: own.Field, Filters: own.Filter,
		Site:    calendar.Site{Prefix: s.Prefix, UserPrefix: s.UserPrefix, SearchIndex: s.searchIndex},
		Limits:  calendar.Limits{RequestTimeout: s.requestTimeout, MaxBody: s.maxBody, MaxAnswer: s.maxAnswer},
		Cache:   s.cache,
		Login:   calendar.Login{PlainHTTP: s.plainHTTP, TrustedProxies: proxies, NoAuthorizePage: s.DSN == ""},
		Uploads: uploads,
		Hooks:   calendar.Hooks{OnChange: logChange(log)}, Webhooks: calendar.Webhooks{Networks: hookNetworks},
	}
	if o.JournalShare = s.journalShare; s.journalShare == 0 {
		o.JournalShare = calendar.None
	}
	o.Site.WriteDates, o.Site.Latin1AsIs = s.writeDates, s.latin1 == "as-is"
	o.LanguageParam = s.languageParam
	if s.translations != "auto" {
		o.Site.Translations = calendar.Translations(s.translations)
	}
	if s.wordpress != "auto" {
		o.Site.WordPress = s.wordpress
	}
	if s.dates != "auto" {
		o.Site.Dates = calendar.Dates(s.dates)
	}
	for i, v := range versions {
		l := calendar.Language{Tag: v.tag, BaseURL: v.baseURL, Mount: v.mount}
		if s.DSN == "" { // the pages of this program are the site
			l.SiteURL = v.siteURL
			if i == 0 {
				o.Site.URL = v.siteURL
			}
		}
		o.Languages = append(o.Languages, l)
	}
	return o, err
}

// logChange returns a change hook that logs. Another host would update a search index or a cache.
func logChange(log *slog.Logger) func(context.Context, calendar.Change) {
	return func(ctx context.Context, c calendar.Change) {
		log.DebugContext(ctx, "change", "kind", c.Kind, "id", c.ID, "op", c.Op, "user", c.Principal.UserID, "before", c.Before,
			"after", c.After)
	}
}
