//go:build cluster

package cluster

import (
	"testing"
	"time"
)

// site starts a cluster of three nodes with a site, and one process per node.
func site(t *testing.T, params string, flags ...string) (*Galera, []*Program) {
	t.Helper()
	g := NewGalera(t, 3)
	Install(t, DSN(g.Nodes[0].Addr(), ""))
	var processes []*Program
	for _, n := range g.Nodes {
		processes = append(processes, Serve(t, DSN(n.Addr(), params), flags...))
	}
	return g, processes
}

// TestWritersOfAllNodes lets 12 clients create and update the same rows through the processes of three nodes. Each of
// their transactions may abort transactions on the other nodes.
func TestWritersOfAllNodes(t *testing.T) {
	g, processes := site(t, "&wsrep_sync_wait=1")
	load := Start(t, Clients{Writers: 12, Stay: true}, processes...)
	time.Sleep(time.Minute)
	load.Stop()
	speed := load.Speed(create)
	t.Logf("12 writers on three nodes: %s; statuses of all: %s", speed, load.statuses())
	if speed.Share() > 0.01 || speed.P99 > 2*time.Second {
		t.Error("too many creates were answered 503, or too late")
	}
	for _, n := range g.Nodes {
		if f := load.Check(n); f != (Found{Acknowledged: f.Acknowledged}) {
			t.Errorf("%s: %+v", n.name, f)
		}
	}
}
