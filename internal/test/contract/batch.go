package contract

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/must"
)

// entry returns a request of a batch, with the given body.
func entry(method, path, body string) string {
	e := map[string]any{"path": path}
	if method != "" {
		e["method"] = method
	}
	if body != "" {
		e["body"] = json.RawMessage(body)
	}
	text, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// batchOf returns the body of a batch. more contains its other members.
func batchOf(more string, entries ...string) string {
	return `{` + more + `"requests":[` + strings.Join(entries, ",") + `]}`
}

// statuses returns the statuses in the response to a batch.
func statuses(a apitest.Answer) string {
	list, _ := a.Body["responses"].([]any)
	words := make([]string, len(list))
	for i := range list {
		words[i] = a.At("responses", strconv.Itoa(i), "status")
	}
	return strings.Join(words, " ")
}

// hall returns a request for a new venue.
func hall(name string) string { return entry("", "/venues", `{"venue":"`+name+`"}`) }

// batchesAtOnce checks that a batch in one transaction stores everything or nothing.
func batchesAtOnce(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.open(calendar.Options{})
	event := entry("", "/events",
		`{"title":"Fête","start_date":"2030-07-01","end_date":"2030-07-01","venue":{"venue":"Hall"},"tags":["new"]}`)
	b.unchangedBy("a refused request", func() {
		for _, more := range []string{`"atomic":true,`, `"atomic":true,"validation":"normal",`} {
			a := b.admin("POST", batchRoute, batchOf(more, event, entry("", "/venues", `{"venue":""}`), hall("V")), http.StatusConflict)
			if a.Code() != "rest_batch_refused" || a.At("data", "request") != "1" || a.At("data", "response", "status") != "400" ||
				a.At("data", "response", "body", "code") != `"rest_invalid_param"` {
				t.Errorf("%v", a)
			}
		}
		a := b.DoWithin(t.Context(), "contributor", "POST", batchRoute,
			batchOf(`"atomic":true,`, hall("V"), entry("", "/categories", `{"name":"C"}`)))
		if a.Verdict() != "409 rest_batch_refused" || a.At("data", "response", "status") != "403" {
			t.Errorf("%v", a)
		}
	})
	commits := b.counter.Transactions().Committed
	a := b.admin("POST", batchRoute,
		batchOf(`"atomic":true,`, event, event, entry("", "/tags", `{"name":"Other"}`)), http.StatusMultiStatus)
	if got := statuses(a); got != "201 201 201" || a.At("responses", "0", "body", "id") == a.At("responses", "1", "body", "id") {
		t.Errorf("%s: %v", got, a)
	}
	if n := b.counter.Transactions().Committed - commits; n != 1 {
		t.Errorf("%d commits", n)
	}
	if calls := b.settle(); len(calls) != 5 { // a venue, two events and two tags: the second event links the venue of the first
		t.Errorf("the hook got %q", calls)
	}
	b.consistent()
}

// datesAtOnce checks that a batch in one transaction may store at most 2,000 occurrences, whether they are listed,
// result from a rule or move to another zone, because other writers wait for the transaction.
func datesAtOnce(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.own()
	b.open(calendar.Options{})
	const times = `"start_date":"2030-07-01 10:00:00","end_date":"2030-07-01 11:00:00"`
	several := func(n int) string {
		return entry("", "/events?_fields=id", `{"title":"E",`+times+`,"recurrence":{"rrule":"FREQ=DAILY;COUNT=`+itoa(int64(n))+`"}}`)
	}
	refused := func(body string) {
		t.Helper()
		b.unchangedBy("too many dates", func() {
			a := b.admin("POST", batchRoute, body, http.StatusBadRequest)
			if a.Code() != "rest_invalid_param" || !strings.Contains(a.Fault("requests"), "2000") {
				t.Errorf("%v", a)
			}
		})
	}
	one := entry("", "/events", `{"title":"One",`+times+`}`)
	refused(batchOf(`"atomic":true,`, several(1000), several(1000), one))
	a := b.admin("POST", batchRoute, batchOf(`"atomic":true,`, several(1000), several(1000), hall("V")), http.StatusMultiStatus)
	if got := statuses(a); got != "201 201 201" {
		t.Fatalf("%s: %v", got, a)
	}
	move := func(n string) string {
		return entry("PATCH", "/events/"+a.At("responses", n, "body", "id")+"?_fields=id", `{"timezone":"Asia/Tokyo"}`)
	}
	refused(batchOf(`"atomic":true,`, move("0"), one, move("1")))
	if got := statuses(b.admin("POST", batchRoute, batchOf("", move("0"), one, move("1")), http.StatusMultiStatus)); got != "200 201 200" {
		t.Errorf("each alone: %s", got)
	}
}

// batchesWithImages checks that the images of a batch are downloaded once, before its transaction begins, and that a
// rejected batch leaves no file.
func batchesWithImages(t *testing.T, e Engine) {
	b := newBench(t, e)
	images := faultBench(b)
	fetched := 0
	b.fetching = func() {
		fetched++
		if c := b.counter.Transactions(); c.Begun != c.Committed+c.RolledBack {
			t.Error("an image is fetched within a transaction")
		}
	}
	pictured := func(name string) string {
		return entry("", "/venues", `{"venue":"`+name+`","image":"`+images+`/of-`+name+`.png"}`)
	}
	b.unchangedBy("a refused request", func() {
		b.admin("POST", batchRoute, batchOf(`"atomic":true,`, pictured("A"), pictured("B"), entry("", "/venues", `{"venue":""}`)), 409)
	})
	if files := b.files(); len(files) != 0 || fetched != 2 {
		t.Errorf("fetched %d, with the files %q", fetched, files)
	}
	a := b.admin("POST", batchRoute, batchOf(`"atomic":true,`, pictured("A"), pictured("A"), pictured("B")), http.StatusMultiStatus)
	if got := statuses(a); got != "201 201 201" || fetched != 4 ||
		a.At("responses", "0", "body", "image", "id") != a.At("responses", "1", "body", "image", "id") || len(b.files()) == 0 {
		t.Errorf("%s, fetched %d: %v", got, fetched, a)
	}
	b.consistent()
}

// batchesAgain checks that a batch which is sent again with its Idempotency-Key executes the missing requests, once.
func batchesAgain(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.open(calendar.Options{})
	body := batchOf("", hall("A"), hall("B"), hall("C"))
	b.counter.Before(func(_ context.Context, _ int, query string) error {
		if !strings.HasPrefix(query, "INSERT") || !strings.Contains(query, "posts`") && !strings.Contains(query, `posts"`) ||
			!strings.Contains(query, "'B'") {
			return nil
		}
		return gone
	})
	first := b.keyed("admin", "batch", "POST", batchRoute, body)
	b.counter.Reset()
	b.log.taken()
	if got := statuses(first); got != "201 503 201" {
		t.Fatalf("%s: %v", got, first)
	}
	if calls := b.settle(); len(calls) != 2 {
		t.Errorf("the hook got %q", calls)
	}
	second := b.keyed("admin", "batch", "POST", batchRoute, body)
	if got := statuses(second); got != "201 201 201" || b.count("A")+b.count("B")+b.count("C") != "111" ||
		second.At("responses", "0", "body", "id") != first.At("responses", "0", "body", "id") ||
		second.At("responses", "0", "headers", replayed) != `"true"` || second.At("responses", "1", "headers", replayed) != "absent" {
		t.Errorf("%s: %v", got, second)
	}
	b.unchangedBy("once more", func() {
		b.keyed("admin", "batch", "POST", batchRoute, body)
		other := b.keyed("admin", "batch", "POST", batchRoute, batchOf("", hall("Other"), hall("B")))
		if got := statuses(other); got != "422 201" {
			t.Errorf("%s: %v", got, other)
		}
	})
	whole := batchOf(`"atomic":true,`, hall("D"), hall("E"))
	made := b.keyed("admin", "atomic", "POST", batchRoute, whole)
	b.unchangedBy("all at once, again", func() {
		again := b.keyed("admin", "atomic", "POST", batchRoute, whole)
		if statuses(again) != "201 201" || again.At("responses", "1", "body") != made.At("responses", "1", "body") {
			t.Errorf("%v, at first %v", again, made)
		}
	})
	b.consistent()
}

// batchesInGroups checks that independent requests are stored in few transactions, with the same answers as one by one:
// a rejected request leaves the others as they are, images are fetched before a transaction, and after a commit whose
// answer was lost, each request of the transaction is answered with that.
func batchesInGroups(t *testing.T, e Engine) {
	b := newBench(t, e)
	images, fetched := faultBench(b), 0
	b.fetching = func() {
		fetched++
		if c := b.counter.Transactions(); c.Begun != c.Committed+c.RolledBack {
			t.Error("an image is fetched within a transaction")
		}
	}
	var halls []string
	for i := range 20 {
		halls = append(halls, hall("Of many "+strconv.Itoa(i)))
	}
	commits := b.counter.Transactions().Committed
	made := b.admin("POST", batchRoute, batchOf("", halls...), http.StatusMultiStatus)
	if got := statuses(made); got != strings.Repeat("201 ", 19)+"201" {
		t.Fatal(got)
	}
	if n := b.counter.Transactions().Committed - commits; n != 2 {
		t.Errorf("%d commits for 20 requests, want 2", n)
	}
	if calls := b.settle(); len(calls) != 20 {
		t.Errorf("the hook got %q", calls)
	}
	old := entry("PATCH", "/venues/"+made.At("responses", "0", "body", "id"), `{"city":"Gent"}`)
	a := b.admin("POST", batchRoute, batchOf("", hall("A"), entry("", "/venues", `{"venue":""}`), hall("B"),
		entry("", "/venues", `{"venue":"C","image":"`+images+`/picture.png"}`), hall("D"),
		strings.TrimSuffix(old, "}")+`,"headers":{"If-Match":"\"other\""}}`, old, entry("DELETE", "/venues/999999", ""), hall("E")),
		http.StatusMultiStatus)
	if got := statuses(a); got != "201 400 201 201 201 412 200 400 201" || fetched != 1 {
		t.Errorf("%s, fetched %d: %v", got, fetched, a)
	}
	if calls := b.settle(); len(calls) != 6 {
		t.Errorf("the hook got %q", calls)
	}
	for _, name := range []string{"A", "B", "C", "D", "E"} {
		if n := b.count(name); n != "1" {
			t.Errorf("%s venues have the name %s", n, name)
		}
	}
	b.changesOneByOne(old)
	b.groupInDoubt()
	b.groupOfALeavingMember()
	b.consistent()
}

// changesOneByOne checks that a request that changes an item has a transaction of its own, which begins by locking the item:
// otherwise it would overwrite what another program changed since the transaction's first read.
func (b *bench) changesOneByOne(change string) {
	before := b.counter.Transactions().Committed
	made := b.admin("POST", batchRoute, batchOf("", hall("N"), hall("O"), change, hall("P"), hall("Q"), change, change),
		http.StatusMultiStatus)
	if got := statuses(made); got != "201 201 200 201 201 200 200" {
		b.T.Error(got)
	}
	if n := b.counter.Transactions().Committed - before; n != 5 {
		b.T.Errorf("%d commits for two groups and three changes", n)
	}
	b.settle()
}

// groupInDoubt checks the answers to a batch of which one commit is in doubt, and that nothing is stored twice when the
// batch is sent again with its key.
func (b *bench) groupInDoubt() {
	body := batchOf("", hall("F"), hall("G"))
	b.counter.LoseCommit(gone)
	lost := b.keyed("admin", "doubt", "POST", batchRoute, body)
	b.counter.Reset()
	b.log.taken()
	for _, n := range []string{"0", "1"} {
		if lost.At("responses", n, "body", "code") != `"rest_outcome_unknown"` || lost.At("responses", n, "headers", "Retry-After") != "1" {
			b.T.Errorf("%v", lost)
		}
	}
	again := b.keyed("admin", "doubt", "POST", batchRoute, body)
	if got := statuses(again); got != "201 201" || b.count("F")+b.count("G") != "11" ||
		again.At("responses", "1", "headers", replayed) != `"true"` {
		b.T.Errorf("%s: %v", got, again)
	}
	b.counter.LoseCommit(gone)
	lost = b.DoWithin(b.T.Context(), "admin", "POST", batchRoute, batchOf("", hall("H"), hall("I")))
	b.counter.Reset()
	b.log.taken()
	code, retry := lost.At("responses", "1", "body", "code"), lost.At("responses", "1", "headers", "Retry-After")
	if code != `"rest_outcome_unknown"` || retry != "absent" {
		b.T.Errorf("%v", lost)
	}
}

// groupOfALeavingMember checks that if a server leaves its group at the commit, so that other members may have stored
// what it rolled back, no request of that attempt is carried out again, although the next attempt ended at the first.
func (b *bench) groupOfALeavingMember() {
	if b.DB.Dialect().Name() != dialect.MySQL {
		return
	}
	before := b.counter.Transactions().RolledBack
	b.counter.FailCommit(&mysql.MySQLError{Number: 3101})
	b.counter.Before(func(_ context.Context, _ int, query string) error {
		if strings.Contains(query, "'K'") && b.counter.Transactions().RolledBack > before {
			return gone
		}
		return nil
	})
	left := b.DoWithin(b.T.Context(), "admin", "POST", batchRoute, batchOf("", hall("K"), hall("L"), hall("M")))
	b.counter.Reset()
	b.log.taken()
	if got := statuses(left); got != "503 503 503" || left.At("responses", "2", "body", "code") != `"rest_outcome_unknown"` {
		b.T.Errorf("%s: %v", got, left)
	}
	if n := b.count("K") + b.count("L") + b.count("M"); n != "000" {
		b.T.Errorf("%s venues are stored", n)
	}
}

// batchesWithinTransactions checks that a rejected request of a batch within a Transaction ends neither the other requests
// of the batch nor the Transaction.
func batchesWithinTransactions(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.open(calendar.Options{})
	admin := calendar.WithPrincipal(t.Context(), callersOf(t, b.DB, b.prefix)["admin"])
	must.Succeed(t, b.cal.Transaction(admin, func(ctx context.Context) error {
		b.do(ctx, "POST", "/tags", map[string]any{"name": "Twice"})
		requests := batchOf("", hall("A"), entry("", "/tags", `{"name":"Twice"}`), hall("B"))
		body, err := b.cal.Do(ctx, "POST", batchRoute, nil, json.RawMessage(requests))
		if err != nil {
			return err
		}
		var got struct{ Responses []struct{ Status int } }
		must.Succeed(t, json.Unmarshal(body, &got))
		if all := fmt.Sprint(got.Responses); all != "[{201} {400} {201}]" {
			t.Error(all)
		}
		return nil
	}))
	if n := b.count("A") + b.count("B"); n != "11" {
		t.Errorf("%s venues are stored", n)
	}
	if calls := b.settle(); len(calls) != 3 {
		t.Errorf("the hook got %q", calls)
	}
	b.consistent()
}
