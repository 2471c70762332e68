package param

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// Limits of parameter values. A request that exceeds them is rejected.
const (
	MaxList   = 1000 // values in one list
	MaxSearch = 200  // characters of a search string, and of a word
)

// ListBound returns the maximum number of values in a list whose declaration sets the bound most, or no bound if most
// is 0. It never exceeds MaxList.
func ListBound(most int) int {
	if most == 0 {
		return MaxList
	}
	return min(most, MaxList)
}

// accepted returns what a check read if it is accepted, and otherwise the fault with an id.
func accepted[T any](v T, ok bool, id string) (T, error) {
	if !ok {
		var none T
		return none, Invalid(id)
	}
	return v, nil
}

// Positive accepts a whole number above zero, either as a number or as a string of digits.
func Positive(_ context.Context, v any) (int64, error) {
	n, ok := Integer(v)
	return accepted(n, ok && n > 0 && n != math.MaxInt64, "fault_positive")
}

// Search accepts a string that is neither empty nor "0", which WordPress treats as empty.
func Search(_ context.Context, v any) (string, error) {
	s, ok := Scalar(v)
	return accepted(s, ok && s != "" && s != "0", "fault_search")
}

// Text accepts a non-empty string.
func Text(_ context.Context, v any) (string, error) {
	s, ok := v.(string)
	return accepted(s, ok && s != "", "fault_text_empty")
}

// Filled accepts a string that is neither empty nor "0", which WordPress treats as empty.
func Filled(_ context.Context, v any) (string, error) {
	s, ok := v.(string)
	return accepted(s, ok && s != "" && s != "0", "fault_text_empty")
}

// Truthy accepts any scalar as a switch: 1, true, yes, on, y, enable and enabled mean true, everything else means
// false.
func Truthy(ctx context.Context, v any) (bool, error) {
	s, err := AnyScalar(ctx, v)
	return wp.Truthy(s), err
}

// String accepts any string, including an empty one.
func String(_ context.Context, v any) (string, error) {
	s, ok := v.(string)
	return accepted(s, ok, "fault_string")
}

// Plain accepts any string, like String. Its error for other values says that the value must not be a list or an
// object.
func Plain(_ context.Context, v any) (string, error) {
	s, ok := v.(string)
	return accepted(s, ok, "fault_nested")
}

// StringOrEmpty returns a string. Any other value counts as an empty one, which chooses nothing.
func StringOrEmpty(_ context.Context, v any) (string, error) {
	s, _ := v.(string)
	return s, nil
}

// IntegerOrZero returns an integer, or 0 for any other value. It is for parameters whose schema rejects other values.
func IntegerOrZero(_ context.Context, v any) (int64, error) {
	n, _ := Integer(v)
	return n, nil
}

// AnyScalar accepts strings, numbers and booleans, and returns them as strings.
func AnyScalar(_ context.Context, v any) (string, error) {
	s, ok := Scalar(v)
	return accepted(s, ok, "fault_nested")
}

// OneOf accepts one of the given words. Case matters.
func OneOf(words ...string) func(context.Context, any) (string, error) {
	return func(_ context.Context, v any) (string, error) {
		s, _ := Scalar(v)
		if slices.Contains(words, s) {
			return s, nil
		}
		return "", Invalid("fault_one_of", "Words", strings.Join(words, ", "), "Count", len(words))
	}
}

// Scalar returns a string, number or boolean as a string.
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

// Distinct removes duplicates from a list and keeps the order of first appearance. It modifies the slice.
func Distinct[T comparable](list []T) []T {
	seen := make(map[T]bool, len(list))
	return slices.DeleteFunc(list, func(item T) bool {
		again := seen[item]
		seen[item] = true
		return again
	})
}

// List returns the distinct items of a list parameter as strings. A string is split at its commas after it is unescaped
// once more; the elements of an array are not split. Blanks around items, and empty items, are dropped. A nested list
// is a validation error, and so are more than MaxList items, duplicates included.
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
	} else if v == true { // true stands for no name and no id
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

// IDs accepts a list of positive ids and returns them without duplicates. An empty list is a validation error.
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
