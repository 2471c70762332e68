package metrics

import (
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/agendahq/agenda/calendar"
)

// statsCollector collects the statistics of the calendars of a site.
type statsCollector struct {
	mu  sync.Mutex
	all []func() calendar.Stats
}

func (c *statsCollector) addStats(stats func() calendar.Stats) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, stats)
}

// sum returns the statistics of all calendars, or false if there are none. The calendars share a clock, whose
// statistics are counted once.
func (c *statsCollector) sum() (sum calendar.Stats, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, stats := range c.all {
		s := stats()
		if i == 0 {
			sum = s
			continue
		}
		sum.InFlight += s.InFlight
		sum.ChangesWaiting += s.ChangesWaiting
		sum.TextHits += s.TextHits
		sum.TextMisses += s.TextMisses
		sum.TextBytes += s.TextBytes
		sum.Cache.Evictions += s.Cache.Evictions
		sum.Cache.Bytes += s.Cache.Bytes
		sum.Journal.Comparisons += s.Journal.Comparisons
		sum.Journal.Spent += s.Journal.Spent
		sum.Journal.Own += s.Journal.Own
		sum.Journal.Failures += s.Journal.Failures
		if is := s.Journal; is.Kept && (!sum.Journal.Kept || is.Until.Before(sum.Journal.Until)) {
			sum.Journal.Kept, sum.Journal.Until = true, is.Until
		}
		sum.Journal.Sequence = max(sum.Journal.Sequence, s.Journal.Sequence)
		sum.Publishing.Posts += s.Publishing.Posts
		sum.Publishing.Rounds += s.Publishing.Rounds
		sum.Publishing.Failures += s.Publishing.Failures
		for i := range sum.Replicas {
			sum.Replicas[i].Requests += s.Replicas[i].Requests
			sum.Replicas[i].Lag = max(sum.Replicas[i].Lag, s.Replicas[i].Lag)
		}
		if s.Publishing.Last.After(sum.Publishing.Last) {
			sum.Publishing.Last = s.Publishing.Last
		}
	}
	return sum, len(c.all) > 0
}

// figure is one of the statistics as a metric.
type figure struct {
	desc  *prometheus.Desc
	kind  prometheus.ValueType
	value func(calendar.Stats) float64
}

func newDesc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("agenda_"+name, help, labels, nil)
}

func gauge(name, help string, value func(calendar.Stats) float64) figure {
	return figure{newDesc(name, help), prometheus.GaugeValue, value}
}

func counter(name, help string, value func(calendar.Stats) float64) figure {
	return figure{newDesc(name, help), prometheus.CounterValue, value}
}

var figures = []figure{
	gauge("http_requests_in_flight", "Requests to the API in progress.",
		func(s calendar.Stats) float64 { return float64(s.InFlight) }),
	gauge("changes_waiting", "Changes for which the change hook is running or still has to run.",
		func(s calendar.Stats) float64 { return float64(s.ChangesWaiting) }),

	gauge("cache_enabled", "1 if answers are cached, 0 if the database cannot report changes or the cache is off.",
		func(s calendar.Stats) float64 { return truth(s.Cache.Off == "") }),
	gauge("cache_bytes", "Memory of the cached responses.",
		func(s calendar.Stats) float64 { return float64(s.Cache.Bytes) }),
	counter("cache_evictions_total", "Responses dropped from the cache for lack of space.",
		func(s calendar.Stats) float64 { return float64(s.Cache.Evictions) }),
	gauge("texts_bytes", "Memory of the cached rendered texts.",
		func(s calendar.Stats) float64 { return float64(s.TextBytes) }),
	counter("texts_hits_total", "Rendered texts found in the cache.",
		func(s calendar.Stats) float64 { return float64(s.TextHits) }),
	counter("texts_misses_total", "Texts not found in the cache.",
		func(s calendar.Stats) float64 { return float64(s.TextMisses) }),

	counter("clock_looks_total", "Polls of the database for changes.",
		func(s calendar.Stats) float64 { return float64(s.Cache.Looks) }),
	counter("clock_unsettled_seconds_total", "Time in which nothing could be cached because of a recent change.",
		func(s calendar.Stats) float64 { return s.Cache.Unsettled.Seconds() }),

	gauge("journal_kept", "1 if the site has a journal of what changed that the server reads, else 0.",
		func(s calendar.Stats) float64 { return truth(s.Journal.Kept) }),
	gauge("journal_sequence", "Number of the newest change in the journal.",
		func(s calendar.Stats) float64 { return float64(s.Journal.Sequence) }),
	gauge("journal_complete_timestamp_seconds", "Everything committed before is in the journal; 0 until the first comparison is finished.",
		func(s calendar.Stats) float64 { return timestamp(s.Journal.Until) }),
	counter("journal_comparisons_total", "Comparisons of the site with its journal.",
		func(s calendar.Stats) float64 { return float64(s.Journal.Comparisons) }),
	counter("journal_comparing_seconds_total", "Time that the statements of comparisons took.",
		func(s calendar.Stats) float64 { return s.Journal.Spent.Seconds() }),
	counter("journal_own_changes_total", "Changes that the server made and recorded in the journal.",
		func(s calendar.Stats) float64 { return float64(s.Journal.Own) }),
	counter("journal_failures_total", "Comparisons with the journal and records in it that failed.",
		func(s calendar.Stats) float64 { return float64(s.Journal.Failures) }),

	counter("published_posts_total", "Scheduled posts that were published.",
		func(s calendar.Stats) float64 { return float64(s.Publishing.Posts) }),
	counter("publishing_rounds_total", "Rounds of publishing that ended without an error.",
		func(s calendar.Stats) float64 { return float64(s.Publishing.Rounds) }),
	counter("publishing_failures_total", "Rounds of publishing that failed.",
		func(s calendar.Stats) float64 { return float64(s.Publishing.Failures) }),
	gauge("publishing_last_success_timestamp_seconds", "Time of the last round of publishing without an error; 0 for never.",
		func(s calendar.Stats) float64 { return timestamp(s.Publishing.Last) }),
}

