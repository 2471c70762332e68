package registry

import (
	"testing"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/schema"
)

// Add has one more kind registered for the time of a test.
func Add(t *testing.T, declare func(schema.Names) *content.Type, serve func(*item.Service, *content.Type) *linked.UseCases) {
	before := otherKinds
	t.Cleanup(func() { otherKinds = before })
	otherKinds = append(otherKinds[:len(otherKinds):len(otherKinds)], linkedKind{declare, serve})
}

// AddFields has events have more fields for the time of a test.
func AddFields(t *testing.T, declare func() item.Fields) {
	before := moreFields
	t.Cleanup(func() { moreFields = before })
	moreFields = declare
}
