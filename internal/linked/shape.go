package linked

import (
	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
)

// Shapes are the forms of an item in answers.
type Shapes struct {
	Item    *jsonschema.Schema // in lists and after writes
	Details *jsonschema.Schema // in an answer of its own, or for its editor
	Masked  *jsonschema.Schema // hidden by its password
	Listed  *jsonschema.Schema // the first or the masked one
	Single  *jsonschema.Schema // one of the latter
}

// Shapes returns the forms of the kind's items. If a password only empties texts, the
// masked form is the usual one.
func (k *UseCases) Shapes() Shapes {
	name := k.Singular
	s := Shapes{
		Item:    k.Fields.Shape(name, item.InLists, false).Doc(k.Texts.Item),
		Details: k.Fields.Shape(name+"Details", item.InEditing, false).Doc(k.Texts.Details),
	}
	if s.Masked = s.Item; !k.TextsOnly {
		s.Masked = k.Fields.Shape("Masked"+name, item.InLists, true).Doc("doc_masked")
	}
	if s.Single = s.Details; !k.TextsOnly || k.LD.Type != "" { // else nothing distinguishes the two
		s.Single = jsonschema.OneOf(s.Details, s.Masked).As("Any" + name + "Details")
	}
	if s.Listed = s.Item; !k.TextsOnly {
		s.Listed = jsonschema.OneOf(s.Item, s.Masked).As("Any" + name)
	}
	return s
}

// DataShape is an item in an event's input: its id and changes, or the fields of a
// new one.
func (k *UseCases) DataShape() *jsonschema.Schema {
	o := param.Object(k.Singular+"Data", k.WriteParams(false, true)).Doc(k.Texts.Data)
	o.Members = append([]jsonschema.Member{jsonschema.Optional(string(pathID), jsonschema.Int().From(0).Example(17))}, o.Members...)
	return o
}

// WriteErrors are the errors of writing an item in an event.
func (k *UseCases) WriteErrors() []*apierror.Error { return []*apierror.Error{k.Errors.NotCreated} }
