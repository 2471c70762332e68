//go:build cluster

package cluster

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Figures are metrics of a running process.
type Figures struct {
	Heap        float64 // live bytes after a garbage collection, without caches
	Memory      float64 // bytes of the process
	Goroutines  float64
	Files       float64 // open files, including connections
	Connections float64 // connections to the database
}

func (f Figures) String() string {
	return fmt.Sprintf("heap %.1f MB, process %.1f MB, %.0f goroutines, %.0f files, %.0f connections",
		f.Heap/1e6, f.Memory/1e6, f.Goroutines, f.Files, f.Connections)
}

// most returns the larger value of each figure.
func (f Figures) most(other Figures) Figures {
	return Figures{max(f.Heap, other.Heap), max(f.Memory, other.Memory), max(f.Goroutines, other.Goroutines), max(f.Files, other.Files),
		max(f.Connections, other.Connections)}
}

// Figures returns the current figures. The heap is that after the last garbage collection, computed from its target,
// which is twice as large.
func (p *Program) Figures() (f Figures) {
	p.t.Helper()
	status, text := get(once(10*time.Second), p.metrics)
	if status != http.StatusOK {
		p.t.Fatalf("the program's figures: %d %s", status, text)
	}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		number, _ := strconv.ParseFloat(value, 64)
		switch name {
		case "go_memstats_next_gc_bytes":
			f.Heap += number / 2
		case "agenda_cache_bytes", "agenda_texts_bytes":
			f.Heap -= number
		case "process_resident_memory_bytes":
			f.Memory = number
		case "go_goroutines":
			f.Goroutines = number
		case "process_open_fds":
			f.Files = number
		case `go_sql_open_connections{db_name="agenda"}`:
			f.Connections = number
		}
	}
	return f
}

// warm sends a few thousand reads, so that the process has filled its caches and a garbage collection was recent.
func (p *Program) warm() {
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for i := range 3000 {
		get(client, p.Root+api+"/events?per_page=5&page="+strconv.Itoa(1+i%3))
	}
}

// Settled returns the figures of a process that is idle after a few reads.
func (p *Program) Settled() Figures {
	p.t.Helper()
	p.warm()
	time.Sleep(time.Second)
	return p.Figures()
}

// heapNoise is the error in the measurement of the heap: the size of the caches is not that at the moment of the last
// garbage collection.
const heapNoise = 1e6

// Returned waits until the figures are what they were before, with at most a tenth more memory, and returns them.
func (p *Program) Returned(t *testing.T, before Figures) (now Figures) {
	t.Helper()
	for end := time.Now().Add(3 * time.Minute); ; time.Sleep(time.Second) {
		now = p.Settled()
		if now.Heap <= 1.1*before.Heap+heapNoise && now.Goroutines <= before.Goroutines && now.Files <= before.Files {
			return now
		}
		if time.Now().After(end) {
			t.Errorf("before: %s; now: %s", before, now)
			return now
		}
	}
}
