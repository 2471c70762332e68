package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/webhook"
	"github.com/agendahq/agenda/schema"
)

// hooked is a site with a journal, and a server that receives the messages about its changes.
type hooked struct {
	*journaled
	at   *url.URL
	log  output
	hook calendar.Webhook

	mu     sync.Mutex
	keys   [][]byte // the secrets with which each message must be signed
	status int      // of the responses
	schema func(told) (*jsonschema.Schema, error)
	got    []told
}

// told is a message that was received.
type told struct {
	id   string
	Type string
	Data struct {
		Kind, Operation, Address string
		ID, Position             int64
		Item                     *struct {
			Title         string
			Venue         any // the name of a venue, or the venues of an event
			Seats, Budget *float64
		}
	}
}

func (m told) String() string { return fmt.Sprintf("%s %s-%d", m.Type, m.Data.Kind, m.Data.ID) }

// hook starts the receiving server, and several processes that send.
func hook(t *testing.T, j *journaled) *hooked {
	t.Helper()
	h := &hooked{journaled: j, status: http.StatusNoContent}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	h.at, _ = url.Parse(server.URL)
	return h
}

// ServeHTTP receives a message and checks it.
func (h *hooked) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var m told
	if err := json.Unmarshal(body, &m); err != nil || r.Method != http.MethodPost {
		h.Errorf("%s %s: %v", r.Method, body, err)
	}
	m.id = r.Header.Get(webhook.HeaderID)
	h.mu.Lock()
	defer h.mu.Unlock()
	seconds, _ := strconv.ParseInt(r.Header.Get(webhook.HeaderTimestamp), 10, 64)
	for _, key := range h.keys {
		want, _ := webhook.Sign(m.id, time.Unix(seconds, 0), body, key)
		if !strings.Contains(r.Header.Get(webhook.HeaderSignature), want) {
			h.Errorf("%s is not signed: %q", m, r.Header)
		}
	}
	if h.schema != nil {
		value, _ := jsonschema.UnmarshalJSON(bytes.NewReader(body))
		s, err := h.schema(m)
		if err == nil {
			err = s.Validate(value)
		}
		if err != nil {
			h.Errorf("%s: %v", body, err)
		}
	}
	if r.URL.Path == "/moved" {
		w.Header().Set("Location", "/")
		w.WriteHeader(http.StatusTemporaryRedirect)
		return
	}
	if m.Type != "webhook.test" {
		h.got = append(h.got, m)
	}
	w.WriteHeader(h.status)
}

// answer sets the status of the responses to messages.
func (h *hooked) answer(status int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.status = status
}

// options returns the options of a process that sends.
func (h *hooked) options() calendar.Options {
	port, _ := strconv.ParseUint(h.at.Port(), 10, 16)
	return calendar.Options{
		DB: h.db, Logger: slog.New(slog.NewTextHandler(&h.log, nil)), Site: calendar.Site{Translations: calendar.TranslationsTable},
		Webhooks: calendar.Webhooks{
			Send: true, Ports: []uint16{uint16(port)}, Allow: func(a netip.Addr) bool { return a.IsLoopback() },
		},
		Languages: []calendar.Language{{Tag: "en", BaseURL: "https://calendar.example/wp-json"}}, Fields: journaledFields(),
	}
}

// start starts a process that sends.
func (h *hooked) start() *calendar.Calendar { return h.begin(true) }

// begin starts a process. send is whether it sends messages.
func (h *hooked) begin(send bool) *calendar.Calendar {
	h.Helper()
	o := h.options()
	o.Webhooks.Send = send
	c := must.Get(calendar.New(h.Context(), o))(h)
	h.Cleanup(func() { _ = c.Close(context.Background()) })
	return c
}

