package param

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

func TestConvert(t *testing.T) {
	golden.Each(t, "converted.txt", func(typ, value, want string) {
		v, ok := converted(typ, jsonValue(t, value))
		got := fmt.Sprintf("%#v", v)
		if !ok {
			got = "no"
		}
		if _, isInt := v.(int64); got != want || ok && typ == jsonschema.TypeInt && !isInt {
			t.Errorf("%s %s: %s, a %T, want %s", typ, value, got, v, want)
		}
	})
}

// jsonValue parses a JSON value as a body contains it.
func jsonValue(t *testing.T, text string) any {
	t.Helper()
	v, _ := object(t, `{"value":`+text+`}`).Get("value")
	return v
}

// outcome formats what a check returns: the value, or the message id of its Fault.
func outcome(t *testing.T, check step, v any) string {
	t.Helper()
	got, err := check(t.Context(), v)
	if f, ok := err.(*Fault); ok {
		return f.Message.ID
	}
	must.Succeed(t, err)
	return fmt.Sprintf("%#v", got)
}

func TestChecks(t *testing.T) {
	checks := map[string]step{
		"Positive": untyped(Positive), "Search": untyped(Search), "Text": untyped(Text), "Truthy": untyped(Truthy), "IDs": untyped(IDs),
		"OneOf": untyped(OneOf("en", "nl")),
	}
	golden.Each(t, "checked.txt", func(name, value, want string) {
		check := checks[name[strings.LastIndex(name, " ")+1:]]
		if got := outcome(t, check, jsonValue(t, value)); got != want {
			t.Errorf("%s %s: %s, want %s", name, value, got, want)
		}
	})
	long := strings.Repeat("é", MaxSearch)
	if got := outcome(t, checks["Search"], long); got != fmt.Sprintf("%q", long) {
		t.Errorf("a search of %d characters: %s", MaxSearch, got)
	}
}

// numbers returns the numbers from 1 to n as one string.
func numbers(n int, separator string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = itoa(int64(i + 1))
	}
	return strings.Join(list, separator)
}

func TestList(t *testing.T) {
	deep, _ := ParseForm("a[0][x]=1")
	nested, _ := deep.Get("a")
	for _, c := range []struct {
		about string
		v     any
		want  string
	}{
		{"a text", "a, b ,,c", "a|b|c"}, {"escaped once more", "1%2C2", "1|2"}, {"blanks", " , ", ""},
		{"a plus is a blank", "a+b,+c", "a b|c"},
		{"a number", int64(5), "5"}, {"a broken escape", "100%", "100%"}, {"nothing", nil, ""}, {"false", false, ""},
		{"D6 elements stay whole", []any{"a,b", " c ", "", int64(7)}, "a,b|c|7"}, {"elements are not escaped", []any{"1%2C2"}, "1%2C2"},
		{"nested", []any{[]any{"x"}}, "fault_nested"}, {"D22 a nested form", nested, "fault_nested"},
		{"D41 a NUL inside an escape", "a%00", "fault_text"}, {"D41 broken UTF-8 inside an escape", "%ff,a", "fault_text"},
		{"1000 values", numbers(MaxList, ","), numbers(MaxList, "|")}, {"D59 1000 equal values", strings.Repeat("1,", MaxList), "1"},
		{"1001 values", strings.Repeat("1,", MaxList) + "1", "fault_too_many"},
		{"1001 escaped values", strings.Repeat("1%2C", MaxList) + "1", "fault_too_many"},
		{"1001 elements", slices.Repeat([]any{"1"}, MaxList+1), "fault_too_many"},
		{"a great many commas", strings.Repeat(",", 100000), "fault_too_many"},
	} {
		items, err := List(c.v)
		got := strings.Join(items, "|")
		if f, ok := err.(*Fault); ok {
			got = f.Message.ID
		} else if err != nil {
			t.Fatal(err)
		}
		golden.Equal(t, c.about, got, c.want)
	}
}

func FuzzList(f *testing.F) {
	golden.Seed(f, "", "1,2", " a , b ", "%2C%2c", "%ff", "a%00", "1e1,007", strings.Repeat(",1", 1001))
	f.Fuzz(func(t *testing.T, s string) {
		for _, v := range []any{s, []any{s, s}} {
			items, err := List(v)
			if err != nil {
				if _, ok := err.(*Fault); !ok || items != nil {
					t.Fatalf("%q: %v", s, err)
				}
				continue
			}
			if len(items) > MaxList {
				t.Errorf("%q: %d items", s, len(items))
			}
			for _, item := range items {
				if item == "" || item != strings.TrimSpace(item) || !CleanText(item) {
					t.Errorf("%q: item %q", s, item)
				}
			}
		}
		if ids, err := IDs(t.Context(), s); err == nil {
			if len(ids) == 0 || slices.Min(ids) < 1 {
				t.Errorf("%q: ids %v", s, ids)
			}
		}
	})
}
