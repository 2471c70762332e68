package linked

import (
	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
)

// Shape returns the schema of an item in responses.
func (k *UseCases) Shape() *jsonschema.Schema { return k.Fields.Shape(k.Singular).Doc(k.Texts.Item) }

// DataShape returns the schema of an item in an event's input: an id with changes, or the fields of a new item.
func (k *UseCases) DataShape() *jsonschema.Schema {
	o := param.Object(k.Singular+"Data", k.WriteParams(false, true)).Doc(k.Texts.Data)
	o.Members = append([]jsonschema.Member{jsonschema.Optional(string(pathID), jsonschema.Int().From(0).Example(17))}, o.Members...)
	return o
}

// WriteErrors returns the errors that writing an item in an event may cause.
func (k *UseCases) WriteErrors() []*apierror.Error { return []*apierror.Error{k.Errors.NotCreated} }
