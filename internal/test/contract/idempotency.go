package contract

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/schema"
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
	header := a.Header.Clone()
	header.Del(replayed)
	if a.Status != first.Status || a.Text != first.Text || a.Header.Get(replayed) != "true" || first.Header.Get(replayed) != "" ||
		!slices.Equal(header.Values("Location"), first.Header.Values("Location")) || len(header) != len(first.Header) {
		b.T.Errorf("%s\n answered %v %v,\n at first %v %v", a.Request, a, a.Header, first, first.Header)
	}
}

// kept returns the number of stored responses.
func (b *bench) kept() string {
	b.T.Helper()
	return b.Scan("SELECT COUNT(*) FROM ?(prefix)agenda_idempotency")[0]
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

// keysChecked checks which keys are rejected, and to which requests and callers a key applies.
func keysChecked(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.open(calendar.Options{})
	const hall = `{"venue":"Hall"}`
	b.unchangedBy("invalid keys", func() {
		for _, key := range []string{"", "a b", "é", "a\tb", "\x7f", strings.Repeat("k", 256)} {
			a := b.keyed("admin", key, "POST", "/venues", hall)
			if a.Verdict() != "400 rest_invalid_idempotency_key" || !strings.Contains(a.Word("message"), idempotencyKey) {
				t.Errorf("key %q: %v", key, a)
			}
		}
		if a := b.keyed("admin", "k", "POST", "/venues", hall, idempotencyKey, "k"); a.Verdict() != "400 rest_invalid_idempotency_key" {
			t.Errorf("two keys: %v", a)
		}
	})
	longest := strings.Repeat("~", 255)
	first := b.keyed("admin", longest, "POST", "/venues", hall)
	b.again(first, b.keyed("admin", longest, "POST", "/venues", hall))

	// One key with a different request.
	b.unchangedBy("another request", func() {
		for _, r := range []request{
			{"POST", "/venues", `{"venue":"Other"}`}, {"POST", "/venues", `{"venue":"Hall","city":""}`},
			{"POST", "/organizers", `{"organizer":"Hall"}`}, {"POST", "/venues?_fields=id", hall},
			{"POST", "/venues/" + itoa(first.ID()), hall}, {"PATCH", "/venues/" + itoa(first.ID()), hall},
			{"POST", "/venues?i18n_language=nl", hall}, {"POST", Site + "/nl/wp-json/tribe/events/v1/venues", hall},
		} {
			if a := b.keyed("admin", longest, r.method, r.path, r.body); a.Verdict() != "422 rest_idempotency_key_reused" {
				t.Errorf("%s: %v", a.Request, a)
			}
		}
	})
	if a := b.keyed("editor", longest, "POST", "/venues", `{"venue":"Of another caller"}`); a.Status != http.StatusCreated {
		t.Errorf("another caller: %v", a)
	}

	// A rejected request may be corrected and sent with the same key.
	for _, body := range []string{`{"venue":""}`, `{`, `{"venue":"V","status":"none"}`} {
		if a := b.keyed("admin", "corrected", "POST", "/venues", body); a.Status != http.StatusBadRequest {
			t.Errorf("%s: %v", body, a)
		}
	}
	b.again(b.keyed("admin", "corrected", "POST", "/venues", hall), b.keyed("admin", "corrected", "POST", "/venues", hall))
	b.admin("POST", "/tags", `{"name":"Twice"}`, http.StatusCreated)
	for range 2 {
		if a := b.keyed("admin", "exists", "POST", "/tags", `{"name":"Twice"}`); a.Verdict() != "400 term_exists" {
			t.Errorf("a refusal within the transaction: %v", a)
		}
	}

	// A precondition is part of the request.
	path := "/venues/" + itoa(first.ID())
	tag := b.admin("GET", path, "", http.StatusOK).Header.Get("ETag")
	matched := func(tag string) apitest.Answer {
		return b.keyed("admin", "match", "PATCH", path, `{"city":"Gent"}`, "If-Match", tag)
	}
	b.again(matched(tag), matched(tag))
	if a := matched(`"x.y"`); a.Verdict() != "422 rest_idempotency_key_reused" {
		t.Errorf("another precondition: %v", a)
	}

	// The response to a write that changes nothing is stored, without reporting a change to other programs.
	was := b.Rows()
	b.again(b.keyed("admin", "same", "PATCH", path, `{"city":"Gent"}`), b.keyed("admin", "same", "PATCH", path, `{"city":"Gent"}`))
	if lines := was.Differences(b.Rows()); len(lines) != 1 || !strings.HasPrefix(lines[0], b.prefix+"agenda_idempotency + ") {
		t.Errorf("a write that changes nothing: %q", lines)
	}

	// Reads and deletions ignore keys.
	b.unchangedBy("reads", func() {
		if a := b.keyed("admin", "", "GET", "/venues", ""); a.Status != http.StatusOK || a.Header.Get(replayed) != "" {
			t.Errorf("a read: %v", a)
		}
	})
	for range 2 {
		b.keyed("admin", "gone", "DELETE", path, "")
	}
	if a := b.keyed("admin", "gone", "DELETE", path, ""); a.Status != http.StatusGone {
		t.Errorf("a deletion: %v", a)
	}
	b.consistent()
}

// rightsBeforeAnswers checks that callers who lost the right to a write do not get its response again.
func rightsBeforeAnswers(t *testing.T, e Engine) {
	b := newBench(t, e)
	known := callersOf(t, b.DB, b.prefix)
	b.open(calendar.Options{Authenticator: known})
	const draft = `{"title":"Mine","start_date":"2030-07-01","end_date":"2030-07-01"}`
	b.id["mine"] = b.keyed("author", "k", "POST", "/events", draft).ID()
	path := b.fill("/events/{mine}")
	write := func(as string) apitest.Answer { return b.keyed(as, "u", "POST", path, `{"title":"Still mine"}`) }
	first := write("author")
	b.again(first, write("author"))
	// A caller with other rights than before does not get the stored response, and the request is not executed again
	// until the rights are restored.
	author := known["author"]
	more := maps.Clone(author.Capabilities)
	for _, change := range []func(){
		func() { more["edit_others_tribe_events"] = true },
		func() { more["edit_others_tribe_events"], more["unfiltered_html"] = false, true },
		func() { more["unfiltered_html"], more["upload_files"] = false, false },
	} {
		change()
		known["author"] = calendar.Principal{UserID: author.UserID, Login: author.Login, Capabilities: maps.Clone(more)}
		b.unchangedBy("with other rights", func() {
			a := write("author")
			if a.Verdict() != "409 rest_idempotency_rights_changed" || a.Header.Get(replayed) != "" ||
				strings.Contains(a.Text, "Still mine") {
				t.Errorf("%v", a)
			}
		})
	}
	known["author"] = author
	b.again(first, write("author"))
	b.Exec("UPDATE ?(prefix)posts SET post_author = 1 WHERE ID = ?", b.of("mine"))
	for as, want := range map[string]string{"author": "403 rest_forbidden", "subscriber": "403 rest_forbidden", "": "401 rest_forbidden"} {
		if a := write(as); a.Verdict() != want || a.Header.Get(replayed) != "" {
			t.Errorf("%s: %v %v, want %s", as, a, a.Header, want)
		}
	}
}

// answersExpire checks that a key may be reused after a day, and that expired rows are removed by later requests.
func answersExpire(t *testing.T, e Engine) {
	b := newBench(t, e)
	clock := now
	b.open(calendar.Options{Now: func() time.Time { return clock }})
	send := func(key, name string) apitest.Answer {
		return b.keyed("admin", key, "POST", "/tags", `{"name":"`+name+`"}`)
	}
	first := send("k", "First")
	for i := range 50 {
		send("other"+itoa(int64(i)), "Other "+itoa(int64(i)))
	}
	clock = clock.Add(24*time.Hour - time.Second)
	b.again(first, send("k", "First"))
	if n := b.kept(); n != "51" {
		t.Errorf("%s answers are kept", n)
	}
	clock = clock.Add(time.Second)
	second := send("k", "Second")
	b.again(second, send("k", "Second"))
	if second.ID() == first.ID() {
		t.Errorf("after a day: %v", second)
	}
	for i, want := range []string{"31 32", "12 13", "3", "4"} { // twenty rows are removed each time, besides perhaps that of k
		if n := b.kept(); !slices.Contains(strings.Fields(want), n) {
			t.Errorf("then %s answers are kept, want %s", n, want)
		}
		send("new"+itoa(int64(i)), "New "+itoa(int64(i)))
	}
}

// withoutAnswers checks that a site without the table rejects keys with a clear error and writes nothing, and that its
// owner can add the table.
func withoutAnswers(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.Exec("DROP TABLE ?(prefix)agenda_idempotency")
	b.open(calendar.Options{})
	const hall = `{"venue":"Hall"}`
	b.unchangedBy("without the table", func() {
		a := b.keyed("admin", "k", "POST", "/venues", hall)
		if a.Verdict() != "400 rest_idempotency_unavailable" || !strings.Contains(a.Word("message"), idempotencyKey) {
			t.Errorf("%v", a)
		}
		if a := b.keyed("", "k", "POST", "/venues", hall); a.Verdict() != "401 rest_forbidden" {
			t.Errorf("nobody: %v", a)
		}
	})
	b.admin("POST", "/venues", hall, http.StatusCreated)
	for range 2 {
		if err := schema.InstallIdempotency(t.Context(), b.host, b.prefix); err != nil {
			t.Fatal(err)
		}
	}
	if err := schema.InstallIdempotency(t.Context(), b.host, "other_"); err == nil {
		t.Error("a table was made where there is no site")
	}
	b.open(calendar.Options{})
	b.again(b.keyed("admin", "k", "POST", "/venues", hall), b.keyed("admin", "k", "POST", "/venues", hall))
}
