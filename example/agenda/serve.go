package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/spf13/cobra"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages/editing"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/compress"
	"github.com/agendahq/agenda/example/internal/demo"
	"github.com/agendahq/agenda/example/internal/nudge"
	"github.com/agendahq/agenda/example/internal/onchange"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

// shutdownTimeout returns how long pending requests may take to finish at a shutdown: one and a half times the request
// timeout, for answers that are late, and some more.
func shutdownTimeout(request time.Duration) time.Duration { return request + request/2 + 5*time.Second }

// serve runs the server until the context ends, and then finishes pending requests.
func serve(cmd *cobra.Command, s *settings) (err error) {
	defer func() { err = s.explained(err) }()
	ctx, out := cmd.Context(), cmd.OutOrStdout()
	log, err := s.logger(cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	for _, warning := range cli.Warnings(cmd) {
		log.Warn(warning)
	}
	if err := s.check(); err != nil {
		return err
	}
	compressed := s.shareForCompressed()
	secure, err := s.tlsConfig(log)
	if err != nil {
		return err
	}
	held, err := s.lockData()
	if err != nil {
		return err
	}
	defer held.release()
	undo, ready := s.newData(held), false
	defer func() {
		if err != nil && !ready {
			err = errors.Join(err, undo())
		}
	}()
	at, err := s.address(ctx)
	if err != nil {
		return err
	}
	defer at.close()
	root, others := s.roots(at.TCPAddr, log)
	versions, err := s.versions(root)
	if err != nil {
		return err
	}
	watcher := watch(s.metrics, log)
	defer watcher.close()
	db, err := s.open(ctx, versions[0], log)
	if err != nil {
		return err
	}
	defer db.Close()
	uploads, remove, err := s.openUploads(ctx, db, versions[0])
	if err != nil {
		return err
	}
	defer remove()
	// This must precede the creation of the calendar, which caches the site's settings.
	content, err := s.seed(ctx, db)
	if err != nil {
		return err
	}
	if err := s.findLanguages(ctx, db, log); err != nil {
		return err
	}
	if versions, err = s.versions(root); err != nil {
		return err
	}
	if err := s.optimize(ctx, db, log); err != nil {
		return err
	}
	logins, err := s.loginCounter(ctx, db, log)
	if err != nil {
		return err
	}
	replicas, closeReplicas, err := s.openReplicas(log)
	if err != nil {
		return err
	}
	defer closeReplicas()
	notifier, err := s.notifier(versions[0], log)
	if err != nil {
		return err
	}
	defer endNotifier(ctx, s.requestTimeout, notifier)
	nudger, err := newNudger(s.companion, log)
	if err != nil {
		return err
	}
	if nudger != nil {
		defer nudger.Close()
	}
	warnOfCaches(ctx, db, s.Prefix, log)
	watcher.pool(db)
	with := resources{uploads: uploads, watcher: watcher, logins: logins, answers: calendar.NewMemory(s.maxAnswers), replicas: replicas,
		notifier: notifier, nudger: nudger}
	handler, c, finish, err := s.handlers(ctx, db, versions, others, with, log)
	if err != nil {
		return err
	}
	// This comes last: a port that is in use then hides no other mistake, and nobody can connect before the server is
	// ready.
	if err := errors.Join(at.listen(ctx), watcher.listen(ctx)); err != nil {
		return errors.Join(err, finish())
	}
	ready = true
	content.report(log, s.Data)
	first, err := openFirst(ctx, s, c, versions[0], out)
	if err != nil {
		return errors.Join(err, finish())
	}
	s.announce(out, versions, content.users, first)
	if s.gzip {
		handler = compress.Handler(handler, compressed)
	}
	server := newServer(accessLog(log, handler), s.requestTimeout, log)
	server.TLSConfig = secure
	err = serveRequests(ctx, at.listener, server, s.requestTimeout, log)
	return errors.Join(err, finish())
}

// optimize updates the statistics of the embedded database, if that can be written.
func (s *settings) optimize(ctx context.Context, db *bun.DB, log *slog.Logger) error {
	if s.DSN != "" || s.readOnly {
		return nil
	}
	err := embedded.Optimize(ctx, db)
	if embedded.CannotWrite(err) {
		log.Warn("the database cannot be written: it is served read-only until there is space", "error", err)
		return nil
	}
	return err
}

// closeCalendar waits until the calendar has ended its background work.
func closeCalendar(ctx context.Context, requestTimeout time.Duration, c *calendar.Calendar) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout(requestTimeout))
	defer cancel()
	if err := c.Close(ctx); err != nil {
		return fmt.Errorf("changes were still being reported: %w", err)
	}
	return nil
}

