package contract

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/go-sql-driver/mysql"
)

// Faults of a database: a failing statement, a lost connection, and a conflict with another writer.
var (
	errRefused = errors.New("refused: INSERT INTO wp_posts")
	gone       = mysql.ErrInvalidConn
	deadlock   = &mysql.MySQLError{Number: 1213, Message: "Deadlock found"}
)

// faults is a bench that makes the statements of a write fail one by one.
type faults struct {
	*bench
	images string
}

func newFaults(t *testing.T, e Engine) *faults {
	t.Helper()
	b := newBench(t, e)
	return &faults{b, faultBench(b)}
}

// try sends a write and calls happen at its nth statement. reached reports whether there was such a statement, and
// committed whether everything had been written by then.
func (f *faults) try(w writeCase, n int, happen func(cancel func()) error) (a apitest.Answer, reached, committed bool) {
	f.T.Helper()
	if a := f.DoWithin(f.T.Context(), "", "GET", "/tags", ""); a.Status != http.StatusOK {
		f.T.Fatalf("%s: the request before: %d %s", w.name, a.Status, a.Text)
	}
	f.counter.Reset()
	ctx, cancel := context.WithCancel(f.T.Context())
	defer cancel()
	f.counter.Before(func(_ context.Context, i int, _ string) error {
		if i != n {
			return nil
		}
		reached, committed = true, f.counter.Transactions().Committed > 0
		return happen(cancel)
	})
	a = f.send(ctx, w)
	f.counter.Reset()
	return a, reached, committed
}

func (f *faults) send(ctx context.Context, w writeCase) apitest.Answer {
	body := strings.ReplaceAll(f.fill(w.body), "$IMAGES", f.images)
	return f.DoWithin(ctx, "admin", w.method, f.fill(w.path), body)
}

// done checks that a write has succeeded, and stores the id of the item that it created.
func (f *faults) done(w writeCase, a apitest.Answer) {
	f.T.Helper()
	if a.Status != http.StatusOK && a.Status != http.StatusCreated {
		f.T.Fatalf("%s: %s\n answered %d %s", w.name, a.Request, a.Status, apitest.Clip(a.Text))
	}
	if a.Status == http.StatusCreated {
		f.id[w.name] = a.Number("id")
	}
}

// state is what a failed write must not change.
type state struct {
	rows  apitest.Rows
	files []string
}

func (f *faults) state() state { return state{f.Rows(), f.files()} }

// unchanged checks that a failed write has left nothing: no row, no file, no connection in use, and no call of the
// change hook.
func (f *faults) unchanged(w writeCase, n int, was state) {
	f.T.Helper()
	is := f.state()
	if lines := was.rows.Differences(is.rows); len(lines) > 0 {
		f.T.Errorf("%s, statement %d: rows differ\n%s", w.name, n, strings.Join(lines, "\n"))
	}
	if !slices.Equal(was.files, is.files) {
		f.T.Errorf("%s, statement %d: files %q, were %q", w.name, n, is.files, was.files)
	}
	if open := f.host.Stats().InUse; open != 0 {
		f.T.Errorf("%s, statement %d: %d connections are still in use", w.name, n, open)
	}
	if calls := f.settle(); len(calls) > 0 {
		f.T.Errorf("%s, statement %d: the hook got %q", w.name, n, calls)
	}
}

// failed checks the response to a failure, and that its cause is only in the log.
func (f *faults) failed(w writeCase, n int, a apitest.Answer, status int, code string) {
	f.T.Helper()
	verdict := fmt.Sprint(status, " ", code)
	if a.Verdict() != verdict || a.Word("message") == "" || a.At("data", "status") != strconv.Itoa(status) || len(a.Body) != 3 {
		f.T.Errorf("%s, statement %d: %d %s, want %d %s", w.name, n, a.Status, apitest.Clip(a.Text), status, code)
	}
	for _, inner := range []string{"refused", "wp_", "INSERT", "SELECT", "invalid connection", "bad connection", "driver", "Deadlock",
		".go"} {
		if strings.Contains(a.Text, inner) {
			f.T.Errorf("%s, statement %d: %q is shown: %s", w.name, n, inner, a.Text)
		}
	}
	if lines := f.log.taken(); len(lines) != 1 || !strings.Contains(lines[0], code) {
		f.T.Errorf("%s, statement %d: logged %q", w.name, n, lines)
	}
}

