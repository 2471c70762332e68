//go:build cluster

package cluster

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestOutagesOfNodes causes outages of a cluster's nodes while clients write and read through a process on each node,
// and change to the next process after a failed request.
func TestOutagesOfNodes(t *testing.T) {
	g, processes := site(t, "&timeout=1s")
	n := g.Nodes
	t.Log("| fault | acknowledged | lost | twice | half | longest silence for writers, readers | statuses |")
	for _, fault := range []struct {
		name     string
		begin    func()
		readable int // number of processes whose /readyz is 200 during the outage
		end      func()
		none     bool // no node is left
	}{
		{"kill -9 of a node", n[2].Kill, 2, func() { g.Rejoin(n[2]) }, false},
		{"isolation of a node", func() { g.Isolate(n[2], true) }, 2, func() { g.Isolate(n[2], false); g.Synced(n[2]) }, false},
		{"SIGSTOP of a node", n[2].Pause, 2, func() { n[2].Resume(); g.Synced(n[2]) }, false},
		{"kill -9 of a process", processes[1].Kill, 2, processes[1].Start, false},
		{"loss of quorum", func() { n[1].Kill(); n[2].Kill() }, 0, func() { g.Bootstrap(n[0]); g.Rejoin(n[1]); g.Rejoin(n[2]) }, true},
	} {
		load := Start(t, Clients{Writers: 6, Readers: 6}, processes...)
		time.Sleep(2 * time.Second)
		fault.begin()
		time.Sleep(6 * time.Second)
		ready := 0
		for i, p := range processes {
			switch status, body := p.Ready(); {
			case status == http.StatusOK && strings.Contains(body, `"writable":true`):
				ready++
			case status == http.StatusServiceUnavailable || status == 0:
			default:
				t.Errorf("%s: /readyz of process %d answers %d %s", fault.name, i+1, status, body)
			}
		}
		if ready != fault.readable {
			t.Errorf("%s: %d processes are ready", fault.name, ready)
		}
		fault.end()
		time.Sleep(3 * time.Second)
		load.Stop()
		for _, p := range processes {
			if status, body := p.Ready(); status != http.StatusOK {
				t.Errorf("after %s: /readyz answers %d %s", fault.name, status, body)
			}
		}
		for _, node := range n {
			g.Synced(node)
		}
		load.whole(fault.name, n...)
		if w, r := load.silence(false), load.silence(true); !fault.none && (w > 5*time.Second || r > 2*time.Second) {
			t.Errorf("%s: writers waited %s, readers %s", fault.name, w, r)
		}
	}
}

// TestBrokenConnections stalls and resets the connections to the database while clients write and repeat each write
// with its Idempotency-Key until it succeeds.
func TestBrokenConnections(t *testing.T) {
	const timeout = 4 * time.Second
	s, proxy, program := bench(t, "--request-timeout", timeout.String())
	commits := func(is Break) func() {
		return func() {
			var n atomic.Int64
			proxy.Commits(func() Break { // every third COMMIT
				if n.Add(1)%3 == 0 {
					return is
				}
				return NoBreak
			})
			time.Sleep(5 * time.Second)
			proxy.Commits(nil)
		}
	}
	stall := func(d time.Duration) {
		proxy.Stall()
		time.Sleep(d)
	}
	for _, fault := range []struct {
		name string
		do   func()
	}{
		{"stall for 2 s", func() { stall(2 * time.Second); proxy.Flow() }},
		{"stall for 7 s, longer than a request", func() { stall(7 * time.Second); proxy.Flow() }},
		{"stall for 2 s, then reset", func() { stall(2 * time.Second); proxy.Reset(); proxy.Flow() }},
		{"resets, 10 a second for 5 s", func() {
			for range 50 {
				proxy.Reset()
				time.Sleep(100 * time.Millisecond)
			}
		}},
		{"reset before every third COMMIT for 5 s", commits(BeforeCommit)},
		{"reset after every third COMMIT for 5 s", commits(AfterCommit)},
	} {
		load := Start(t, Clients{Writers: 6, Readers: 6, Keys: true, Patience: time.Minute}, program)
		time.Sleep(time.Second)
		fault.do()
		time.Sleep(2 * time.Second)
		load.Stop()
		load.judged(t, fault.name, s, timeout+time.Second)
	}
}
