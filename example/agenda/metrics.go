package main

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/metrics"
)

const metricsPath = "/metrics"

// watcher serves the program's metrics on a separate address. A nil watcher does nothing.
type watcher struct {
	address string
	figures *metrics.Metrics
	server  *http.Server
	log     *slog.Logger
}

// watch returns a watcher if there is an address for it. Metrics are never served on the address of the calendar, which
// is public.
func watch(address string, log *slog.Logger) *watcher {
	if address == "" {
		return nil
	}
	w := &watcher{address: address, figures: metrics.New(cli.Build()), log: log}
	routes := http.NewServeMux()
	routes.Handle("GET "+metricsPath, w.figures.Handler(log))
	w.server = newServer(routes, time.Minute, log)
	return w
}

// listen starts serving the metrics.
func (w *watcher) listen(ctx context.Context) error {
	if w == nil {
		return nil
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", w.address)
	if err != nil {
		return cli.Usagef("--metrics %s: %w", w.address, err)
	}
	go func() { _ = w.server.Serve(listener) }()
	w.log.Info("serving Prometheus metrics", "address", "http://"+listener.Addr().String()+metricsPath)
	return nil
}

// observe returns the hook that observes the calendar's requests.
func (w *watcher) observe() func(context.Context, calendar.Observation) {
	if w == nil {
		return nil
	}
	return w.figures.Observe
}

// pool adds the metrics of a connection pool.
func (w *watcher) pool(db *bun.DB) {
	if w != nil {
		w.figures.Pool(db.DB)
	}
}

// addMetrics adds the metrics of a calendar that uses the pool.
func (w *watcher) addMetrics(c *calendar.Calendar) {
	if w != nil {
		w.figures.Calendar(c.Stats)
	}
}

func (w *watcher) close() {
	if w != nil {
		_ = w.server.Close()
	}
}
