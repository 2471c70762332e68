package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// client asks a calendar. A line of level error in its log fails the test.
type client struct {
	t testing.TB
	h http.Handler
}

func newClient(t testing.TB, opts calendar.Options) *client {
	t.Helper()
	log := &errorLog{}
	opts.Logger = slog.New(log)
	t.Cleanup(func() {
		for _, line := range log.taken() {
			t.Errorf("logged: %s", line)
		}
	})
	return &client{t, Handler(t, opts)}
}

// errorLog keeps the lines of level error.
type errorLog struct {
	mu    sync.Mutex
	lines []string
}

func (l *errorLog) taken() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := l.lines
	l.lines = nil
	return lines
}

// Enabled, Handle, WithAttrs and WithGroup make it a slog.Handler.
func (l *errorLog) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }

func (l *errorLog) Handle(_ context.Context, r slog.Record) error {
	line := r.Message
	r.Attrs(func(a slog.Attr) bool {
		line += fmt.Sprintf(" %s=%.300q", a.Key, a.Value.String())
		return true
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
	return nil
}

func (l *errorLog) WithAttrs([]slog.Attr) slog.Handler { return l }

func (l *errorLog) WithGroup(string) slog.Handler { return l }

// answer is what came back.
type answer struct {
	request string
	status  int
	header  http.Header
	body    []byte
	json    map[string]any
}

// get asks for a path below the namespace, or a whole address. By name a caller
// of the site asks; "" is anonymous.
func (c *client) get(path, as string) *answer {
	c.t.Helper()
	return c.send(path, as, nil)
}

// send is get with a JSON body.
func (c *client) send(path, as string, body []byte) *answer {
	c.t.Helper()
	if strings.HasPrefix(path, "/") {
		path = Root + path
	}
	r := &http.Request{Method: http.MethodGet, Header: http.Header{}, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Body: http.NoBody}
	u, err := url.Parse(path)
	if err != nil {
		c.t.Fatalf("%s: %v", clipped(path), err)
	}
	r.URL, r.Host = u, u.Host
	if as != "" {
		r.Header.Set(callerHeader, as)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
		r.Body = readAll{bytes.NewReader(body)}
	}
	w := httptest.NewRecorder()
	c.h.ServeHTTP(w, r)
	a := &answer{request: clipped(as + " " + path + " " + string(body)), status: w.Code, header: w.Header(), body: w.Body.Bytes()}
	d := json.NewDecoder(bytes.NewReader(a.body))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		c.t.Fatalf("%s: %d, no JSON: %v\n%s", a.request, a.status, err, clipped(string(a.body)))
	}
	a.json, _ = v.(map[string]any) // an empty object is written as a list
	return a
}

type readAll struct{ *bytes.Reader }

func (readAll) Close() error { return nil }

func clipped(s string) string {
	if s = strings.TrimSpace(s); len(s) > 300 {
		return fmt.Sprintf("%s… (%d bytes)", s[:300], len(s))
	}
	return s
}

// collection finds the list of an answer.
func (a *answer) collection() ([]any, bool) {
	if _, ok := a.json["total"]; !ok { // an event has lists of terms of its own
		return nil, false
	}
	for _, name := range []string{"events", "venues", "organizers", "categories", "tags"} {
		if list, ok := a.json[name].([]any); ok {
			return list, true
		}
	}
	return nil, false
}

// summary tells an answer in a line: the slugs of a list in order, and its total
// where that is another number; the slug of an item; or status, code and the
// parameters at fault.
func (a *answer) summary() string {
	if a.status != http.StatusOK {
		text := fmt.Sprintf("%d %v", a.status, a.json["code"])
		data, _ := a.json["data"].(map[string]any)
		if _, ok := data["params"].(map[string]any); ok {
			text += " " + strings.Join(keysOf(a.body, "params"), ",")
		}
		return text
	}
	list, ok := a.collection()
	if !ok {
		return fmt.Sprint(a.json["slug"])
	}
	var words []string
	for _, item := range list {
		m, _ := item.(map[string]any)
		words = append(words, fmt.Sprint(m["slug"]))
	}
	if total := fmt.Sprint(a.json["total"]); total != fmt.Sprint(len(list)) {
		words = append(words, "of "+total)
	}
	return strings.Join(words, " ")
}

// ids are the ids of a list's items, in order.
func (a *answer) ids() []string {
	list, _ := a.collection()
	words := []string{}
	for _, item := range list {
		m, _ := item.(map[string]any)
		words = append(words, fmt.Sprint(m["id"]))
	}
	return words
}

// text is a member of the answer, "" if it is absent.
func (a *answer) text(name string) string {
	s, _ := a.json[name].(string)
	return s
}

// at follows member names and indexes into the answer and returns what is there as JSON.
func (a *answer) at(path ...any) string {
	var v any = a.json
	for _, step := range path {
		switch s := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			x, ok := m[s]
			if !ok {
				return "absent"
			}
			v = x
		case int:
			list, _ := v.([]any)
			if s >= len(list) {
				return "absent"
			}
			v = list[s]
		}
	}
	b, _ := json.Marshal(v)
	return string(b)
}

// row is a request and the summary of its answer.
type row struct{ path, want string }

// check asks for every row.
func (c *client) check(as string, rows []row) {
	c.t.Helper()
	for _, r := range rows {
		if a := c.get(r.path, as); a.summary() != r.want {
			c.t.Errorf("%s\n got  %s\n want %s", a.request, a.summary(), r.want)
		}
	}
}

// keysOf lists the member names of the first object with a name, "" for the
// outermost, in their order.
func keysOf(body []byte, name string) []string {
	if name != "" {
		_, after, ok := bytes.Cut(body, []byte(`"`+name+`":`))
		if !ok {
			return nil
		}
		body = after
	}
	d := json.NewDecoder(bytes.NewReader(body))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var keys []string
	for d.More() {
		k, err := d.Token()
		if err != nil {
			return keys
		}
		keys = append(keys, k.(string))
		var skipped json.RawMessage
		if d.Decode(&skipped) != nil {
			return keys
		}
	}
	return keys
}
