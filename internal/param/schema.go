package param

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/wp"
)

// misfit describes how a value violates a schema. The zero misfit means that it does not.
type misfit struct {
	id   string             // message id
	by   *jsonschema.Schema // the schema whose bound is violated
	kind bool               // the value is of another type than the schema's, so its bounds were not checked
}

// fault returns the misfit as a Fault, or nil if there is none.
func (m misfit) fault() *Fault {
	switch m.id {
	case "":
		return nil
	case "fault_one_of":
		words := make([]string, len(m.by.Only))
		for i, word := range m.by.Only {
			words[i], _ = word.(string)
		}
		return Invalid(m.id, "Words", strings.Join(words, ", "), "Count", len(words))
	case "fault_too_long":
		return Invalid(m.id, "Max", m.by.MaxChars)
	case "fault_too_many":
		return Invalid(m.id, "Max", m.by.MaxItems)
	case "fault_number_least":
		return Invalid(m.id, "Least", decimal(*m.by.Min))
	case "fault_number_most":
		return Invalid(m.id, "Most", decimal(*m.by.Max))
	}
	return Invalid(m.id)
}

func decimal(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// misfitOf checks a value against a schema. A string is accepted wherever a query string could only have a string: for
// a number, a boolean, a list separated by commas, and, if it is empty, for null. A number is accepted as a list of
// one. An object is accepted as a list only in a form or a query, where lists may have keys (k[x]=a). The members of
// objects, and the elements of a list of objects, are checked by the rule that reads them.
func misfitOf(s *jsonschema.Schema, v any, form bool) misfit {
	other := func(id string) misfit { return misfit{id, s, true} }
	switch {
	case s.OneOf != nil:
		return misfitOfAll(s.OneOf, v, form)
	case s.AnyOf != nil:
		return misfitOfAll(s.AnyOf, v, form)
	}
	switch s.Type {
	case jsonschema.TypeText:
		if text, ok := v.(string); ok {
			return textMisfit(s, text)
		}
		return other("fault_string")
	case jsonschema.TypeInt:
		if n, ok := Integer(v); ok {
			return numberMisfit(s, float64(n))
		}
		return other("fault_integer")
	case jsonschema.TypeNumber:
		if n, ok := Number(v); ok {
			return numberMisfit(s, n)
		}
		return other("fault_number")
	case jsonschema.TypeBoolean:
		if on, ok := converted(jsonschema.TypeBoolean, v); !ok || s.Only != nil && !slices.Contains(s.Only, on) {
			return other("fault_strict")
		}
	case jsonschema.TypeList:
		return listMisfit(s, v, form)
	case jsonschema.TypeObject:
		if _, ok := v.(*Map); !ok {
			return other("fault_nested")
		}
	case jsonschema.TypeNull:
		if v != nil && v != "" {
			return other("fault_nested")
		}
	}
	return misfit{}
}

// misfitOfAll checks a value against alternative schemas, one of which it has to match. If none matches, it returns the
// misfit of the schema that has the value's type.
func misfitOfAll(list []*jsonschema.Schema, v any, form bool) (found misfit) {
	kinds := 0
	for _, s := range list {
		m := misfitOf(s, v, form)
		switch {
		case m.id == "":
			return m
		case !m.kind:
			found = m
		case s.Type != jsonschema.TypeNull:
			if kinds++; found.id == "" {
				found = m
			}
		}
	}
	if found.kind && kinds > 1 { // each alternative would name another type
		found.id = "fault_nested"
	}
	return found
}

func textMisfit(s *jsonschema.Schema, text string) misfit {
	switch {
	case s.Only != nil && !slices.ContainsFunc(s.Only, func(word any) bool { return word == text }):
		return misfit{id: "fault_one_of", by: s}
	case text == "" && s.MinChars > 0:
		return misfit{id: "fault_text_empty"}
	case s.MaxChars > 0 && len(text) > s.MaxChars && utf8.RuneCountInString(text) > s.MaxChars:
		return misfit{id: "fault_too_long", by: s}
	}
	return misfit{}
}

func numberMisfit(s *jsonschema.Schema, n float64) misfit {
	switch {
	case s.Only != nil && !slices.ContainsFunc(s.Only, func(only any) bool { i, _ := only.(int); return float64(i) == n }):
		return misfit{"fault_nested", s, true}
	case s.Min != nil && n < *s.Min:
		return misfit{id: "fault_number_least", by: s}
	case s.Max != nil && n > *s.Max:
		return misfit{id: "fault_number_most", by: s}
	}
	return misfit{}
}

func listMisfit(s *jsonschema.Schema, v any, form bool) misfit {
	if text, isText := v.(string); isText {
		return commasMisfit(s, text, form)
	}
	list, ok := v.([]any)
	switch x := v.(type) {
	case *Map:
		list, ok = x.vals, form
	case int64, float64:
		if !s.Empty {
			return misfitOf(s.Items, v, form)
		}
	}
	if !ok || s.Empty && len(list) > 0 {
		return misfit{"fault_nested", s, true}
	}
	if s.MaxItems > 0 && len(list) > s.MaxItems {
		return misfit{id: "fault_too_many", by: s}
	}
	for _, one := range list {
		if m := misfitOf(s.Items, one, form); m.id != "" && s.Items.Type != jsonschema.TypeObject {
			m.kind = false
			return m
		}
	}
	return fewMisfit(s, len(list))
}

// commasMisfit is listMisfit for a string whose elements are separated by commas. As in List, blanks around elements,
// and empty elements, do not count.
func commasMisfit(s *jsonschema.Schema, text string, form bool) misfit {
	n := 0
	for one := range strings.SplitSeq(Unescape(text), ",") {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		if n++; s.Empty {
			return misfit{"fault_nested", s, true}
		}
		if s.MaxItems > 0 && n > s.MaxItems {
			return misfit{id: "fault_too_many", by: s}
		}
		if m := misfitOf(s.Items, one, form); m.id != "" {
			m.kind = false
			return m
		}
	}
	return fewMisfit(s, n)
}

func fewMisfit(s *jsonschema.Schema, n int) misfit {
	if n < s.MinItems {
		return misfit{id: "fault_required"}
	}
	return misfit{}
}

// Number converts a number, or a string with one, to a finite float64.
func Number(v any) (float64, bool) {
	switch n := v.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, n-n == 0 // false for infinities and NaN
	case string:
		f, _, ok := wp.Numeric(n)
		return f, ok && f-f == 0
	}
	return 0, false
}
