package rest_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/rest"
)

const form = "application/x-www-form-urlencoded"

// TestSources checks which bodies are read for which methods, and which source takes precedence.
func TestSources(t *testing.T) {
	s := newServer(echo)
	s.Authenticate = editor
	for name, c := range map[string]struct{ method, query, media, body, want string }{
		"defaults":               {"GET", "", "", "", `{"count":"7"}`},
		"query":                  {"GET", "title=q", "", "", `{"title":"q","count":"7"}`},
		"form on POST":           {"POST", "", form, "title=f&count=2", `{"title":"f","count":"2"}`},
		"form with charset":      {"POST", "", form + "; charset=UTF-8", "title=f", `{"title":"f","count":"7"}`},
		"form beats query":       {"POST", "title=q&count=3", form, "title=f", `{"title":"f","count":"3"}`},
		"form on PUT":            {"PUT", "", form, "title=f", `{"id":"9","title":"f","count":"7"}`},
		"form on PATCH":          {"PATCH", "", form, "title=f", `{"id":"9","title":"f","count":"7"}`},
		"form on DELETE":         {"DELETE", "", form, "title=f", `{"id":"9","title":"f","count":"7"}`},
		"form on GET":            {"GET", "", form, "title=f", `{"count":"7"}`},
		"no type on PUT":         {"PUT", "", "", "title=f", `{"id":"9","title":"f","count":"7"}`},
		"no type on POST":        {"POST", "", "", "title=f", `{"count":"7"}`},
		"text on POST":           {"POST", "", "text/plain", "title=f", `{"count":"7"}`},
		"JSON on POST":           {"POST", "", "application/json", `{"title":"j","count":5}`, `{"title":"j","count":"5"}`},
		"JSON beats query":       {"POST", "title=q&count=3", "application/json", `{"title":"j"}`, `{"title":"j","count":"3"}`},
		"JSON on GET":            {"GET", "title=q", "application/json", `{"title":"j"}`, `{"title":"j","count":"7"}`},
		"JSON scalar on a write": {"POST", "title=q", "application/json", `5`, `{"title":"q","count":"7"}`},
		"JSON null is no value":  {"POST", "any=q", "application/json", `{"any":null}`, `{"count":"7","any":"q"}`},
		"nested form": {"POST", "", form, "any[venue]=x&any[list][]=1&any[list][]=2",
			`{"count":"7","any":"[venue=x list=[0=1 1=2]]"}`},
		"encoded form":            {"POST", "", form, "ti%74le=a%26b+c", `{"title":"a&b c","count":"7"}`},
		"D1 id of the query":      {"PUT", "id=12", "", "", `{"id":"9","count":"7"}`},
		"D1 id of the JSON body":  {"PUT", "", "application/json", `{"id":12}`, `{"id":"9","count":"7"}`},
		"D1 id of the form":       {"DELETE", "", form, "id=12", `{"id":"9","count":"7"}`},
		"D1 even of a wrong type": {"PUT", "id=abc", "application/json", `{"id":"x"}`, `{"id":"9","count":"7"}`},
	} {
		path := "/items"
		if strings.Contains(c.want, `"id":"9"`) {
			path = "/items/9"
		}
		headers := []string{"X-Role", "editor"}
		if c.media != "" {
			headers = append(headers, "Content-Type", c.media)
		}
		if w := s.do(c.method, path+"?"+c.query, c.body, headers...); w.Code != http.StatusOK || w.Body.String() != c.want {
			t.Errorf("%s: %d %s, want %s", name, w.Code, w.Body, c.want)
		}
	}
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
