//go:build cluster

package cluster

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// groupLoad returns how long each fault of a group is tested at least: AGENDA_TEST_LOAD, or half a minute.
func groupLoad(t *testing.T) time.Duration {
	given := os.Getenv("AGENDA_TEST_LOAD")
	if given == "" {
		return 30 * time.Second
	}
	d, err := time.ParseDuration(given)
	must(t, err, "AGENDA_TEST_LOAD")
	return d
}

// span is a period in which a group elects a primary.
type span struct{ from, to time.Time }

// groupFault is a fault that is repeatedly caused on a member.
type groupFault struct {
	name      string
	begin     func(hit *Server)
	ofPrimary bool // the fault affects the primary, so that another member has to take over
	stays     bool // the affected member stays in the group
	end       func(hit *Server)
	left      func(hit *Server) // called if the member has left the group; may be nil
}

// suffer lets clients write and read for the time of groupLoad, with a fault every half minute, and checks the
// responses.
func (g *Group) suffer(t *testing.T, fault groupFault, clients Clients, processes ...*Program) {
	t.Helper()
	load := Start(t, clients, processes...)
	w := &watched{t: t, seen: map[string]int{}}
	stop := w.readYourWrites(processes)
	var spans []span
	for end, round := time.Now().Add(groupLoad(t)), 0; round == 0 || time.Now().Before(end); round++ {
		began := time.Now()
		time.Sleep(3 * time.Second)
		hit, other := g.pair(fault.ofPrimary)
		failing := span{from: time.Now()}
		fault.begin(hit)
		if fault.ofPrimary {
			other = g.untilPrimary(other, hit)
		}
		if !fault.stays {
			g.untilLeft(other, hit)
		}
		failing.to = time.Now().Add(settle)
		if fault.ofPrimary {
			spans = append(spans, failing)
		}
		t.Logf("%s: the group went on without it after %s", fault.name, time.Since(failing.from).Round(100*time.Millisecond))
		time.Sleep(3 * time.Second)
		if fault.left != nil {
			fault.left(hit)
		}
		fault.end(hit)
		if left := time.Until(end); left > 0 {
			time.Sleep(min(left, max(3*time.Second, 30*time.Second-time.Since(began))))
		} else {
			time.Sleep(3 * time.Second)
		}
	}
	load.Stop()
	stop(fault.name)
	g.judged(t, load, fault.name, spans)
}

// judged checks the responses to clients, and that all members have what was acknowledged.
func (g *Group) judged(t *testing.T, load *Load, name string, spans []span) {
	t.Helper()
	g.level()
	load.whole(name, g.Members...)
	load.onlyUnavailable(name, "rest_idempotency_key_running")
	asked, refused := 0, 0
	for _, a := range load.answers("") {
		if slices.ContainsFunc(spans, func(s span) bool { return a.began.Before(s.to) && a.end.After(s.from) }) {
			continue
		}
		asked++
		if a.status == http.StatusServiceUnavailable {
			refused++
		}
	}
	t.Logf("%s: outside fail-over %d of %d requests were answered 503", name, refused, asked)
	if asked == 0 || refused*100 > asked {
		t.Errorf("%s: outside fail-over too many were", name)
	}
}

// faults returns the faults of the primary, or of another member. name describes the affected member.
func (g *Group) faults(ofPrimary bool, name string) []groupFault {
	connect := func(s *Server) {
		g.untilAlone(s)
		g.Connect(s)
		g.Rejoin(s)
	}
	return []groupFault{
		{"kill -9 of " + name, (*Server).Kill, ofPrimary, false, g.Rejoin, nil},
		{"isolation of " + name, g.Isolate, ofPrimary, false, connect, nil},
		{"isolation of " + name + ", at first one way", func(s *Server) {
			g.Deafen(s) // what it sends may be committed, but no response reaches it
			time.Sleep(4 * time.Second)
			g.Isolate(s)
		}, ofPrimary, false, connect, nil},
	}
}

// change returns the fault that makes another member the primary.
func (g *Group) change() groupFault {
	return groupFault{"change of the primary", func(hit *Server) {
		_, other := g.pair(true)
		hit.Exec("SELECT group_replication_set_as_primary('" + other.uuid() + "')")
	}, true, true, func(*Server) {}, nil}
}

