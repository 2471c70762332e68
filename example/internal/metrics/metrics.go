// Package metrics counts what a calendar does, for Prometheus.
package metrics

import (
	"context"
	"database/sql"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/agendahq/agenda/calendar"
)

// Metrics are the metrics of a program.
type Metrics struct {
	registry   *prometheus.Registry
	durations  *prometheus.HistogramVec
	bytes      *prometheus.CounterVec
	statements *prometheus.CounterVec
	cached     *prometheus.CounterVec
	callers    *prometheus.CounterVec
	logins     *prometheus.CounterVec
	calendars  *statsCollector
}

// buckets are upper bounds of durations in seconds: from an answer out of memory to a request's timeout.
var buckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// New returns the metrics of the process, and of a calendar whose Hooks.Observe is Observe. Pool and Calendar add
// further ones.
func New(version, commit string) *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	m := &Metrics{
		registry: prometheus.NewRegistry(), calendars: new(statsCollector),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "agenda_http_request_duration_seconds", Buckets: buckets,
			Help: "Time until a response of the API was written, by route, method and status class.",
		}, []string{"route", "method", "status"}),
		bytes:      counter("agenda_http_response_bytes_total", "Size of the response bodies of the API.", "route"),
		statements: counter("agenda_db_statements_total", "Statements sent to the database for requests.", "route", "method"),
		cached: counter("agenda_cache_answers_total", "Responses that could be cached: hit, shared (made for another request) or miss.",
			"route", "outcome"),
		callers: counter("agenda_http_callers_total", "Requests to the API by kind of caller.", "caller"),
		logins:  counter("agenda_login_failures_total", "Rejected logins: 401 wrong, 403 not of this session, 429 too many.", "status"),
	}
	for _, status := range refusals {
		m.logins.WithLabelValues(strconv.Itoa(status))
	}
	built := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "agenda_build_info", Help: "Always 1; the labels name the build.",
		ConstLabels: prometheus.Labels{"version": version, "commit": commit},
	})
	built.Set(1)
	m.registry.MustRegister(m.durations, m.bytes, m.statements, m.cached, m.callers, m.logins, m.calendars, built,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// refusals are the statuses of answers to failed logins.
var refusals = []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests}

// Observe counts a request. The number of label values is limited, whatever clients send.
func (m *Metrics) Observe(_ context.Context, o calendar.Observation) {
	route := o.Route
	if route == "" {
		route = "none"
	}
	m.durations.WithLabelValues(route, o.Method, strconv.Itoa(o.Status/100)+"xx").Observe(o.Duration.Seconds())
	m.bytes.WithLabelValues(route).Add(float64(o.Bytes))
	m.statements.WithLabelValues(route, o.Method).Add(float64(o.Statements))
	if o.Cache != "" {
		m.cached.WithLabelValues(route, o.Cache).Inc()
	}
	m.callers.WithLabelValues(o.Caller).Inc()
	for _, status := range refusals {
		if o.Caller == "refused" && o.Status == status {
			m.logins.WithLabelValues(strconv.Itoa(status)).Inc()
		}
	}
}

// Pool adds the metrics of a connection pool.
func (m *Metrics) Pool(pool *sql.DB) {
	m.registry.MustRegister(collectors.NewDBStatsCollector(pool, "agenda"))
}

// Calendar adds the metrics of a calendar. If there are several, they must belong to one site and share a pool; their
// metrics are added up.
func (m *Metrics) Calendar(stats func() calendar.Stats) { m.calendars.addStats(stats) }

// Handler serves the metrics.
func (m *Metrics) Handler(log *slog.Logger) http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn), ErrorHandling: promhttp.ContinueOnError,
		MaxRequestsInFlight: 4, Timeout: 10 * time.Second, EnableOpenMetrics: true,
	})
}
