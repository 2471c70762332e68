package param

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/wp"
)

// Limits of values; beyond them a request is refused.
const (
	MaxList   = 1000 // values of one list
	MaxSearch = 200  // characters of a search text, and of a word
)

// Positive accepts a whole number above zero, as a number or in digits.
func Positive(_ context.Context, v any) (any, error) {
	n, ok := integer(v)
	if !ok || n.(int64) <= 0 || n.(int64) == 1<<63-1 {
		return nil, Invalid("fault_positive")
	}
	return n, nil
}

// Search accepts a text that is neither empty nor "0".
func Search(_ context.Context, v any) (any, error) {
	s, ok := Scalar(v)
	switch {
	case !ok || s == "" || s == "0":
		return nil, Invalid("fault_search")
	case long(s):
		return nil, Invalid("fault_too_long", "Max", MaxSearch)
	}
	return s, nil
}

func long(s string) bool { return len(s) > MaxSearch && utf8.RuneCountInString(s) > MaxSearch }

// Short has a check refuse texts of more than MaxSearch characters. It is for
// words that addresses of pages repeat, whatever they are; a nil check accepts
// any value.
func Short(check Check) Check {
	return func(ctx context.Context, v any) (any, error) {
		if s, ok := v.(string); ok && long(s) {
			return nil, Invalid("fault_too_long", "Max", MaxSearch)
		}
		if check == nil {
			return v, nil
		}
		return check(ctx, v)
	}
}

// Text accepts a non-empty text.
func Text(_ context.Context, v any) (any, error) {
	s, ok := v.(string)
	if !ok || s == "" {
		return nil, Invalid("fault_text_empty")
	}
	return s, nil
}

// Filled accepts a text that is neither empty nor "0", which counts as empty.
func Filled(_ context.Context, v any) (any, error) {
	s, ok := v.(string)
	if !ok || s == "" || s == "0" {
		return nil, Invalid("fault_text_empty")
	}
	return s, nil
}

// Truthy reads a switch that takes any single value: 1, true, yes, on, y, enable
// and enabled turn it on, whatever else is off.
func Truthy(_ context.Context, v any) (any, error) {
	s, ok := Scalar(v)
	if !ok {
		return nil, Invalid("fault_nested")
	}
	return wp.Truthy(s), nil
}

// OneOf accepts one of the given words, as they are written.
func OneOf(words ...string) Check {
	return func(_ context.Context, v any) (any, error) {
		s, _ := Scalar(v)
		for _, w := range words {
			if s == w {
				return s, nil
			}
		}
		return nil, Invalid("fault_one_of", "Words", strings.Join(words, ", "), "Count", len(words))
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
func IDs(_ context.Context, v any) (any, error) {
	items, err := List(v)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, 0, len(items))
	for _, s := range items {
		n, ok := integer(s)
		if !ok || n.(int64) <= 0 || n.(int64) == math.MaxInt64 {
			return nil, Invalid("fault_ids")
		}
		ids = append(ids, n.(int64))
	}
	if len(ids) == 0 {
		return nil, Invalid("fault_ids")
	}
	return Distinct(ids), nil
}
