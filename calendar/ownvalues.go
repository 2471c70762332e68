package calendar

import (
	"encoding/json"
	"maps"
	"slices"
)

// ownTypes returns the types of the host's own fields, by collection and name.
func (o *Options) ownTypes() map[string]map[string]string {
	types := map[string]map[string]string{}
	for _, f := range o.Fields {
		if types[f.Kind] == nil {
			types[f.Kind] = map[string]string{}
		}
		types[f.Kind][f.Name] = f.Type
	}
	return types
}

// ownedReader is a reader of an item that can have values of the host's own fields.
type ownedReader interface {
	reader
	own() *map[string]any
}

func (r *eventReader) own() *map[string]any { return &r.Own }
func (v *Venue) own() *map[string]any       { return &v.Own }
func (o *Organizer) own() *map[string]any   { return &o.Own }
func (t *Term) own() *map[string]any        { return &t.Own }

// withOwn returns a reader that also reads the host's own fields. types maps their names to their types.
func withOwn(r ownedReader, types map[string]string) reader {
	if len(types) == 0 {
		return r
	}
	return ownReader{r, types}
}

type ownReader struct {
	ownedReader
	types map[string]string
}

func (r ownReader) set(name string, m member) error {
	of := r.types[name]
	if of == "" {
		return r.ownedReader.set(name, m)
	}
	v, err := m.own(of)
	if v != nil {
		values := r.own()
		if *values == nil {
			*values = map[string]any{}
		}
		(*values)[name] = v
	}
	return err
}

// own returns the value of a field of the given type, or nil if there is none.
func (m member) own(of string) (any, error) {
	var value any
	switch of {
	case FieldNumber:
		value = new(float64)
	case FieldPost, FieldImage:
		value = new(int64)
	case FieldYesNo:
		value = new(bool)
	case FieldList:
		value = new([]string)
	default:
		if m.IsText || m.kind() == '"' {
			return m.stringValue(), nil
		}
		return nil, nil
	}
	if m.kind() == 'n' { // null
		return nil, nil
	}
	if err := json.Unmarshal(m.JSON, value); err != nil {
		return nil, err
	}
	switch v := value.(type) {
	case *float64:
		return *v, nil
	case *int64:
		return *v, nil
	case *bool:
		return *v, nil
	}
	return *value.(*[]string), nil
}

// cloneOwn returns a deep copy.
func cloneOwn(values map[string]any) map[string]any {
	values = maps.Clone(values)
	for name, v := range values {
		if list, ok := v.([]string); ok {
			values[name] = slices.Clone(list)
		}
	}
	return values
}
