// Package shape describes JSON values: what answers hold and what bodies take.
// A shape is declared next to the code that writes or reads the value and is
// printed in the documentation as a JSON schema.
package shape

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

// Shape describes a JSON value. Its zero value is anything at all.
type Shape struct {
	Name    string // under which others refer to it, "" for an inline one
	About   string // message id of the description
	Type    string // "" for a union, and for anything
	Format  string
	Pattern string
	Only    []any // the only values

	Members []Member // of an object
	Plain   bool     // its members need no description
	Others  *Shape   // what its members of any other name are, nil for none
	Open    bool     // there may be members of other names, of which nothing is said

	Items    *Shape // of a list
	MaxItems int    // 0 for no bound
	Empty    bool   // the list never holds anything

	OneOf []*Shape // exactly one of them fits
	AllOf []*Shape // all of them fit

	Min, Max     *float64 // of a number
	MinChars     int
	MaxChars     int
	DefaultValue any // nil for none
	Sample       any // an example, nil for one that follows from the type
}

// Member is a named value in an object. Its description is About, that of its
// shape, or the one that all members of its name share.
type Member struct {
	Name     string
	Shape    *Shape
	Optional bool
	About    string
}

// Has is a member that is always there.
func Has(name string, s *Shape) Member { return Member{Name: name, Shape: s} }

// Optional is a member that may be absent.
func Optional(name string, s *Shape) Member { return Member{Name: name, Shape: s, Optional: true} }

// Doc describes the member by another text than others of its name.
func (m Member) Doc(id string) Member { m.About = id; return m }

// Text is a string.
func Text() *Shape { return &Shape{Type: TypeText} }

// Int is a whole number.
func Int() *Shape { return &Shape{Type: TypeInt, Format: "int64"} }

// Number is any number.
func Number() *Shape { return &Shape{Type: TypeNumber, Format: "double"} }

// Bool is true or false.
func Bool() *Shape { return &Shape{Type: TypeBoolean} }

// Null is null.
func Null() *Shape { return &Shape{Type: TypeNull} }

// Any is any value.
func Any() *Shape { return &Shape{} }

// Only is one of the given values, which are of one type.
func Only(values ...any) *Shape {
	s := &Shape{Only: values}
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
func Words(words ...string) *Shape {
	s := Text()
	for _, w := range words {
		s.Only = append(s.Only, w)
	}
	return s
}

// List is a list.
func List(items *Shape) *Shape { return &Shape{Type: TypeList, Items: items} }

// EmptyList is a list without items, as which an empty object is written too.
func EmptyList() *Shape { return &Shape{Type: TypeList, Empty: true} }

// Object is an object with these members and no others. name may be "".
func Object(name string, members ...Member) *Shape {
	return &Shape{Name: name, Type: TypeObject, Members: members}
}

// Map is an object whose members have any names.
func Map(values *Shape) *Shape { return &Shape{Type: TypeObject, Others: values} }

// OneOf is exactly one of several. One that is given twice counts once.
func OneOf(shapes ...*Shape) *Shape {
	var distinct []*Shape
	for _, s := range shapes {
		if !slices.Contains(distinct, s) {
			distinct = append(distinct, s)
		}
	}
	if len(distinct) == 1 {
		return distinct[0]
	}
	return &Shape{OneOf: distinct}
}

// The methods below return a copy.

// Doc sets the message id of the description.
func (s *Shape) Doc(id string) *Shape { c := *s; c.About = id; return &c }

// Example sets an example.
func (s *Shape) Example(v any) *Shape { c := *s; c.Sample = v; return &c }

// Default sets the value of an absent one.
func (s *Shape) Default(v any) *Shape { c := *s; c.DefaultValue = v; return &c }

// From sets the least number.
func (s *Shape) From(n float64) *Shape { c := *s; c.Min = &n; return &c }

// To sets the greatest number.
func (s *Shape) To(n float64) *Shape { c := *s; c.Max = &n; return &c }

// Chars bounds the length of a text; 0 is no bound.
func (s *Shape) Chars(least, most int) *Shape {
	c := *s
	c.MinChars, c.MaxChars = least, most
	return &c
}

// UpTo bounds the length of a list; 0 is no bound.
func (s *Shape) UpTo(n int) *Shape { c := *s; c.MaxItems = n; return &c }

// Undescribed leaves members without descriptions of their own undescribed.
func (s *Shape) Undescribed() *Shape { c := *s; c.Plain = true; return &c }

// Opened returns the shape of an object that may have other members.
func (s *Shape) Opened() *Shape { c := *s; c.Open = true; return &c }

// As names a shape.
func (s *Shape) As(name string) *Shape { c := *s; c.Name = name; return &c }

// With adds members to an object, after the one with the name after, or at the end.
func (s *Shape) With(after string, members ...Member) *Shape {
	c := *s
	at := slices.IndexFunc(s.Members, func(m Member) bool { return m.Name == after }) + 1
	if at == 0 {
		at = len(s.Members)
	}
	c.Members = slices.Insert(slices.Clone(s.Members), at, members...)
	return &c
}

// Set replaces the shape of members that are there.
func (s *Shape) Set(shapes map[string]*Shape) *Shape {
	c := *s
	c.Members = slices.Clone(s.Members)
	for i, m := range c.Members {
		if other := shapes[m.Name]; other != nil {
			c.Members[i].Shape = other
		}
	}
	return &c
}
