package calendar

import (
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
	v, err := m.Own(of)
	if v != nil {
		values := r.own()
		if *values == nil {
			*values = map[string]any{}
		}
		(*values)[name] = v
	}
	return err
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
