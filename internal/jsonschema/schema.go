// Package jsonschema describes JSON values in responses and request bodies. A schema is declared next to the code that
// reads or writes the value, and is printed as a JSON Schema in the OpenAPI document.
package jsonschema

import "slices"

// The types of JSON values.
const (
	TypeObject  = "object"
	TypeList    = "array"
	TypeText    = "string"
	TypeInt     = "integer"
	TypeNumber  = "number"
	TypeBoolean = "boolean"
	TypeNull    = "null"
)

// Schema describes a JSON value. The zero value allows any value.
type Schema struct {
	Name    string // name under which other schemas refer to it; "" if it is inlined
	About   string // message id of its description
	Type    string // one of the Type constants; "" for a union or for any type
	Format  string
	Pattern string
	Only    []any // enumeration of the allowed values
	Known   []any // values with a meaning, of a schema that allows other values too

	Members []Member // of an object
	Plain   bool     // its members need no description
	Others  *Schema  // schema of members with other names; nil if there are none
	Open    bool     // members with other names are allowed, and may have any value

	Items    *Schema // of a list
	MinItems int
	MaxItems int  // 0 for no limit
	Empty    bool // the list is always empty

	OneOf []*Schema // exactly one of these matches
	AnyOf []*Schema // at least one of these matches
	AllOf []*Schema // all of these match

	Min, Max     *float64 // limits of a number, inclusive; nil for none
	MinChars     int
	MaxChars     int
	DefaultValue any // nil for none
	Sample       any // an example; nil for one that is derived from the type

	shared *Schema // the schema itself if Shared returned it; of a copy, the original
}

// Member is a named value in an object. Its description is About, that of its schema, or the one that all members with
// its name share, whichever is set first.
type Member struct {
	Name     string
	Shape    *Schema
	Optional bool
	About    string
}

// Has returns a member that is always present.
func Has(name string, s *Schema) Member { return Member{Name: name, Shape: s} }

// Optional returns a member that may be absent.
func Optional(name string, s *Schema) Member { return Member{Name: name, Shape: s, Optional: true} }

// Links returns the schema of a list of links to other addresses of the API.
func Links() *Schema {
	href := Has("href", Text().Example("https://example.org/wp-json/vendor/events/v1/events"))
	return List(Object("Link", href).Doc("doc_link").Undescribed())
}

// Doc sets the message id of the member's description, instead of the one that members with its name share.
func (m Member) Doc(id string) Member { m.About = id; return m }

// Text returns the schema of a string.
func Text() *Schema { return &Schema{Type: TypeText} }

// Int returns the schema of an integer.
func Int() *Schema { return &Schema{Type: TypeInt, Format: "int64"} }

// Number returns the schema of a number.
func Number() *Schema { return &Schema{Type: TypeNumber, Format: "double"} }

// Bool returns the schema of a boolean.
func Bool() *Schema { return &Schema{Type: TypeBoolean} }

// Null returns the schema of null.
func Null() *Schema { return &Schema{Type: TypeNull} }

// Any returns a schema that allows any value.
func Any() *Schema { return &Schema{} }

// Only returns a schema that allows the given values, which have to be of one type.
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

// Words returns the schema of a string that is one of the given words.
func Words(words ...string) *Schema {
	s := Text()
	for _, w := range words {
		s.Only = append(s.Only, w)
	}
	return s
}

// List returns the schema of a list.
func List(items *Schema) *Schema { return &Schema{Type: TypeList, Items: items} }

// EmptyList returns the schema of a list that is always empty. It also describes an empty object, which is written as
// [].
func EmptyList() *Schema { return &Schema{Type: TypeList, Empty: true} }

// Object returns the schema of an object with these members and no others. name may be "".
func Object(name string, members ...Member) *Schema {
	return &Schema{Name: name, Type: TypeObject, Members: members}
}

// Map returns the schema of an object whose members may have any name.
func Map(values *Schema) *Schema { return &Schema{Type: TypeObject, Others: values} }

// OneOf returns a schema of which exactly one alternative matches. Duplicates are removed.
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

// AnyOf returns a schema of which at least one alternative matches. The first is the one that clients should use.
func AnyOf(schemas ...*Schema) *Schema { return &Schema{AnyOf: schemas} }

// The methods below return a modified copy.

// OrText also allows any string of least to most characters, for parameters that treat an unknown string as if it were
// absent. Of an enumeration of strings it makes a single schema of a string, since generators of clients cannot choose
// between two alternatives of the same type.
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

// Example sets the example.
func (s *Schema) Example(v any) *Schema { c := *s; c.Sample = v; return &c }

// Default sets the value that is assumed if none is given.
func (s *Schema) Default(v any) *Schema { c := *s; c.DefaultValue = v; return &c }

// From sets the minimum of a number.
func (s *Schema) From(n float64) *Schema { c := *s; c.Min = &n; return &c }

// To sets the maximum of a number.
func (s *Schema) To(n float64) *Schema { c := *s; c.Max = &n; return &c }

// Chars limits the length of a string, in characters; 0 means no limit.
func (s *Schema) Chars(least, most int) *Schema {
	c := *s
	c.MinChars, c.MaxChars = least, most
	return &c
}

// UpTo sets the greatest number of elements of a list; 0 means no limit.
func (s *Schema) UpTo(n int) *Schema { c := *s; c.MaxItems = n; return &c }

// AtLeast sets the least number of elements of a list.
func (s *Schema) AtLeast(n int) *Schema { c := *s; c.MinItems = n; return &c }

// Undescribed says that members without a description of their own need none.
func (s *Schema) Undescribed() *Schema { c := *s; c.Plain = true; return &c }

// Opened allows members with other names.
func (s *Schema) Opened() *Schema { c := *s; c.Open = true; return &c }

// As sets the name under which other schemas refer to this one.
func (s *Schema) As(name string) *Schema { c := *s; c.Name = name; return &c }

// With adds members to an object, after the member named after, or at the end if there is none.
func (s *Schema) With(after string, members ...Member) *Schema {
	c := *s
	at := slices.IndexFunc(s.Members, func(m Member) bool { return m.Name == after }) + 1
	if at == 0 {
		at = len(s.Members)
	}
	c.Members = slices.Insert(slices.Clone(s.Members), at, members...)
	return &c
}

// Set replaces the schemas of existing members.
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
