package rest_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/test/golden"
)

const form = "application/x-www-form-urlencoded"

// TestSources checks which bodies are read for which methods, and which source takes precedence.
func TestSources(t *testing.T) {
	s := newServer(echo)
	s.Authenticate = editor
	golden.Each(t, "sources.txt", func(name, method, query, media, body, want string) {
		path := "/items"
		if strings.Contains(want, `"id":"9"`) {
			path = "/items/9"
		}
		headers := []string{"X-Role", "editor"}
		if media != "" {
			headers = append(headers, "Content-Type", media)
		}
		if w := s.do(method, path+"?"+query, body, headers...); w.Code != http.StatusOK || w.Body.String() != want {
			t.Errorf("%s: %d %s, want %s", name, w.Code, w.Body, want)
		}
	})
}

// unread is a body that must not be read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, io.EOF
}

// TestD52RightsBeforeParameters checks that a caller who may use an operation on no item is rejected before anything is
// read from the request, and that one who may use it on some items gets the errors of the parameters first. Unknown
// routes and methods are rejected before both (D52).
func TestD52RightsBeforeParameters(t *testing.T) {
	s := newServer(echo)
	s.Authenticate = editor
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{"POST", "/items", 401}, {"PUT", "/items/5", 401}, {"DELETE", "/items/5?count=x", 401},
		{"POST", "/items/by-slug/a", 404}, {"POST", "/nothing", 404},
	} {
		r := httptest.NewRequest(c.method, "http://site.test/api/ns"+c.path, unread{t})
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.Serve(w, r, rest.Target{Root: root, Path: r.URL.Path[len("/api/ns"):]})
		if w.Code != c.status {
			t.Errorf("%s %s: %d %s", c.method, c.path, w.Code, w.Body)
		}
	}
	for _, body := range []string{"{", `{"count":"x"}`} {
		if w := s.do("POST", "/items", body, "Content-Type", "application/json", "X-Role", "other"); w.Code != http.StatusBadRequest {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
}
