package calendar_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// wrote creates a tag and returns the answer.
func wrote(h http.Handler, name string) *httptest.ResponseRecorder {
	return send(h, http.MethodPost, "/tags", `{"name":"`+name+`"}`, asJSON)
}

// TestCloseEndsWrites checks that Close waits for the running write, rejects later ones with 503 and Retry-After,
// does not affect reads, and may be called again.
func TestCloseEndsWrites(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	c, h := contract.Mount(t, calendar.Options{DB: db, Now: frozen, Authenticator: administrator(), Logger: quiet()})
	held, release := make(chan bool), make(chan bool)
	counter.Before(func(_ context.Context, _ int, query string) error {
		if strings.HasPrefix(query, "INSERT") {
			counter.Before(nil)
			close(held)
			<-release
		}
		return nil
	})
	under := make(chan *httptest.ResponseRecorder, 1)
	go func() { under <- wrote(h, "under way") }()
	<-held

	short, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Close(short); !errors.Is(err, context.Canceled) {
		t.Errorf("Close did not wait for a write: %v", err)
	}
	wantRefusedByClose(t, h)
	ended := make(chan error, 1)
	go func() { ended <- c.Close(t.Context()) }()
	close(release)
	if got := <-under; got.Code != http.StatusCreated {
		t.Errorf("the write under way: %d %s", got.Code, got.Body)
	}
	must.Succeed(t, <-ended)
	for range 2 {
		must.Succeed(t, c.Close(t.Context()))
		wantRefusedByClose(t, h)
	}
	if _, err := c.PublishDue(t.Context()); !errors.Is(err, calendar.ErrClosed) {
		t.Errorf("PublishDue after Close: %v", err)
	}
	for _, path := range []string{"/events/25", "/tags", "/doc"} {
		wantStatus(t, get(h, path), http.StatusOK, path)
	}
	if !strings.Contains(get(h, "/doc").Body.String(), "rest_closed") {
		t.Error("the answer is not documented")
	}
	for tag, word := range map[string]string{"/nl": "afgesloten", "/fr": "agenda s"} {
		address := contract.Site + tag + "/wp-json/" + namespace + "/tags"
		if r := send(h, http.MethodPost, address, `{"name":"x"}`, asJSON); !strings.Contains(r.Body.String(), word) {
			t.Errorf("%s: %s", tag, r.Body)
		}
	}
}

// wantRefusedByClose checks that writes of each kind are rejected because the calendar is closed.
func wantRefusedByClose(t *testing.T, h http.Handler) {
	t.Helper()
	for _, c := range []struct{ method, path, body string }{
		{http.MethodPatch, "/events/25", `{"title":"x"}`}, {http.MethodDelete, "/venues/8", ""},
		{http.MethodPost, "/tags/17?_method=DELETE", ""}, {http.MethodPost, "/tags", `{"name":"later"}`},
		{http.MethodPost, "/events", `{"title":" "}`}, // invalid, but the body is not examined
	} {
		w := send(h, c.method, c.path, c.body, asJSON)
		wantError(t, w, http.StatusServiceUnavailable, "rest_closed")
		if w.Header().Get("Retry-After") == "" {
			t.Errorf("%s %s: no Retry-After", c.method, c.path)
		}
	}
}

// TestCloseEndsTheLoop checks that the goroutine of PublishEvery publishes nothing after Close.
func TestCloseEndsTheLoop(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	c := made(t, calendar.Options{DB: db, Now: frozen, PublishEvery: time.Microsecond})
	must.Succeed(t, c.Close(t.Context()))
	counter.Reset()
	if err := c.Close(t.Context()); err != nil || len(counter.Statements()) > 0 {
		t.Errorf("%v, %q", err, counter.Statements())
	}
}

// TestPublishingLoopRecovers checks that a panic in one round of publishing is logged and that the next round runs.
func TestPublishingLoopRecovers(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	log := &record{}
	panicked, next := make(chan bool), make(chan bool)
	rounds := 0
	clock := func() time.Time { // called once per round, to find out which posts are due
		switch rounds++; rounds {
		case 1:
			close(panicked)
			panic("on purpose")
		case 2:
			close(next)
		}
		return frozen()
	}
	c := made(t, calendar.Options{DB: db, Logger: log.logger(), Now: clock, PublishEvery: time.Millisecond})
	<-panicked
	<-next
	must.Succeed(t, c.Close(t.Context()))
	logged := strings.Join(log.takeRecords(), "\n")
	if strings.Count(logged, "panic while publishing scheduled posts") != 1 || !strings.Contains(logged, "on purpose") {
		t.Errorf("logged %s", logged)
	}
	if n := counter.Transactions(); n.Begun != n.Committed+n.RolledBack {
		t.Errorf("%+v", n)
	}
}

// TestRegisterRefusesWhatNeedsClose checks that the function Register rejects options that start background work, since
// its caller has no calendar to close, and that the error recommends New and Close.
func TestRegisterRefusesWhatNeedsClose(t *testing.T) {
	db := testdb.SiteA(t)
	for _, opts := range []calendar.Options{
		{DB: db, PublishEvery: time.Minute}, {DB: db, Replicas: []*bun.DB{db}},
		{DB: db, Hooks: calendar.Hooks{OnChange: func(context.Context, calendar.Change) {}}},
	} {
		router := gin.New()
		err := calendar.Register(router, opts)
		if err == nil || !strings.HasPrefix(err.Error(), "calendar: ") || !strings.Contains(err.Error(), "New") ||
			!strings.Contains(err.Error(), "Close") {
			t.Errorf("%v", err)
		}
		if len(router.Routes()) > 0 {
			t.Error("routes were mounted")
		}
	}
}
