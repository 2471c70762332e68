package apitest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/agendahq/agenda/internal/rest"
)

// Root is the address that the paths of requests begin at.
const Root = base + "/tribe/events/v1"

const (
	base         = "http://site.test/wp-json"
	callerHeader = "X-Caller"
)

// Answer is what came back.
type Answer struct {
	Status int
	Header http.Header
	Text   string
	Body   map[string]any
}

// ID is the id of the item in the answer.
func (a Answer) ID() int64 { n, _ := a.Body["id"].(float64); return int64(n) }

// Code is the code of a refusal.
func (a Answer) Code() string { s, _ := a.Body["code"].(string); return s }

// Fault is what the answer says about a parameter.
func (a Answer) Fault(name string) string {
	data, _ := a.Body["data"].(map[string]any)
	params, _ := data["params"].(map[string]any)
	s, _ := params[name].(string)
	return s
}

func (a Answer) String() string { return fmt.Sprintf("%d %s", a.Status, a.Text) }

// Do sends a request as a caller; headers come in pairs of name and value. It may be called from any goroutine.
func (s *Site) Do(as, method, path, body string, headers ...string) Answer {
	s.T.Helper()
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	r := httptest.NewRequestWithContext(s.T.Context(), method, Root+path, in)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(callerHeader, as)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.engine.Serve(w, r, &rest.Root{Tag: "en", BaseURL: base, URL: Root}, strings.TrimPrefix(r.URL.EscapedPath(), "/wp-json/tribe/events/v1"))
	a := Answer{Status: w.Code, Header: w.Header(), Text: w.Body.String()}
	if err := json.Unmarshal(w.Body.Bytes(), &a.Body); err != nil {
		s.T.Errorf("%s %s: no JSON object: %s", method, path, a.Text)
	}
	return a
}

// Must sends a request that has to have a status.
func (s *Site) Must(status int, as, method, path, body string, headers ...string) Answer {
	s.T.Helper()
	a := s.Do(as, method, path, body, headers...)
	if a.Status != status {
		s.T.Fatalf("%s %s %s %.200s: %v, want %d", as, method, path, body, a, status)
	}
	return a
}
