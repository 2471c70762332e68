package onchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/webhook"
)

// record is what was delivered.
type record struct {
	mu    sync.Mutex
	lines []string
}

// takeDelivered returns what was delivered since the last call.
func (r *record) takeDelivered() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	lines := r.lines
	r.lines = nil
	return lines
}

// heard returns a Config.Send that records what is delivered, and fails as long as fail returns true.
func heard(said *record, fail func() bool) func(context.Context, string, []Line) error {
	return func(_ context.Context, _ string, list []Line) error {
		if fail() {
			return errors.New("nobody hears")
		}
		said.mu.Lock()
		defer said.mu.Unlock()
		for _, l := range list {
			said.lines = append(said.lines, fmt.Sprintf("%s %s-%d", l.Operation, l.Kind, l.ID))
		}
		return nil
	}
}

func logger() *slog.Logger { return slog.New(slog.DiscardHandler) }

// TestChangesAreHandedOver checks that each change is delivered at once and again later, several of an item as one,
// that a failed delivery is repeated, and that too many changes of a resource are delivered as one for the resource.
func TestChangesAreHandedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said record
		var failing atomic.Bool
		n := New(Config{Send: heard(&said, failing.Load), Again: 30 * time.Second, Base: "https://x.example/v1",
			Logger: logger()})
		change := func(op string, id int64) { n.Changed(t.Context(), calendar.Change{Kind: "events", ID: id, Op: op}) }
		want := func(lines ...string) {
			t.Helper()
			synctest.Wait()
			if got := said.takeDelivered(); !slices.Equal(got, lines) {
				t.Errorf("%q, want %q", got, lines)
			}
		}
		change("create", 1)
		want("create events-1")
		time.Sleep(20 * time.Second)
		change("update", 1)
		want("update events-1")
		time.Sleep(29 * time.Second)
		want()
		time.Sleep(time.Second)
		want("update events-1")

		failing.Store(true)
		change("update", 2)
		synctest.Wait()
		change("trash", 2)
		change("update", 3)
		time.Sleep(500 * time.Millisecond)
		failing.Store(false)
		time.Sleep(time.Second)
		want("update events-2", "trash events-2", "update events-3")
		time.Sleep(time.Hour)
		want("trash events-2", "update events-3")

		failing.Store(true) // for longer than all attempts take
		change("update", 4)
		time.Sleep(time.Hour)
		failing.Store(false)
		time.Sleep(2 * laterPause)
		want("update events-4")
		time.Sleep(time.Hour)
		want()

		failing.Store(true)
		change("update", 1)
		synctest.Wait()
		for id := range int64(maxWaiting + 5) {
			change("update", 10+id)
		}
		failing.Store(false)
		time.Sleep(time.Second)
		synctest.Wait()
		if got := said.takeDelivered(); len(got) != maxWaiting+2 || got[maxWaiting+1] != "purge events-0" {
			t.Errorf("%d lines: %.200q", len(got), got)
		}
		n.Close(t.Context())
		if got := said.takeDelivered(); len(got) != maxWaiting+1 {
			t.Errorf("%d lines at the end", len(got))
		}
	})
}

// TestNobodyHears checks that the receiver may be down for longer than changes can be remembered: it is then notified
// of each item, or of the whole resource.
func TestNobodyHears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said record
		var failing atomic.Bool
		failing.Store(true)
		n := New(Config{Send: heard(&said, failing.Load), Again: 30 * time.Second, Base: "https://x.example/v1", Logger: logger()})
		defer n.Close(t.Context())
		change := func(kind string, id int64) {
			n.Changed(t.Context(), calendar.Change{Kind: kind, ID: id, Op: calendar.OpUpdate})
		}
		change("venues", 1)
		for id := range int64(maxWaiting + 1000) {
			change("events", id)
			if id%500 == 0 {
				time.Sleep(10 * time.Minute)
			}
		}
		change("venues", 2)
		time.Sleep(time.Hour)
		failing.Store(false)
		time.Sleep(3 * laterPause)
		got := said.takeDelivered()
		venues := slices.Contains(got, "purge venues-0") ||
			slices.Contains(got, "update venues-1") && slices.Contains(got, "update venues-2")
		if len(got) > maxWaiting+2 || !venues || !slices.Contains(got, "purge events-0") {
			t.Errorf("%d lines: %.200q", len(got), got)
		}
		time.Sleep(time.Hour)
		if got := said.takeDelivered(); len(got) > 0 {
			t.Errorf("told again: %.200q", got)
		}
	})
}

// TestCommand checks the input of a command, and that the error of a failing one contains its output.
func TestCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lines")
	l := Line{Kind: "tags", ID: 7, Operation: "delete", Address: "https://x.example/v1/tags/7", Tags: []string{"tags", "tags-7"}}
	here := os.Environ()
	must.Succeed(t, Command("cat >> "+file, here)(t.Context(), "", []Line{l, l}))
	const line = `{"kind":"tags","id":7,"operation":"delete","address":"https://x.example/v1/tags/7","tags":["tags","tags-7"]}` + "\n"
	if text, err := os.ReadFile(file); err != nil || !bytes.Equal(text, []byte(line+line)) {
		t.Errorf("%s %v", text, err)
	}
	if err := Command("echo no cache; exit 3", here)(t.Context(), "", []Line{l}); err == nil || !strings.Contains(err.Error(), "no cache") {
		t.Error(err)
	}
}

// TestPost checks the signature with the example of Standard Webhooks, that the request contains it, and that the
// status of the answer decides whether the delivery succeeded.
func TestPost(t *testing.T) {
	key := must.Get(webhook.Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n"))(t)
	got, _ := webhook.Sign("msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`), key)
	if got != "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" {
		t.Error(got)
	}
	for _, text := range []string{"", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_AAAA", "whsec_?"} {
		if _, err := webhook.Secret(text); !errors.Is(err, webhook.ErrSecret) {
			t.Errorf("%q: %v", text, err)
		}
	}
	status := http.StatusNoContent
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		h := r.Header
		seconds, _ := strconv.ParseInt(h.Get("webhook-timestamp"), 10, 64)
		want, _ := webhook.Sign("msg_1", time.Unix(seconds, 0), body, key)
		if h.Get("webhook-id") != "msg_1" || h.Get("webhook-signature") != want ||
			!strings.Contains(string(body), `"data":[{"kind":"tags","id":7,`) {
			t.Errorf("%v %s", h, body)
		}
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(status)
	}))
	defer server.Close()
	post, list := Post(server.URL, key), []Line{{Kind: "tags", ID: 7}}
	must.Succeed(t, post(t.Context(), "msg_1", list))
	for _, status = range []int{http.StatusFound, http.StatusGone, http.StatusBadGateway} {
		if err := post(t.Context(), "msg_1", list); err == nil {
			t.Errorf("%d is a success", status)
		}
	}
}
