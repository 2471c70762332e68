package main

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/webhook"
)

// TestOnChangeOfAnAddress checks that an address gets changes in a signed POST, that a failed one is repeated with the
// same id, and that each change is also sent a second time later.
func TestOnChangeOfAnAddress(t *testing.T) {
	t.Parallel()
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	key := must.Get(webhook.Secret(secret))(t)
	type message struct{ id, body string }
	messages := make(chan message, 10)
	var tries atomic.Int64
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		id := r.Header.Get(webhook.HeaderID)
		seconds, _ := strconv.ParseInt(r.Header.Get(webhook.HeaderTimestamp), 10, 64)
		if want, _ := webhook.Sign(id, time.Unix(seconds, 0), body, key); r.Header.Get(webhook.HeaderSignature) != want {
			t.Errorf("%q is not signed", r.Header)
		}
		if tries.Add(1) == 1 {
			w.WriteHeader(http.StatusBadGateway)
		}
		messages <- message{id, string(body)}
	}))
	t.Cleanup(receiver.Close)
	file := filepath.Join(t.TempDir(), "secret")
	writeTestFile(t, file, secret+"\n")
	address, printed, end := printing(t, "-plain-http", "-on-change", receiver.URL, "-on-change-secret-file", file)
	addTag(t, address, printed)
	first, again := <-messages, <-messages
	if first.id == "" || first.id != again.id || !strings.Contains(again.body, `"data":[{"kind":"tags","id":`) {
		t.Errorf("%q, then %q", first, again)
	}
	ended(t, end)
	if last := <-messages; last.id == first.id || !strings.Contains(last.body, `"data":[{"kind":"tags","id":`) {
		t.Errorf("%q after %q", last, first)
	}
}

// TestOnChangeComesAgain checks that a change is sent again after the longest time that an older response can take to
// reach the cache.
func TestOnChangeComesAgain(t *testing.T) {
	for _, w := range []struct{ request, stale, settle, again time.Duration }{
		{20 * time.Second, time.Second, 3 * time.Second, 20 * time.Second},
		{time.Second, time.Minute, 3 * time.Second, time.Minute},
		{time.Second, 0, 3 * time.Second, 3 * time.Second},
	} {
		s := settings{onChange: "true", requestTimeout: w.request}
		s.cache.MaxStale, s.cache.Settle = w.stale, w.settle
		n := must.Get(s.notifier(version{}, slog.New(slog.DiscardHandler)))(t)
		n.Close(t.Context())
		if n.Again != w.again {
			t.Errorf("%+v: after %s", w, n.Again)
		}
	}
}

// addTag adds a tag as an editor of the demo site.
func addTag(t *testing.T, address, printed string) (status int) {
	t.Helper()
	resp, _ := sent(t, http.MethodPost, address+"/wp-json/vendor/events/v1/tags", `{"name":"Told"}`, func(r *http.Request) {
		r.Header.Set("Content-Type", "application/json")
		r.SetBasicAuth("editor", credentials(printed)["editor"])
	})
	return resp.StatusCode
}

// TestOnChange checks that a command gets changes through the API, at once and once more; that its environment lacks
// the variables of the program, some of which are secrets; that a failing command has no other effect; and that an
// address requires a secret.
func TestOnChange(t *testing.T) {
	file, environment := filepath.Join(t.TempDir(), "lines"), filepath.Join(t.TempDir(), "environment")
	t.Setenv("AGENDA_CACHE_MAX_AGE", "7m")
	t.Setenv("TOKEN_OF_THE_CACHE", "kept")
	for _, command := range []string{"exit 1", "cat >> " + file + "; env > " + environment} {
		address, printed, end := printing(t, "-plain-http", "-on-change", command)
		status := addTag(t, address, printed)
		if code, log := end(); code != 0 || status != http.StatusCreated {
			t.Errorf("%s: %d, %d: %s", command, code, status, log)
		}
	}
	if got, err := os.ReadFile(environment); err != nil || bytes.Contains(got, []byte("AGENDA_")) ||
		!bytes.Contains(got, []byte("TOKEN_OF_THE_CACHE=kept")) {
		t.Errorf("the environment of the command: %s %v", got, err)
	}
	text, err := os.ReadFile(file)
	if lines := strings.SplitAfter(string(text), "\n"); err != nil || len(lines) != 3 || lines[0] != lines[1] ||
		!strings.HasPrefix(lines[0], `{"kind":"tags","id":`) {
		t.Errorf("%s %v", text, err)
	}
	says(t, 2, "--on-change-secret-file", "serve", "-data", ":memory:", "-on-change", "https://cache.example")
}
