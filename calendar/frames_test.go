package calendar_test

import (
	"context"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// frames is a hook of bun that notes, for each query, the functions of this module that it is called by, the innermost
// first.
type frames struct{ of [][]string }

func (f *frames) BeforeQuery(ctx context.Context, _ *bun.QueryEvent) context.Context {
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
	f.of = append(f.of, names)
	return ctx
}

func (*frames) AfterQuery(context.Context, *bun.QueryEvent) {}

// TestFrames: who looks at a slow statement of a month in a debugger or a profile finds few functions of the calendar above
// it. They are those of every request: the four that make one request answer others with the same address are counted only
// where answers are kept.
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
