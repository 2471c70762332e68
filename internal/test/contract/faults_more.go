package contract

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/must"
)

// writesGivenUp cancels the request at each statement of each kind of write in turn. Nothing must be written, unless
// the write was committed.
func writesGivenUp(t *testing.T, e Engine) {
	f := newFaults(t, e)
	for _, w := range writeCases {
		was := f.state()
		for n := 1; ; n += e.steps() {
			a, reached, committed := f.try(w, n, func(cancel func()) error { cancel(); return nil })
			if !reached {
				f.done(w, a)
				break
			}
			if committed { // too late: it was written, and can be read
				if got := f.settle(); len(got) == 0 {
					t.Errorf("%s, given up at statement %d: the hook is not called", w.name, n)
				}
				f.id[w.name] = f.newest(w)
				break
			}
			if a.Status < 400 || len(a.Text) > 0 {
				t.Errorf("%s, given up at statement %d: %d %s", w.name, n, a.Status, apitest.Clip(a.Text))
			}
			f.unchanged(w, n, was)
		}
		f.settle()
	}
	f.consistent()
}

// newest returns the id of the item that a write has created last.
func (f *faults) newest(w writeCase) (id int64) {
	f.T.Helper()
	if w.method != http.MethodPost || strings.Contains(w.path, "{") {
		return f.id[w.name]
	}
	query := "SELECT MAX(ID) FROM ?(prefix)posts WHERE post_type = '" + kindOf[w.path[1:]].stored + "'"
	if w.path == "/categories" || w.path == "/tags" {
		query = "SELECT MAX(term_id) FROM ?(prefix)terms"
	}
	must.Succeed(f.T, f.DB.NewRaw(query).Scan(f.T.Context(), &id))
	return id
}

// writesRunAgain makes each kind of write conflict with another writer at one statement of its transaction. The write
// must succeed, and the hook must be called once.
func writesRunAgain(t *testing.T, e Engine) {
	f := newFaults(t, e)
	for i, w := range writeCases {
		f.counter.Reset()
		left := 2 + i%4 // number of statements before the conflict
		f.counter.Before(func(context.Context, int, string) error {
			if f.counter.Transactions().Begun != 1 {
				return nil
			}
			if left--; left == 0 {
				return &mysql.MySQLError{Number: []uint16{1213, 1205}[i%2], Message: "conflict"}
			}
			return nil
		})
		f.done(w, f.send(t.Context(), w))
		if tx, reads := f.counter.Transactions(), w.readsAnswer(); tx.Begun != 2+reads || tx.Committed != 1 || tx.RolledBack != 1+reads {
			t.Errorf("%s: %+v", w.name, tx)
		}
		f.counter.Reset()
		if got, want := f.settle(), f.changes(w); !slices.Equal(got, want) {
			t.Errorf("%s: the hook got\n %q, want\n %q", w.name, got, want)
		}
	}
	f.consistent()
}

// madeOnce checks that the hook is called once for each kind of item that was created with the event.
func (f *faults) madeOnce(n int) {
	f.T.Helper()
	calls := f.settle()
	for _, kind := range []string{"events", "venues", "organizers", "categories"} {
		times := 0
		for _, line := range calls {
			if strings.HasPrefix(line, "create "+kind+" ") {
				times++
			}
		}
		if times != 1 {
			f.T.Errorf("another writer at statement %d: %d calls for new %s: %q", n, times, kind, calls)
		}
	}
}

// eventRunsAgain causes a conflict at many statements of the creation of an event with all fields.
func eventRunsAgain(t *testing.T, e Engine) {
	f := newFaults(t, e)
	for _, w := range writeCases[:4] {
		f.done(w, f.send(t.Context(), w))
	}
	f.settle()
	event, again := writeCases[4], 0
	for n := 1; ; n += 4 {
		title := "Again " + itoa(int64(n))
		w := event
		w.body = strings.NewReplacer("Everything", title, "New hall", "Hall of "+title, "New person", "Person of "+title,
			"New category", "Category of "+title).Replace(event.body)
		var tx int
		a, reached, committed := f.try(w, n, func(func()) error { tx = f.counter.Transactions().Begun; return deadlock })
		if !reached || committed {
			break
		}
		if a.Status != http.StatusCreated {
			if tx > 0 {
				t.Errorf("another writer at statement %d: %d %s", n, a.Status, apitest.Clip(a.Text))
			}
			f.log.taken()
			continue
		}
		again++
		for name, where := range map[string]string{
			title:                "posts WHERE post_type = 'tribe_events' AND post_title",
			"Hall of " + title:   "posts WHERE post_type = 'tribe_venue' AND post_title",
			"Person of " + title: "posts WHERE post_type = 'tribe_organizer' AND post_title", "Category of " + title: "terms WHERE name",
		} {
			var rows int
			if err := f.DB.NewRaw("SELECT COUNT(*) FROM ?(prefix)"+where+" = ?", name).Scan(t.Context(), &rows); err != nil || rows != 1 {
				t.Errorf("another writer at statement %d: %d rows of %q, %v", n, rows, name, err)
			}
		}
		f.madeOnce(n)
	}
	if again < 8 {
		t.Errorf("only %d runs met another writer", again)
	}
	f.consistent()
}

// endlessConflicts checks that a write which other writers abort again and again is retried, fails while its request
// still has time left, and stores nothing.
func endlessConflicts(t *testing.T, e Engine) {
	f := newFaults(t, e)
	w := writeCases[2]
	was := f.state()
	f.counter.Reset()
	begun := 0
	f.counter.Before(func(_ context.Context, _ int, query string) error {
		if strings.HasPrefix(query, "INSERT") && strings.Contains(query, f.prefix+"postmeta") {
			begun = f.counter.Transactions().Begun
			return deadlock
		}
		return nil
	})
	ctx, cancel := context.WithTimeout(t.Context(), 6*time.Second)
	defer cancel()
	a := f.send(ctx, w)
	if begun < 6 || ctx.Err() != nil {
		t.Errorf("%d attempts, %v", begun, ctx.Err())
	}
	f.counter.Reset()
	f.failed(w, 0, a, http.StatusServiceUnavailable, "rest_unavailable")
	f.unchanged(w, 0, was)
}

// writeCase is a write of one kind, with the changes that must be reported to the hook. {names} are ids in its path and
// body; a POST to a collection stores the id of its item under the name.
type writeCase struct {
	name, method, path, body string
	changes                  []*line
}

// writeCases contains all kinds of writes, in an order in which the items of each exist.
var writeCases = writesOf("writes")

func writesOf(list string) (writes []writeCase) {
	for _, l := range section("list " + list) {
		w := strings.SplitN(l.text+"   ", " ", 4)
		writes = append(writes, writeCase{w[0], w[1], w[2], strings.TrimSpace(w[3]), l.sub})
	}
	return writes
}

// faultBench returns a bench with a single connection, on which a statement outside the transaction of a write would
// block forever, and with images to download.
func faultBench(b *bench) (images string) {
	b.host.SetMaxOpenConns(1)
	picture := pictureOf(b.T, 310, 12)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if b.fetching != nil {
			b.fetching()
		}
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write([]byte(picture))
	}))
	b.T.Cleanup(server.Close)
	at := must.Get(netip.ParseAddrPort(strings.TrimPrefix(server.URL, "http://")))(b.T)
	b.open(calendar.Options{Uploads: calendar.Uploads{
		Dir: b.uploads, BaseURL: Site + "/wp-content/uploads", Ports: []uint16{at.Port()},
		Allow: func(a netip.Addr) bool { return a == at.Addr() },
	}})
	return server.URL
}
