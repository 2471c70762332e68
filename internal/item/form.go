package item

import (
	"slices"

	"github.com/agendahq/agenda/internal/jsonschema"
)

// Form is the kind of value that a write accepts for a field, for input formats without types such as CSV.
type Form int

// The forms.
const (
	FormOther  Form = iota // an object, or a choice between several forms
	FormText               // a string
	FormFlag               // true or false
	FormNumber             // a number
	FormList               // a list of strings or numbers
)

// Form returns the kind of value that writes accept for a field, or that responses show for a read-only field. A field
// that responses show as true or false is a FormFlag, whatever writes accept for it.
func (f *Field) Form() Form {
	shown := FormOf(f.Shape)
	if f.Param == nil || shown == FormFlag {
		return shown
	}
	return FormOf(f.Param(false).Schema)
}

// FormOf returns the kind of value that a schema describes. For alternatives, the first decides.
func FormOf(s *jsonschema.Schema) Form {
	if s == nil {
		return FormOther
	}
	if s.AnyOf != nil {
		return FormOf(s.AnyOf[0])
	}
	others := slices.DeleteFunc(slices.Clone(s.OneOf), func(s *jsonschema.Schema) bool { return s.Type == jsonschema.TypeNull })
	if len(others) == 1 {
		return FormOf(others[0])
	}
	switch s.Type {
	case jsonschema.TypeText:
		return FormText
	case jsonschema.TypeBoolean:
		return FormFlag
	case jsonschema.TypeInt, jsonschema.TypeNumber:
		return FormNumber
	case jsonschema.TypeList:
		if of := FormOf(s.Items); of == FormText || of == FormNumber {
			return FormList
		}
	}
	return FormOther
}
