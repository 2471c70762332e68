package param

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/jsonschema"
)

func TestConvert(t *testing.T) {
	no := "no"
	for _, c := range []struct {
		typ  string
		v    any
		want any
	}{
		{jsonschema.TypeInt, int64(5), int64(5)}, {jsonschema.TypeInt, float64(5), int64(5)}, {jsonschema.TypeInt, -5.0, int64(-5)},
		{jsonschema.TypeInt, 1.5, no},
		{jsonschema.TypeInt, 1e300, int64(math.MaxInt64)}, {jsonschema.TypeInt, -1e300, int64(math.MinInt64)},
		{jsonschema.TypeInt, "5", int64(5)}, {jsonschema.TypeInt, " 5 ", int64(5)},
		{jsonschema.TypeInt, "+5", int64(5)}, {jsonschema.TypeInt, "-5", int64(-5)},
		{jsonschema.TypeInt, "02", int64(2)},
		{jsonschema.TypeInt, "2.0", int64(2)}, {jsonschema.TypeInt, "1e1", int64(10)}, {jsonschema.TypeInt, "1E0", int64(1)},
		{jsonschema.TypeInt, ".0", int64(0)},
		{jsonschema.TypeInt, "9223372036854775807", int64(math.MaxInt64)},
		{jsonschema.TypeInt, "9223372036854775808", int64(math.MaxInt64)},
		{jsonschema.TypeInt, "-99999999999999999999", int64(math.MinInt64)},
		{jsonschema.TypeInt, "1e400", int64(math.MaxInt64)}, {jsonschema.TypeInt, "", no},
		{jsonschema.TypeInt, " ", no}, {jsonschema.TypeInt, "abc", no},
		{jsonschema.TypeInt, "5abc", no}, {jsonschema.TypeInt, "1.5", no},
		{jsonschema.TypeInt, "0x2", no}, {jsonschema.TypeInt, "1_000", no},
		{jsonschema.TypeInt, "NaN", no}, {jsonschema.TypeInt, "Inf", no},
		{jsonschema.TypeInt, "٣", no}, {jsonschema.TypeInt, true, no}, {jsonschema.TypeInt, nil, no},
		{jsonschema.TypeInt, []any{int64(1)}, no}, {jsonschema.TypeInt, NewMap(), no},
		{jsonschema.TypeBoolean, true, true}, {jsonschema.TypeBoolean, false, false}, {jsonschema.TypeBoolean, int64(1), true},
		{jsonschema.TypeBoolean, int64(0), false}, {jsonschema.TypeBoolean, int64(2), no}, {jsonschema.TypeBoolean, 1.0, no},
		{jsonschema.TypeBoolean, "1", true}, {jsonschema.TypeBoolean, "0", false}, {jsonschema.TypeBoolean, "true", true},
		{jsonschema.TypeBoolean, "TRUE", true}, {jsonschema.TypeBoolean, "False", false},
		{jsonschema.TypeBoolean, "yes", no}, {jsonschema.TypeBoolean, "on", no},
		{jsonschema.TypeBoolean, "", no}, {jsonschema.TypeBoolean, " 1", no},
		{jsonschema.TypeBoolean, "2", no}, {jsonschema.TypeBoolean, "1.0", no},
		{jsonschema.TypeBoolean, nil, no}, {jsonschema.TypeBoolean, []any{}, no},
		{jsonschema.TypeText, "", ""}, {jsonschema.TypeText, "x", "x"}, {jsonschema.TypeText, int64(5), no}, {jsonschema.TypeText, 1.5, no},
		{jsonschema.TypeText, true, no}, {jsonschema.TypeText, nil, no}, {jsonschema.TypeText, []any{"x"}, no},
		{"", int64(5), int64(5)}, {"", nil, nil},
	} {
		got, ok := converted(c.typ, c.v)
		if c.want == no {
			if ok {
				t.Errorf("%s %#v: %#v", c.typ, c.v, got)
			}
		} else if !ok || got != c.want {
			t.Errorf("%s %#v: %#v %v, want %#v", c.typ, c.v, got, ok, c.want)
		}
	}
}

// outcome formats what a check returns: the value, or the message id of its Fault.
func outcome(t *testing.T, check step, v any) string {
	t.Helper()
	got, err := check(t.Context(), v)
	if f, ok := err.(*Fault); ok {
		return f.Message.ID
	}
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%#v", got)
}

