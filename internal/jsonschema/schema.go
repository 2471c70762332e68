// Package jsonschema describes JSON values: what answers hold and what bodies take.
// A schema is declared next to the code that writes or reads the value and is
// printed in the documentation as a JSON schema.
package jsonschema

import "slices"

// Types of JSON values.
const (
	TypeObject  = "object"
	TypeList    = "array"
	TypeText    = "string"
	TypeInt     = "integer"
	TypeNumber  = "number"
	TypeBoolean = "boolean"
	TypeNull    = "null"
)

// Schema describes a JSON value. Its zero value is anything at all.
type Schema struct {
	Name    string // under which others refer to it, "" for an inline one
	About   string // message id of the description
	Type    string // "" for a union, and for anything
	Format  string
	Pattern string
	Only    []any // the only values
	Known   []any // of a value that may be any other too: those that mean something

	Members []Member // of an object
	Plain   bool     // its members need no description
	Others  *Schema  // what its members of any other name are, nil for none
	Open    bool     // there may be members of other names, of which nothing is said

	Items    *Schema // of a list
	MinItems int
	MaxItems int  // 0 for no bound
	Empty    bool // the list never holds anything

	OneOf []*Schema // exactly one of them fits
	AnyOf []*Schema // at least one of them fits
	AllOf []*Schema // all of them fit

	Min, Max     *float64 // of a number
	MinChars     int
	MaxChars     int
	DefaultValue any // nil for none
	Sample       any // an example, nil for one that follows from the type
}

// Member is a named value in an object. Its description is About, that of its
// schema, or the one that all members of its name share.
type Member struct {
	Name     string
	Shape    *Schema
	Optional bool
	About    string
}

// Has is a member that is always there.
func Has(name string, s *Schema) Member { return Member{Name: name, Shape: s} }

// Optional is a member that may be absent.
func Optional(name string, s *Schema) Member { return Member{Name: name, Shape: s, Optional: true} }

// Links is a list of links, as answers name other addresses of the API.
func Links() *Schema {
	href := Has("href", Text().Example("https://example.org/wp-json/vendor/events/v1/events"))
	return List(Object("Link", href).Doc("doc_link").Undescribed())
}

// Doc describes the member by another text than others of its name.
func (m Member) Doc(id string) Member { m.About = id; return m }

// Text is a string.
func Text() *Schema { return &Schema{Type: TypeText} }

// Int is a whole number.
func Int() *Schema { return &Schema{Type: TypeInt, Format: "int64"} }

// Number is any number.
func Number() *Schema { return &Schema{Type: TypeNumber, Format: "double"} }

// Bool is true or false.
func Bool() *Schema { return &Schema{Type: TypeBoolean} }

// Null is null.
func Null() *Schema { return &Schema{Type: TypeNull} }

// Any is any value.
func Any() *Schema { return &Schema{} }

// Only is one of the given values, which are of one type.
func Only(values ...any) *Schema {
	s := &Schema{Only: values}
	switch values[0].(type) {
	case string:
		s.Type = TypeText
	case int:
		s.Type = TypeInt
	case bool:
		s.Type = TypeBoolean
	}
	return s
}

// Words is one of the given words.
func Words(words ...string) *Schema {
	s := Text()
	for _, w := range words {
		s.Only = append(s.Only, w)
	}
	return s
}

// List is a list.
func List(items *Schema) *Schema { return &Schema{Type: TypeList, Items: items} }

// EmptyList is a list without items, as which an empty object is written too.
func EmptyList() *Schema { return &Schema{Type: TypeList, Empty: true} }

// Object is an object with these members and no others. name may be "".
func Object(name string, members ...Member) *Schema {
	return &Schema{Name: name, Type: TypeObject, Members: members}
}

// Map is an object whose members have any names.
func Map(values *Schema) *Schema { return &Schema{Type: TypeObject, Others: values} }

// OneOf is exactly one of several. One that is given twice counts once.
func OneOf(schemas ...*Schema) *Schema {
	var distinct []*Schema
	for _, s := range schemas {
		if !slices.Contains(distinct, s) {
			distinct = append(distinct, s)
		}
	}
	if len(distinct) == 1 {
		return distinct[0]
	}
	return &Schema{OneOf: distinct}
}

// AnyOf is at least one of several. The first is what clients are meant to give.
func AnyOf(schemas ...*Schema) *Schema { return &Schema{AnyOf: schemas} }

// The methods below return a copy.

// OrText also allows any text of a length, as what reads the value may do: a text that means nothing to it counts as none. Of words that
// makes one schema of a text, since generators of clients cannot choose between two of one type.
func (s *Schema) OrText(least, most int) *Schema {
	text := Text().Chars(least, most)
	if s.Type == TypeText {
		text.Known, text.DefaultValue = s.Only, s.DefaultValue
		return text
	}
	o := AnyOf(s.Default(nil), text)
	o.DefaultValue = s.DefaultValue
	return o
}

// OrNull also allows null.
func (s *Schema) OrNull() *Schema {
	switch {
	case s.Type == TypeNull || slices.ContainsFunc(s.OneOf, func(o *Schema) bool { return o.Type == TypeNull }):
		return s
	case s.Name == "" && s.OneOf != nil:
		c := *s
		c.OneOf = append(slices.Clone(s.OneOf), Null())
		return &c
	}
	o := OneOf(s, Null())
	o.Sample = s.Sample
	return o
}

// Doc sets the message id of the description.
func (s *Schema) Doc(id string) *Schema { c := *s; c.About = id; return &c }

// Example sets an example.
func (s *Schema) Example(v any) *Schema { c := *s; c.Sample = v; return &c }

// Default sets the value of an absent one.
func (s *Schema) Default(v any) *Schema { c := *s; c.DefaultValue = v; return &c }

// From sets the least number.
func (s *Schema) From(n float64) *Schema { c := *s; c.Min = &n; return &c }

// To sets the greatest number.
func (s *Schema) To(n float64) *Schema { c := *s; c.Max = &n; return &c }

// Chars bounds the length of a text; 0 is no bound.
func (s *Schema) Chars(least, most int) *Schema {
	c := *s
	c.MinChars, c.MaxChars = least, most
	return &c
}

// UpTo bounds the length of a list; 0 is no bound.
func (s *Schema) UpTo(n int) *Schema { c := *s; c.MaxItems = n; return &c }

// AtLeast sets how many elements a list has at least.
func (s *Schema) AtLeast(n int) *Schema { c := *s; c.MinItems = n; return &c }

// Undescribed leaves members without descriptions of their own undescribed.
func (s *Schema) Undescribed() *Schema { c := *s; c.Plain = true; return &c }

// Opened returns the schema of an object that may have other members.
func (s *Schema) Opened() *Schema { c := *s; c.Open = true; return &c }

// As names a schema.
func (s *Schema) As(name string) *Schema { c := *s; c.Name = name; return &c }

// With adds members to an object, after the one with the name after, or at the end.
func (s *Schema) With(after string, members ...Member) *Schema {
	c := *s
	at := slices.IndexFunc(s.Members, func(m Member) bool { return m.Name == after }) + 1
	if at == 0 {
		at = len(s.Members)
	}
	c.Members = slices.Insert(slices.Clone(s.Members), at, members...)
	return &c
}

// Set replaces the schema of members that are there.
func (s *Schema) Set(schemas map[string]*Schema) *Schema {
	c := *s
	c.Members = slices.Clone(s.Members)
	for i, m := range c.Members {
		if other := schemas[m.Name]; other != nil {
			c.Members[i].Shape = other
		}
	}
	return &c
}
