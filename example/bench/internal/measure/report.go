package measure

import (
	"slices"
	"time"
)

// Report is what a run measured.
type Report struct {
	Version  string       `json:"version"` // of the program
	Started  time.Time    `json:"started"`
	CPUs     int          `json:"cpus"` // shared by clients, servers and, on the same machine, the database
	Go       string       `json:"go"`
	Site     Site         `json:"site"`
	Seconds  float64      `json:"seconds"`           // for each server in each case
	TotalTTL float64      `json:"total_ttl_seconds"` // how long totals are cached, by both
	Results  []Result     `json:"results"`
	Cold     []coldAnswer `json:"cold"`
	Notes    []string     `json:"notes"`
}

// Result is a case with a number of clients.
type Result struct {
	Case    string   `json:"case"`
	Clients int      `json:"clients"`
	Service *Figures `json:"service"`
	Floor   *Figures `json:"floor"` // nil if there is none
	Ratio   float64  `json:"ratio"` // of the requests per second, service to floor
	Error   string   `json:"error,omitempty"`
}

// Figures are those of one server in one case. Statements, bytes, allocations
// and processor time are per request.
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
	Peak       int64   `json:"peak_bytes"` // the most during the case; 0 if unknown
}

// coldAnswer is the time of an answer whose total was not cached: the median of the first ones
// after a pause.
type coldAnswer struct {
	Case    string  `json:"case"`
	Service float64 `json:"service_ms"`
	Floor   float64 `json:"floor_ms"` // 0 if there is none
}

// measured is the measurement of one server in one case, over all its slices.
type measured struct {
	responses
	used      figures // what it used during that
	rss, peak int64
}

func (m *measured) add(h responses, before, after figures) {
	m.responses.add(h)
	// The statements are counted in 32 bits, which may overflow.
	m.used.Statements += int64(uint32(after.Statements) - uint32(before.Statements))
	m.used.Allocs += after.Allocs - before.Allocs
	m.used.AllocBytes += after.AllocBytes - before.AllocBytes
	m.used.CPU += after.CPU - before.CPU
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
