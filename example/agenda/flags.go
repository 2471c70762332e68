package main

import (
	"cmp"
	"io"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/schema/embedded"
)

// settings contains the flags of the server. Each can also be set by an environment variable.
type settings struct {
	cli.Database
	addr, namespace, baseURL, languages string
	translations, languageParam         string
	name, colour, editing               string
	hasEditing                          bool // whether the pages for editing are on, as the flag and the site decide
	logLevel, logFormat                 string
	demo, plainHTTP, searchIndex, gzip  bool
	trustedProxies, uploads, uploadsURL string
	tlsCert, tlsKey                     string
	hosts, replicas, frameAncestors     []string
	cache                               calendar.Cache
	publishEvery, requestTimeout, wait  time.Duration
	journalShare                        float64
	dataShared                          bool
	maxBody, maxAnswer, maxAnswers      int64
	dbConnections                       int
	readOnly                            bool
	metrics                             string
	onChange, onChangeSecret            string
	companion                           string
	webhookNetworks                     string
	sharedLogins                        bool
	dates                               string
	writeDates                          bool
	wordpress, latin1                   string
	fields                              string
}

// serveCommand returns the command that serves, as a subcommand or as the root command.
func serveCommand(use string, run func(*cobra.Command, *settings) error) *cobra.Command {
	var s settings
	cmd := &cobra.Command{
		Use: use, Short: "Serve the calendar (also without a command)",
		Long: "Serve the API and the pages of a calendar until SIGTERM or an interrupt; running requests are finished first.",
		Example: `  agenda serve --addr 127.0.0.1:8080
  agenda serve --dsn 'user:password@tcp(127.0.0.1:3306)/site' --base-url https://example.org/wp-json
  AGENDA_DSN='user:password@tcp(127.0.0.1:3306)/site' agenda serve --read-only --log-format json`,
		Annotations: map[string]string{cli.LogsWarnings: "yes"},
		RunE:        func(cmd *cobra.Command, _ []string) error { return run(cmd, &s) },
	}
	f := cmd.Flags()
	cli.Group(f, "Database", s.Flags, s.waitFlag, s.databaseFlags)
	cli.Group(f, "Address", s.addressFlags)
	cli.Group(f, "Pages and images", s.pageFlags)
	cli.Group(f, "Callers", s.callerFlags)
	cli.Group(f, "Limits and caching", s.limitFlags)
	cli.Group(f, "Log and figures", s.logFlags)
	for flag, values := range map[string][]string{
		"dates": {"auto", "each", "plain"}, "wordpress": append([]string{"auto"}, calendar.Releases()...),
		"latin1": {"auto", "as-is"}, "translations": {"auto", "terms", "table", "off"}, "cache-tags": {calendar.SurrogateKey,
			calendar.CacheTag}, "editing": {"auto", "on", "off"},
		"log-level": {"debug", "info", "warn", "error"}, "log-format": {"text", "json"},
	} {
		_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
	_ = cmd.MarkFlagFilename("tls-cert")
	_ = cmd.MarkFlagFilename("tls-key")
	_ = cmd.MarkFlagFilename("fields", "toml")
	_ = cmd.MarkFlagDirname("data")
	_ = cmd.MarkFlagDirname("uploads")
	return cmd
}

// waitFlag adds the flag that sets how long a start waits for its database.
func (s *settings) waitFlag(f *pflag.FlagSet) {
	f.DurationVar(&s.wait, "wait", 0, "With --dsn: how long to keep trying while the database does not answer (default 0s)")
}

const replicaUsage = "With --dsn: a replica with GTID that serves anonymous reads; comma-separated or repeated"

func (s *settings) databaseFlags(f *pflag.FlagSet) {
	f.BoolVar(&s.dataShared, "data-shared", false, "Serve the embedded database even if other servers use its directory (default false)")
	f.IntVar(&s.dbConnections, "db-connections", cli.DefaultConnections,
		"With --dsn: maximum number of connections to the database (default 32)")
	f.StringSliceVar(&s.replicas, "replica", nil, replicaUsage)
	f.StringVar(&s.dates, "dates", "auto",
		"How lists show recurring events: each, one item per date; plain, one per event; auto, each on a site that agenda has made "+
			"and while the add-on for recurring events is active (default auto)")
	f.StringVar(&s.wordpress, "wordpress", "auto",
		"WordPress release whose way of showing and filtering texts applies: "+strings.Join(calendar.Releases(), ", ")+"; auto, that of "+
			"the site, or the newest on a site that agenda has made (default auto)")
	f.BoolVar(&s.writeDates, "write-dates", false,
		"Write explicit dates of recurring events even while the add-on for them is active (default false)")
	f.StringVar(&s.fields, "fields", "", fieldsUsage)
	f.StringVar(&s.latin1, "latin1", "auto",
		"How to treat latin1 columns: as-is, their texts are latin1; auto, nothing is written if they turn out to be UTF-8 (default auto)")
	f.BoolVar(&s.readOnly, "read-only", false, "Write nothing: reject changes, and do not publish scheduled events (default false)")
	f.DurationVar(&s.publishEvery, "publish-every", time.Minute,
		"How often to publish scheduled events that are due, 0 for never (default 1m)")
	f.Float64Var(&s.journalShare, "journal-share", 0.1,
		"On a site with a journal: share of one database core that comparisons may use, 0 to leave them to other servers (default 0.1)")
	f.BoolVar(&s.demo, "demo", true, "Fill a new embedded database with demo content and print its users' passwords once (default true)")
}

func (s *settings) addressFlags(f *pflag.FlagSet) {
	f.StringVar(&s.addr, "addr", "127.0.0.1:8080", "Address to listen on (default 127.0.0.1:8080)")
	f.StringVar(&s.baseURL, "base-url", "",
		"Public root of the API in the first language, http://HOST/index.php?rest_route= for plain permalinks "+
			"(default http://ADDR/wp-json)")
	f.StringSliceVar(&s.hosts, "hosts", nil,
		"Without --base-url: names of this machine, of which links use the one that a request names; comma-separated or repeated")
	f.StringVar(&s.tlsCert, "tls-cert", "", "File with the certificate and its chain for HTTPS, read again when it changes")
	f.StringVar(&s.tlsKey, "tls-key", "", "File with the private key of --tls-cert")
	f.StringVar(&s.namespace, "namespace", "vendor/events/v1", "Path of the API below its root (default vendor/events/v1)")
	f.StringVar(&s.languages, "languages", "", languagesUsage)
	f.StringVar(&s.languageParam, "language-param", "i18n_language",
		"Name of the parameter that chooses a language; lang works too where items have languages (default i18n_language)")
	s.translationsFlag(f)
}

// translationsFlag adds the flag that sets where the languages of items are stored.
func (s *settings) translationsFlag(f *pflag.FlagSet) {
	f.StringVar(&s.translations, "translations", "auto",
		"Where the languages of items are stored: terms, as Polylang does; table, as WPML does; off, nowhere; auto, where the active "+
			"plugin of the site stores them (default auto)")
}

func (s *settings) pageFlags(f *pflag.FlagSet) {
	f.StringVar(&s.name, "name", "", "Name of the calendar on its pages (default the site's name)")
	f.StringVar(&s.colour, "colour", pages.DefaultColour,
		"Colour of links, buttons and today on the pages (default "+pages.DefaultColour+")")
	f.StringSliceVar(&s.frameAncestors, "frame-ancestors", nil,
		"Sites that may show the pages below /embed/ in a frame: any, none, or origins such as https://example.org, comma-separated or "+
			"repeated (default any)")
	f.StringVar(&s.editing, "editing", "auto",
		"Pages below /edit/ where users of the site sign in and write: on, off, or auto, on for a site that agenda has made (default auto)")
	f.StringVar(&s.uploads, "uploads", "", uploadsUsage)
	f.StringVar(&s.uploadsURL, "uploads-url", "",
		"With --dsn: public address of the --uploads directory (default: the site's, usually SITE/wp-content/uploads)")
}

const uploadsUsage = "Directory of images (default DATA/uploads for the embedded database; none with --dsn)"

func (s *settings) callerFlags(f *pflag.FlagSet) {
	f.BoolVar(&s.plainHTTP, "plain-http", false,
		"Accept passwords over unencrypted connections from anywhere (default false: from this machine only)")
	f.StringVar(&s.trustedProxies, "trusted-proxies", "",
		"Proxies that are trusted to name the client's address and scheme: addresses or prefixes, comma-separated")
	f.BoolVar(&s.sharedLogins, "shared-logins", false,
		"Count wrong passwords for all servers on the database together, in a new table PREFIXagenda_logins (default false)")
}

func (s *settings) limitFlags(f *pflag.FlagSet) {
	f.DurationVar(&s.requestTimeout, "request-timeout", 30*time.Second,
		"Maximum duration of a request, including its body and its response (default 30s)")
	f.Int64Var(&s.maxBody, "max-body", 1<<20, "Maximum size of a request body in bytes (default 1048576)")
	f.Int64Var(&s.maxAnswer, "max-answer", 16<<20, "Maximum size of the response to a read in bytes, -1 for no limit (default 16777216)")
	f.Int64Var(&s.maxAnswers, "max-answers", 256<<20,
		"Memory for all responses that are being made in bytes, -1 for no limit (default 268435456)")
	f.Int64Var(&s.cache.Bytes, "cache-bytes", 0, "Memory for cached responses in bytes, -1 for none (default 64 MiB)")
	f.DurationVar(&s.cache.Settle, "cache-settle", 3*time.Second,
		"With --dsn: how long ago the last change must be before anything is cached again (default 3s)")
	f.DurationVar(&s.cache.MaxAge, "cache-max-age", 5*time.Minute, "Maximum time that anything is cached (default 5m)")
	f.DurationVar(&s.cache.MaxStale, "max-stale", 0,
		"How much older than what others committed responses to anonymous readers may be (default 0s)")
	f.StringVar(&s.cache.Tags, "cache-tags", "",
		"Header that names what a response shows, for a cache in front: Surrogate-Key or Cache-Tag (default none)")
	f.StringVar(&s.onChange, "on-change", "",
		"Command that gets a line of JSON for each change, or address that gets them in a POST (default none)")
	f.StringVar(&s.onChangeSecret, "on-change-secret-file", "",
		"File with the secret (whsec_…) that signs what the address of --on-change gets")
	f.StringVar(&s.companion, "companion", "",
		"Address of the WordPress site that is requested after writes, so that its page caches follow (default none)")
	s.webhookFlag(f)
	f.BoolVar(&s.gzip, "gzip", true, "Compress responses for clients that accept zstd or gzip; false where a proxy does it (default true)")
	f.BoolVar(&s.searchIndex, "search-index", false,
		"With --dsn: search events for whole words with the site's FULLTEXT index over title, excerpt and content (default false)")
}

func (s *settings) logFlags(f *pflag.FlagSet) {
	f.StringVar(&s.logLevel, "log-level", "info", "Log level: debug, info, warn or error (default info)")
	f.StringVar(&s.logFormat, "log-format", "text", "Log format: text or json (default text)")
	f.StringVar(&s.metrics, "metrics", "",
		"Address for Prometheus metrics, such as 127.0.0.1:9090, which must not be public (default none)")
}

// logger returns the program's logger.
func (s *settings) logger(out io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(s.logLevel)); err != nil {
		return nil, cli.Usagef("--log-level %q: use debug, info, warn or error", s.logLevel)
	}
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if err, ok := a.Value.Any().(error); ok && s.DSN == "" && embedded.Explainable(err) {
			a.Value = slog.AnyValue(embedded.Explain(err, s.File()))
		}
		return a
	}}
	switch s.logFormat {
	case "text":
		return slog.New(slog.NewTextHandler(out, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(out, options)), nil
	}
	return nil, cli.Usagef("--log-format %q: use text or json", s.logFormat)
}

