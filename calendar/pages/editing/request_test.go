package editing_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestRejectedFormsAreRead checks that a client that sends its whole form before it reads sees the answer also if the
// form was rejected before it was read to its end.
func TestRejectedFormsAreRead(t *testing.T) {
	const memory = 64 << 20
	f := ownSite(t, func(o *calendar.Options) { o.Limits.Answers = calendar.NewMemory(memory) })
	server := httptest.NewServer(f.handler)
	t.Cleanup(server.Close)
	large := "text=" + strings.Repeat("a", 40<<20) // more than the buffers of a connection contain
	parts := "--x\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\n" + large + "\r\n--x--\r\n"
	const encoded, multipart = "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"
	send := func(path, kind, site, body string) (status int, err error) {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
		if err != nil {
			return 0, err
		}
		defer func() { _ = conn.Close() }()
		_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: site.test\r\nContent-Type: %s\r\nContent-Length: %d\r\n"+
			"Sec-Fetch-Site: %s\r\n\r\n", path, kind, len(body), site)
		if err == nil {
			_, err = io.WriteString(conn, body)
		}
		if err != nil {
			return 0, fmt.Errorf("sending: %w", err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			return 0, err
		}
		_, err = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		return resp.StatusCode, err
	}
	check := func(path, kind, site, body string, want int) {
		t.Helper()
		if status, err := send(path, kind, site, body); status != want || err != nil {
			t.Errorf("%s %s %s: %d, %v, want %d", path, kind, site, status, err, want)
		}
	}
	check("/edit/sign-in/", encoded, "same-origin", large, http.StatusRequestEntityTooLarge)
	check("/edit/events/new/", multipart, "same-origin", parts, http.StatusUnauthorized)
	check("/edit/events/new/", multipart, "cross-site", parts, http.StatusForbidden)
	must.Succeed(t, calendar.Reserve(t.Context(), f.calendar, memory)) // the one answer that may exceed the limit
	check("/edit/sign-in/", encoded, "same-origin", large, http.StatusServiceUnavailable)
	// What is too large to be kept while somebody signs in again needs no memory.
	check("/edit/events/new/", multipart, "same-origin", parts, http.StatusUnauthorized)
}

// endless is a body without an end.
type endless struct{ read int64 }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	e.read += int64(len(p))
	return len(p), nil
}

// withDeadlines is a ResponseWriter that records the deadlines for reading.
type withDeadlines struct {
	*httptest.ResponseRecorder
	set []time.Time
}

func (w *withDeadlines) SetReadDeadline(at time.Time) error {
	w.set = append(w.set, at)
	return nil
}

// TestRestOfAFormIsLimited checks that the rest of a rejected form is not read without end: neither more than a form may
// have, nor longer than the host's server permits, nor what a client has not begun to send.
func TestRestOfAFormIsLimited(t *testing.T) {
	f := ownSite(t)
	for name, c := range map[string]struct {
		path, expect string
		least, most  int64
		deadlines    int
	}{
		"too large":                  {"/edit/sign-in/", "", 64 << 20, 80 << 20, 1},
		"too large, asked for":       {"/edit/sign-in/", "100-continue", 64 << 20, 80 << 20, 1},
		"no such page":               {"/edit/nothing/", "", 64 << 20, 80 << 20, 1},
		"no such page, not yet sent": {"/edit/nothing/", "100-continue", 0, 0, 0},
	} {
		body, w := &endless{}, &withDeadlines{ResponseRecorder: httptest.NewRecorder()}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "https://site.test"+c.path, body)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if c.expect != "" {
			r.Header.Set("Expect", c.expect)
		}
		f.handler.ServeHTTP(w, r)
		if w.Code < 400 || body.read < c.least || body.read > c.most || len(w.set) != c.deadlines {
			t.Errorf("%s: %d after %d bytes, deadlines %v", name, w.Code, body.read, w.set)
		}
		for _, at := range w.set {
			if at.IsZero() {
				t.Errorf("%s: it has no deadline any more, although the client may still be sending", name)
			}
		}
	}
}
