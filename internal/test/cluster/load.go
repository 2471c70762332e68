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

// Kinds of requests of a Load.
const (
	create = "create"
	update = "update"
	read   = "read"
)

// Load is a set of clients that write and read the same site through one or more processes. Each writer alternately
// creates an event and updates one of a few events that all writers update. An update changes two fields at once.
type Load struct {
	t       testing.TB
	run     string   // name of this load, in the titles of its events
	shared  []string // ids of the events that all writers update
	clients []*client
	keys    bool
	pause   time.Duration
	stop    atomic.Bool
	began   time.Time
	ended   time.Time
	done    sync.WaitGroup
	half    atomic.Int64 // reads that showed one field of an update without the other
	shown   sync.Map     // titles in the responses to reads
}

var loads atomic.Int64

// Clients configures the clients of a Load. Each one starts with a different process, as far as there are enough, and
// changes to the next process after each failed request, unless Stay is set.
type Clients struct {
	Writers, Readers int
	Stay             bool
	Keys             bool          // writers repeat a request with its Idempotency-Key until it succeeds
	Pause            time.Duration // pause of writers after each request
	Patience         time.Duration // how long clients wait for a response; the default is writePatience and readPatience
}

// Start starts clients of a site's processes.
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
		work, patience := l.sendWrites, writePatience
		if i >= clients.Writers {
			work, patience = l.sendReads, readPatience
		}
		c := newClient(i, roots, cmp.Or(clients.Patience, patience))
		c.stay = clients.Stay
		l.clients = append(l.clients, c)
		l.done.Go(func() { work(c) })
	}
	return l
}

// eventOf returns the body that creates an event.
func eventOf(title string) string {
	return fmt.Sprintf(`{"title":"%[1]s","start_date":"2031-05-01 10:00:00","end_date":"2031-05-01 12:00:00","status":"publish",`+
		`"website":"https://example.org/%[1]s","tags":["loaded"],"categories":["loaded"],"venue":{"venue":"Hall of %[1]s"},`+
		`"organizer":{"organizer":"Friends of %[1]s"}}`, title)
}

func (l *Load) sendWrites(c *client) {
	for n := 0; !l.stop.Load(); n++ {
		token := fmt.Sprintf("%s-%d-%d", l.run, c.number, n)
		l.writeOne(c, create, token, "/events", eventOf(token))
		if l.stop.Load() {
			return
		}
		id := l.shared[n%len(l.shared)]
		token += "-updated" // no event is created with this title
		l.writeOne(c, update, id+" "+token, "/events/"+id,
			fmt.Sprintf(`{"title":"%[1]s","website":"https://example.org/%[1]s"}`, token))
	}
}

// writeOne sends a write. If it has a key, it is repeated until it succeeds.
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

func (l *Load) sendReads(c *client) {
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

// Stop stops the clients and waits for their last responses.
func (l *Load) Stop() {
	l.stop.Store(true)
	l.ended = time.Now()
	l.done.Wait()
	for _, c := range l.clients {
		c.http.CloseIdleConnections()
	}
}

// answers returns the responses to one kind of request, or to all for "".
func (l *Load) answers(kind string) (found []answer) {
	for _, c := range l.clients {
		for _, a := range c.got {
			if kind == "" || a.kind == kind {
				found = append(found, a)
			}
		}
	}
	return found
}

// silence returns the longest time that any reading, or any writing, client was without a successful response while the
// machine was running.
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

// statuses returns the number of responses per status, with the codes of errors.
func (l *Load) statuses() string {
	count := map[string]int{}
	for _, a := range l.answers("") {
		is := strings.TrimSpace(fmt.Sprint(a.status, " ", strings.TrimPrefix(a.code, "rest_")))
		if a.status == 0 {
			is = "no answer"
		}
		count[is]++
	}
	var parts []string
	for _, is := range slices.Sorted(maps.Keys(count)) {
		parts = append(parts, fmt.Sprintf("%s × %d", is, count[is]))
	}
	return strings.Join(parts, ", ")
}

// Speed summarizes the responses to one kind of request.
type Speed struct {
	Good, Unavailable, Other int
	Median, P99, Longest     time.Duration // of all responses
}

// Speed returns the summary for one kind of request.
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

// Share returns the share of responses with status 503.
func (s Speed) Share() float64 {
	return float64(s.Unavailable) / float64(max(1, s.Good+s.Unavailable+s.Other))
}

func (s Speed) String() string {
	return fmt.Sprintf("%d good, %d answered 503 (%.2f %%), %d otherwise; median %s, p99 %s, longest %s", s.Good, s.Unavailable,
		100*s.Share(), s.Other, s.Median.Round(time.Millisecond), s.P99.Round(time.Millisecond), s.Longest.Round(time.Millisecond))
}
