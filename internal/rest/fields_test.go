package rest_test

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/rest"
)

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
	for _, fields := range []string{"id", "json_ld.location.name", "list.1", "list.0,list.1", "a.b.c", strings.Repeat("a.", 12),
		strings.Repeat("a,", 300), ".,.", "\t id \v"} {
		f.Add(fields)
	}
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
