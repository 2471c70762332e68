package rest

import (
	"strings"

	"github.com/agendahq/agenda/internal/param"
)

// Limits of _fields (D57); requests that exceed them are rejected.
const (
	MaxFieldNames  = 200
	maxFieldLevels = 10
)

// fieldNames parses _fields: names separated by commas or white space, or a list.
func fieldNames(s param.Sources) ([]string, error) {
	const name = optionFields
	v, ok := option(s, name)
	if !ok {
		return nil, nil
	}
	var names []string
	add := func(n string) *param.Fault {
		switch n = strings.TrimSpace(n); {
		case n == "":
			return nil
		case len(names) == MaxFieldNames:
			return param.Invalid("fault_too_many", "Max", MaxFieldNames)
		case strings.Count(n, ".") >= maxFieldLevels:
			return param.Invalid("fault_field_levels", "Max", maxFieldLevels)
		}
		names = append(names, n)
		return nil
	}
	if list, ok := param.Elements(v); ok {
		for _, e := range list {
			t, _ := param.Scalar(e)
			if f := add(t); f != nil {
				return nil, param.Refuse(name, f)
			}
		}
		return names, nil
	}
	t, _ := param.Scalar(v)
	for n := range strings.FieldsFuncSeq(t, func(c rune) bool { return c == ',' || strings.ContainsRune(" \t\r\n\v\f", c) }) {
		if f := add(n); f != nil {
			return nil, param.Refuse(name, f)
		}
	}
	return names, nil
}
