package contract

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
)

// count returns the number of posts with a title.
func (b *bench) count(title string) string {
	b.T.Helper()
	return b.Scan("SELECT COUNT(*) FROM ?(prefix)posts WHERE post_title = ? AND post_type <> 'revision'", title)[0]
}

// answersLost checks that a client which repeats its requests with a key, when the response is lost during the commit,
// creates no duplicates, whether the commit succeeded or not. Without a key, there must be some duplicates.
func answersLost(t *testing.T, e Engine) {
	f := newFaults(t, e)
	for _, withKey := range []bool{true, false} {
		twice := 0
		for i := range 40 {
			title := fmt.Sprintf("Lost-%d-%t", i, withKey)
			body := `{"title":"` + title + `","start_date":"2030-07-01","end_date":"2030-07-01","venue":{"venue":"Hall of ` + title + `"}}`
			var a apitest.Answer
			tries, lost, fail := 0, 1+i%2, f.counter.LoseCommit
			if i%4 == 3 {
				fail = f.counter.FailCommit // the client cannot distinguish this from a lost response
			}
			for ; a.Status != http.StatusCreated && tries < lost+2; tries++ {
				f.counter.Reset()
				if tries < lost {
					fail(gone)
				}
				if withKey {
					a = f.keyed("admin", title, "POST", "/events", body)
				} else {
					a = f.DoWithin(t.Context(), "admin", "POST", "/events", body)
				}
				wait := "" // only requests with a key may be repeated at once
				if withKey {
					wait = "1"
				}
				if a.Status != http.StatusCreated && (a.Verdict() != "503 rest_outcome_unknown" || a.Header.Get("Retry-After") != wait) {
					t.Errorf("%s: %v, Retry-After %q", title, a, a.Header.Get("Retry-After"))
				}
			}
			f.counter.Reset()
			f.log.taken()
			if tries <= 1 || a.Status != http.StatusCreated {
				t.Errorf("%s: %d tries, then %v", title, tries, a)
			}
			if f.count(title) != "1" || f.count("Hall of "+title) != "1" {
				twice++
			}
		}
		if withKey != (twice == 0) {
			t.Errorf("with a key %t: %d of 40 are there twice", withKey, twice)
		}
	}
	f.consistent()
}

// oneKeyAtOnce checks that of many concurrent requests with one key, one is executed; the others get its response, or
// an error that says that it is running. Requests with other keys are not affected.
func oneKeyAtOnce(t *testing.T, e Engine) {
	b := raceBench(t, e)
	const requests, rounds = 32, 4
	for round := range rounds {
		title := fmt.Sprint("Once-", round)
		body := `{"title":"` + title + `","start_date":"2030-07-01","end_date":"2030-07-01","venue":{"venue":"Hall of ` + title + `"}}`
		answers := make([]apitest.Answer, requests)
		other := make([]apitest.Answer, requests)
		var wg sync.WaitGroup
		for i := range requests {
			wg.Go(func() { answers[i] = b.keyed("admin", title, "POST", "/events", body) })
			wg.Go(func() {
				other[i] = b.keyed("admin", fmt.Sprint(round, "/", i), "POST", "/venues", fmt.Sprintf(`{"venue":"Own %d %d"}`, round, i))
			})
		}
		wg.Wait()
		b.all(other, http.StatusCreated)
		first := 0
		for _, a := range answers {
			switch {
			case a.Status == http.StatusConflict && a.Code() == "rest_idempotency_key_running" && a.Header.Get("Retry-After") == "1":
			case a.Status == http.StatusCreated && a.Header.Get(replayed) == "":
				first++
			case a.Status != http.StatusCreated:
				t.Errorf("%v %v", a, a.Header)
			}
		}
		if first != 1 || b.count(title) != "1" || b.count("Hall of "+title) != "1" {
			t.Errorf("%s: carried out %d times, there %s times", title, first, b.count(title))
		}
	}
	b.consistent()
}