// readsAnswer returns the number of transactions that a write begins after its commit, to read its answer: none for terms and for
// deletions, whose answers are read before.
func (w writeCase) readsAnswer() int {
	if strings.HasPrefix(w.path, "/categories") || strings.HasPrefix(w.path, "/tags") || strings.HasSuffix(w.path, "force=true") {
		return 0
	}
	return 1
}

// stored checks the response to a write whose answer could not be read after the commit, and that it is stored and reported.
func (f *faults) stored(w writeCase, n int, a apitest.Answer, was state) {
	f.T.Helper()
	f.failed(w, n, a, http.StatusServiceUnavailable, "rest_outcome_unknown")
	f.id[w.name] = f.newest(w)
	if len(was.rows.Differences(f.Rows())) == 0 {
		f.T.Errorf("%s, statement %d: nothing is stored", w.name, n)
	}
	if open := f.host.Stats().InUse; open != 0 {
		f.T.Errorf("%s, statement %d: %d connections are still in use", w.name, n, open)
	}
	if got, want := f.settle(), f.changes(w); !slices.Equal(got, want) {
		f.T.Errorf("%s, statement %d: the hook got\n %q, want\n %q", w.name, n, got, want)
	}
}

// writesFail makes each statement of each kind of write fail in turn.
func writesFail(t *testing.T, e Engine) {
	f := newFaults(t, e)
	for _, w := range writeCases {
		was, places, done := f.state(), 0, false
		for n := 1; !done; n += e.steps() {
			fault, status, code := errRefused, http.StatusInternalServerError, "internal_server_error"
			if n%2 == 0 {
				fault, status, code = gone, http.StatusServiceUnavailable, "rest_unavailable"
			}
			a, reached, committed := f.try(w, n, func(func()) error { return fault })
			if done = !reached || committed; done {
				if reached && w.readsAnswer() > 0 {
					f.stored(w, n, a, was)
				} else {
					f.done(w, a)
				}
				break
			}
			f.failed(w, n, a, status, code)
			f.unchanged(w, n, was)
			places += e.steps()
		}
		f.settle()
		least := 5
		if w.name == "event" {
			least = 15
		}
		if t.Logf("%s: %d places", w.name, places); places < least {
			t.Errorf("%s: only %d statements failed", w.name, places)
		}
	}
	f.consistent()
}

// commitsFail makes the commit of each kind of write fail.
func commitsFail(t *testing.T, e Engine) {
	f := newFaults(t, e)
	for _, w := range writeCases {
		was := f.state()
		for _, c := range []struct {
			fault  error
			status int
			code   string
		}{
			{errRefused, http.StatusInternalServerError, "internal_server_error"},
			{driver.ErrBadConn, http.StatusServiceUnavailable, "rest_outcome_unknown"},
			{gone, http.StatusServiceUnavailable, "rest_outcome_unknown"},
		} {
			f.counter.Reset()
			f.counter.FailCommit(c.fault)
			f.failed(w, 0, f.send(t.Context(), w), c.status, c.code)
			if c.code == "rest_outcome_unknown" {
				was.files = f.files() // committed rows may refer to them
			}
			f.unchanged(w, 0, was)
		}
		f.counter.Reset()
		f.counter.FailCommit(deadlock)
		f.done(w, f.send(t.Context(), w))
		if tx := f.counter.Transactions(); tx.Committed != 1 || tx.RolledBack != 1+w.readsAnswer() {
			t.Errorf("%s: %+v", w.name, tx)
		}
		f.settle()
	}
	f.consistent()
}
