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

func (r *eventReader) own() *map[string]any { return &r.Own }
func (v *Venue) own() *map[string]any       { return &v.Own }
func (o *Organizer) own() *map[string]any   { return &o.Own }
func (t *Term) own() *map[string]any        { return &t.Own }

// setMember reads a member of an item into r: one of the API, or a field of the host's own. types maps the names of such
// fields to their types.
func setMember(r reader, types map[string]string, name string, m member) error {
	of := types[name]
	if of == "" {
		return r.set(name, m)
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