// stillRunning holds a request within its transaction. Another request with the same key must get an error that says so
// or, if the database cannot detect this, wait for the response to the first one.
func stillRunning(t *testing.T, e Engine) {
	b := raceBench(t, e)
	reached, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	b.counter.Before(func(ctx context.Context, _ int, query string) error {
		if strings.HasPrefix(query, "INSERT") && strings.Contains(query, "posts") {
			once.Do(func() { close(reached); <-release })
		}
		return nil
	})
	send := func() apitest.Answer { return b.keyed("admin", "k", "POST", "/venues", `{"venue":"Held"}`) }
	answers := make(chan apitest.Answer, 2)
	go func() { answers <- send() }()
	<-reached
	if b.DB.Dialect().Name() == dialect.MySQL {
		if a := send(); a.Verdict() != "409 rest_idempotency_key_running" || a.Header.Get("Retry-After") != "1" {
			t.Errorf("while it runs: %v %v", a, a.Header)
		}
	} else {
		go func() { answers <- send() }()
	}
	close(release)
	first := <-answers
	if b.DB.Dialect().Name() != dialect.MySQL {
		if second := <-answers; first.Header.Get(replayed) == "true" {
			first = second
		} else {
			b.again(first, second)
		}
	}
	b.again(first, send())
	if n := b.count("Held"); n != "1" {
		t.Errorf("there %s times", n)
	}
}

// keyedWritesFail makes each statement of a write with a key fail in turn, and then conflict with another writer. The
// key must remain usable, and the item must be created once.
func keyedWritesFail(t *testing.T, e Engine) {
	f := newFaults(t, e)
	again := 0
	for n := 1; ; n++ {
		title := "Fails-" + itoa(int64(n))
		body := `{"title":"` + title + `","start_date":"2030-07-01","end_date":"2030-07-01","image":"` + f.images + `/p.png"}`
		send := func() apitest.Answer { return f.keyed("admin", title, "POST", "/events", body) }
		was, reached, conflicted := f.state(), false, false
		f.counter.Reset()
		f.counter.FailAt(n, errRefused)
		a := send()
		reached = len(f.counter.Statements()) >= n && a.Status != http.StatusCreated
		f.counter.Reset()
		if reached {
			f.failed(writeCase{name: "a keyed event"}, n, a, http.StatusInternalServerError, "internal_server_error")
			f.unchanged(writeCase{name: "a keyed event"}, n, was)
			f.counter.Before(func(_ context.Context, i int, _ string) error {
				if i == n && f.counter.Transactions().Begun == 1 {
					conflicted = true
					return deadlock
				}
				return nil
			})
			a = send()
			f.counter.Reset()
		}
		if conflicted {
			again++
		}
		if a.Status != http.StatusCreated && conflicted {
			t.Errorf("a conflict at statement %d: %v", n, a)
		}
		f.log.taken()
		if a.Status != http.StatusCreated {
			a = send()
		}
		f.again(a, send())
		if c := f.count(title); c != "1" {
			t.Errorf("statement %d: the event is there %s times", n, c)
		}
		f.settle()
		if !reached {
			break
		}
	}
	if again < 10 {
		t.Errorf("only %d runs met another writer", again)
	}
	f.consistent()
}

// fasterRequest executes a request while another one with the same key, which found no stored response, downloads its
// image. The latter must leave no file and return the stored response.
func fasterRequest(t *testing.T, e Engine) {
	b := newBench(t, e)
	f := &faults{b, faultBench(b)}
	b.host.SetMaxOpenConns(4)
	send := func(name string) apitest.Answer {
		return f.keyed("admin", name, "POST", "/venues", `{"venue":"`+name+`","image":"`+f.images+`/of-`+name+`.png"}`)
	}
	send("alone")
	of := len(f.files()) // number of files per image
	var first apitest.Answer
	var begun atomic.Bool
	b.fetching = func() {
		if begun.CompareAndSwap(false, true) {
			first = send("Pictured")
		}
	}
	second := send("Pictured")
	b.again(first, second)
	if b.count("Pictured") != "1" || len(f.files()) != 2*of {
		t.Errorf("there %s times, with the files %q", b.count("Pictured"), f.files())
	}
	b.unchangedBy("once more", func() { b.again(first, send("Pictured")) })
}

