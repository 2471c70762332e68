package pages

import (
	"fmt"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// TestKeptPagesAreBounded checks that the size of kept pages is limited, whatever their items are.
func TestKeptPagesAreBounded(t *testing.T) {
	c := &client{}
	for i := range 200 {
		c.keep(fmt.Sprint(i%120), kept{i, 350 << 10})
	}
	c.keep("large", kept{200, keptList + 1})
	sum := 0
	for _, k := range c.kept {
		sum += k.bytes
	}
	if sum != c.bytes || sum > keptBytes || len(c.kept) < 40 || c.find("79") != 199 || c.find("x") != nil || c.find("large") != nil {
		t.Errorf("%d lists are kept, of %d bytes, counted as %d", len(c.kept), sum, c.bytes)
	}
	large := make([]byte, 1<<20)
	for name, size := range map[string]int{
		"event": sizeOf([]calendar.Event{{}, {JSON: large}}), "venue": sizeOf([]calendar.Venue{{Description: string(large)}}),
		"organizer": sizeOf([]calendar.Organizer{{Description: string(large)}}),
		"term":      sizeOf([]calendar.Term{{Description: string(large)}}),
	} {
		if size < len(large) {
			t.Errorf("an %s of %d bytes counts as %d", name, len(large), size)
		}
	}
}
