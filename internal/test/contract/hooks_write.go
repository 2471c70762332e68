package contract

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// changesReported checks that the change hook is called once for each change of each kind of write, with its result,
// and for nothing else.
func changesReported(t *testing.T, e Engine) {
	f := newFaults(t, e)
	for _, w := range writeCases {
		f.done(w, f.send(t.Context(), w))
		if got, want := f.settle(), f.changes(w); len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: the hook got\n %q, want\n %q", w.name, got, want)
		}
	}
	for _, c := range []struct{ method, path, body string }{
		{"PATCH", "/events/{event-2}", `{"title":"Second"}`}, {"PATCH", "/events/{event-2}", `{}`},
		{"PATCH", "/events/{event-2}", `{"title":" "}`}, {"PATCH", "/venues/{hall}", `{"venue":"Hall 3"}`},
		{"PATCH", "/tags/{tag}", `{"name":"tag"}`}, {"DELETE", "/tags/999999", ""},
		{"POST", "/tags", `{"name":"tag"}`}, {"POST", "/events", `{"title":"x"}`}, {"GET", "/events", ""},
	} {
		f.DoWithin(t.Context(), "admin", c.method, f.fill(c.path), c.body)
		if got := f.settle(); len(got) > 0 {
			t.Errorf("%s %s %s: the hook got %q", c.method, c.path, c.body, got)
		}
	}
}

// changes returns the calls of the hook that a write must cause.
func (f *faults) changes(w writeCase) (lines []string) {
	for _, l := range w.changes {
		p := strings.Fields(l.text) // operation, collection, name, statuses
		if f.id[p[2]] == 0 {
			f.id[p[2]] = f.named(strings.ReplaceAll(p[2], "-", " "))
		}
		lines = append(lines, p[0]+" "+p[1]+" "+f.idText(p[2])+" by admin: "+p[3])
	}
	return lines
}

// named returns the id of an item that a write created in addition to its own item, by name.
func (f *faults) named(name string) (id int64) {
	f.T.Helper()
	err := f.DB.NewRaw("SELECT MAX(ID) FROM (SELECT ID FROM ?(prefix)posts WHERE post_title = ? AND post_type <> 'revision' "+
		"UNION ALL SELECT term_id FROM ?(prefix)terms WHERE name = ?) AS both_kinds", name, name).Scan(f.T.Context(), &id)
	if err != nil {
		f.T.Fatal(name, err)
	}
	return id
}

// inHook is the context key that marks the requests of a change hook.
type inHook struct{}

// reportedAfterCommit checks that the hook is not called before the last statement of the transaction, and can read
// what changed.
func reportedAfterCommit(t *testing.T, e Engine) {
	b := newBench(t, e)
	found := make(chan int, 100)
	b.open(calendar.Options{Hooks: calendar.Hooks{OnChange: func(ctx context.Context, c calendar.Change) {
		b.hook.record(ctx, c)
		found <- b.DoWithin(context.WithValue(ctx, inHook{}, true), "", "GET", "/tags/"+itoa(c.ID), "").Status
	}}})
	before := 0
	b.counter.Reset()
	b.counter.Before(func(ctx context.Context, _ int, _ string) error {
		if tx := b.counter.Transactions(); tx.Begun == 1 && tx.Committed == 0 && ctx.Value(inHook{}) == nil {
			before++
			if got := b.settle(); len(got) > 0 {
				t.Errorf("the hook got %q at statement %d of the transaction", got, before)
			}
		}
		return nil
	})
	b.admin("POST", "/tags", `{"name":"New"}`, http.StatusCreated)
	b.counter.Reset()
	if before < 5 {
		t.Errorf("only %d statements in the transaction", before)
	}
	if got := b.settle(); len(got) != 1 || <-found != http.StatusOK {
		t.Errorf("the hook got %q", got)
	}
}

// badHooks checks that neither a panic of the change hook nor a slow one affects requests, and that Close waits for it.
func badHooks(t *testing.T, e Engine) {
	b := newBench(t, e)
	hold := make(chan struct{})
	b.open(calendar.Options{Hooks: calendar.Hooks{OnChange: func(ctx context.Context, c calendar.Change) {
		<-hold
		if c.Op == calendar.OpUpdate {
			panic("bad hook")
		}
		b.hook.record(ctx, c)
	}}})
	var want []string
	for i := range 40 {
		tag := b.admin("POST", "/tags", `{"name":"Tag `+itoa(int64(i))+`"}`, http.StatusCreated).Number("id")
		b.admin("PATCH", "/tags/"+itoa(tag), `{"description":"D"}`, http.StatusOK)
		b.admin("GET", "/tags/"+itoa(tag), "", http.StatusOK)
		want = append(want, "create tags "+itoa(tag)+" by admin: >")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.cal.Close(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Close while a hook waits: %v", err)
	}
	close(hold)
	if got := b.settle(); !slices.Equal(got, want) {
		t.Errorf("the hook got %q", got)
	}
	logged := b.log.taken()
	if len(logged) != 40 {
		t.Errorf("%d panics are logged", len(logged))
	}
	for _, line := range logged {
		if !strings.Contains(line, "panic in change hook") || !strings.Contains(line, "bad hook") {
			t.Errorf("logged %q", line)
		}
	}
}

// ofRequest is the key of a value that the host's middleware adds to a request's context.
type ofRequest struct{}

// hookContext checks that the hook gets the values of the request's context but not its cancellation, and rights that
// it may modify without affecting others.
func hookContext(t *testing.T, e Engine) {
	b := newBench(t, e)
	type call struct {
		value any
		err   error
		can   bool
	}
	calls, answered := make(chan call, 10), make(chan bool)
	b.open(calendar.Options{Hooks: calendar.Hooks{OnChange: func(ctx context.Context, c calendar.Change) {
		<-answered
		calls <- call{ctx.Value(ofRequest{}), ctx.Err(), c.Principal.Can("edit_tribe_events")}
		clear(c.Principal.Capabilities)
	}}})
	for _, venue := range []string{"V", "W"} {
		ctx, cancel := context.WithCancel(context.WithValue(t.Context(), ofRequest{}, "trace 7"))
		// Two changes: the new venue and the event (D71 links the existing venue afterwards).
		a := b.DoWithin(ctx, "admin", "POST", "/events",
			`{"title":"A","start_date":"2031-01-01","end_date":"2031-01-02","venue":{"venue":"`+venue+`"}}`)
		cancel()
		if a.Status != http.StatusCreated {
			t.Fatalf("%s: %s", a.Request, a.Text)
		}
		for range 2 {
			answered <- true
			if got, want := <-calls, (call{"trace 7", nil, true}); got != want {
				t.Errorf("the hook got %v, want %v", got, want)
			}
		}
	}
	b.settle()
}
