//go:build cluster

package cluster

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// kinds of requests of a Load.
const (
	create = "create"
	update = "update"
	read   = "read"
)

// Load is clients that write and read the same site through one or more processes. Each writer in turn creates an event
// and updates one of a few events that all of them update, in two fields at once.
type Load struct {
	t       testing.TB
	run     string   // of this load, in the titles of its events
	shared  []string // ids of the events that all update
	clients []*client
	keys    bool
	pause   time.Duration
	stop    atomic.Bool
	began   time.Time
	ended   time.Time
	done    sync.WaitGroup
	half    atomic.Int64 // answers of reads that showed one field of an update without the other
	shown   sync.Map     // titles in answers of reads
}

var loads atomic.Int64

// Clients are those of a Load. Each begins with another process, as far as there are, and goes to the next one after each
// request that failed, unless it stays.
type Clients struct {
	Writers, Readers int
	Stay             bool
	Keys             bool          // writers repeat a request with its Idempotency-Key until it succeeds
	Pause            time.Duration // of writers, after each request
	Patience         time.Duration // how long they wait for an answer, default writePatience and readPatience
}

// Start starts clients of the processes of a site.
func Start(t testing.TB, clients Clients, processes ...*Program) *Load {
	t.Helper()
	l := &Load{t: t, keys: clients.Keys, pause: clients.Pause, run: fmt.Sprintf("load%d", loads.Add(1))}
	var roots []string
	for _, p := range processes {
		roots = append(roots, p.Root)
	}
	for range 3 {
		id, err := post(roots[0], "/events", eventOf(l.run+"-shared"))
		must(t, err)
		l.shared = append(l.shared, id)
	}
	l.began = time.Now()
	for i := range clients.Writers + clients.Readers {
		work, patience := l.write, writePatience
		if i >= clients.Writers {
			work, patience = l.read, readPatience
		}
		c := newClient(i, roots, cmp.Or(clients.Patience, patience))
		c.stay = clients.Stay
		l.clients = append(l.clients, c)
		l.done.Go(func() { work(c) })
	}
	return l
}

// eventOf is the body that creates an event.
func eventOf(title string) string {
	return fmt.Sprintf(`{"title":"%[1]s","start_date":"2031-05-01 10:00:00","end_date":"2031-05-01 12:00:00","status":"publish",`+
		`"website":"https://example.org/%[1]s","tags":["loaded"],"categories":["loaded"],"venue":{"venue":"Hall of %[1]s"},`+
		`"organizer":{"organizer":"Friends of %[1]s"}}`, title)
}

func (l *Load) write(c *client) {
	for n := 0; !l.stop.Load(); n++ {
		token := fmt.Sprintf("%s-%d-%d", l.run, c.number, n)
		l.writeOne(c, create, token, "/events", eventOf(token))
		if l.stop.Load() {
			return
		}
		id := l.shared[n%len(l.shared)]
		token += "-updated" // no event that was created has this title
		l.writeOne(c, update, id+" "+token, "/events/"+id,
			fmt.Sprintf(`{"title":"%[1]s","website":"https://example.org/%[1]s"}`, token))
	}
}

// writeOne sends a write, and with a key repeats it until it succeeds.
func (l *Load) writeOne(c *client, kind, token, path, body string) {
	key := ""
	if l.keys {
		key = strings.ReplaceAll(token, " ", "/")
	}
	for {
		a, _ := c.sendKey(key, kind, token, http.MethodPost, path, body)
		time.Sleep(l.pause)
		if a.good() || key == "" || l.stop.Load() {
			return
		}
	}
}

func (l *Load) read(c *client) {
	for n := 0; !l.stop.Load(); n++ {
		a, text := c.send(read, "", http.MethodGet, "/events/"+l.shared[n%len(l.shared)]+"?_fields=title,website", "")
		var shown struct{ Title, Website string }
		if a.good() && json.Unmarshal(text, &shown) == nil {
			l.shown.Store(shown.Title, true)
			if shown.Website != "https://example.org/"+shown.Title {
				l.half.Add(1)
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// Stop ends the clients and waits for their last answers.
func (l *Load) Stop() {
	l.stop.Store(true)
	l.ended = time.Now()
	l.done.Wait()
	for _, c := range l.clients {
		c.http.CloseIdleConnections()
	}
}

// answers returns those to one kind of request.
func (l *Load) answers(kind string) (found []answer) {
	for _, c := range l.clients {
		for _, a := range c.got {
			if a.kind == kind {
				found = append(found, a)
			}
		}
	}
	return found
}

// silence returns the longest time that any client that reads, or that writes, was without a good answer while the machine
// ran.
func (l *Load) silence(reads bool) (longest time.Duration) {
	for _, c := range l.clients {
		since := l.began
		for _, a := range c.got {
			if (a.kind == read) == reads && a.good() {
				longest, since = max(longest, a.end.Sub(since)-stoodStill(since, a.end)), a.end
			}
		}
		if len(c.got) > 0 && (c.got[0].kind == read) == reads {
			longest = max(longest, l.ended.Sub(since)-stoodStill(since, l.ended))
		}
	}
	return longest
}

// statuses returns how often each status came, and the code of an error with it.
func (l *Load) statuses() string {
	count := map[string]int{}
	for _, c := range l.clients {
		for _, a := range c.got {
			is := strings.TrimSpace(fmt.Sprint(a.status, " ", strings.TrimPrefix(a.code, "rest_")))
			if a.status == 0 {
				is = "no answer"
			}
			count[is]++
		}
	}
	var parts []string
	for _, is := range slices.Sorted(maps.Keys(count)) {
		parts = append(parts, fmt.Sprintf("%s × %d", is, count[is]))
	}
	return strings.Join(parts, ", ")
}

// Speed is how the requests of one kind were answered.
type Speed struct {
	Good, Unavailable, Other int
	Median, P99, Longest     time.Duration // of all answers
}

// Speed returns how the requests of one kind were answered.
func (l *Load) Speed(kind string) (s Speed) {
	var took []time.Duration
	for _, a := range l.answers(kind) {
		switch {
		case a.good():
			s.Good++
		case a.status == http.StatusServiceUnavailable:
			s.Unavailable++
		default:
			s.Other++
		}
		took = append(took, a.end.Sub(a.began))
	}
	slices.Sort(took)
	if n := len(took); n > 0 {
		s.Median, s.P99, s.Longest = took[n/2], took[min(n-1, n*99/100)], took[n-1]
	}
	return s
}

// Share is that of requests that were answered 503.
func (s Speed) Share() float64 {
	return float64(s.Unavailable) / float64(max(1, s.Good+s.Unavailable+s.Other))
}

func (s Speed) String() string {
	return fmt.Sprintf("%d good, %d answered 503 (%.2f %%), %d otherwise; median %s, p99 %s, longest %s", s.Good, s.Unavailable,
		100*s.Share(), s.Other, s.Median.Round(time.Millisecond), s.P99.Round(time.Millisecond), s.Longest.Round(time.Millisecond))
}
