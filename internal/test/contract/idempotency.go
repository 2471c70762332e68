package contract

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
)

// Headers of requests that are executed once.
const (
	idempotencyKey = "Idempotency-Key"
	replayed       = "Idempotency-Replayed"
)

// keyed sends a request with an Idempotency-Key.
func (b *bench) keyed(as, key, method, path, body string, headers ...string) apitest.Answer {
	b.T.Helper()
	return b.DoWithin(b.T.Context(), as, method, path, body, append(headers, idempotencyKey, key)...)
}

// again checks that a repeats the response first.
func (b *bench) again(first, a apitest.Answer) {
	b.T.Helper()
	givenAgain(b.T, first, a)
}

func givenAgain(t testing.TB, first, a apitest.Answer) {
	t.Helper()
	header := a.Header.Clone()
	header.Del(replayed)
	if a.Status != first.Status || a.Text != first.Text || a.Header.Get(replayed) != "true" || first.Header.Get(replayed) != "" ||
		!slices.Equal(header.Values("Location"), first.Header.Values("Location")) || len(header) != len(first.Header) {
		t.Errorf("%s\n answered %v %v,\n at first %v %v", a.Request, a, a.Header, first, first.Header)
	}
}

// unchangedBy runs requests that must neither write anything nor be reported to the hook.
func (b *bench) unchangedBy(what string, requests func()) {
	b.T.Helper()
	b.settle()
	was := b.Rows()
	requests()
	if lines := was.Differences(b.Rows()); len(lines) > 0 {
		b.T.Errorf("%s: rows differ\n%s", what, strings.Join(lines, "\n"))
	}
	if calls := b.settle(); len(calls) > 0 {
		b.T.Errorf("%s: the hook got %q", what, calls)
	}
}

// answersRepeated checks that each kind of write with a key is executed once, and that its first response is returned
// again, whatever happened to the item.
func answersRepeated(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.open(calendar.Options{})
	const event = `{"title":"Fête","start_date":"2030-07-01","end_date":"2030-07-01","venue":{"venue":"Hall"},` +
		`"organizer":[{"organizer":"A"},{"organizer":"B"}],"categories":["New"],"tags":["new"]}`
	for i, w := range []struct{ name, method, path, body, change string }{
		{"event", "POST", "/events", event, `{"title":"Changed","status":"draft"}`},
		{"venue", "POST", "/venues", `{"venue":"Place"}`, `{"venue":"Changed"}`},
		{"organizer", "POST", "/organizers", `{"organizer":"Person"}`, `{"organizer":"Changed"}`},
		{"category", "POST", "/categories", `{"name":"Kind $N"}`, `{"name":"Changed"}`},
		{"label", "POST", "/tags", `{"name":"Label $N"}`, `{"name":"Changed"}`},
		{"", "POST", "/events/{event}", `{"title":"Newer","venue":{"venue":"Hall"}}`, `{"title":"Newest"}`},
		{"", "PUT", "/events/{event}", `{"organizer":{"organizer":"C"}}`, `{"organizer":[]}`},
		{"", "PATCH", "/venues/by-slug/place", `{"city":"Gent"}`, `{"city":"Ronse"}`},
		{"", "POST", "/categories/{category}", `{"description":"D"}`, `{"description":"E"}`},
	} {
		var plain apitest.Answer
		for n, query := range []string{"", "?_fields=id,title,venue.venue", "?_envelope=1&_pretty=1"} {
			path, key := b.fill(w.path)+query, "key-"+itoa(int64(i))+query
			body := strings.ReplaceAll(w.body, "$N", itoa(int64(n)))
			first := b.keyed("admin", key, w.method, path, body)
			if first.Status/100 != 2 {
				t.Fatalf("%s: %v", first.Request, first)
			}
			if query == "" {
				plain = first
				if w.name != "" {
					b.id[w.name] = first.ID()
				}
			}
			b.unchangedBy(key, func() {
				b.again(first, b.keyed("admin", key, w.method, path, body))
				b.again(first, b.keyed("admin", key, w.method, path, " "+strings.ReplaceAll(body, `":`, `" : `)))
			})
		}
		item := b.fill(w.path)
		if w.name != "" {
			item += "/" + b.text(w.name)
		}
		b.admin("PATCH", item, w.change, http.StatusOK)
		b.unchangedBy("after a change", func() {
			b.again(plain, b.keyed("admin", "key-"+itoa(int64(i)), w.method, b.fill(w.path), strings.ReplaceAll(w.body, "$N", "0")))
		})
	}
	// Forms, whose boundaries differ each time.
	form := func(boundary string) apitest.Answer {
		body := "--" + boundary + "\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nFormed\r\n--" + boundary + "--\r\n"
		return b.keyed("admin", "form", "POST", "/tags", body, "Content-Type", "multipart/form-data; boundary="+boundary)
	}
	b.again(form("first"), form("second"))
	b.consistent()
}
