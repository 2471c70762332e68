package rest_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
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

// TestD02ListsReadBack checks that a list in an address is parsed as it was written, whatever its items contain (D2).
func TestD02ListsReadBack(t *testing.T) {
	for _, items := range [][]string{
		{"1"}, {"1", "2"}, {"jazz", "free entry"}, {"a,b"}, {"a,b", "c"}, {"100%"}, {"50%25"}, {"a+b", "c d"}, {"é", "日"}, {"a&b=c", "d#e"},
		{"%2C"}, {"a%2Cb", "x"}, {"+", "%"},
	} {
		var q call.Query
		q.Add("before", "x y&z")
		q.AddList("list", items)
		m := must.Get(param.ParseForm(q.String()))(t)
		if v, _ := m.Get("before"); v != "x y&z" {
			t.Errorf("%q: before is %q", q.String(), v)
		}
		v, _ := m.Get("list")
		got, err := param.List(v)
		if err != nil || len(got) != len(items) {
			t.Errorf("%q from %q: %q %v", items, q.String(), got, err)
			continue
		}
		for i := range items {
			if got[i] != items[i] {
				t.Errorf("%q from %q: %q", items, q.String(), got)
			}
		}
	}
}

// nestedItem answers with an item of several levels.
func nestedItem(_ context.Context, r *rest.Request) (*rest.Response, error) {
	r.Out.Raw([]byte(`{"id":5,"json_ld":{"name":"N","location":{"name":"L","address":[{"street":"S"},{"street":"T"}]}},"list":[1,2]}`))
	return nil, nil
}

// TestD57Fields checks that names select members of objects and lists, and that more than 200 names or ten levels are
// rejected with the reason (D57).
func TestD57Fields(t *testing.T) {
	s := newServer(nestedItem)
	names := func(n int, name string) string { return strings.TrimSuffix(strings.Repeat(name+",", n), ",") }
	levels := func(n int) string { return strings.TrimSuffix(strings.Repeat("a.", n), ".") }
	for fields, want := range map[string]string{
		"json_ld.location.name":                  `{"json_ld":{"location":{"name":"L"}}}`,
		"id,json_ld.location.address.0.street":   `{"id":5,"json_ld":{"location":{"address":[{"street":"S"}]}}}`,
		"json_ld.location.address.1.street,id.x": `{"id":5,"json_ld":{"location":{"address":{"1":{"street":"T"}}}}}`,
		"json_ld.nothing.name":                   `{"json_ld":[]}`,
		names(200, "id"):                         `{"id":5}`,
		names(200, "id") + ", ,,":                `{"id":5}`,
		"id," + levels(10):                       `{"id":5}`,
		names(201, "id"):                         "fault_too_manymap[Max:200]",
		levels(11):                               "fault_field_levelsmap[Max:10]",
		"id," + strings.Repeat(".", 10):          "fault_field_levelsmap[Max:10]",
	} {
		list, _ := json.Marshal(map[string]any{"_fields": strings.Split(fields, ",")})
		for i, w := range []string{
			s.do("GET", "/items?_fields="+url.QueryEscape(fields), "").Body.String(),
			s.do("GET", "/items", string(list), "Content-Type", "application/json").Body.String(),
		} {
			if strings.HasPrefix(want, "fault") {
				if !strings.Contains(w, `"code":"rest_invalid_param"`) || !strings.Contains(w, `"params":{"_fields":"en:`+want+`"}`) {
					t.Errorf("%d: %.60s: %s, want %s", i, fields, w, want)
				}
			} else if w != want {
				t.Errorf("%d: %.60s: %s, want %s", i, fields, w, want)
			}
		}
	}
}

// FuzzFields checks that the answer is a part of the whole answer or an error, whatever _fields contains.
func FuzzFields(f *testing.F) {
	golden.Seed(f, "id", "json_ld.location.name", "list.1", "list.0,list.1", "a.b.c", strings.Repeat("a.", 12),
		strings.Repeat("a,", 300), ".,.", "\t id \v")
	s := newServer(nestedItem)
	whole := s.do("GET", "/items", "").Body.Len()
	f.Fuzz(func(t *testing.T, fields string) {
		w := s.do("GET", "/items?_fields="+url.QueryEscape(fields), "")
		var answer any
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != 200 && w.Code != 400 {
			t.Fatalf("%q: %d %s", fields, w.Code, w.Body)
		}
		if w.Code == 200 && w.Body.Len() > whole+len(`{"1":}`) {
			t.Errorf("%q: %s", fields, w.Body)
		}
	})
}
