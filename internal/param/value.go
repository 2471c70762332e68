package param

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// MapOf converts Go values to a Map. It accepts what a JSON object could contain: nil, bool, string, int, int64,
// float64, json.Number, lists of any, string or int64, and maps of such values; also a *File, which a form could
// contain. Its limits are those of ParseJSON, and its names are sorted.
func MapOf(values map[string]any) (*Map, error) {
	left := maxMembers
	return mapOf(values, &left, 1)
}

func mapOf(values map[string]any, left *int, depth int) (*Map, error) {
	if depth > maxJSONDepth {
		return nil, &JSONError{JSONDepth}
	}
	if *left -= len(values); *left < 0 {
		return nil, ErrTooMany
	}
	m := NewMap()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if file, ok := values[name].(*File); ok && depth == 1 {
			m.Set(name, file)
			continue
		}
		v, err := valueOf(values[name], left, depth)
		if err != nil {
			return nil, err
		}
		m.Set(name, v)
	}
	return m, nil
}

func valueOf(v any, left *int, depth int) (any, error) {
	switch x := v.(type) {
	case nil, bool, string, int64, float64:
		return x, nil
	case int:
		return int64(x), nil
	case json.Number:
		return number(x)
	case map[string]any:
		return mapOf(x, left, depth+1)
	case []any:
		return listOf(x, left, depth)
	case []string:
		return listOf(x, left, depth)
	case []int64:
		return listOf(x, left, depth)
	}
	return nil, fmt.Errorf("param: a %T cannot be a value of a parameter", v)
}

func listOf[T any](values []T, left *int, depth int) (any, error) {
	if depth++; depth > maxJSONDepth {
		return nil, &JSONError{JSONDepth}
	}
	if *left -= len(values); *left < 0 {
		return nil, ErrTooMany
	}
	list := make([]any, len(values))
	for i, one := range values {
		v, err := valueOf(one, left, depth)
		if err != nil {
			return nil, err
		}
		list[i] = v
	}
	return list, nil
}

// number converts a number to an int64 if it is a whole number that fits, and to a float64 otherwise.
func number(n json.Number) (any, error) {
	if n, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
		return n, nil
	}
	return strconv.ParseFloat(n.String(), 64)
}

// Size returns the length of the Map in bytes as JSON without escapes. It works on a nil Map.
func (m *Map) Size() int64 {
	n := brackets(m.Len())
	for i, name := range m.Keys() {
		n += int64(len(name)+len(`"":`)) + size(m.vals[i])
	}
	return n
}

func size(v any) int64 {
	switch x := v.(type) {
	case nil:
		return int64(len("null"))
	case string:
		return int64(len(x) + len(`""`))
	case *Map:
		return x.Size()
	case Raw:
		return int64(len(x))
	case *File: // files have a separate limit
		return 0
	case []any:
		n := brackets(len(x))
		for _, one := range x {
			n += size(one)
		}
		return n
	}
	return int64(len(fmt.Sprint(v)))
}

// brackets returns the number of bytes that the brackets around n members or elements occupy, with the commas between
// them.
func brackets(n int) int64 { return int64(2 + max(0, n-1)) }
