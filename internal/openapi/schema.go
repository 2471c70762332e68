package openapi

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/jsonschema"
)

// schema writes a schema as JSON Schema, as a reference if it has a name.
func (d *document) schema(s *jsonschema.Schema, about string) {
	if s.Name == "" {
		d.inline(s, cmp.Or(about, s.About))
		return
	}
	if !slices.ContainsFunc(d.shapes, func(known *jsonschema.Schema) bool { return known.Name == s.Name }) {
		d.shapes = append(d.shapes, s)
	}
	d.Object()
	d.KeyString("$ref", "#/components/schemas/"+s.Name)
	d.describe(about)
	if s.DefaultValue != nil {
		d.Key("default")
		d.value(s.DefaultValue)
	}
	d.End()
}

// inline writes a schema in place. An object of the writer must not be empty, so a schema that allows any value is
// written directly.
func (d *document) inline(s *jsonschema.Schema, about string) {
	if about == "" && s.Type == "" && s.OneOf == nil && s.AnyOf == nil && s.AllOf == nil && s.DefaultValue == nil {
		d.Raw([]byte("{}"))
		return
	}
	d.Object()
	d.describe(about)
	is := s.Type
	if plain := nullable(s); plain != nil { // generators of clients understand a list of types better than alternatives
		d.KeyStrings("type", plain.Type, jsonschema.TypeNull)
		c := *plain
		is, c.Type, c.Sample = plain.Type, "", s.Sample
		s = &c
	}
	for _, p := range [...][2]string{{"type", s.Type}, {"format", s.Format}, {"pattern", s.Pattern}} {
		if p[1] != "" {
			d.KeyString(p[0], p[1])
		}
	}
	d.only(s.Only)
	d.known(s.Known)
	d.bounds(s)
	if s.DefaultValue != nil {
		d.Key("default")
		d.value(s.DefaultValue)
	}
	switch is {
	case jsonschema.TypeObject:
		d.object(s)
	case jsonschema.TypeList:
		d.list(s)
	}
	d.several("oneOf", s.OneOf)
	d.several("anyOf", s.AnyOf)
	d.several("allOf", s.AllOf)
	if s.Sample != nil && s.Type != jsonschema.TypeObject && s.Known == nil {
		d.KeyArray("examples")
		d.value(s.Sample)
		d.End()
	}
	d.End()
}

// nullable returns the schema of the value that may also be null, or nil if the schema has another form.
func nullable(s *jsonschema.Schema) *jsonschema.Schema {
	if len(s.OneOf) != 2 || s.OneOf[1].Type != jsonschema.TypeNull {
		return nil
	}
	plain := s.OneOf[0]
	if plain.Name != "" || plain.Only != nil || plain.OneOf != nil || plain.Type == "" || plain.Type == jsonschema.TypeObject {
		return nil
	}
	return plain
}

// only writes the values that a schema is restricted to.
func (d *document) only(values []any) {
	switch len(values) {
	case 0:
	case 1:
		d.Key("const")
		d.value(values[0])
	default:
		d.Key("enum")
		d.value(values)
	}
}

// known writes the values with a meaning if other values are allowed too: as examples, and under the name by which some
// tools know them.
func (d *document) known(values []any) {
	if values == nil {
		return
	}
	for _, key := range [...]string{"examples", "x-extensible-enum"} {
		d.Key(key)
		d.value(values)
	}
}

func (d *document) bounds(s *jsonschema.Schema) {
	if s.Min != nil {
		d.Key("minimum")
		d.Float(*s.Min)
	}
	if s.Max != nil {
		d.Key("maximum")
		d.Float(*s.Max)
	}
	if s.MinChars > 0 {
		d.KeyInt("minLength", int64(s.MinChars))
	}
	if s.MaxChars > 0 {
		d.KeyInt("maxLength", int64(s.MaxChars))
	}
}

func (d *document) list(s *jsonschema.Schema) {
	d.Key("items")
	if s.Empty {
		d.Raw([]byte("{}"))
		d.KeyInt("maxItems", 0)
		return
	}
	d.schema(s.Items, "")
	if s.MinItems > 0 {
		d.KeyInt("minItems", int64(s.MinItems))
	}
	if s.MaxItems > 0 {
		d.KeyInt("maxItems", int64(s.MaxItems))
	}
}

func (d *document) several(keyword string, shapes []*jsonschema.Schema) {
	if shapes == nil {
		return
	}
	d.KeyArray(keyword)
	for _, s := range shapes {
		d.schema(s, "")
	}
	d.End()
}

// object writes the members of an object. Additional members are not allowed, unless the schema is open.
func (d *document) object(s *jsonschema.Schema) {
	var required []string
	if s.Members != nil {
		d.KeyObject("properties")
		for _, m := range s.Members {
			d.Key(m.Name)
			d.schema(m.Shape, about(s, m))
			if !m.Optional {
				required = append(required, m.Name)
			}
		}
		d.End()
	}
	if required != nil {
		d.KeyStrings("required", required...)
	}
	switch {
	case s.Others != nil:
		d.Key("additionalProperties")
		d.schema(s.Others, "")
	case !s.Open:
		d.KeyBool("additionalProperties", false)
	}
}

// about returns the message id of a member's description: its own, or that of its schema, or that for all members of
// its name.
func about(s *jsonschema.Schema, m jsonschema.Member) string {
	switch {
	case m.About != "":
		return m.About
	case m.Shape.Name == "" && m.Shape.About != "":
		return m.Shape.About
	case s.Plain:
		return ""
	}
	return "doc_field_" + strings.ReplaceAll(m.Name, "-", "_")
}

// value writes an example or a default.
func (d *document) value(v any) {
	switch x := v.(type) {
	case string:
		d.String(x)
	case bool:
		d.Bool(x)
	case int:
		d.Int(int64(x))
	case float64:
		d.Float(x)
	case []any:
		d.Array()
		for _, e := range x {
			d.value(e)
		}
		d.End()
	default:
		d.Null()
	}
}