// timestamp returns Unix seconds, or 0 for the zero time.
func timestamp(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixMilli()) / 1000
}

// replicaFigures are the metrics of a replica, which is labelled by its number.
var replicaFigures = []struct {
	desc  *prometheus.Desc
	kind  prometheus.ValueType
	value func(calendar.ReplicaStats) float64
}{
	{newDesc("replica_used", "1 if the replica is read, 0 if not; the log says why.", "replica"), prometheus.GaugeValue,
		func(s calendar.ReplicaStats) float64 { return truth(s.Reason == "") }},
	{newDesc("replica_lag_seconds", "How long ago the primary had committed what the replica lacks.", "replica"), prometheus.GaugeValue,
		func(s calendar.ReplicaStats) float64 { return s.Lag.Seconds() }},
	{newDesc("replica_requests_total", "Requests that the replica answered or is answering.", "replica"), prometheus.CounterValue,
		func(s calendar.ReplicaStats) float64 { return float64(s.Requests) }},
}

var replicaPosition = newDesc("replica_position", "Number of the last transaction that the replica has; none while it does not answer.",
	"replica", "domain")

var written = newDesc("clock_writes_total",
	"Polls that found a table written; if most do, little is cached without --max-stale.", "table")

var epochs = newDesc("clock_epochs_total", "How often the cache was invalidated.", "reason")

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// Describe implements prometheus.Collector.
func (*statsCollector) Describe(descs chan<- *prometheus.Desc) {
	for _, f := range figures {
		descs <- f.desc
	}
	for _, f := range replicaFigures {
		descs <- f.desc
	}
	descs <- replicaPosition
	descs <- epochs
	descs <- written
}

// Collect implements prometheus.Collector.
func (c *statsCollector) Collect(metrics chan<- prometheus.Metric) {
	s, ok := c.sum()
	if !ok {
		return
	}
	for _, f := range figures {
		metrics <- prometheus.MustNewConstMetric(f.desc, f.kind, f.value(s))
	}
	for i, replica := range s.Replicas {
		number := strconv.Itoa(i + 1)
		for _, f := range replicaFigures {
			metrics <- prometheus.MustNewConstMetric(f.desc, f.kind, f.value(replica), number)
		}
		for domain, position := range replica.Position {
			metrics <- prometheus.MustNewConstMetric(replicaPosition, prometheus.GaugeValue, float64(position), number, domain)
		}
	}
	for table, n := range s.Cache.Written {
		metrics <- prometheus.MustNewConstMetric(written, prometheus.CounterValue, float64(n), table)
	}
	for reason, n := range s.Cache.Epochs {
		metrics <- prometheus.MustNewConstMetric(epochs, prometheus.CounterValue, float64(n), reason)
	}
}
