package rest_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/test/must"
)

// patience is how long these tests wait for something that must happen.
const patience = time.Minute

// listening serves an engine over HTTP as a host would: below the host's own paths, one of which, /stream, takes longer
// than the engine's timeout.
func listening(t *testing.T, s *server, change func(*http.Server)) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) {
		for i := range 6 {
			time.Sleep(s.Timeout / 4)
			_, _ = fmt.Fprintln(w, "part", i)
			_ = http.NewResponseController(w).Flush()
		}
		if err := r.Context().Err(); err != nil {
			t.Errorf("the host's own request ended: %v", err)
		}
		_, _ = io.WriteString(w, "end")
	})
	mux.HandleFunc("/api/ns/", func(w http.ResponseWriter, r *http.Request) {
		s.Serve(w, r, rest.Target{Root: root, Path: strings.TrimPrefix(r.URL.EscapedPath(), "/api/ns")})
	})
	h := httptest.NewUnstartedServer(mux)
	if change != nil {
		change(h.Config)
	}
	h.Start()
	t.Cleanup(h.Close)
	return h
}

func dial(t *testing.T, h *httptest.Server) net.Conn {
	t.Helper()
	c := must.Get(net.Dial("tcp", h.Listener.Addr().String()))(t)
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	return c
}

// TestLateBody checks that a body that does not arrive in time is answered with 408 and the connection is closed,
// whether the limit is ours or an earlier one of the host (B2).
func TestLateBody(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ours, hosts time.Duration
		head        string
		sent        string
	}{
		"nothing":      {100 * time.Millisecond, 0, "Content-Length: 100", ""},
		"some":         {100 * time.Millisecond, 0, "Content-Length: 100", `{"title":`},
		"chunked":      {100 * time.Millisecond, 0, "Transfer-Encoding: chunked", "4\r\n{\"ti\r\n"},
		"to be asked":  {100 * time.Millisecond, 0, "Content-Length: 100\r\nExpect: 100-continue", ""},
		"host's later": {100 * time.Millisecond, time.Hour, "Content-Length: 100", ""},
		"host's first": {time.Hour, 100 * time.Millisecond, "Content-Length: 100", ""},
	} {
		s := newServer(echo)
		s.Timeout, s.Authenticate = c.ours, editor
		conn := dial(t, listening(t, s, func(h *http.Server) { h.ReadTimeout = c.hosts }))
		_, _ = fmt.Fprintf(conn,
			"POST /api/ns/items HTTP/1.1\r\nHost: x\r\nX-Role: editor\r\nContent-Type: application/json\r\n%s\r\n\r\n%s", c.head, c.sent)
		r := bufio.NewReader(conn)
		resp, err := http.ReadResponse(r, nil)
		for err == nil && resp.StatusCode == http.StatusContinue {
			resp, err = http.ReadResponse(r, nil)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		body, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != http.StatusRequestTimeout || !strings.Contains(string(body), `"code":"rest_body_timeout"`) {
			t.Errorf("%s: %d %s", name, resp.StatusCode, body)
		}
		if _, err := r.ReadByte(); err != io.EOF {
			t.Errorf("%s: the connection stays open: %v", name, err)
		}
	}
}

// TestBodyThatNobodyWants checks that a body which is ignored, or no longer needed, and does not arrive keeps no
// connection open either (B2).
func TestBodyThatNobodyWants(t *testing.T) {
	t.Parallel()
	for request, want := range map[string]int{
		"POST /api/ns/items HTTP/1.1\r\nX-Role: editor\r\nContent-Type: text/plain": 200,
		"POST /api/ns/items HTTP/1.1\r\nContent-Type: application/json":             401,
		"PUT /api/ns/nothing HTTP/1.1\r\nContent-Type: application/json":            404,
		"GET /api/ns/items HTTP/1.1\r\nContent-Type: " + form:                       200,
	} {
		s := newServer(echo)
		s.Timeout, s.Authenticate = 200*time.Millisecond, editor
		conn := dial(t, listening(t, s, nil))
		_, _ = io.WriteString(conn, request+"\r\nHost: x\r\nContent-Length: 1000\r\n\r\nthe beginning")
		r := bufio.NewReader(conn)
		resp, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Errorf("%s: %v", request, err)
			continue
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		if _, err := r.ReadByte(); err != io.EOF || resp.StatusCode != want {
			t.Errorf("%s: %d, and the connection stays open: %v", request, resp.StatusCode, err)
		}
	}
}

