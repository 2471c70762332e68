package param

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// Limits of values; beyond them a request is refused.
const (
	MaxList   = 1000 // values of one list
	MaxSearch = 200  // characters of a search text, and of a word
)

// ListBound returns how many values a list has at most that is declared with a bound, 0 for none.
func ListBound(most int) int {
	if most == 0 {
		return MaxList
	}
	return min(most, MaxList)
}

// Positive accepts a whole number above zero, as a number or in digits.
func Positive(_ context.Context, v any) (int64, error) {
	n, ok := Integer(v)
	if !ok || n <= 0 || n == math.MaxInt64 {
		return 0, Invalid("fault_positive")
	}
	return n, nil
}

// Search accepts a text that is neither empty nor "0".
func Search(_ context.Context, v any) (string, error) {
	s, ok := Scalar(v)
	if !ok || s == "" || s == "0" {
		return "", Invalid("fault_search")
	}
	return s, nil
}

// Text accepts a non-empty text.
func Text(_ context.Context, v any) (string, error) {
	s, ok := v.(string)
	if !ok || s == "" {
		return "", Invalid("fault_text_empty")
	}
	return s, nil
}

// Filled accepts a text that is neither empty nor "0", which counts as empty.
func Filled(_ context.Context, v any) (string, error) {
	s, ok := v.(string)
	if !ok || s == "" || s == "0" {
		return "", Invalid("fault_text_empty")
	}
	return s, nil
}

// Truthy reads a switch that takes any single value: 1, true, yes, on, y, enable
// and enabled turn it on, whatever else is off.
func Truthy(ctx context.Context, v any) (bool, error) {
	s, err := AnyScalar(ctx, v)
	return wp.Truthy(s), err
}

// String accepts any text, also an empty one.
func String(_ context.Context, v any) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", Invalid("fault_string")
	}
	return s, nil
}

// Plain accepts any text too, and says of lists that they have the wrong form.
func Plain(_ context.Context, v any) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", Invalid("fault_nested")
	}
	return s, nil
}

// AnyScalar accepts texts, numbers and booleans, as texts.
func AnyScalar(_ context.Context, v any) (string, error) {
	s, ok := Scalar(v)
	if !ok {
		return "", Invalid("fault_nested")
	}
	return s, nil
}

// OneOf accepts one of the given words, as they are written.
func OneOf(words ...string) func(context.Context, any) (string, error) {
	return func(_ context.Context, v any) (string, error) {
		s, _ := Scalar(v)
		if slices.Contains(words, s) {
			return s, nil
		}
		return "", Invalid("fault_one_of", "Words", strings.Join(words, ", "), "Count", len(words))
	}
}

// Scalar returns the text of a string, number or boolean.
func Scalar(v any) (string, bool) {
	switch x := v.(type) {
	case string:
		return x, true
	case bool:
		if x {
			return "1", true
		}
		return "", true
	case int64:
		return itoa(x), true
	case float64:
		return ftoa(x), true
	}
	return "", false
}

// Distinct returns the items of a list in their order, each once.
func Distinct[T comparable](list []T) []T {
	seen := make(map[T]bool, len(list))
	return slices.DeleteFunc(list, func(item T) bool {
		again := seen[item]
		seen[item] = true
		return again
	})
}

// List returns the items of a list parameter as texts, each once. A text is a
// list separated by commas, escaped once more; the elements of an array are not
// split. Blanks around items and empty items are dropped. A nested list is a
// fault, and so are more than MaxList items, repeated or not.
func List(v any) ([]string, error) {
	var items []string
	add := func(s string) {
		if s = strings.TrimSpace(s); s != "" {
			items = append(items, s)
		}
	}
	if elements, ok := Elements(v); ok {
		for _, e := range elements {
			s, ok := Scalar(e)
			if !ok || e == true {
				return nil, Invalid("fault_nested")
			}
			add(s)
		}
	} else if v == true { // no name, no id
		return nil, Invalid("fault_nested")
	} else if s, ok := Scalar(v); ok {
		if strings.Count(s, ",") > MaxList {
			return nil, Invalid("fault_too_many", "Max", MaxList)
		}
		for item := range strings.SplitSeq(Unescape(s), ",") {
			add(item)
		}
	}
	if len(items) > MaxList {
		return nil, Invalid("fault_too_many", "Max", MaxList)
	}
	for _, s := range items {
		if !CleanText(s) {
			return nil, Invalid("fault_text")
		}
	}
	return Distinct(items), nil
}

// IDs reads a list of positive ids and returns each once; an empty one is a
// fault.
func IDs(_ context.Context, v any) ([]int64, error) {
	items, err := List(v)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, 0, len(items))
	for _, s := range items {
		n, ok := Integer(s)
		if !ok || n <= 0 || n == math.MaxInt64 {
			return nil, Invalid("fault_ids")
		}
		ids = append(ids, n)
	}
	if len(ids) == 0 {
		return nil, Invalid("fault_ids")
	}
	return Distinct(ids), nil
}