// await waits for a condition, up to three minutes, because machines may be slow.
func (h *hooked) await(what string, so func() bool) {
	h.Helper()
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if so() {
			return
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.Fatalf("%s: got %v; log %s", what, h.got, h.log.String())
}

// next waits for messages, compares them with want and returns them.
func (h *hooked) next(want ...string) []told {
	h.Helper()
	h.await(strings.Join(want, ", "), func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return len(h.got) >= len(want)
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	got := h.got
	h.got = nil
	if texts := fmt.Sprint(got); texts != fmt.Sprint(want) {
		h.Errorf("told %s, want %s", texts, want)
	}
	return got
}

// runForeign executes statements of another program, and compares so that the changes are found.
func (h *hooked) runForeign(statements ...string) {
	h.Helper()
	h.run(statements...)
	must.Get(h.calendar.ScanJournal(h.Context()))(h)
}

// one returns the webhook in its current state.
func (h *hooked) one() calendar.Webhook {
	h.Helper()
	list, err := h.calendar.Webhooks(h.Context())
	if err != nil || len(list) != 1 {
		h.Fatalf("%+v %v", list, err)
	}
	return list[0]
}

// TestWebhooks checks that changes by another program are sent signed and in order, and only once per try although two
// processes send. It covers retries, a killed process, rotation of secrets, an address that is gone, a full queue, and
// that protected values are not sent.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, func(t *testing.T, j *journaled) {
		h := hook(t, j)
		command := h.begin(false)
		h.refusals(command)
		given := calendar.Webhook{Address: h.at.String() + "/in", Kinds: []string{"events"}, Items: true}
		before, _, err := command.AddWebhook(t.Context(), given)
		if err = errors.Join(err, command.RemoveWebhook(t.Context(), before.ID)); err != nil {
			t.Fatal(err)
		}
		h.runForeign("UPDATE wp_posts SET post_title = 'While there is none' WHERE post_type = 'tribe_events' AND ID <> 9004")
		added, secret, err := command.AddWebhook(t.Context(), given)
		must.Succeed(t, err)
		key, _ := webhook.Secret(secret)
		h.mu.Lock()
		h.hook, h.keys = added, [][]byte{key}
		h.mu.Unlock()
		c, second := h.start(), h.start()
		h.documented(c)

		h.runForeign("UPDATE wp_posts SET post_title = 'Another' WHERE ID = 9004",
			"UPDATE wp_posts SET post_title = 'Hall 2' WHERE ID = 9002",
			"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (9004, 'host_seats', '120'), (9004, 'host_budget', '900')")
		m := h.next("event.updated events-9004")[0]
		if m.Data.Operation != "update" || m.Data.Address != "https://calendar.example/wp-json/vendor/events/v1/events/9004" ||
			m.Data.Position == 0 || m.Data.Item == nil || m.Data.Item.Title != "Another" {
			t.Errorf("%+v", m)
		}
		if i := m.Data.Item; i == nil || i.Seats == nil || *i.Seats != 120 || i.Budget != nil { // only editors may read the budget
			t.Errorf("fields of the host: %+v", i)
		}
		h.tries()
		h.hidden()
		h.rotated(c)
		h.disabled(c)
		if err := second.Close(t.Context()); err != nil {
			t.Error(err)
		}
		h.full()
		for _, text := range []string{h.log.String(), fmt.Sprintf("%+v", h.one())} {
			if strings.Contains(text, "whsec_") || strings.Contains(text, strings.TrimPrefix(secret, "whsec_")) {
				t.Errorf("a secret is told: %s", text)
			}
		}
		if err := c.RemoveWebhook(t.Context(), added.ID); err != nil {
			t.Error(err)
		}
		var refused *calendar.Error
		if err := c.RemoveWebhook(t.Context(), added.ID); !errors.As(err, &refused) || refused.Status != http.StatusNotFound {
			t.Error(err)
		}
	})
}