// TestLargeBodyThatNobodyWants checks that a client that sends a body of maximum size before it reads the answer gets
// the answer, even if the body was not needed, or was rejected while it arrived, and can use the connection again.
func TestLargeBodyThatNobodyWants(t *testing.T) {
	t.Parallel()
	for role, want := range map[string]int{"": http.StatusUnauthorized, "editor": http.StatusServiceUnavailable} {
		s := newServer(echo)
		s.Timeout, s.Authenticate, s.Budget = 20*time.Second, editor, budget.NewPool(0)
		if err := s.Budget.Reserve(t.Context(), 1); err != nil { // the one answer that may exceed the limit
			t.Fatal(err)
		}
		conn := dial(t, listening(t, s, nil))
		r := bufio.NewReader(conn)
		for range 2 {
			_, _ = fmt.Fprintf(conn, "POST /api/ns/items HTTP/1.1\r\nHost: x\r\nX-Role: %s\r\nContent-Type: application/json\r\n"+
				"Content-Length: %d\r\n\r\n", role, s.MaxBody)
			must.Get(conn.Write(make([]byte, s.MaxBody)))(t)
			resp := must.Get(http.ReadResponse(r, nil))(t)
			if body, err := io.ReadAll(resp.Body); resp.StatusCode != want || err != nil {
				t.Errorf("%d %s, %v", resp.StatusCode, body, err)
			}
		}
	}
}

// TestDeadlinesEnd checks that our deadlines no longer apply once our answer is written: a stream of the host that
// follows on the connection is not interrupted (B2).
func TestDeadlinesEnd(t *testing.T) {
	t.Parallel()
	for name, hosts := range map[string]time.Duration{"host without a limit": 0, "host with a later one": time.Hour} {
		s := newServer(echo)
		s.Timeout, s.Authenticate = 400*time.Millisecond, editor
		h := listening(t, s, func(h *http.Server) { h.ReadTimeout, h.WriteTimeout = hosts, hosts })
		ask := func(method, path, body string, reused bool) (status int, answer string) {
			got := false
			ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) { got = i.Reused }})
			r := must.Get(http.NewRequestWithContext(ctx, method, h.URL+path, strings.NewReader(body)))(t)
			r.Header.Set("X-Role", "editor")
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("If-None-Match", "*")
			resp, err := h.Client().Do(r)
			if err != nil {
				t.Fatalf("%s %s: %v", method, path, err)
			}
			text, err := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			if err != nil || got != reused {
				t.Errorf("%s: %s %s: %v, on the same connection: %v", name, method, path, err, got)
			}
			return resp.StatusCode, string(text)
		}
		for i, before := range []struct {
			method, path, body string
			status             int
		}{
			{"POST", "/api/ns/items", `{"title":"x"}`, 200}, {"GET", "/api/ns/items", "", 304},
			{"HEAD", "/api/ns/items/5?count=x", "", 400},
			{"GET", "/api/ns/nothing", strings.Repeat("unread", 1000), 404}, {"POST", "/api/ns/items", "{", 400},
		} {
			if status, _ := ask(before.method, before.path, before.body, i > 0); status != before.status {
				t.Errorf("%s: %s %s: %d", name, before.method, before.path, status)
			}
			if status, text := ask("GET", "/stream", "", true); status != 200 || !strings.HasSuffix(text, "part 5\nend") {
				t.Errorf("%s: after %s %s the stream ended with %q", name, before.method, before.path, text)
			}
		}
	}
}

// noting is a ResponseWriter with deadlines that records its calls.
type noting struct {
	*httptest.ResponseRecorder
	done []string
}

func (n *noting) record(what string, at time.Time) error {
	switch {
	case at.IsZero():
		what += " never"
	case time.Until(at) > 90*time.Minute:
		what += " as the host says"
	}
	n.done = append(n.done, what)
	return nil
}

func (n *noting) SetReadDeadline(at time.Time) error  { return n.record("read", at) }
func (n *noting) SetWriteDeadline(at time.Time) error { return n.record("write", at) }
func (n *noting) Flush()                              { n.done = append(n.done, "flush") }

