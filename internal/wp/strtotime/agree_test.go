package strtotime

import (
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

// TestD87Agree checks that a pair of stored times is correct if any reading of the local time gives the UTC time (D87).
func TestD87Agree(t *testing.T) {
	golden.Each(t, "agree.txt", func(zone, wall, utc string, want bool) {
		loc, ok := Zone(zone)
		if got := Agree(wall, utc, loc); !ok || got != want {
			t.Errorf("%s %s %s: %t", zone, wall, utc, got)
		}
	})
}
