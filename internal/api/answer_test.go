package api_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/api"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestB3AnswerAfterCommit checks that other writes can begin and end while a response is rendered.
func TestB3AnswerAfterCommit(t *testing.T) {
	s := apitest.Open(t)
	ctx := site.With(t.Context(), s.Settings)
	rendered := 0
	write := func(within func()) {
		t.Helper()
		must.Get(api.New(s.Env).Write(ctx, api.Write{
			Work:   content.Work[item.Result]{Apply: func(context.Context) (item.Result, error) { return item.Result{}, nil }},
			Render: func(item.Result) *rest.Response { rendered++; within(); return nil },
		}))(t)
	}
	write(func() {
		if tx := s.Counter.Transactions(); tx.Committed != 1 {
			t.Fatalf("rendered within the transaction: %+v", tx)
		}
		write(func() {})
	})
	if rendered != 2 {
		t.Errorf("rendered %d answers", rendered)
	}
	failed := errors.New("failed")
	if _, err := api.New(s.Env).Write(ctx, api.Write{
		Work:   content.Work[item.Result]{Apply: func(context.Context) (item.Result, error) { return item.Result{}, failed }},
		Render: func(item.Result) *rest.Response { t.Error("an answer of a write that failed"); return nil },
	}); !errors.Is(err, failed) {
		t.Errorf("got %v", err)
	}
}

// TestB3NothingRenderedWhileLocked checks that a write renders no text before its commit, and that other writers need not wait
// while its answer is read, but for that of a deletion, which shows what is no longer there afterwards.
func TestB3NothingRenderedWhileLocked(t *testing.T) {
	s := apitest.Open(t)
	var misses, statements, after int64
	do := func(status int, method, path, body string) apitest.Answer {
		t.Helper()
		before := s.Env.Texts.Stats().Misses
		s.Counter.Reset()
		misses, statements, after = before, 0, 0
		s.Counter.Before(func(_ context.Context, _ int, _ string) error {
			statements++
			misses = s.Env.Texts.Stats().Misses
			if s.Counter.Transactions().Committed > 0 {
				after++
			}
			return nil
		})
		a := s.Must(status, "admin", method, path, body)
		s.Counter.Reset()
		if gone := strings.HasSuffix(path, "force=true"); statements == after || (after == 0) != gone {
			t.Errorf("%s %s: %d statements, %d of them after the commit", method, path, statements, after)
		}
		if misses != before {
			t.Errorf("%s %s: %d texts rendered before the commit", method, path, misses-before)
		}
		if rendered := s.Env.Texts.Stats().Misses; method == "POST" && rendered == before {
			t.Errorf("%s %s: nothing was rendered", method, path)
		}
		return a
	}
	for path, body := range map[string]string{
		"/events": `{"title":"Rendered \"late\"","excerpt":"An \"excerpt\"","cost":"12",
			"start_date":"2031-01-01 10:00","end_date":"2031-01-01 11:00","venue":{"venue":"A \"hall\""},
			"organizer":{"organizer":"A \"club\""}}`,
		"/venues": `{"venue":"Rendered \"late\" too"}`, "/organizers": `{"organizer":"Rendered \"late\" as well"}`,
	} {
		id := do(201, "POST", path, body).ID()
		one := fmt.Sprint(path, "/", id)
		do(200, "PUT", one, `{"status":"draft"}`)
		do(200, "DELETE", one, "")
		do(200, "DELETE", one+"?force=true", "")
	}
}