// version contains the addresses of a language version.
type version struct {
	tag     string
	baseURL string // of the API: http://host/fr/wp-json
	siteURL string // of the pages: http://host/fr
	mount   string // path of the API: /fr/wp-json
	prefix  string // path of the pages: /fr
}

// versions derives the addresses of the language versions from the root of the first one: in the others, the language
// tag precedes the last segment of the path.
func (s *settings) versions(base string) ([]version, error) {
	u, err := url.Parse(base)
	plain := err == nil && strings.TrimRight(u.RawQuery, "/") == "rest_route="
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" && !plain || u.Fragment != "" {
		return nil, cli.Usagef("--base-url %q: use an address such as http://host/wp-json or http://host/index.php?rest_route=", base)
	}
	path, index := strings.TrimRight(u.Path, "/"), "/"
	if plain {
		if site, named := strings.CutSuffix(path, "/index.php"); named {
			path, index = site, "/index.php"
		}
		path += "/wp-json"
	}
	cut := strings.LastIndexByte(path, '/')
	if cut < 0 {
		return nil, cli.Usagef("--base-url %q: it needs a path, such as /wp-json", base)
	}
	origin := u.Scheme + "://" + u.Host
	var list []version
	for i, tag := range strings.Split(cmp.Or(s.languages, english), ",") {
		if tag = strings.TrimSpace(tag); tag == "" || strings.ContainsAny(tag, "/?#% ") {
			return nil, cli.Usagef("--languages %q: use tags such as en,nl,fr", s.languages)
		}
		prefix := path[:cut]
		if i > 0 {
			prefix += "/" + tag
		}
		mount := prefix + path[cut:]
		v := version{tag: tag, baseURL: origin + mount, siteURL: origin + prefix, mount: mount, prefix: prefix}
		if plain {
			v.baseURL = v.siteURL + index + "?rest_route="
		}
		list = append(list, v)
	}
	return list, nil
}
