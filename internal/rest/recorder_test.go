package rest_test

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/follow"
	"github.com/agendahq/agenda/internal/rest"
)

// TestRecorderKeepsNoMoreThanItsBound checks that nothing of an item is kept in memory if it is too large for a
// message.
func TestRecorderKeepsNoMoreThanItsBound(t *testing.T) {
	for _, n := range []int{follow.MaxItem, follow.MaxItem + 1, 14 << 20} {
		w := &rest.Recorder{Most: follow.MaxItem}
		half := []byte(strings.Repeat("x", n/2))
		_, _ = w.Write(half)
		_, _ = w.Write([]byte(strings.Repeat("x", n-n/2)))
		if w.Beyond != (n > follow.MaxItem) || w.Beyond && w.Body.Cap() != 0 || !w.Beyond && w.Body.Len() != n {
			t.Errorf("%d: beyond %t, %d of %d", n, w.Beyond, w.Body.Len(), w.Body.Cap())
		}
	}
}