// reachable returns an address that a person can open: localhost if the server listens on all interfaces.
func reachable(a *net.TCPAddr) string {
	if a.IP.IsUnspecified() {
		return fmt.Sprintf("localhost:%d", a.Port)
	}
	return a.String()
}

func (s *settings) open(ctx context.Context, first version, log *slog.Logger) (*bun.DB, error) {
	if s.DSN != "" {
		db, err := cli.OpenMySQL(ctx, s.DSN, cli.MySQL{
			Connections: s.dbConnections, Silence: silence(s.requestTimeout), Log: log, Wait: s.wait,
		})
		if err != nil {
			return nil, err
		}
		if err := s.mustBeWhole(ctx, db); err != nil {
			return nil, errors.Join(err, db.Close())
		}
		return db, nil
	}
	return openEmbedded(ctx, s, first.siteURL, log)
}

// resources contains what the calendars of all host names share.
type resources struct {
	uploads calendar.Uploads
	watcher *watcher
	logins  calendar.LoginCounter
	limiter *calendar.LoginLimiter
	answers *calendar.Memory

	notifier *onchange.Notifier // nil without --on-change
	nudger   *nudge.Nudger      // nil without an address of the site's companion
	replicas []*bun.DB
}

// onChange returns a hook that calls first, then everything that must be notified of changes.
func (r *resources) onChange(first func(context.Context, calendar.Change)) func(context.Context, calendar.Change) {
	return func(ctx context.Context, c calendar.Change) {
		first(ctx, c)
		if r.notifier != nil {
			r.notifier.Changed(ctx, c)
		}
		if r.nudger != nil {
			r.nudger.Changed(ctx, c)
		}
	}
}

var errReplicaOfFile = cli.Usagef("--replica goes with --dsn: the embedded database has no replicas")

// openReplicas returns a connection pool for each replica. The replicas need not be reachable yet.
func (s *settings) openReplicas(log *slog.Logger) (pools []*bun.DB, closeAll func(), err error) {
	closeAll = func() {
		for _, db := range pools {
			_ = db.Close()
		}
	}
	for _, dsn := range s.replicas {
		db, err := cli.OpenReplica(dsn, cli.MySQL{Connections: s.dbConnections, Silence: silence(s.requestTimeout), Log: log})
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		pools = append(pools, db)
	}
	return pools, closeAll, nil
}

// handler mounts the calendar, the pages and the probes.
func (s *settings) handler(ctx context.Context, db *bun.DB, versions []version, with resources,
	log *slog.Logger) (http.Handler, *calendar.Calendar, error) {
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.Use(noteRoute, gin.CustomRecoveryWithWriter(nil, func(c *gin.Context, err any) {
		log.Error("panic", "path", editing.Logged(c.Request.URL.Path), "panic", err)
		c.AbortWithStatus(http.StatusInternalServerError)
	}))
	options, err := s.options(db, versions, with.uploads, log)
	if err != nil {
		return nil, nil, err
	}
	options.Hooks.Observe, options.Replicas = with.watcher.observe(), with.replicas
	options.Login.Counter, options.Login.Limiter = with.logins, with.limiter
	options.Limits.Answers, options.Webhooks.Send = with.answers, true
	options.Hooks.OnChange = with.onChange(options.Hooks.OnChange)
	c, err := calendar.New(ctx, options)
	if err != nil {
		return nil, nil, cli.Usage(err)
	}
	with.watcher.addMetrics(c)
	router.Use(leadToDocs(s.namespace, versions))
	if err := c.Register(router); err != nil {
		return nil, nil, errors.Join(cli.Usage(err), closeCalendar(ctx, s.requestTimeout, c))
	}
	if err := mountDocs(router, s.namespace, versions); err != nil {
		return nil, nil, errors.Join(err, closeCalendar(ctx, s.requestTimeout, c))
	}
	router.GET(healthPath, func(c *gin.Context) { c.String(http.StatusOK, "ok\n") })
	bound, err := schema.Bind(db, s.Prefix)
	if err != nil {
		return nil, nil, errors.Join(err, closeCalendar(ctx, s.requestTimeout, c))
	}
	tables, err := schema.CheckSite(ctx, db, s.Tables())
	if err != nil {
		return nil, nil, errors.Join(err, closeCalendar(ctx, s.requestTimeout, c))
	}
	router.GET(readyPath, readyHandler(bound, c.ReadOnly(), tables.HasOccurrences, log))
	if s.DSN == "" {
		path, shown := versions[0].prefix+demo.UploadsPath+"*file", gin.WrapH(imagesHandler(versions[0].prefix, with.uploads.Dir))
		router.GET(path, shown)
		router.HEAD(path, shown)
	}
	site, err := s.pages(ctx, bound, c, versions, log)
	if err != nil {
		return nil, nil, errors.Join(err, closeCalendar(ctx, s.requestTimeout, c))
	}
	router.NoRoute(c.NoRoute, func(c *gin.Context) {
		c.Status(http.StatusOK) // gin presets 404 for paths without a route
		site.ServeHTTP(c.Writer, c.Request)
	})
	return router, c, nil
}