// tooLarge checks that nothing is written if the response is too large to be stored.
func tooLarge(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.open(calendar.Options{})
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var s strings.Builder
		for s.Len() < 900_000 {
			s.WriteString(strconv.FormatUint(random.Uint64(), 36) + " ")
		}
		return s.String()
	}
	b.create("hall", "/venues", `{"venue":"Hall","description":"`+text()+`"}`)
	event := b.fill(`{"title":"Large","start_date":"2030-07-01","end_date":"2030-07-01","venue":{hall},"description":"` + text() + `"}`)
	b.unchangedBy("an answer that is too large", func() {
		if a := b.keyed("admin", "k", "POST", "/events", event); a.Verdict() != "400 rest_idempotency_answer_too_large" {
			t.Errorf("%v", a)
		}
	})
	b.admin("POST", "/events", event, http.StatusCreated)
}

// olderServers checks that NOWAIT is not used on a server that does not support it.
func olderServers(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.open(calendar.Options{})
	b.counter.Reset()
	b.counter.Before(func(_ context.Context, _ int, query string) error {
		if strings.Contains(query, "NOWAIT") {
			return &mysql.MySQLError{Number: 1064, Message: "You have an error in your SQL syntax near 'NOWAIT'"}
		}
		return nil
	})
	send := func() apitest.Answer { return b.keyed("admin", "k", "POST", "/tags", `{"name":"Old"}`) }
	b.again(send(), send())
	b.counter.Reset()
}

// other returns the body of another request for the same item.
func other(body string) string {
	return strings.Replace(strings.Replace(body, "{}", `{"slug":"other"}`, 1), `"N"`, `"Other"`, 1)
}

// everyOperation checks that all operations with a body accept keys.
func everyOperation(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.open(calendar.Options{})
	made := map[string]string{"categories": `{"name":"N"}`, "tags": `{"name":"N"}`,
		"events": `{"title":"N","start_date":"2030-07-01","end_date":"2030-07-01"}`}
	for _, k := range Declared().Linked {
		made[k.Collection] = `{"` + k.Name + `":"N"}`
	}
	for collection, body := range made {
		id := b.create(collection, "/"+collection, strings.ReplaceAll(body, `"N"`, `"First"`))
		paths := []request{{"POST", "/" + collection, body}}
		for _, method := range []string{"POST", "PUT", "PATCH"} {
			paths = append(paths, request{method, "/" + collection + "/" + itoa(id), `{}`})
			if collection != "categories" && collection != "tags" {
				paths = append(paths, request{method, "/" + collection + "/by-slug/first", `{}`})
			}
		}
		for _, r := range paths {
			send := func(body string) apitest.Answer { return b.keyed("admin", r.method+r.path, r.method, r.path, body) }
			b.counter.Reset()
			b.counter.Before(func(_ context.Context, _ int, query string) error {
				if strings.Contains(query, "agenda_idempotency") {
					return &mysql.MySQLError{Number: 3572, Message: "as MySQL says it of a locked row"}
				}
				return nil
			})
			if a := send(r.body); a.Verdict() != "409 rest_idempotency_key_running" {
				t.Errorf("%s: %v", a.Request, a)
			}
			b.counter.Reset()
			b.again(send(r.body), send(r.body))
			if a := send(other(r.body)); a.Status != http.StatusUnprocessableEntity {
				t.Errorf("%s: %v", a.Request, a)
			}
		}
	}
}

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
			item += "/" + b.idText(w.name)
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