func TestChecks(t *testing.T) {
	long := strings.Repeat("é", MaxSearch)
	one := untyped(OneOf("en", "nl"))
	positive, search, text, truthy, ids := untyped(Positive), untyped(Search), untyped(Text), untyped(Truthy), untyped(IDs)
	for _, c := range []struct {
		name  string
		check step
		v     any
		want  string
	}{
		{"Positive", positive, "1", "1"}, {"Positive", positive, int64(50), "50"}, {"Positive", positive, " 5", "5"},
		{"Positive", positive, "2.0", "2"}, {"Positive", positive, "1e1", "10"},
		{"Positive", positive, "0", "fault_positive"}, {"Positive", positive, "-1", "fault_positive"},
		{"Positive", positive, "1.5", "fault_positive"}, {"Positive", positive, "", "fault_positive"},
		{"Positive", positive, "5abc", "fault_positive"}, {"Positive", positive, "0x2", "fault_positive"},
		{"Positive", positive, "12345678901234567890", "fault_positive"},
		{"Positive", positive, "1e400", "fault_positive"}, {"Positive", positive, true, "fault_positive"},
		{"Positive", positive, []any{"1"}, "fault_positive"}, {"Positive", positive, NewMap(), "fault_positive"},
		{"Search", search, "jazz", `"jazz"`}, {"Search", search, "00", `"00"`}, {"Search", search, " ", `" "`},
		{"Search", search, long, fmt.Sprintf("%q", long)},
		{"Search", search, "", "fault_search"}, {"Search", search, "0", "fault_search"},
		{"Search", search, false, "fault_search"}, {"Search", search, []any{"x"}, "fault_search"},
		{"Text", text, "x", `"x"`}, {"Text", text, "0", `"0"`}, {"Text", text, "", "fault_text_empty"},
		{"Text", text, int64(5), "fault_text_empty"}, {"Text", text, []any{"x"}, "fault_text_empty"},
		{"Truthy", truthy, "1", "true"}, {"Truthy", truthy, "Yes", "true"}, {"Truthy", truthy, "ENABLED", "true"},
		{"Truthy", truthy, "y", "true"}, {"Truthy", truthy, "on", "true"}, {"Truthy", truthy, true, "true"},
		{"Truthy", truthy, int64(1), "true"},
		{"Truthy", truthy, "0", "false"}, {"Truthy", truthy, "", "false"}, {"Truthy", truthy, "banana", "false"},
		{"Truthy", truthy, "2", "false"}, {"Truthy", truthy, false, "false"}, {"D58 Truthy", truthy, []any{"1"}, "fault_nested"},
		{"D58 IDs", ids, "12345678901234567890", "fault_ids"}, {"D58 IDs", ids, true, "fault_nested"},
		{"D58 IDs", ids, []any{true}, "fault_nested"},
		{"OneOf", one, "en", `"en"`}, {"OneOf", one, "nl", `"nl"`}, {"OneOf", one, "EN", "fault_one_of"},
		{"OneOf", one, "", "fault_one_of"}, {"OneOf", one, []any{"en"}, "fault_one_of"},
		{"IDs", ids, "1,2", "[]int64{1, 2}"}, {"IDs", ids, int64(3), "[]int64{3}"},
		{"IDs", ids, []any{int64(3), "4", 5.0}, "[]int64{3, 4, 5}"}, {"IDs", ids, "010, 10.0,,1e1,", "[]int64{10}"},
		{"IDs", ids, "", "fault_ids"}, {"IDs", ids, ",", "fault_ids"}, {"IDs", ids, "0", "fault_ids"}, {"IDs", ids, "1,-2", "fault_ids"},
		{"IDs", ids, "1,x", "fault_ids"}, {"IDs", ids, "1.5", "fault_ids"}, {"IDs", ids, []any{}, "fault_ids"},
		{"D6 IDs", ids, []any{"1,2"}, "fault_ids"}, {"IDs", ids, []any{[]any{"1"}}, "fault_nested"},
		{"IDs", ids, []any{nil}, "fault_nested"},
	} {
		if got := outcome(t, c.check, c.v); got != c.want {
			t.Errorf("%s %#v: %s, want %s", c.name, c.v, got, c.want)
		}
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
		if got != c.want {
			t.Errorf("%s: %.60s, want %.60s", c.about, got, c.want)
		}
	}
}

func FuzzList(f *testing.F) {
	for _, s := range []string{"", "1,2", " a , b ", "%2C%2c", "%ff", "a%00", "1e1,007", strings.Repeat(",1", 1001)} {
		f.Add(s)
	}
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