// announce prints the addresses to open, how to log in to the demo site, and first: what to say about the first user of
// a site.
func (s *settings) announce(out io.Writer, versions []version, users []demo.Credential, first string) {
	var b strings.Builder
	fmt.Fprintln(&b, "Agenda is ready. Open:")
	for _, v := range versions {
		base, namespace := strings.TrimRight(v.baseURL, "/"), strings.Trim(s.namespace, "/")
		fmt.Fprintf(&b, "  %s  pages %s/  API %s/%s/events\n", v.tag, v.siteURL, base, namespace)
	}
	if s.hasEditing {
		fmt.Fprintf(&b, "Users write events at %s%s/\n", versions[0].siteURL, editing.Root)
	}
	s.announceUsers(&b, versions[0], users)
	fmt.Fprint(out, b.String()+first)
}

// announceUsers prints the passwords of the demo users that were created at this start. Each is printed only once, and
// none if the output is meant for programs, which store it.
func (s *settings) announceUsers(b *strings.Builder, first version, users []demo.Credential) {
	made := slices.DeleteFunc(slices.Clone(users), func(u demo.Credential) bool { return !u.Made })
	kept := s.Data != embedded.Memory
	switch {
	case len(users) == 0:
		return
	case s.logFormat != "text" && !kept:
		fmt.Fprintf(b, "The passwords of the demo users are printed only with --log-format text.\n")
		return
	case s.logFormat != "text" || len(made) == 0:
		fmt.Fprintf(b, "The passwords of the demo users are in %s; 'agenda user password%s --login editor' creates another.\n",
			filepath.Join(s.Data, demo.PasswordFile), otherSite(s.Data, s.Prefix))
		return
	}
	fmt.Fprintln(b, "Users of the demo site and their passwords, which are not shown again:")
	chosen := made[0]
	for _, u := range made {
		fmt.Fprintf(b, "  %-11s  %s\n", u.Login, u.Password)
		if u.Login == "editor" { // may see drafts
			chosen = u
		}
	}
	drafts := "?status=draft"
	if strings.Contains(first.baseURL, "?") { // plain permalinks
		drafts = "&status=draft"
	}
	fmt.Fprintf(b, "  curl -u '%s:PASSWORD' '%s/%s/events%s'\n", chosen.Login, strings.TrimRight(first.baseURL, "/"),
		strings.Trim(s.namespace, "/"), drafts)
	if kept {
		fmt.Fprintf(b, "They are kept in %s, which only you can read.\n", filepath.Join(s.Data, demo.PasswordFile))
	}
}

// otherSite returns the flags with which another command finds the embedded database, or "" if it needs none.
func otherSite(data, prefix string) (flags string) {
	if data != cli.DefaultData {
		flags += " --data " + data
	}
	if prefix != schema.DefaultPrefix {
		flags += " --prefix " + prefix
	}
	return flags
}

// grace is how much longer the server's own timeouts are than that of a request. The calendar limits its requests
// itself, and answers those that took too long.
const grace = 30 * time.Second

// silence returns how long a database server may send nothing. It is longer than a request, which the calendar limits
// itself.
func silence(request time.Duration) time.Duration { return max(time.Minute, request+grace) }

// maxHeader limits the header of a request, including the request line, to 64 KiB; longer ones are answered with 431.
// net/http reads up to twice its buffer of 4 KiB more than this limit.
const maxHeader = 64<<10 - 2*4<<10

// newServer returns a server whose timeouts are longer than those of the calendar, which allows the request timeout for
// reading the body, and the same again for the answer.
func newServer(handler http.Handler, request time.Duration, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: silence(request),
		WriteTimeout: max(2*time.Minute, 2*request+grace),
		IdleTimeout:  2 * time.Minute, MaxHeaderBytes: maxHeader,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

func serveRequests(ctx context.Context, listener net.Listener, server *http.Server, request time.Duration, log *slog.Logger) error {
	failed := make(chan error, 1)
	go func() {
		if server.TLSConfig != nil {
			failed <- server.ServeTLS(listener, "", "")
			return
		}
		failed <- server.Serve(listener)
	}()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	log.Info("shutting down")
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout(request))
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		return fmt.Errorf("requests were still in flight: %w", err)
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
