package rest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/test/atonce"
)

// TestPanics checks that a panic, wherever it happens, leads to one answer and one log record.
func TestPanics(t *testing.T) {
	boom := func() { panic("boom of " + t.Name()) }
	for name, arm := range map[string]func(*server){
		"handler": func(s *server) {
			s.handle = func(_ context.Context, r *rest.Request) (*rest.Response, error) {
				r.Out.Object()
				r.Out.KeyString("half", "written")
				boom()
				return nil, nil
			}
		},
		"caller": func(s *server) {
			s.Authenticate = func(context.Context, *http.Request, func(string) (string, bool)) (caller.Principal, []rest.Header, error) {
				boom()
				return caller.Principal{}, nil, nil
			}
		},
		"settings": func(s *server) {
			s.Prepare = func(ctx context.Context, _ *call.Root, _ time.Duration) (context.Context, bool, error) {
				boom()
				return ctx, true, nil
			}
		},
		"nil": func(s *server) {
			s.handle = func(context.Context, *rest.Request) (*rest.Response, error) {
				var list []int
				return &rest.Response{Status: list[len(os.Args)]}, nil
			}
		},
	} {
		s := newServer(echo)
		arm(s)
		w := s.do("GET", "/items?password=open-sesame", "", "Authorization", "Basic open-sesame", "Cookie",
			"wordpress_logged_in_x=open-sesame", "X-WP-Nonce", "open-sesame")
		if w.Code != http.StatusInternalServerError || code(t, w) != "internal_server_error" || w.Header().Get("ETag") != "" {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		for _, inner := range []string{"half", "boom", "goroutine", ".go", "panic"} {
			if strings.Contains(w.Body.String(), inner) {
				t.Errorf("%s: %q is shown: %s", name, inner, w.Body)
			}
		}
		log := s.log.String()
		if strings.Count(log, "\n") != 1 || !strings.Contains(log, "engine_test.go") || strings.Contains(log, "open-sesame") {
			t.Errorf("%s: logged %s", name, log)
		}
		if n := s.Counters(); n != (rest.Counters{Requests: 1, Failures: 1}) {
			t.Errorf("%s: counted %+v", name, n)
		}
		s.handle, s.Authenticate = echo, nil
		if name != "settings" {
			if w := s.do("GET", "/items", ""); w.Body.String() != `{"count":"7"}` {
				t.Errorf("%s, afterwards: %s", name, w.Body)
			}
		}
	}
}

// TestAbort checks that http.ErrAbortHandler, which aborts a connection on purpose, is passed on.
func TestAbort(t *testing.T) {
	s := newServer(func(context.Context, *rest.Request) (*rest.Response, error) { panic(http.ErrAbortHandler) })
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("recovered %v", p)
		}
		if s.log.Len() != 0 || s.Counters().InFlight != 0 {
			t.Errorf("logged %s, counted %+v", &s.log, s.Counters())
		}
	}()
	s.do("GET", "/items", "")
}

// TestErrors checks that an error of a handler becomes the answer and that its cause is not shown.
func TestErrors(t *testing.T) {
	away, slow, broken := errors.New("away"), errors.New("slow"), errors.New("broken")
	gone := apierror.New(http.StatusGone, "item-gone", "error_gone")
	fault := param.Invalid("fault_x", "Max", 3)
	fault.Param = "title"
	for name, c := range map[string]struct {
		err    error
		status int
		code   string
		text   string
		logged int
	}{
		"an answer": {gone, 410, "item-gone", `"message":"en:error_gone"`, 0},
		"with data": {gone.With("ID", 5), 410, "item-gone", `"message":"en:error_goneMap[ID:5]"`, 0},
		"wrapped":   {fmt.Errorf("reading: %w", gone), 410, "item-gone", `error_gone`, 0},
		"a fault": {&param.Failure{Faults: []*param.Fault{fault}}, 400, "rest_invalid_param",
			`"params":{"title":"en:fault_xMap[Max:3]"},"details":[]`, 0},
		"missing": {&param.Failure{Missing: []string{"title", "any"}}, 400, "rest_missing_callback_param", `"params":["title","any"]`,
			0},
		"wrapped fault": {fmt.Errorf("x: %w", &param.Failure{Missing: []string{"title"}}), 400, "rest_missing_callback_param",
			`"params":["title"]`, 0},
		"unreachable":   {fmt.Errorf("query: %w", away), 503, "rest_unavailable", `error_unavailable`, 1},
		"too late":      {fmt.Errorf("query: %w", context.DeadlineExceeded), 503, "rest_timeout", `error_timeout`, 1},
		"whatever else": {errors.New("column secret_column"), 500, "internal_server_error", `error_internal`, 1},
		"no right":      {fmt.Errorf("write: %w", caller.ErrForbidden), 401, "rest_forbidden", `error_forbidden`, 0},
		"slow":          {fmt.Errorf("query: %w", slow), 503, "rest_timeout", `error_timeout`, 1},
		"broken":        {fmt.Errorf("query: %w", broken), 503, "rest_database_fault", `error_database`, 1},
	} {
		s := newServer(func(_ context.Context, r *rest.Request) (*rest.Response, error) {
			r.Out.Object()
			return &rest.Response{Status: 201, Header: []rest.Header{{Name: "X-TEC-Total", Value: int64(3)}}}, c.err
		})
		s.Explain = func(err error) *apierror.Error {
			for answer, of := range map[*apierror.Error]error{rest.ErrUnavailable: away, rest.ErrTimeout: slow, rest.ErrDatabase: broken} {
				if errors.Is(err, of) {
					return answer
				}
			}
			return nil
		}
		w := s.do("GET", "/items", "")
		body := strings.ReplaceAll(w.Body.String(), "map[", "Map[")
		if w.Code != c.status || code(t, w) != c.code || !strings.Contains(body, c.text) {
			t.Errorf("%s: %d %s", name, w.Code, body)
		}
		if strings.Contains(body, "secret_column") || strings.Contains(body,
			"query") || w.Header().Get("X-TEC-Total") != "" || w.Header().Get("Allow") != "GET" {
			t.Errorf("%s: %s %v", name, body, w.Header())
		}
		if after := w.Header().Get("Retry-After"); (after != "") != (c.status == 503) {
			t.Errorf("%s: %d with Retry-After %q", name, c.status, after)
		}
		if n := strings.Count(s.log.String(), "\n"); n != c.logged {
			t.Errorf("%s: logged %d times: %s", name, n, &s.log)
		}
	}
}

