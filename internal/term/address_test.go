package term

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/test/golden"
)

func TestMayEdit(t *testing.T) {
	env := item.New(item.Config{Content: content.New(content.Config{Types: content.Types{{PostType: "tribe_events"}}})})
	categories, tags := &UseCases{Service: env, Tree: true}, &UseCases{Service: env}
	golden.Each(t, "may-edit.txt", func(capabilities string, category, isTag bool) {
		p := caller.Principal{UserID: 1, Capabilities: map[string]bool{}}
		for name := range strings.FieldsSeq(capabilities) {
			p.Capabilities[name] = true
		}
		if got := categories.CanEdit(p); got != category {
			t.Errorf("categories with %q: %v", capabilities, got)
		}
		if got := tags.CanEdit(p); got != isTag {
			t.Errorf("tags with %q: %v", capabilities, got)
		}
	})
}