// alone checks the processes of a member that has left the group unintentionally. Its data may be old, so the process
// whose reads wait for the others must refuse to show it.
func (g *Group) alone(t *testing.T, any, exact *Program) {
	t.Helper()
	g.readOnly(t, any)
	if status, body := exact.Ready(); status != http.StatusServiceUnavailable {
		t.Errorf("/readyz answers %d %s where reads wait for the others", status, body)
	}
	c := newClient(0, []string{exact.Root}, patient.Patience)
	defer c.http.CloseIdleConnections()
	if a, text := c.send(read, "", http.MethodGet, "/events", ""); a.status != http.StatusServiceUnavailable || a.retry == "" {
		t.Errorf("a read that waits for the others is answered %d, Retry-After %q: %s", a.status, a.retry, text)
	}
}

// readOnly checks the process of a member that is not writable.
func (g *Group) readOnly(t *testing.T, p *Program) {
	t.Helper()
	if status, body := p.Ready(); status != http.StatusOK || !strings.Contains(body, `"writable":false`) {
		t.Errorf("/readyz answers %d %s", status, body)
	}
	c := newClient(0, []string{p.Root}, patient.Patience)
	defer c.http.CloseIdleConnections()
	if a, text := c.send(read, "", http.MethodGet, "/events", ""); !a.good() {
		t.Errorf("a read is answered %d: %s", a.status, text)
	}
	a, text := c.send(create, "", http.MethodPost, "/events", eventOf("refused"))
	if a.status != http.StatusServiceUnavailable || a.retry == "" {
		t.Errorf("a write is answered %d, Retry-After %q: %s", a.status, a.retry, text)
	}
}

// patient clients wait longer than a member waits for the majority.
var patient = Clients{Writers: 12, Readers: 6, Patience: 20 * time.Second}

// TestGroupOfOnePrimary causes faults of a group with one primary, to which a router leads.
func TestGroupOfOnePrimary(t *testing.T) {
	g := NewGroup(t, 3, true)
	router := NewRouter(t, g)
	Install(t, DSN(router.Addr(), ""))
	var processes []*Program
	for range 3 {
		processes = append(processes, Serve(t, DSN(router.Addr(), "&timeout=1s")))
	}
	_, secondary := g.pair(true)
	g.readOnly(t, Serve(t, DSN(secondary.Addr(), "")))
	clients := patient
	t.Log("| fault | acknowledged | lost | twice | half | longest silence for writers, readers | statuses |")
	for _, fault := range slices.Concat(g.faults(true, "the primary"), g.faults(false, "a secondary")[:2], []groupFault{g.change()}) {
		t.Run(fault.name, func(t *testing.T) { g.suffer(t, fault, clients, processes...) })
	}
	clients.Keys = true
	for _, fault := range g.faults(true, "the primary") {
		t.Run(fault.name+", with keys", func(t *testing.T) { g.suffer(t, fault, clients, processes...) })
	}
}

// TestGroupOfPrimaries causes faults of a group whose members are all writable, with a process on each whose reads wait
// for what was committed elsewhere (group_replication_consistency).
func TestGroupOfPrimaries(t *testing.T) {
	g := NewGroup(t, 3, false)
	Install(t, DSN(g.Members[0].Addr(), ""))
	var any, exact []*Program
	for _, s := range g.Members {
		any = append(any, Serve(t, DSN(s.Addr(), "&timeout=1s")))
		exact = append(exact, Serve(t, DSN(s.Addr(), "&timeout=1s&group_replication_consistency=%27BEFORE%27"),
			"--cache-bytes", "67108864"))
	}
	t.Log("| fault | acknowledged | lost | twice | half | longest silence for writers, readers | statuses |")
	w := &watched{t: t, seen: map[string]int{}}
	stop := w.readYourWrites(exact)
	load := Start(t, Clients{Writers: 12, Stay: true, Patience: patient.Patience}, exact...)
	time.Sleep(groupLoad(t))
	load.Stop()
	stop("12 writers of three members")
	t.Logf("12 writers on three members: creates: %s; updates: %s", load.Speed(create), load.Speed(update))
	g.judged(t, load, "12 writers of three members", nil)
	for _, fault := range g.faults(false, "one of three primaries") {
		fault.left = func(hit *Server) {
			if i := slices.Index(g.Members, hit); strings.HasPrefix(fault.name, "isolation") {
				g.untilAlone(hit)
				g.alone(t, any[i], exact[i])
			}
		}
		t.Run(fault.name, func(t *testing.T) { g.suffer(t, fault, patient, exact...) })
	}
}