// TestResponses checks the status and headers of a handler, with and without an envelope.
func TestResponses(t *testing.T) {
	s := newServer(func(_ context.Context, r *rest.Request) (*rest.Response, error) {
		r.Out.Object()
		r.Out.KeyInt("id", 3)
		r.Out.End()
		return &rest.Response{Status: 201,
			Header: []rest.Header{{Name: "Location", Value: "http://site.test/3"}, {Name: "X-TEC-Total", Value: int64(3)}}}, nil
	})
	s.Authenticate = editor
	w := s.do("POST", "/items", "", "X-Role", "editor")
	if w.Code != 201 || w.Header().Get("Location") != "http://site.test/3" || w.Header().Get("X-TEC-Total") != "3" ||
		w.Header().Get("ETag") != "" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	w = s.do("POST", "/items?_envelope", "", "X-Role", "editor")
	want := `{"body":{"id":3},"status":201,"headers":{"Location":"http:\/\/site.test\/3","X-TEC-Total":3,"Allow":"GET, POST"}}`
	if w.Code != 200 || w.Body.String() != want || w.Header().Get("Location") != "" {
		t.Errorf("in an envelope: %d %s %v", w.Code, w.Body, w.Header())
	}
	s.Authenticate = func(context.Context, *http.Request, func(string) (string, bool)) (caller.Principal, []rest.Header, error) {
		return caller.Principal{}, nil, apierror.New(401, "incorrect_password", "error_password")
	}
	w = s.do("GET", "/items?_envelope", "")
	want = `{"body":{"code":"incorrect_password","message":"en:error_password","data":{"status":401}},"status":401,"headers":[]}`
	if w.Code != 200 || w.Body.String() != want {
		t.Errorf("wrong credentials in an envelope: %d %s", w.Code, w.Body)
	}
	for _, path := range []string{"/items", "/nothing"} {
		for _, method := range []string{"GET", "OPTIONS", "PROPFIND"} {
			if w := s.do(method, path, "{", "Content-Type", "application/json"); w.Code != 401 || code(t,
				w) != "incorrect_password" || w.Header().Get("Allow") != "" {
				t.Errorf("wrong credentials, %s %s: %d %s", method, path, w.Code, w.Body)
			}
		}
	}
}

// TestSlugsStayRaw checks that a handler gets a slug as it is in the address.
func TestSlugsStayRaw(t *testing.T) {
	s := newServer(echo)
	for slug, want := range map[string]string{"a%2Fb": "a%2Fb", "E-One": "E-One", "a+b": "a+b", "%e6%97%a5": "%e6%97%a5", "9": "9",
		"a;b": "a;b"} {
		if w := s.do("GET", "/items/by-slug/"+slug, ""); w.Body.String() != `{"slug":"`+want+`","count":"7"}` {
			t.Errorf("%s: %d %s", slug, w.Code, w.Body)
		}
	}
}

// TestManyAtOnce checks that requests share nothing that one of them writes.
func TestManyAtOnce(t *testing.T) {
	s := newServer(echo)
	atonce.Run(8, func(i int) {
		for n := range 50 {
			title := fmt.Sprint(i, "-", n)
			w := s.do("GET", "/items?title="+title, "")
			if want := `{"title":"` + title + `","count":"7"}`; w.Body.String() != want {
				t.Errorf("%s, want %s", w.Body, want)
			}
		}
	})
	if n := s.Counters(); n != (rest.Counters{Requests: 400}) {
		t.Errorf("counted %+v", n)
	}
}

// TestGoneClient checks that a request whose client disconnected does not count as a success.
func TestGoneClient(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	s := newServer(func(ctx context.Context, _ *rest.Request) (*rest.Response, error) {
		leave()
		<-ctx.Done()
		return nil, ctx.Err()
	})
	w := httptest.NewRecorder()
	s.Serve(w, httptest.NewRequest("GET", "http://site.test/api/ns/items", nil).WithContext(ctx), rest.Target{Root: root, Path: "/items"})
	if w.Code < 400 || w.Body.Len() != 0 || s.log.Len() != 0 || s.Counters().Failures != 0 {
		t.Errorf("%d %q, logged %s", w.Code, w.Body, &s.log)
	}
}
