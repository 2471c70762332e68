package term

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/param"
)

// Object is what {"k0":…,"k1":…} is read as; for the tests outside the package, too.
func Object(values ...any) *param.Map {
	m := param.NewMap()
	for i, v := range values {
		m.Set(fmt.Sprint("k", i), v)
	}
	return m
}

func TestItems(t *testing.T) {
	many := make([]any, param.MaxList+1)
	for i := range many {
		many[i] = int64(i + 1)
	}
	for _, c := range []struct {
		in    any
		items []string
		fault string
	}{
		{"", nil, ""}, {" , ,", nil, ""}, {false, nil, ""}, {[]any{}, nil, ""}, {[]any{nil, "", " ", false}, nil, ""}, {Object(), nil, ""},
		{nil, nil, ""},
		{"a, b ,c", []string{"a", "b", "c"}, ""}, {"100%25", []string{"100%25"}, ""},
		{[]any{"a, b", int64(5), " c "}, []string{"a, b", "5", "c"}, ""},
		{int64(7), []string{"7"}, ""}, {7.0, []string{"7"}, ""}, {1.5, []string{"1.5"}, ""}, {true, []string{"1"}, ""},
		{Object("a,b", int64(3)), []string{"a,b", "3"}, ""},
		{[]any{[]any{int64(1)}}, nil, "fault_nested"}, {[]any{Object("x")}, nil, "fault_nested"},
		{Object(Object("x")), nil, "fault_nested"},
		{many, nil, "fault_too_many"}, {strings.Repeat("a,", param.MaxList+1), nil, "fault_too_many"},
		{strings.Repeat(",", 1<<16), nil, ""},
		{[]any{"a", strings.Repeat("<b>", 5000)}, nil, "fault_too_long"},
	} {
		items, err := itemsOf(t.Context(), c.in)
		var f *param.Fault
		if errors.As(err, &f) != (c.fault != "") || f != nil && f.Message.ID != c.fault || c.fault == "" && !slices.Equal(items, c.items) {
			t.Errorf("%.80v: %q, %v", c.in, items, err)
		}
	}
}

func FuzzItems(f *testing.F) {
	f.Add("a, b,,c", "x,y")
	f.Add(" \t", "\x00")
	f.Fuzz(func(t *testing.T, text, element string) {
		for _, v := range []any{text, []any{element, text}, Object(text)} {
			items, err := itemsOf(t.Context(), v)
			if err != nil && strings.Count(text, ",") < param.MaxList && len(text) < maxItem && len(element) < maxItem {
				t.Fatalf("%v: %v", v, err)
			}
			for _, item := range items {
				if item == "" || strings.TrimSpace(item) != item {
					t.Fatalf("%v: %q", v, items)
				}
			}
		}
	})
}
