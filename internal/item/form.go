package item

import (
	"slices"

	"github.com/agendahq/agenda/internal/jsonschema"
)

// Form is the sort of value that a write gives for a field, as forms without types need to know it.
type Form int

// The forms.
const (
	FormOther  Form = iota // an object, or one of several forms
	FormText               // a string
	FormFlag               // true or false
	FormNumber             // a number
	FormList               // of texts or numbers
)

// Form returns the sort of value that writes give for a field, that of answers for one that they do
// not give. A field that answers show as true or false is a FormFlag, as whatever writes take it.
func (f *Field) Form() Form {
	shown := FormOf(f.Shape)
	if f.Param == nil || shown == FormFlag {
		return shown
	}
	return FormOf(f.Param(false).Schema)
}

// FormOf returns the sort of value that a schema describes, where any of several may be given that of the first.
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
