package measure

import (
	"slices"
	"time"
)

// Report is what a run measured.
type Report struct {
	Version string        `json:"version"` // of the program
	Started time.Time     `json:"started"`
	CPUs    int           `json:"cpus"` // shared by clients, servers and, on the same machine, the database
	Go      string        `json:"go"`
	Site    Site          `json:"site"`
	Seconds float64       `json:"seconds"` // per server and case
	Results []Result      `json:"results"`
	Changes []afterChange `json:"after_change"`
	Notes   []string      `json:"notes"`
}

// Result is a case with a number of clients.
type Result struct {
	Case    string   `json:"case"`
	Clients int      `json:"clients"`
	Service *Figures `json:"service"` // creates each answer
	Cached  *Figures `json:"cached"`  // of cached answers; nil if there are none
	Floor   *Figures `json:"floor"`   // nil if there is none
	Ratio   float64  `json:"ratio"`   // of the requests per second, service to floor
	Error   string   `json:"error,omitempty"`
}

// Figures are those of one server in one case. Statements, bytes, allocations and processor time are per request.
type Figures struct {
	Requests   int     `json:"requests"`
	PerSecond  float64 `json:"requests_per_second"`
	P50        float64 `json:"p50_ms"`
	P99        float64 `json:"p99_ms"`
	Statements float64 `json:"statements"`
	Bytes      float64 `json:"bytes"`
	Allocs     float64 `json:"allocs"`
	AllocBytes float64 `json:"alloc_bytes"`
	CPU        float64 `json:"cpu_ms"`     // of the server's process, without the database; 0 if unknown
	RSS        int64   `json:"rss_bytes"`  // of the server's process, at the end; 0 if unknown
	Peak       int64   `json:"peak_bytes"` // the maximum during the case; 0 if unknown
}

// afterChange contains the durations of the first answer after a change of the tables, of the server that caches and of
// the one that caches nothing. They are medians.
type afterChange struct {
	Case     string  `json:"case"`
	Rounds   int     `json:"rounds"`
	Cached   float64 `json:"cached_ms"`
	Uncached float64 `json:"uncached_ms"`
	Ratio    float64 `json:"ratio"` // of the durations, cached to uncached
}

// measured is the measurement of one server in one case, over all its slices.
type measured struct {
	responses
	used      figures // what the server used during the measurement
	rss, peak int64
}

func (m *measured) addSample(h responses, before, after figures) {
	m.responses.addResponses(h)
	used := after.since(before)
	m.used.Statements += used.Statements
	m.used.Allocs += used.Allocs
	m.used.AllocBytes += used.AllocBytes
	m.used.CPU += used.CPU
	m.rss, m.peak = after.RSS, max(m.peak, after.Peak)
}

func (m *measured) figures() *Figures {
	n := len(m.took)
	if n == 0 || m.elapsed <= 0 {
		return nil
	}
	slices.Sort(m.took)
	each := func(total int64) float64 { return float64(total) / float64(n) }
	return &Figures{
		Requests: n, PerSecond: float64(n) / m.elapsed.Seconds(),
		P50: milliseconds(quantile(m.took, 0.5)), P99: milliseconds(quantile(m.took, 0.99)),
		Statements: each(m.used.Statements), Bytes: each(m.bytes), Allocs: each(m.used.Allocs), AllocBytes: each(m.used.AllocBytes),
		CPU: each(m.used.CPU), RSS: m.rss, Peak: m.peak,
	}
}
