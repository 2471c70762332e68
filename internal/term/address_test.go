package term

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
)

func TestMayEdit(t *testing.T) {
	env := item.New(item.Config{Content: content.New(content.Config{Types: content.Types{{PostType: "tribe_events"}}})})
	categories, tags := &UseCases{Service: env, Tree: true}, &UseCases{Service: env}
	for _, c := range []struct {
		capabilities    string
		category, isTag bool
	}{
		{"", false, false},
		{"edit_tribe_events", false, false},
		{"publish_tribe_events manage_categories", false, false},
		{"edit_tribe_events publish_tribe_events", true, false},
		{"edit_tribe_events manage_categories", false, true},
	} {
		p := caller.Principal{UserID: 1, Capabilities: map[string]bool{}}
		for name := range strings.FieldsSeq(c.capabilities) {
			p.Capabilities[name] = true
		}
		if got := categories.CanEdit(p); got != c.category {
			t.Errorf("categories with %q: %v", c.capabilities, got)
		}
		if got := tags.CanEdit(p); got != c.isTag {
			t.Errorf("tags with %q: %v", c.capabilities, got)
		}
	}
}
