package param

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestConvert(t *testing.T) {
	no := "no"
	for _, c := range []struct {
		typ  string
		v    any
		want any
	}{
		{Integer, int64(5), int64(5)}, {Integer, float64(5), int64(5)}, {Integer, -5.0, int64(-5)}, {Integer, 1.5, no},
		{Integer, 1e300, int64(math.MaxInt64)}, {Integer, -1e300, int64(math.MinInt64)},
		{Integer, "5", int64(5)}, {Integer, " 5 ", int64(5)}, {Integer, "+5", int64(5)}, {Integer, "-5", int64(-5)}, {Integer, "02", int64(2)},
		{Integer, "2.0", int64(2)}, {Integer, "1e1", int64(10)}, {Integer, "1E0", int64(1)}, {Integer, ".0", int64(0)},
		{Integer, "9223372036854775807", int64(math.MaxInt64)}, {Integer, "9223372036854775808", int64(math.MaxInt64)}, {Integer, "-99999999999999999999", int64(math.MinInt64)},
		{Integer, "1e400", int64(math.MaxInt64)}, {Integer, "", no}, {Integer, " ", no}, {Integer, "abc", no}, {Integer, "5abc", no}, {Integer, "1.5", no},
		{Integer, "0x2", no}, {Integer, "1_000", no}, {Integer, "NaN", no}, {Integer, "Inf", no}, {Integer, "٣", no}, {Integer, true, no}, {Integer, nil, no},
		{Integer, []any{int64(1)}, no}, {Integer, NewMap(), no},
		{Boolean, true, true}, {Boolean, false, false}, {Boolean, int64(1), true}, {Boolean, int64(0), false}, {Boolean, int64(2), no}, {Boolean, 1.0, no},
		{Boolean, "1", true}, {Boolean, "0", false}, {Boolean, "true", true}, {Boolean, "TRUE", true}, {Boolean, "False", false},
		{Boolean, "yes", no}, {Boolean, "on", no}, {Boolean, "", no}, {Boolean, " 1", no}, {Boolean, "2", no}, {Boolean, "1.0", no}, {Boolean, nil, no}, {Boolean, []any{}, no},
		{String, "", ""}, {String, "x", "x"}, {String, int64(5), no}, {String, 1.5, no}, {String, true, no}, {String, nil, no}, {String, []any{"x"}, no},
		{"", int64(5), int64(5)}, {"", nil, nil},
	} {
		got, ok := Convert(c.typ, c.v)
		if c.want == no {
			if ok {
				t.Errorf("%s %#v: %#v", c.typ, c.v, got)
			}
		} else if !ok || got != c.want {
			t.Errorf("%s %#v: %#v %v, want %#v", c.typ, c.v, got, ok, c.want)
		}
	}
}