// TestDeadlinesAreGivenBack checks that deadlines are set before we read and write, and restored when the body was read
// and when the answer was sent (B2).
func TestDeadlinesAreGivenBack(t *testing.T) {
	for name, c := range map[string]struct {
		method, body string
		host         *http.Server
		want         string
	}{
		"without a body": {"GET", "", nil, "write, flush, write never"},
		"with a body":    {"POST", "{}", nil, "read, write, read never, write, flush, write never"},
		"a body unread":  {"PUT", "{}", nil, "read, write, flush, write never"},
		"of a host": {"POST", "{}", &http.Server{ReadTimeout: 2 * time.Hour, WriteTimeout: 2 * time.Hour},
			"read, write, read never, write, flush, write as the host says"},
		"of another host": {"GET", "", &http.Server{ReadTimeout: time.Second}, "write, flush, write never"},
	} {
		s := newServer(echo)
		s.Authenticate = editor
		r := httptest.NewRequest(c.method, "http://site.test/api/ns/items", strings.NewReader(c.body))
		if r.Header.Set("X-Role", "editor"); c.body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		if c.host != nil {
			r = r.WithContext(context.WithValue(r.Context(), http.ServerContextKey, c.host))
		}
		w := &noting{ResponseRecorder: httptest.NewRecorder()}
		s.Serve(w, r, rest.Target{Root: root, Path: "/items"})
		if got := strings.Join(w.done, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestClientsThatReadNothing checks that 300 clients that do not read their answers are disconnected after the limit,
// ours or an earlier one of the host (B2).
func TestClientsThatReadNothing(t *testing.T) {
	t.Parallel()
	large := func(_ context.Context, r *rest.Request) (*rest.Response, error) {
		r.Out.String(strings.Repeat("x", 1<<17))
		return nil, nil
	}
	for name, c := range map[string]struct {
		ours, hosts time.Duration
		clients     int
		handle      rest.Handler
		requests    int // number that each client sends at once
	}{
		"ours":          {200 * time.Millisecond, 0, 300, large, 1},
		"ours, earlier": {200 * time.Millisecond, time.Hour, 10, large, 1},
		"host's":        {time.Hour, 200 * time.Millisecond, 10, large, 1},
		"small answers": {200 * time.Millisecond, 0, 10, echo, 2000},
	} {
		s := newServer(c.handle)
		s.Timeout = c.ours
		var gone sync.WaitGroup
		h := listening(t, s, func(h *http.Server) {
			h.WriteTimeout = c.hosts
			h.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
				_ = c.(*net.TCPConn).SetWriteBuffer(4096)
				return ctx
			}
			h.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateClosed {
					gone.Done()
				}
			}
		})
		gone.Add(c.clients)
		for range c.clients {
			conn := dial(t, h)
			_ = conn.(*net.TCPConn).SetReadBuffer(4096)
			go func() {
				_, _ = io.WriteString(conn, strings.Repeat("GET /api/ns/items HTTP/1.1\r\nHost: x\r\n\r\n", c.requests))
			}()
		}
		done := make(chan struct{})
		go func() { gone.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(patience):
			t.Fatalf("%s: some are still there: %+v", name, s.Counters())
		}
	}
}

// TestLateBodyOverHTTP2 checks late bodies over HTTP/2, where a deadline is that of one request.
func TestLateBodyOverHTTP2(t *testing.T) {
	t.Parallel()
	s := newServer(echo)
	s.Timeout, s.Authenticate = 2*time.Second, editor // a late answer gets half of it, on a busy machine too
	h := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Serve(w, r, rest.Target{Root: root, Path: strings.TrimPrefix(r.URL.EscapedPath(), "/api/ns")})
	}))
	h.EnableHTTP2 = true
	h.StartTLS()
	t.Cleanup(h.Close)
	for range 2 {
		never, stop := io.Pipe()
		t.Cleanup(func() { _ = stop.Close() })
		r := must.Get(http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+"/api/ns/items", never))(t)
		r.Header.Set("X-Role", "editor")
		r.Header.Set("Content-Type", "application/json")
		resp := must.Get(h.Client().Do(r))(t)
		body, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if resp.ProtoMajor != 2 || resp.StatusCode != http.StatusRequestTimeout || !strings.Contains(string(body), "rest_body_timeout") {
			t.Errorf("%s %d %s", resp.Proto, resp.StatusCode, body)
		}
	}
}

// unwrapping is a ResponseWriter like those of middleware: it has no Flush method, and only the one that it wraps
// supports deadlines.
type unwrapping struct{ http.ResponseWriter }

func (u unwrapping) Unwrap() http.ResponseWriter { return u.ResponseWriter }

// plainWriter does not support deadlines and wraps nothing.
type plainWriter struct{ http.ResponseWriter }

// TestWritersWithoutDeadlines checks that a ResponseWriter without deadlines or Flush causes no error.
func TestWritersWithoutDeadlines(t *testing.T) {
	s := newServer(echo)
	s.Authenticate = editor
	for name, wrap := range map[string]func(http.ResponseWriter) http.ResponseWriter{
		"recorder":   func(w http.ResponseWriter) http.ResponseWriter { return w },
		"unwrapping": func(w http.ResponseWriter) http.ResponseWriter { return unwrapping{w} },
		"plain":      func(w http.ResponseWriter) http.ResponseWriter { return plainWriter{w} },
	} {
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s.Serve(wrap(w), r, rest.Target{Root: root, Path: strings.TrimPrefix(r.URL.EscapedPath(), "/api/ns")})
		}))
		t.Cleanup(h.Close)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+"/api/ns/items", strings.NewReader(`{"title":"x"}`))
		must.Succeed(t, err)
		r.Header.Set("X-Role", "editor")
		r.Header.Set("Content-Type", "application/json")
		resp := must.Get(h.Client().Do(r))(t)
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || string(body) != `{"title":"x","count":"7"}` {
			t.Errorf("%s: %v %s", name, err, body)
		}
	}
	if w := s.do("GET", "/items", ""); w.Flushed {
		t.Error("an answer without deadlines is flushed")
	}
	if s.log.Len() > 0 {
		t.Errorf("logged %s", &s.log)
	}
}
