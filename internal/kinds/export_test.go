package kinds

import (
	"testing"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/place"
	"github.com/agendahq/agenda/schema"
)

// Add has one more kind registered for the time of a test.
func Add(t *testing.T, declare func(schema.Names) *content.Type, serve func(*item.Service, *content.Type) *place.Kind) {
	before := linked
	t.Cleanup(func() { linked = before })
	linked = append(linked[:len(linked):len(linked)], struct {
		declare func(schema.Names) *content.Type
		serve   func(*item.Service, *content.Type) *place.Kind
	}{declare, serve})
}