// outcome shows what a check answers: the value, or the text of its fault.
func outcome(t *testing.T, check Check, v any) string {
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
	one := OneOf("en", "nl")
	for _, c := range []struct {
		name  string
		check Check
		v     any
		want  string
	}{
		{"Positive", Positive, "1", "1"}, {"Positive", Positive, int64(50), "50"}, {"Positive", Positive, " 5", "5"}, {"Positive", Positive, "2.0", "2"}, {"Positive", Positive, "1e1", "10"},
		{"Positive", Positive, "0", "fault_positive"}, {"Positive", Positive, "-1", "fault_positive"}, {"Positive", Positive, "1.5", "fault_positive"}, {"Positive", Positive, "", "fault_positive"},
		{"Positive", Positive, "5abc", "fault_positive"}, {"Positive", Positive, "0x2", "fault_positive"}, {"Positive", Positive, "12345678901234567890", "fault_positive"},
		{"Positive", Positive, "1e400", "fault_positive"}, {"Positive", Positive, true, "fault_positive"}, {"Positive", Positive, []any{"1"}, "fault_positive"}, {"Positive", Positive, NewMap(), "fault_positive"},
		{"Search", Search, "jazz", `"jazz"`}, {"Search", Search, "00", `"00"`}, {"Search", Search, " ", `" "`}, {"Search", Search, long, fmt.Sprintf("%q", long)},
		{"Search", Search, long + "x", "fault_too_long"}, {"Search", Search, "", "fault_search"}, {"Search", Search, "0", "fault_search"}, {"Search", Search, false, "fault_search"}, {"Search", Search, []any{"x"}, "fault_search"},
		{"Text", Text, "x", `"x"`}, {"Text", Text, "0", `"0"`}, {"Text", Text, "", "fault_text_empty"}, {"Text", Text, int64(5), "fault_text_empty"}, {"Text", Text, []any{"x"}, "fault_text_empty"},
		{"Truthy", Truthy, "1", "true"}, {"Truthy", Truthy, "Yes", "true"}, {"Truthy", Truthy, "ENABLED", "true"}, {"Truthy", Truthy, "y", "true"}, {"Truthy", Truthy, "on", "true"}, {"Truthy", Truthy, true, "true"}, {"Truthy", Truthy, int64(1), "true"},
		{"Truthy", Truthy, "0", "false"}, {"Truthy", Truthy, "", "false"}, {"Truthy", Truthy, "banana", "false"}, {"Truthy", Truthy, "2", "false"}, {"Truthy", Truthy, false, "false"}, {"D58 Truthy", Truthy, []any{"1"}, "fault_nested"}, {"D58 IDs", IDs, "12345678901234567890", "fault_ids"}, {"D58 IDs", IDs, true, "fault_nested"}, {"D58 IDs", IDs, []any{true}, "fault_nested"},
		{"OneOf", one, "en", `"en"`}, {"OneOf", one, "nl", `"nl"`}, {"OneOf", one, "EN", "fault_one_of"}, {"OneOf", one, "", "fault_one_of"}, {"OneOf", one, []any{"en"}, "fault_one_of"},
		{"IDs", IDs, "1,2", "[]int64{1, 2}"}, {"IDs", IDs, int64(3), "[]int64{3}"}, {"IDs", IDs, []any{int64(3), "4", 5.0}, "[]int64{3, 4, 5}"}, {"IDs", IDs, "010, 10.0,,1e1,", "[]int64{10}"},
		{"IDs", IDs, "", "fault_ids"}, {"IDs", IDs, ",", "fault_ids"}, {"IDs", IDs, "0", "fault_ids"}, {"IDs", IDs, "1,-2", "fault_ids"}, {"IDs", IDs, "1,x", "fault_ids"}, {"IDs", IDs, "1.5", "fault_ids"}, {"IDs", IDs, []any{}, "fault_ids"},
		{"D6 IDs", IDs, []any{"1,2"}, "fault_ids"}, {"IDs", IDs, []any{[]any{"1"}}, "fault_nested"}, {"IDs", IDs, []any{nil}, "fault_nested"},
	} {
		if got := outcome(t, c.check, c.v); got != c.want {
			t.Errorf("%s %#v: %s, want %s", c.name, c.v, got, c.want)
		}
	}
}

// numbers are the numbers from 1 to n.
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
		{"a text", "a, b ,,c", "a|b|c"}, {"escaped once more", "1%2C2", "1|2"}, {"blanks", " , ", ""}, {"a plus is a blank", "a+b,+c", "a b|c"},
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
			list := ids.([]int64)
			if len(list) == 0 || slices.Min(list) < 1 {
				t.Errorf("%q: ids %v", s, list)
			}
		}
	})
}

// D59: lists are de-duplicated, and their order stays.
func TestD59Lists(t *testing.T) {
	for _, v := range []any{strings.Repeat("7,3,", 400) + "5", slices.Repeat([]any{int64(7), "3", "07", "3.0", int64(5)}, 200)} {
		got, err := IDs(t.Context(), v)
		if ids, ok := got.([]int64); !ok || err != nil || !slices.Equal(ids, []int64{7, 3, 5}) {
			t.Errorf("%.30v: %.60v, %v", v, got, err)
		}
	}
	items, err := List(strings.Repeat("b, a,b ,", 300))
	if err != nil || !slices.Equal(items, []string{"b", "a"}) {
		t.Errorf("%.60q, %v", items, err)
	}
}
