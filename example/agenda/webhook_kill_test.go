package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"sync"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/webhook"
)

// killer receives messages, and says when to kill the sender.
type killer struct {
	mu       sync.Mutex
	messages map[string]told // messages by id
	titles   map[int64]any
	repeated int
	after    int           // the number of messages after which the next one is not answered
	hangs    chan struct{} // closed when that message arrives
	release  chan struct{}
}

func (k *killer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m told
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil || m.Type == "webhook.test" {
		return
	}
	m.id = r.Header.Get(webhook.HeaderID)
	if k.recordMessage(m) {
		<-k.release // the sender was killed, so nobody reads the response
	}
}

// recordMessage records a message, and reports whether it must not be answered.
func (k *killer) recordMessage(m told) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if m.Data.Item != nil {
		k.titles[m.Data.ID] = m.Data.Item.Venue
	}
	was, known := k.messages[m.id]
	m.Data.Item, m.Data.Address = nil, "" // it contains the server's port, which differs
	if known {
		k.repeated++
	}
	if known && was != m {
		m.Type = "another message with the id of " + was.String()
	}
	k.messages[m.id] = m
	k.after--
	if k.after == -1 {
		close(k.hangs)
	}
	return k.after == -1
}

// expect makes the message after the given number hang, and returns a channel that is closed when it arrives.
func (k *killer) expect(after int) (hangs chan struct{}) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.after, k.hangs = after, make(chan struct{})
	return k.hangs
}

// TestLongWebhooksOfKilledServers kills servers while they send a message and others are queued. After the restart each
// change is sent. Only the message that was being sent arrives twice, with the same id.
func TestLongWebhooksOfKilledServers(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, func(t *testing.T, j *journaled) {
		place := j.place()
		succeeds := func(args ...string) { t.Helper(); moved(t, 0, append(args, place...)...) }
		k := &killer{messages: map[string]told{}, titles: map[int64]any{}, release: make(chan struct{})}
		receiver := httptest.NewServer(k)
		t.Cleanup(receiver.Close)
		defer close(k.release)
		k.expect(1 << 30)
		var venues []string
		for i := range 20 {
			venues = append(venues, shortPost(9600+i, "tribe_venue", "Round 0"))
		}
		j.run(insertedPosts("INSERT", venues...))
		succeeds("journal", "install")
		succeeds("journal", "scan")
		succeeds("webhook", "add", receiver.URL, "-items", "-kinds", "venues", "-webhook-networks", "127.0.0.0/8")
		var last *exec.Cmd
		var out *output
		for round, after := range []int{0, 7, 1 << 30} {
			out = &output{}
			last = command(t, out, append([]string{"serve", "-addr", "127.0.0.1:0", "-webhook-networks", "127.0.0.0/8"}, place...)...)
			must.Succeed(t, last.Start())
			t.Cleanup(func() { _ = last.Process.Kill(); _ = last.Wait() })
			hangs := k.expect(after)
			until(t, out, `(Agenda is ready)`)
			j.run(fmt.Sprintf("UPDATE wp_posts SET post_title = 'Round %d' WHERE ID BETWEEN 9600 AND 9619", round+1))
			succeeds("journal", "scan")
			if after == 1<<30 {
				break
			}
			<-hangs
			_ = last.Process.Kill() // with SIGKILL
			_ = last.Wait()
			j.own("UPDATE wp_agenda_journal SET held_until = 1 WHERE name <> 'journal'") // as if the leases had ended
			j.own("UPDATE wp_agenda_deliveries SET held_until = 1 WHERE holder <> ''")
		}
		(&hooked{journaled: j}).await("all is told", func() bool {
			k.mu.Lock()
			defer k.mu.Unlock()
			for i := range int64(len(venues)) {
				if k.titles[9600+i] != "Round 3" {
					return false
				}
			}
			return true
		})
		_ = last.Process.Kill()
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.repeated != 2 {
			t.Errorf("%d messages came again after 2 kills", k.repeated)
		}
		for id, m := range k.messages {
			if m.Type != "venue.updated" {
				t.Errorf("%s: %s", id, m)
			}
		}
	})
}
