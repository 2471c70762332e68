package rest_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/rest"
)

// TestMemoryOfLargeRequests checks that a request of one mebibyte uses at most a few times its size in memory, whatever
// it contains (B1, D57, D59).
func TestMemoryOfLargeRequests(t *testing.T) {
	const size = 1 << 20
	fill := func(before, unit, after string) string {
		return before + strings.Repeat(unit, (size-len(before)-len(after))/len(unit)) + after
	}
	var distinct strings.Builder
	for i := 0; distinct.Len() < size-100; i++ {
		fmt.Fprintf(&distinct, "f%d,", i)
	}
	brackets := "a" + strings.Repeat("[]", 30) + "=1&"
	part := "--b\r\nContent-Disposition: form-data; name=\"a[][]\"\r\n\r\nx\r\n"
	for name, c := range map[string]struct{ method, query, media, body string }{
		"empty lists":         {"GET", "", "application/json", fill(`{"any":[`, "[],", "1]}")},
		"empty objects":       {"GET", "", "application/json", fill(`{"any":[`, "{},", "1]}")},
		"members":             {"GET", "", "application/json", fill(`{`, `"a":{},`, `"b":1}`)},
		"numbers":             {"GET", "", "application/json", fill(`[`, "1,", "1]")},
		"deep lists":          {"GET", "", "application/json", fill(`[`, strings.Repeat("[", 500)+strings.Repeat("]", 500)+",", "1]")},
		"one text":            {"GET", "", "application/json", fill(`{"title":"`, "x", `"}`)},
		"one escaped text":    {"GET", "", "application/json", fill(`{"title":"`, "\\u00e9", `"}`)},
		"one name":            {"GET", "", "application/json", fill(`{"`, "x", `":1}`)},
		"a NUL in a name":     {"GET", "", "application/json", fill(`{"\u0000`, "x", `":1}`)},
		"fields":              {"GET", "", "application/json", fill(`{"_fields":"`, "a,", `"}`)},
		"distinct fields":     {"GET", "", "application/json", `{"_fields":"` + distinct.String() + `"}`},
		"deep field":          {"GET", "", "application/json", fill(`{"_fields":"`, "a.", `"}`)},
		"fields in a list":    {"GET", "", "application/json", fill(`{"_fields":[`, `"a.b",`, `"c"]}`)},
		"fields in a query":   {"GET", fill("_fields=", "a,", "b"), "", ""},
		"names in a query":    {"GET", fill("", "a=1&", ""), "", ""},
		"brackets in a query": {"GET", fill("", brackets, ""), "", ""},
		"escapes in a query":  {"GET", fill("title=", "%20", ""), "", ""},
		"form":                {"POST", "", form, fill("", "a[][]=1&", "")},
		"form of brackets":    {"POST", "", form, fill("", brackets, "")},
		"form of one text":    {"POST", "", form, fill("title=", "%C3%A9", "")},
		"form with parts":     {"POST", "", "multipart/form-data; boundary=b", fill("", part, "--b--\r\n")},
		"files": {"POST", "", "multipart/form-data; boundary=b",
			fill("", strings.Replace(part, "a[][]\"", "a\"; filename=\"f\"", 1), "--b--\r\n")},
		"to GET": {"POST", "_method=GET", "application/json", fill(`{"any":[`, "{},", "1]}")},
	} {
		s := newServer(func(_ context.Context, r *rest.Request) (*rest.Response, error) {
			r.Out.Array()
			r.Out.End()
			return nil, nil
		})
		s.Authenticate = editor
		r := httptest.NewRequest(c.method, "http://site.test/api/ns/items", strings.NewReader(c.body))
		r.URL.RawQuery = c.query
		r.Header.Set("Content-Type", c.media)
		r.Header.Set("X-Role", "editor")
		w := httptest.NewRecorder()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s.Serve(w, r, rest.Target{Root: root, Path: "/items"})
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 12*size {
			t.Errorf("%s: %.1f MiB for a %d", name, float64(taken)/size, w.Code)
		}
		if w.Code >= 500 || w.Body.Len() > 4096 {
			t.Errorf("%s: %d with %d bytes", name, w.Code, w.Body.Len())
		}
	}
}

// TestBuffersOfLargeAnswers checks that the buffer of a large answer is not kept for later ones, whether the answer was
// sent or rejected (D80).
func TestBuffersOfLargeAnswers(t *testing.T) {
	size := 0
	s := newServer(func(_ context.Context, r *rest.Request) (*rest.Response, error) {
		r.Out.Array()
		for range size {
			r.Out.String(strings.Repeat("x", 1<<20))
		}
		r.Out.End()
		return nil, nil
	})
	s.MaxAnswer, s.Budget = 8<<20, budget.NewPool(-1)
	ask := func(megabytes, status int) {
		size = megabytes
		w := httptest.NewRecorder()
		s.Serve(w, httptest.NewRequest("GET", "http://site.test/api/ns/items", nil), rest.Target{Root: root, Path: "/items"})
		if w.Code != status {
			t.Errorf("%d MB: %d %.200s", megabytes, w.Code, w.Body)
		}
	}
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC() // a sync.Pool keeps its values for one more collection
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	for _, megabytes := range []int{7, 7, 9, 40} {
		ask(megabytes, map[bool]int{true: 200, false: 413}[megabytes < 8])
		if left := heap() - before; left > 3<<20 {
			t.Errorf("%d bytes are left of %d MB", left, megabytes)
		}
	}
	if used := s.Budget.Used(); used != 0 {
		t.Errorf("%d bytes are still counted", used)
	}
}
