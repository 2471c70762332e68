package param

import (
	"slices"
	"strconv"
)

// Map is an ordered set of named values: the fields of a JSON object, a query string or a form. Values are nil, bool,
// int64, float64, string, []any, *Map or, in a multipart form, *File.
type Map struct {
	keys []string
	vals []any          // parallel to keys
	at   map[string]int // the position of each key; nil for small maps
	next int64          // the index for the next "name[]"
}

// File is an uploaded file of a multipart form.
type File struct {
	Name string // the file name as sent by the client, which is not to be trusted
	Data []byte
}

// few is the number of names up to which a Map is searched linearly. Most maps are small, but a request may contain
// thousands of names.
const few = 8

// NewMap returns an empty Map.
func NewMap() *Map { return &Map{} }

// index returns the position of a name, or -1 if the Map lacks it.
func (m *Map) index(name string) int {
	if m.at == nil {
		return slices.Index(m.keys, name)
	}
	if i, ok := m.at[name]; ok {
		return i
	}
	return -1
}

// Get returns the value of a name and reports whether it is present. It works on a nil Map.
func (m *Map) Get(name string) (any, bool) {
	if m == nil {
		return nil, false
	}
	if i := m.index(name); i >= 0 {
		return m.vals[i], true
	}
	return nil, false
}

// Set adds a value or replaces one in its place.
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

// Keys returns the names in order. It works on a nil Map.
func (m *Map) Keys() []string {
	if m == nil {
		return nil
	}
	return m.keys
}

// Len returns the number of names. It works on a nil Map.
func (m *Map) Len() int { return len(m.Keys()) }

// Elements returns the values of a list, whether it was sent as a JSON array or as name[]=… in a query or form. ok is
// false for any other value.
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
