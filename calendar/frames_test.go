package calendar_test

import (
	"context"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// frames is a query hook of bun that records, for each query, the functions of this module on the stack, the innermost
// first.
type frames struct {
	of      [][]string
	queries []string
}

func (f *frames) BeforeQuery(ctx context.Context, query *bun.QueryEvent) context.Context {
	pcs := make([]uintptr, 200)
	stack := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	var names []string
	for more := true; more; {
		var frame runtime.Frame
		frame, more = stack.Next()
		name, ours := strings.CutPrefix(frame.Function, "github.com/agendahq/agenda/")
		if ours && !strings.HasPrefix(name, "internal/test/") && !strings.HasPrefix(name, "calendar_test.") {
			names = append(names, name)
		}
	}
	f.of, f.queries = append(f.of, names), append(f.queries, query.Query)
	return ctx
}

func (*frames) AfterQuery(context.Context, *bun.QueryEvent) {}

// TestFrames checks that few functions of the calendar are on the stack of a statement of a month's list, so that a
// slow one is easy to find in a debugger or a profile. With a cache there are four more, with which requests to one
// address share an answer.
func TestFrames(t *testing.T) {
	f := &frames{}
	db := testdb.SiteA(t).WithQueryHook(f)
	h := contract.Handler(t, calendar.Options{DB: db, Now: frozen, Cache: calendar.Cache{Bytes: calendar.None}})
	f.of = nil
	const month = contract.Root + "/events?start_date=2031-05-01&end_date=2031-05-31&per_page=50"
	if w := apitest.Send(t.Context(), h, http.MethodGet, month, ""); w.Code != http.StatusOK {
		t.Fatal(w.Code, w.Body)
	}
	if len(f.of) < 3 {
		t.Errorf("%d statements", len(f.of))
	}
	const most = 14
	for _, names := range f.of {
		if len(names) > most {
			t.Errorf("%d frames, want at most %d:\n%s", len(names), most, strings.Join(names, "\n"))
		}
	}
}

// TestFramesOfWrites checks that few functions are on the stack between the handler of a route and the first INSERT of
// a write. Each of them is a step of the write.
func TestFramesOfWrites(t *testing.T) {
	f := &frames{}
	db := testdb.SiteA(t).WithQueryHook(f)
	h := contract.Handler(t, calendar.Options{DB: db, Now: frozen, Authenticator: writer{}})
	for _, w := range []struct {
		path, body string
		most       int
	}{
		{"/events", `{"title":"Fair","start_date":"2031-05-01 10:00","end_date":"2031-05-01 12:00"}`, 12},
		{"/venues", `{"venue":"Hall"}`, 12},
		{"/tags", `{"name":"Free"}`, 12},
	} {
		f.of, f.queries = nil, nil
		if w := apitest.Send(t.Context(), h, http.MethodPost, contract.Root+w.path, w.body, "Content-Type", "application/json"); w.Code !=
			http.StatusCreated {
			t.Fatal(w.Code, w.Body)
		}
		first := slices.IndexFunc(f.queries, func(q string) bool { return strings.HasPrefix(q, "INSERT") })
		if first < 0 {
			t.Fatalf("%s: no INSERT in %q", w.path, f.queries)
		}
		names := f.of[first]
		n := 1 + slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(name, "internal/api.(*resource).create") })
		if n < 1 || n > w.most {
			t.Errorf("%s: %d frames, want at most %d:\n%s", w.path, n, w.most, strings.Join(names, "\n"))
		}
	}
}
