package content_test

import (
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/content"
)

// TestMarkModified checks that a field keeps its position in the list of modified fields.
func TestMarkModified(t *testing.T) {
	env := content.New(content.Config{Now: func() time.Time { return time.Unix(9, 0) }})
	for stored, want := range map[string]string{
		"": `a:1:{s:1:"f";i:9;}`, `a:1:{s:1:"g";i:5;}`: `a:2:{s:1:"g";i:5;s:1:"f";i:9;}`,
		`a:2:{s:1:"f";i:1;s:1:"g";i:5;}`: `a:2:{s:1:"f";i:9;s:1:"g";i:5;}`, "broken": `a:1:{s:1:"f";i:9;}`, "i:7;": `a:1:{s:1:"f";i:9;}`,
	} {
		if got := env.History.MarkModified(t.Context(), stored, nil, "f"); got != want {
			t.Errorf("%s: %s, want %s", stored, got, want)
		}
	}
}
