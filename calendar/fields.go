package calendar

import (
	"slices"

	"github.com/agendahq/agenda/internal/item"
)

// Types of a Field, and the JSON of their values. A value that is not stored is omitted from answers, as is a stored
// value that the type does not allow; only a FieldYesNo is false then.
const (
	FieldText   = item.OwnText   // a string without line breaks and HTML; "" removes it
	FieldNumber = item.OwnNumber // a number between -1e15 and 1e15; null removes it
	FieldYesNo  = item.OwnYesNo  // true or false, stored as "1" or not at all
	FieldDate   = item.OwnDate   // a day such as "2031-05-01"; "" removes it
	FieldChoice = item.OwnChoice // one of Choices; "" removes it
	FieldList   = item.OwnList   // a list of strings, stored in a row each; an empty list or null removes them
	FieldPost   = item.OwnPost   // the id of a post that the writer may read; null removes it
	FieldImage  = item.OwnImage  // the id of an image of the site; null removes it
)

// Field declares a field of the host's own, stored as post or term metadata. Answers show it after the API's members,
// in lists and single items. Writes accept and validate it. The index and the OpenAPI document describe it; exports and
// imports as CSV and JSON lines contain it. A password-protected event hides it. Event.Own contains its value in Go.
type Field struct {
	// Kind is the collection whose items have the field: "events", "venues", "organizers", "categories" or "tags". The
	// fields of categories and tags are also shown in the terms of an event.
	Kind string

	// Name is the name of the member and of the parameter: lower-case letters, digits and underscores.
	Name string

	// Key is the meta key under which the site stores the values, in postmeta or termmeta. Other programs may use it
	// too.
	Key string

	// Type is one of the constants FieldText to FieldImage.
	Type string

	// Choices are the values of a FieldChoice.
	Choices []string

	// Min and Max are the limits of values in writes; nil is no limit. They limit the values of a FieldNumber; Max also
	// limits the characters of a FieldText and the elements of a FieldList. Unless its Max is above 4,096, a FieldText
	// has at most 4 KiB, as has each element of a FieldList.
	Min, Max *float64

	// Read is the capability that callers need to read the field, such as "edit_others_tribe_events". For other callers
	// the item lacks the member. Default: everybody who may read the item may read the field.
	Read string

	// Write is the capability that callers need to write the field, in addition to the right to write the item.
	// Default: the value of Read.
	Write string

	// Description describes the field in one or two sentences. Texts are its translations, by language tag ("nl").
	// Languages without one use Description.
	Description string
	Texts       map[string]string

	// Label is the name of the field on pages, such as "Seats". The page of an event shows the field's value, and the
	// calendar's page the filters by the field. Labels are translations, by language tag. Default: pages show neither.
	// They never show fields that not everybody may read.
	Label  string
	Labels map[string]string

	// Example is a value, for the OpenAPI document. Default: none.
	Example any
}

// Fields returns Options.Fields.
func (c *Calendar) Fields() []Field { return slices.Clone(c.options.Fields) }
