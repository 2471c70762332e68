package calendar

import (
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/follow"
)

// TestRecorderKeepsNoMoreThanItsBound checks that nothing of an item is kept in memory if it is too large for a
// message.
func TestRecorderKeepsNoMoreThanItsBound(t *testing.T) {
	for _, n := range []int{follow.MaxItem, follow.MaxItem + 1, 14 << 20} {
		w := &recorder{header: http.Header{}, most: follow.MaxItem}
		half := []byte(strings.Repeat("x", n/2))
		_, _ = w.Write(half)
		_, _ = w.Write([]byte(strings.Repeat("x", n-n/2)))
		if w.beyond != (n > follow.MaxItem) || w.beyond && w.body.Cap() != 0 || !w.beyond && w.body.Len() != n {
			t.Errorf("%d: beyond %t, %d of %d", n, w.beyond, w.body.Len(), w.body.Cap())
		}
	}
}
