//go:build cluster

package cluster

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestFailOver makes a replica the primary while clients write and read, and redirects the address to it. The old
// primary continues as a read-only replica, and open connections remain with it.
func TestFailOver(t *testing.T) {
	r := NewReplicated(t, 1)
	Install(t, DSN(r.Primary.Addr(), ""))
	address := NewProxy(t, r.Primary.Addr())
	program, reading := Serve(t, DSN(address.Addr(), "")), Serve(t, DSN(address.Addr(), ""))
	load := Start(t, Clients{Writers: 4, Readers: 4}, program)
	readers := Start(t, Clients{Readers: 2}, reading)
	time.Sleep(2 * time.Second)
	r.Primary.Exec("SET GLOBAL read_only = 1")
	time.Sleep(time.Second)
	if status, body := program.Ready(); status != http.StatusOK || !strings.Contains(body, `"writable":false`) {
		t.Errorf("while no server can be written /readyz answers %d %s", status, body)
	}
	r.Promote(r.Replicas[0])
	address.Lead(r.Replicas[0].Addr())
	r.Follow(r.Primary, r.Replicas[0])
	led := time.Now()
	r.Primary.until("nobody reads it any more", func() error {
		var left int
		err := r.Primary.admin.QueryRow("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE USER = '" + account + "'").Scan(&left)
		if err == nil && left > 0 {
			err = fmt.Errorf("%d connections are left", left)
		}
		return err
	})
	t.Logf("the last connection to the old primary ended after %s", time.Since(led))
	time.Sleep(2 * time.Second)
	load.Stop()
	readers.Stop()
	if bad := readers.statuses(); strings.Contains(bad, "503") || strings.Contains(bad, "no answer") {
		t.Errorf("a process that only reads answered %s", bad)
	}
	load.whole("fail-over", r.Replicas[0])
	refused, first := 0, time.Time{}
	for _, a := range load.answers("") {
		switch {
		case a.kind == read && !a.good():
			t.Errorf("a read was answered %d %s", a.status, a.code)
		case a.kind == read || a.began.Before(led):
		case a.good() && (first.IsZero() || a.end.Before(first)):
			first = a.end
		case a.status == http.StatusServiceUnavailable && a.code == "rest_unavailable" && a.retry != "":
			refused++
		case !a.good():
			t.Errorf("a write was answered %d %s, Retry-After %q", a.status, a.code, a.retry)
		}
	}
	t.Logf("writes refused after the address changed hands: %d; first acknowledged after %s", refused, first.Sub(led))
	if first.IsZero() || refused > 8 {
		t.Errorf("writes go on to the server that was the primary: %d refused", refused)
	}
	if status, body := program.Ready(); status != http.StatusOK || !strings.Contains(body, `"writable":true`) {
		t.Errorf("afterwards /readyz answers %d %s", status, body)
	}
}

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
	load.whole("12 writers on three nodes", g.Nodes...)
}
