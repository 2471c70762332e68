package follow

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/content"
)

func sameContext(ctx context.Context, _ bool) context.Context { return ctx }

// TestHookQueue checks that while a hook does not return, 4,096 changes wait, further ones are dropped and logged, and
// the hook is called for the others in their order.
func TestHookQueue(t *testing.T) {
	var log strings.Builder
	hold, heard := make(chan struct{}), []int64{}
	h := &Hook{Logger: slog.New(slog.NewTextHandler(&log, nil)), Context: sameContext}
	h.Call = func(_ context.Context, c content.Change, _ bool) {
		<-hold
		heard = append(heard, c.ID)
	}
	for id := range int64(hookQueue + 3) {
		h.Changed(t.Context(), []content.Change{{Kind: "tags", ID: id}})
	}
	if n := h.Pending(); n != hookQueue+1 {
		t.Errorf("%d changes are pending", n)
	}
	if got := log.String(); strings.Count(got, "\n") != 2 || !strings.Contains(got, "id=4097") || !strings.Contains(got, "id=4098") {
		t.Errorf("logged %s", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("waited for a hook that does not return: %v", err)
	}
	close(hold)
	if err := h.Wait(t.Context()); err != nil || h.Pending() != 0 || len(heard) != hookQueue+1 {
		t.Errorf("%v, %d pending, heard of %d", err, h.Pending(), len(heard))
	}
	for i, id := range heard {
		if id != int64(i) {
			t.Fatalf("change %d came as number %d", id, i)
		}
	}
	if h.Changed(t.Context(), nil); h.Pending() != 0 || h.Wait(t.Context()) != nil {
		t.Error("no change, and something is pending")
	}
}

// TestHookRoom checks that the capacity of the queue which is reserved for changes is available again after it was
// released, and that the hook is called for changes of other programs in their order.
func TestHookRoom(t *testing.T) {
	var heard []int64
	h := &Hook{Logger: slog.New(slog.DiscardHandler), Context: sameContext}
	h.Call = func(_ context.Context, c content.Change, foreign bool) {
		if heard = append(heard, c.ID); !foreign {
			t.Errorf("change %d is of this program", c.ID)
		}
	}
	if !h.reserve(hookQueue) || h.reserve(1) || h.Pending() != hookQueue {
		t.Errorf("%d are pending", h.Pending())
	}
	h.release(hookQueue)
	if !h.reserve(1) {
		t.Error("no room is left")
	}
	h.release(1)
	if err := h.Foreign(t.Context(), []content.Change{{ID: 1}, {ID: 2}}); err != nil {
		t.Error(err)
	}
	if err := h.Wait(t.Context()); err != nil || len(heard) != 2 || heard[0] != 1 || heard[1] != 2 {
		t.Errorf("%v, heard of %d", err, heard)
	}
}