// refusals checks that certain addresses are rejected with an error that says why.
func (h *hooked) refusals(c *calendar.Calendar) {
	h.Helper()
	elsewhere := h.newCalendar(nil) // it allows public addresses only
	golden.Each(h.T, "refused-hooks.txt", func(public bool, address, kind, param string) {
		of := c
		if public {
			of = elsewhere
		}
		address = strings.ReplaceAll(address, "{at}", h.at.String())
		_, _, err := of.AddWebhook(h.Context(), calendar.Webhook{Address: address, Kinds: []string{kind}})
		var refused *calendar.Error
		if !errors.As(err, &refused) || refused.Status != http.StatusBadRequest || refused.Params[param] == "" {
			h.Errorf("%s: %v", address, err)
		}
	})
}

// documented checks that the documentation contains the messages, and makes later messages be checked against their
// schemas.
func (h *hooked) documented(c *calendar.Calendar) {
	h.Helper()
	text := must.Get(c.Do(h.Context(), http.MethodGet, "/doc", nil, nil))(h)
	doc := must.Get(jsonschema.UnmarshalJSON(bytes.NewReader(text)))(h)
	for _, name := range []string{"event.created", "venue.updated", "tag.deleted", "sync.required", "webhook.test"} {
		if _, ok := doc.(map[string]any)["webhooks"].(map[string]any)[name]; !ok {
			h.Errorf("%s is not documented", name)
		}
	}
	compiler := jsonschema.NewCompiler()
	must.Succeed(h, compiler.AddResource("doc.json", doc))
	h.mu.Lock()
	defer h.mu.Unlock()
	h.schema = func(m told) (*jsonschema.Schema, error) {
		return compiler.Compile("doc.json#/webhooks/" + m.Type + "/post/requestBody/content/application~1json/schema")
	}
}

// due makes all queued messages due, and ends every lease.
func (h *hooked) due() {
	h.own("UPDATE wp_agenda_deliveries SET due = 1, held_until = 0 WHERE tries > 0")
}

// freeze prevents that failed messages are tried again before due is called, however slow the machine is.
func (h *hooked) freeze() {
	h.Helper()
	const later = "UPDATE wp_agenda_deliveries SET due = 4000000000000 WHERE tries > 0 AND holder = ''"
	h.own(later)
	own := must.Get(schema.OpenJournal(h.Context(), h.db, "wp_", false))(h)
	defer own.Close()
	h.await("nothing is being sent", func() bool {
		n, err := own.DB.NewSelect().Model((*schema.Delivery)(nil)).Where("holder <> ''").Count(h.Context())
		return err == nil && n == 0
	})
	h.own(later)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.got = nil
}

// tries checks that a message that is not accepted is sent again with the same id and before later changes, also if the
// process was killed while it was sending.
func (h *hooked) tries() {
	h.Helper()
	h.answer(http.StatusInternalServerError)
	h.runForeign("UPDATE wp_posts SET post_title = 'Third' WHERE ID = 9004")
	first := h.next("event.updated events-9004")[0]
	h.await("it waits", func() bool { w := h.one(); return w.Waiting == 1 && w.Problem == "answered 500" })
	h.freeze()
	h.answer(http.StatusNoContent)
	h.runForeign("UPDATE wp_posts SET post_title = 'Fourth' WHERE ID = 9004")
	h.await("the second one waits behind it", func() bool { return h.one().Waiting == 2 })
	h.due()
	again := h.next("event.updated events-9004", "event.updated events-9004")
	if again[0].id != first.id || again[1].id == first.id || again[1].Data.Position <= again[0].Data.Position {
		h.Errorf("%+v, first %+v", again, first)
	}
	h.await("both were taken", func() bool { return h.one().Waiting == 0 })
	h.killed()
}

