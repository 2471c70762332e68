package pages

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// An answer that has not changed is read once; one that has is read again.
func TestUnchangedAnswersAreKept(t *testing.T) {
	tag, sent := `"a"`, 0
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		sent++
		fmt.Fprintf(w, `{"total":%d,"filler":%q}`, sent, strings.Repeat("x", 1<<20))
	})
	c := &client{api: api, namespace: "a/v1"}
	read := func(query string) int {
		list, err := get[items](t.Context(), c, Language{Mount: "/wp-json"}, "/events", map[string][]string{query: {"1"}})
		if err != nil {
			t.Fatal(err)
		}
		return list.Total
	}
	for range 3 {
		if n := read("x"); n != 1 {
			t.Errorf("answer %d", n)
		}
	}
	tag = `"b"`
	if n := read("x"); n != 2 {
		t.Errorf("answer %d after a change", n)
	}
	// What a password opens is not kept, and an answer is of the type that was asked for.
	if a, b := read("password"), read("password"); a != 3 || b != 4 {
		t.Errorf("answers %d and %d with a password", a, b)
	}
	if list, err := get[calendar.Term](t.Context(), c, Language{Mount: "/wp-json"}, "/events",
		map[string][]string{"x": {"1"}}); err != nil || sent != 5 {
		t.Errorf("%v, %v, sent %d", list, err, sent)
	}
	for i := range 40 {
		read(fmt.Sprint(i))
	}
	sum := 0
	for _, k := range c.kept {
		sum += k.bytes
	}
	if sum != c.bytes || sum > keptBytes || len(c.kept) < 10 {
		t.Errorf("%d answers are kept, of %d bytes, counted as %d", len(c.kept), sum, c.bytes)
	}
}
