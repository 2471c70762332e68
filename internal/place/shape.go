package place

import (
	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/shape"
)

// Shapes are the forms of an item in answers.
type Shapes struct {
	Item    *shape.Shape // in lists and after writes
	Details *shape.Shape // in an answer of its own, or for its editor
	Masked  *shape.Shape // hidden by its password
	Listed  *shape.Shape // the first or the masked one
	Single  *shape.Shape // one of the latter
}

// Shapes returns the forms of the kind's items. If a password only empties texts, the
// masked form is the usual one.
func (k *Kind) Shapes() Shapes {
	form := func(name, suffix string, in item.Views) *shape.Shape {
		return k.Fields.Shape(name, in, false).Doc("doc_" + k.Name + suffix)
	}
	name := k.Capital()
	s := Shapes{
		Item: form(name, "", item.InLists), Details: form(name+"Details", "_details", item.InEditing),
	}
	if s.Masked = s.Item; !k.TextsOnly {
		s.Masked = k.Fields.Shape("Masked"+name, item.InLists, true).Doc("doc_masked")
	}
	if s.Single = s.Details; !k.TextsOnly || k.LD.Type != "" { // else nothing distinguishes the two
		s.Single = shape.OneOf(s.Details, s.Masked).As("Any" + name + "Details")
	}
	if s.Listed = s.Item; !k.TextsOnly {
		s.Listed = shape.OneOf(s.Item, s.Masked).As("Any" + name)
	}
	return s
}

// DataShape is an item in an event's input: its id and changes, or the fields of a
// new one.
func (k *Kind) DataShape() *shape.Shape {
	o := param.Object(k.Capital()+"Data", k.WriteParams(false, true)).Doc("doc_" + k.Name + "_data")
	o.Members = append([]shape.Member{shape.Optional(string(pathID), shape.Int().From(0).Example(17))}, o.Members...)
	return o
}

// WriteErrors are the errors of writing an item in an event.
func (k *Kind) WriteErrors() []*apierror.Error { return []*apierror.Error{k.Errors.NotCreated} }