// killed checks that a message is sent that a process had reserved before it was killed.
func (h *hooked) killed() {
	h.Helper()
	h.answer(http.StatusBadGateway)
	h.runForeign("UPDATE wp_posts SET post_title = 'Fifth' WHERE ID = 9004")
	first := h.next("event.updated events-9004")[0]
	h.await("it waits", func() bool { w := h.one(); return w.Waiting == 1 && w.Problem == "answered 502" })
	h.freeze()
	h.own("UPDATE wp_agenda_deliveries SET holder = 'killed', held_until = 4000000000000, due = 1")
	h.answer(http.StatusNoContent)
	h.runForeign("UPDATE wp_posts SET post_title = 'Sixth' WHERE ID = 9004")
	h.await("the second one waits behind it", func() bool { return h.one().Waiting == 2 })
	h.own("UPDATE wp_agenda_deliveries SET held_until = 1 WHERE holder = 'killed'") // as if the lease had ended
	again := h.next("event.updated events-9004", "event.updated events-9004")
	if again[0].id != first.id {
		h.Errorf("%+v, first %+v", again, first)
	}
	h.await("both were taken", func() bool { return h.one().Waiting == 0 })
}

// hidden checks that no message contains a draft, and that an item that becomes hidden is reported as deleted.
func (h *hooked) hidden() {
	h.Helper()
	h.runForeign("UPDATE wp_posts SET post_status = 'draft' WHERE ID = 9004")
	if m := h.next("event.deleted events-9004")[0]; m.Data.Item != nil {
		h.Errorf("%+v", m)
	}
	h.runForeign("UPDATE wp_posts SET post_title = 'Secret' WHERE ID = 9004")
	h.runForeign("UPDATE wp_posts SET post_status = 'publish', post_title = 'Public' WHERE ID = 9004")
	if m := h.next("event.created events-9004")[0]; m.Data.Item == nil || m.Data.Item.Title != "Public" {
		h.Errorf("%+v", m)
	}
}

// rotated checks that messages are signed with two secrets after a rotation.
func (h *hooked) rotated(c *calendar.Calendar) {
	h.Helper()
	secret := must.Get(c.RotateWebhook(h.Context(), h.hook.ID))(h)
	key, _ := webhook.Secret(secret)
	h.mu.Lock()
	h.keys = append(h.keys, key)
	h.mu.Unlock()
	h.runForeign("UPDATE wp_posts SET post_title = 'Seventh' WHERE ID = 9004")
	h.next("event.updated events-9004")
	h.own("UPDATE wp_agenda_webhooks SET old_until = 1") // as if a day had passed
	h.mu.Lock()
	h.keys = [][]byte{key}
	h.mu.Unlock()
	must.Succeed(h, c.TestWebhook(h.Context(), h.hook.ID))
}

// disabled checks that an address that is gone gets no further messages, and that a replay sends it all of them.
func (h *hooked) disabled(c *calendar.Calendar) {
	h.Helper()
	h.answer(http.StatusGone)
	h.runForeign("UPDATE wp_posts SET post_title = 'Eighth' WHERE ID = 9004")
	first := h.next("event.updated events-9004")[0]
	h.await("it is disabled", func() bool { w := h.one(); return w.Disabled == "gone" && w.Waiting == 1 })
	h.answer(http.StatusNoContent)
	h.runForeign("UPDATE wp_posts SET post_title = 'Ninth' WHERE ID = 9004")
	h.await("two wait", func() bool { return h.one().Waiting == 2 })
	if waiting, err := c.ReplayWebhook(h.Context(), h.hook.ID, 0); err != nil || waiting != 2 {
		h.Errorf("%d wait: %v", waiting, err)
	}
	if again := h.next("event.updated events-9004", "event.updated events-9004"); again[0].id != first.id {
		h.Errorf("%+v, first %+v", again, first)
	}
	h.await("both were taken", func() bool { return h.one().Waiting == 0 })
	must.Get(c.ReplayWebhook(h.Context(), h.hook.ID, first.Data.Position-1))(h)
	if m := h.next("event.updated events-9004")[0]; m.Data.Position <= first.Data.Position {
		h.Errorf("told again of %+v", m)
	}
	h.await("it was taken", func() bool { return h.one().Waiting == 0 })
}

