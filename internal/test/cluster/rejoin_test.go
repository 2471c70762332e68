//go:build cluster

package cluster

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// watched polls whether processes are ready, and the state of their nodes immediately before and after.
type watched struct {
	t    testing.TB
	stop atomic.Bool
	done sync.WaitGroup
	mu   sync.Mutex
	seen map[string]int // number of occurrences of results such as "node 3 Joining: 503"
}

// watch polls a process and its node until stopped.
func (w *watched) watch(p *Program, n *Server) {
	state := func() string {
		value, err := n.status("wsrep_local_state_comment")
		if err != nil {
			return "away"
		}
		first, _, _ := strings.Cut(value, " ")
		return strings.TrimSuffix(first, ":")
	}
	w.done.Go(func() {
		for !w.stop.Load() {
			before := state()
			status, body := p.Ready()
			if is := state(); is == before { // otherwise it is unknown which state the response refers to
				w.mu.Lock()
				if status == http.StatusOK && strings.Contains(body, `"writable":false`) {
					is += ", not writable"
				}
				w.seen[fmt.Sprintf("%s %s: %d", n.name, is, status)]++
				w.mu.Unlock()
			}
			time.Sleep(20 * time.Millisecond)
		}
	})
}

// TestRejoin lets a node of a cluster rejoin with the changes that it missed (IST), and with all data of another node
// (SST), while clients write. Processes whose reads wait for what was committed elsewhere (wsrep_sync_wait) must never
// return stale data.
func TestRejoin(t *testing.T) {
	g, processes := site(t, "&timeout=1s")
	var exact []*Program
	for _, n := range g.Nodes {
		exact = append(exact, Serve(t, DSN(n.Addr(), "&timeout=1s&wsrep_sync_wait=1")))
	}
	for _, fault := range []struct {
		name string
		end  func(n *Server)
	}{
		{"rejoin by IST", (*Server).Stop},
		{"rejoin by SST", func(n *Server) {
			n.Kill()
			must(t, os.Remove(n.dir+"/data/grastate.dat")) // it no longer knows the state of its data
		}},
	} {
		load := Start(t, Clients{Writers: 6, Readers: 6}, processes...)
		w := &watched{t: t, seen: map[string]int{}}
		for i, p := range processes {
			w.watch(p, g.Nodes[i])
		}
		stop := w.readYourWrites(exact)
		time.Sleep(2 * time.Second)
		fault.end(g.Nodes[2])
		time.Sleep(4 * time.Second)
		g.Rejoin(g.Nodes[2])
		time.Sleep(3 * time.Second)
		stop(fault.name)
		load.Stop()
		load.whole(fault.name, g.Nodes...)
		if w, r := load.silence(false), load.silence(true); w > 5*time.Second || r > 2*time.Second {
			t.Errorf("%s: writers waited %s, readers %s", fault.name, w, r)
		}
		t.Logf("%s: /readyz by the state of the node: %v", fault.name, w.seen)
		for is := range w.seen {
			serves := strings.Contains(is, "Synced") || strings.Contains(is, "Donor")
			if status := is[strings.LastIndex(is, " ")+1:]; !serves && status == "200" {
				t.Errorf("%s: %s", fault.name, is)
			}
		}
		want, got := "IST", g.Nodes[2].running.output.String()
		if fault.name == "rejoin by SST" {
			want = "SST"
		}
		if !strings.Contains(got, "Receiving "+want) && !strings.Contains(got, want+" received") {
			t.Errorf("%s: the node printed nothing of %s", fault.name, want)
		}
	}
}

// readYourWrites writes through the first process and reads through each of the others, until stop is called, which fails
// the test if a read showed less than was acknowledged before.
func (w *watched) readYourWrites(processes []*Program) (stop func(fault string)) {
	id, err := post(processes[0].Root, "/events", eventOf("watched"))
	must(w.t, err)
	var reads, wrong int
	writer := newClient(0, []string{processes[0].Root}, writePatience)
	writer.stay = true
	readers := make([]*client, 0, len(processes)-1)
	for _, p := range processes[1:] {
		c := newClient(0, []string{p.Root}, readPatience)
		c.stay = true
		readers = append(readers, c)
	}
	w.done.Go(func() {
		for n := 0; !w.stop.Load(); n++ {
			title := fmt.Sprint("watched-", n)
			if a, _ := writer.send(update, "", http.MethodPost, "/events/"+id, `{"title":"`+title+`"}`); !a.good() {
				continue
			}
			for _, c := range readers {
				a, text := c.send(read, "", http.MethodGet, "/events/"+id+"?_fields=title", "")
				if a.good() {
					reads++
					if !strings.Contains(string(text), `"`+title+`"`) {
						wrong++
					}
				}
			}
		}
	})
	return func(fault string) {
		w.t.Helper()
		w.stop.Store(true)
		w.done.Wait()
		if reads == 0 || wrong > 0 {
			w.t.Errorf("%s: %d of %d reads did not have what was written before", fault, wrong, reads)
		}
	}
}
