package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// manyAddresses responds in a different way at each path.
type manyAddresses struct {
	release chan struct{} // closed to end the requests that hang

	mu      sync.Mutex
	hanging map[string]bool // the addresses that were requested
	live    int             // the number of messages that were accepted
}

func (m *manyAddresses) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var message struct{ Type string }
	if err := json.NewDecoder(r.Body).Decode(&message); err != nil || message.Type == "webhook.test" {
		return
	}
	how, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch how {
	case "hangs":
		m.mu.Lock()
		m.hanging[rest] = true
		m.mu.Unlock()
		select {
		case <-m.release:
		case <-r.Context().Done():
		}
	case "live":
		m.mu.Lock()
		m.live++
		m.mu.Unlock()
		return
	case "gone":
		w.WriteHeader(http.StatusGone)
		return
	case "after":
		w.Header().Set("Retry-After", rest)
	}
	w.WriteHeader(http.StatusServiceUnavailable)
}

// are reports whether the given number of addresses hang, and whether the one that responds has accepted at least as
// many messages as given.
func (m *manyAddresses) are(hanging, live int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.hanging) == hanging && m.live >= live
}

// TestLongWebhooksOfManyAddresses checks that 50 addresses that hang do not delay other ones; that a further try has its
// delay or that of Retry-After, up to the last one; and that 410 disables only its webhook.
func TestLongWebhooksOfManyAddresses(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, func(t *testing.T, j *journaled) {
		const hanging = 50
		many := &manyAddresses{release: make(chan struct{}), hanging: map[string]bool{}}
		defer close(many.release)
		server := httptest.NewServer(many)
		t.Cleanup(server.Close)
		h := &hooked{journaled: j}
		h.at, _ = url.Parse(server.URL)
		c := h.begin(false)
		add := func(path string) int64 {
			t.Helper()
			added, _, err := c.AddWebhook(t.Context(), calendar.Webhook{Address: server.URL + path, Kinds: []string{"events"}})
			must.Succeed(t, err)
			return added.ID
		}
		first := add("/hangs/0")
		var others []string
		for i := 1; i < hanging; i++ {
			others = append(others, fmt.Sprintf("SELECT '%s/hangs/%d', kinds, items, secret FROM wp_agenda_webhooks WHERE id = %d",
				server.URL, i, first))
		}
		h.own("INSERT INTO wp_agenda_webhooks (address, kinds, items, secret) " + strings.Join(others, " UNION ALL "))
		asked, several, last, gone := add("/after/7200"), add("/unavailable"), add("/unavailable"), add("/gone")
		// The delays of messages by webhook. TestWebhooks covers the first try, which is repeated soon.
		want := map[int64]time.Duration{asked: 2 * time.Hour, several: 5 * time.Hour}
		tries := map[int64]int{several: 4, last: 9}
		add("/live")
		h.start()

		h.own("UPDATE wp_agenda_webhooks SET disabled = 'test'")
		h.runForeign("UPDATE wp_posts SET post_title = 'First' WHERE ID = 9004")
		h.await("all wait", func() bool { return h.every(func(w calendar.Webhook) bool { return w.Waiting == 1 }) })
		for id, n := range tries {
			h.own(fmt.Sprintf("UPDATE wp_agenda_deliveries SET tries = %d WHERE webhook_id = %d", n, id))
		}
		h.own("UPDATE wp_agenda_webhooks SET disabled = ''")
		h.await("one is told while the others hang", func() bool { return many.are(hanging, 1) })
		h.await("the last try fails for good", func() bool {
			return h.every(func(w calendar.Webhook) bool { return (w.Failed == 1) == (w.ID == last) })
		})
		h.runForeign("UPDATE wp_posts SET post_title = 'Second' WHERE ID = 9004")
		h.await("it is tried again", func() bool { return h.every(func(w calendar.Webhook) bool { return w.Failed == 0 }) })
		h.await("one is told of the next change", func() bool { return many.are(hanging, 2) })
		h.await("tries have failed", func() bool {
			return h.every(func(w calendar.Webhook) bool {
				_, fails := want[w.ID]
				return !w.LastFailure.IsZero() || !fails && w.ID != gone
			})
		})
		h.waits(want, gone)
	})
}

// every reports whether a condition holds for all webhooks.
func (h *hooked) every(so func(calendar.Webhook) bool) bool {
	h.Helper()
	list := must.Get(h.calendar.Webhooks(h.Context()))(h)
	for _, w := range list {
		if !so(w) {
			return false
		}
	}
	return true
}

// waits checks the delay of each webhook's first message after the failed try.
func (h *hooked) waits(want map[int64]time.Duration, gone int64) {
	h.Helper()
	first := map[int64]*schema.Delivery{}
	var all []*schema.Delivery
	h.readRows(&all, "tries > 0")
	for _, d := range all {
		first[d.Webhook] = d
	}
	list := must.Get(h.calendar.Webhooks(h.Context()))(h)
	for _, w := range list {
		usual, fails := want[w.ID]
		if (w.Disabled == "gone") != (w.ID == gone) {
			h.Errorf("%+v", w)
		}
		d := first[w.ID]
		if !fails || d == nil {
			continue
		}
		wait := time.Duration(d.Due-w.LastFailure.UnixMilli()) * time.Millisecond
		asked := strings.Contains(w.Address, "/after/")
		if asked && wait != usual || wait < usual*5/6 || wait > usual*11/10 {
			h.Errorf("%s after %d tries: waits %s, want %s", w.Address, d.Tries, wait, usual)
		}
	}
}
