package param

import "strconv"

// Map is an ordered set of named values: the fields of a JSON object, a query
// string or a form. Values are nil, bool, int64, float64, string, []any or *Map.
type Map struct {
	keys []string
	vals map[string]any
	next int64 // the index that the next "name[]" gets
}

// NewMap returns an empty Map.
func NewMap() *Map { return &Map{vals: map[string]any{}} }

// Get returns the value of a name and whether it is there. It works on nil.
func (m *Map) Get(name string) (any, bool) {
	if m == nil {
		return nil, false
	}
	v, ok := m.vals[name]
	return v, ok
}

// Set adds or replaces a value; a replaced one keeps its place.
func (m *Map) Set(name string, v any) {
	if _, ok := m.vals[name]; !ok {
		m.keys = append(m.keys, name)
	}
	m.vals[name] = v
}

// Keys returns the names in order. It works on nil.
func (m *Map) Keys() []string {
	if m == nil {
		return nil
	}
	return m.keys
}

// Len returns the number of names. It works on nil.
func (m *Map) Len() int { return len(m.Keys()) }

// Elements returns the values of a list, whether it came as a JSON array or as
// name[]=… in a query; ok is false for anything else.
func Elements(v any) (list []any, ok bool) {
	switch x := v.(type) {
	case []any:
		return x, true
	case *Map:
		for _, k := range x.keys {
			list = append(list, x.vals[k])
		}
		return list, true
	}
	return nil, false
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func ftoa(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
