package param

import (
	"slices"
	"strconv"
)

// Map is an ordered set of named values: the fields of a JSON object, a query
// string or a form. Values are nil, bool, int64, float64, string, []any, *Map or, in a
// form with parts, *File.
type Map struct {
	keys []string
	vals []any          // of the keys
	at   map[string]int // where a key is, once there are more than a few
	next int64          // the index that the next "name[]" gets
}

// File is a file of a form, as it was sent.
type File struct {
	Name string // that its sender gives it; it may be anything
	Data []byte
}

// few is up to how many names a Map searches them one by one: most maps are
// small, and a request may hold thousands.
const few = 8

// NewMap returns an empty Map.
func NewMap() *Map { return &Map{} }

// index returns where a name is, -1 if it is not there.
func (m *Map) index(name string) int {
	if m.at == nil {
		return slices.Index(m.keys, name)
	}
	if i, ok := m.at[name]; ok {
		return i
	}
	return -1
}

// Get returns the value of a name and whether it is there. It works on nil.
func (m *Map) Get(name string) (any, bool) {
	if m == nil {
		return nil, false
	}
	if i := m.index(name); i >= 0 {
		return m.vals[i], true
	}
	return nil, false
}

// Set adds or replaces a value; a replaced one keeps its place.
func (m *Map) Set(name string, v any) {
	if i := m.index(name); i >= 0 {
		m.vals[i] = v
		return
	}
	m.keys, m.vals = append(m.keys, name), append(m.vals, v)
	switch n := len(m.keys); {
	case m.at != nil:
		m.at[name] = n - 1
	case n > few:
		m.at = make(map[string]int, 2*n)
		for i, k := range m.keys {
			m.at[k] = i
		}
	}
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
		return slices.Clone(x.vals), true
	}
	return nil, false
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func ftoa(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