// full checks that one message asks the receiver to sync if more than 10,000 would be queued.
func (h *hooked) full() {
	h.Helper()
	h.own("UPDATE wp_agenda_webhooks SET disabled = 'gone'")
	digits := "(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 " +
		"UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)"
	h.own("INSERT INTO wp_agenda_deliveries (id, webhook_id, type, kind, object_id, operation, sequence, number, due) SELECT " +
		"1000 * a.d + 100 * b.d + 10 * c.d + e.d, " + strconv.FormatInt(h.hook.ID, 10) + ", 'event.updated', 'events', " +
		"100000 + 1000 * a.d + 100 * b.d + 10 * c.d + e.d, 'update', 1, 1, 1 FROM " + digits + " a, " + digits + " b, " + digits + " c, " +
		digits + " e")
	h.runForeign("UPDATE wp_posts SET post_title = 'Tenth' WHERE ID = 9004")
	h.await("one asks for a sync", func() bool { return h.one().Waiting == 1 })
	h.runForeign("UPDATE wp_posts SET post_title = 'Eleventh' WHERE ID = 9004")
	h.own("UPDATE wp_agenda_webhooks SET disabled = ''")
	h.await("it was taken", func() bool { return h.one().Waiting == 0 })
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.got) == 0 || h.got[0].Type != "sync.required" || h.got[len(h.got)-1].Data.Position == 0 {
		h.Errorf("told %v", h.got)
	}
	h.got = nil
}

// TestWebhookCommands checks the commands, and that mistakes end with exit code 2.
func TestWebhookCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(code int, args ...string) string {
		t.Helper()
		return says(t, code, "", append(args, "--data", dir)...)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	defer server.Close()
	run(0, "init", "--email", "a@example.org", "--site-url", "https://calendar.example")
	run(0, "journal", "remove")
	says(t, 2, "agenda journal install", "webhook", "list", "--data", dir)
	run(0, "journal", "install")
	run(2, "webhook", "add")
	// The error of an address that is not allowed names the address, the port, and the flag.
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "http://"), ":")
	for address, named := range map[string]string{
		server.URL: "127.0.0.1, port " + port, "http://127.0.0.1": "127.0.0.1, port 80", "http://10.0.0.5:9000/hook": "10.0.0.5, port 9000",
		"https://8.8.8.8:9000": "8.8.8.8, port 9000",
	} {
		for _, networks := range []string{"", "10.1.0.0/16,192.168.0.0/16"} {
			text := run(2, "webhook", "add", address, "--webhook-networks", networks)
			if !strings.Contains(text, named) || !strings.Contains(text, "--webhook-networks") || strings.Contains(text, "whsec_") {
				t.Errorf("%s: %s", address, text)
			}
		}
	}
	// A name might resolve to an address in the allowed networks. Without such networks its port is sufficient to
	// reject it.
	says(t, 2, "port 9000", "webhook", "add", "https://receiver.example:9000", "--data", dir)
	run(2, "webhook", "remove", "first")
	run(2, "webhook", "remove", "1")
	added := run(0, "webhook", "add", server.URL, "--webhook-networks", "127.0.0.0/8", "--kinds", "events,venues")
	if !strings.Contains(added, "whsec_") || !strings.Contains(added, "--webhook-networks 127.0.0.0/8") {
		t.Error(added)
	}
	if text := run(0, "webhook", "list"); !strings.Contains(text, server.URL+"  events,venues  0 messages wait") ||
		strings.Contains(text, "whsec_") {
		t.Error(text)
	}
	says(t, 1, "answered 418", "webhook", "test", "1", "--webhook-networks", "127.0.0.0/8", "--data", dir)
	says(t, 0, "whsec_", "webhook", "rotate", "1", "--data", dir)
	run(2, "webhook", "replay", "1", "--after", "-1")
	run(0, "webhook", "replay", "1")
	run(0, "webhook", "remove", "1")
}
