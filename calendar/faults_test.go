package calendar_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// record is a log whose contents a test can read.
type record struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.String()
}

// takeRecords returns the records that were logged since the last call. It leaves out how changes in the database are
// detected, which each calendar logs when it starts.
func (r *record) takeRecords() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	text := strings.TrimSpace(r.b.String())
	r.b.Reset()
	if text == "" {
		return nil
	}
	return slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool {
		return strings.Contains(line, `"msg":"changes in the database are detected"`)
	})
}

func (r *record) logger() *slog.Logger {
	return slog.New(slog.NewJSONHandler(r, &slog.HandlerOptions{Level: slog.LevelInfo}))
}

// secret is in all credentials that tests send. It must not be logged.
const secret = "open-sesame"

var credentials = []header{{"Authorization", "Basic " + secret}, {"Cookie", "wordpress_logged_in_x=" + secret}, {"X-WP-Nonce", secret}}

// TestRequestTimeout checks that after the timeout the answer is 503, the running statement is cancelled, and no
// other statement is sent.
func TestRequestTimeout(t *testing.T) {
	t.Parallel()
	db, counter := testdb.Counted(t, testdb.SiteA)
	log := &record{}
	timeout := 100 * time.Millisecond
	for n := 1; n <= 2; n++ { // the statement that reads the settings, then the one that reads the event
		h := contract.Handler(t, calendar.Options{DB: db, Logger: log.logger(), Limits: calendar.Limits{RequestTimeout: timeout}})
		counter.Reset()
		reached, release := counter.BlockAt(n)
		defer release()
		w := get(h, "/events/25?password="+secret, credentials...)
		select {
		case <-reached:
		default: // the timeout was too short for a busy machine
			log.takeRecords()
			counter.Reset() // otherwise a statement of the next calendar is blocked
			timeout *= 2
			n--
			continue
		}
		wantError(t, w, http.StatusServiceUnavailable, "rest_timeout")
		if sent := counter.Statements(); len(sent) != n {
			t.Errorf("%d statements, held back at %d: %q", len(sent), n, sent)
		}
		logged := log.takeRecords()
		if len(logged) != 1 || strings.Contains(logged[0], secret) || !strings.Contains(logged[0], "deadline") {
			t.Errorf("logged %s", logged)
		}
		if strings.Contains(w.Body.String(), "deadline") || strings.Contains(w.Body.String(), "wp_") {
			t.Errorf("the cause is shown: %s", w.Body)
		}
	}
	counter.Reset()
	slow := contract.Handler(t, calendar.Options{DB: db, Logger: log.logger()})
	wantStatus(t, get(slow, "/events/25"), http.StatusOK)
}

// TestHostsDeadline checks that a request after a deadline which the host has set is also answered as a timeout.
func TestHostsDeadline(t *testing.T) {
	h := siteHandler(t, func(o *calendar.Options) { o.Logger = quiet() })
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	w := apitest.Send(ctx, h, http.MethodGet, "/events/25", "")
	wantError(t, w, http.StatusServiceUnavailable, "rest_timeout")
}

// TestClientGone checks that after the client has disconnected no statement follows the running one, and that the
// request does not count as a success.
func TestClientGone(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	log := &record{}
	c := made(t, calendar.Options{DB: db, Namespace: namespace, Logger: log.logger(), Now: frozen})
	engine := gin.New()
	var status int
	engine.Use(func(g *gin.Context) { g.Next(); status = g.Writer.Status() })
	must.Succeed(t, c.Register(engine))
	tried := 0
	for _, path := range []string{"/events/25", "/events?" + everything, "/venues?search=a", "/categories", "/events/by-slug/" +
		eventSlug} {
		for n := 1; ; n++ {
			counter.Reset()
			ctx, leave := context.WithCancel(t.Context())
			reached, release := counter.BlockAt(n)
			w, done := httptest.NewRecorder(), make(chan struct{})
			go func() {
				engine.ServeHTTP(w, httptest.NewRequest(http.MethodGet, contract.Root+path, nil).WithContext(ctx))
				close(done)
			}()
			gone := false
			select {
			case <-reached:
				gone = true
				leave()
			case <-done:
			}
			<-done
			leave()
			release()
			if !gone {
				if w.Code != http.StatusOK {
					t.Errorf("%s with a client that stays: %d %s", path, w.Code, w.Body)
				}
				break
			}
			tried++
			sent := counter.Statements()
			if len(sent) != n || w.Body.Len() != 0 || w.Code < 400 || status < 400 || w.Header().Get("ETag") != "" {
				t.Errorf("%s, gone at statement %d: %d statements, %d (%d) %.100q", path, n, len(sent), w.Code, status, w.Body)
			}
		}
	}
	if tried < 10 {
		t.Errorf("only %d statements were interrupted", tried)
	}
	if s := c.Stats(); s.InFlight != 0 || s.Failures != 0 {
		t.Errorf("counted %+v", s)
	}
	if logged := log.takeRecords(); len(logged) > 0 {
		t.Errorf("logged %s", logged)
	}
}

// unwrapping is the ResponseWriter of a host's middleware. It cannot flush, so gin's writer, which wraps it, panics if
// it is flushed.
type unwrapping struct{ http.ResponseWriter }

func (u unwrapping) Unwrap() http.ResponseWriter { return u.ResponseWriter }

// TestRequestTimeoutOfBodies checks that RequestTimeout also limits how long the body may take, with gin's
// ResponseWriter alone and with one of the host around it, and that the error is in the language of the request.
func TestRequestTimeoutOfBodies(t *testing.T) {
	t.Parallel()
	h := siteHandler(t, func(o *calendar.Options) { o.Limits.RequestTimeout = 2 * time.Second })
	for name, handler := range map[string]http.Handler{
		"gin":             h,
		"gin in a writer": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.ServeHTTP(unwrapping{w}, r) }),
	} {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		resp, err := server.Client().Get(server.URL + "/wp-json/" + namespace + "/events/25?_fields=id")
		must.Succeed(t, err)
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if string(body) != `{"id":25}` || err != nil {
			t.Errorf("%s: %s, %v", name, body, err)
		}
		conn := must.Get(net.Dial("tcp", server.Listener.Addr().String()))(t)
		t.Cleanup(func() { _ = conn.Close() })
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		_, _ = fmt.Fprintf(conn, "GET /fr/wp-json/%s/events/25 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"+
			"Content-Length: 9\r\n\r\n{", namespace)
		if resp, err = http.ReadResponse(bufio.NewReader(conn), nil); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		body, _ = io.ReadAll(resp.Body)
		want := `{"code":"rest_body_timeout","message":"Le corps de la requ\u00eate n\u2019est pas arriv\u00e9 \u00e0 temps. ` +
			`Renvoyez la requ\u00eate.","data":{"status":408}}`
		if resp.StatusCode != http.StatusRequestTimeout || string(body) != want || !resp.Close {
			t.Errorf("%s: %d %s %v", name, resp.StatusCode, body, resp.Header)
		}
	}
}
