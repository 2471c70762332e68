package param

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestParseJSON(t *testing.T) {
	for body, want := range map[string]string{
		``:                               `{}`,
		`{}`:                             `{}`,
		`[]`:                             `{}`,
		`[1,{"a":2}]`:                    `{}`,
		`null`:                           `{}`,
		`0`:                              `{}`,
		"\r\n\t {\"a\" :\n1 } ":          `{a:1}`,
		`{"b":1,"a":[true,false,null]}`:  `{b:1 a:[true false <nil>]}`,
		`{"a":1,"b":2,"a":3}`:            `{a:3 b:2}`,
		`{"a":{"x":1,"x":{"y":"é"}}}`:    `{a:{x:{y:"é"}}}`,
		`{"a":"\u00e9\ud83c\udfb7\/\n"}`: `{a:"é🎷/\n"}`,
		`{"a":"\\ud83c \ud83c\udfb7\\\ud83c\udfb7"}`: `{a:"\\ud83c 🎷\\🎷"}`,
		`{"a":"\u0000"}`:             `{a:"\x00"}`,
		`{"":1}`:                     `{:1}`,
		`{"a":1.0,"b":1e3,"c":-0.5}`: `{a:1 b:1000 c:-0.5}`,
		`{"a":9223372036854775807,"b":9223372036854775808}`: `{a:9223372036854775807 b:9.223372036854776e+18}`,
	} {
		m, scalar, err := ParseJSON([]byte(body))
		if err != nil || scalar {
			t.Errorf("%s: scalar %v, %v", body, scalar, err)
			continue
		}
		if got := plain(m); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	m, _, _ := ParseJSON([]byte(`{"whole":1,"point":1.0,"text":"1"}`))
	for name, want := range map[string]any{"whole": int64(1), "point": float64(1), "text": "1"} {
		if got, _ := m.Get(name); got != want {
			t.Errorf("%s is a %T", name, got)
		}
	}
}

// TestD59ElementsCount checks that elements of lists and members of objects count together, whatever their values are.
func TestD59ElementsCount(t *testing.T) {
	for _, c := range []struct{ open, unit, end string }{
		{"[", "1", "]"}, {"[", "[]", "]"}, {"[", "{}", "]"}, {"[", `""`, "]"}, {`{"x":{`, `"a":1`, "}}"}, {`{"x":[`, "{}", "]}"},
		{`{"x":[`, "null", "]}"},
	} {
		n := maxMembers - strings.Count(c.open, "x")
		body := func(n int) []byte { return []byte(c.open + strings.Repeat(c.unit+",", n-1) + c.unit + c.end) }
		if _, _, err := ParseJSON(body(n)); err != nil {
			t.Errorf("%s%s, %d times: %v", c.open, c.unit, n, err)
		}
		if m, _, err := ParseJSON(body(n + 1)); !errors.Is(err, ErrTooMany) || m != nil {
			t.Errorf("%s%s, %d times: %v", c.open, c.unit, n+1, err)
		}
	}
	nested := "[" + strings.Repeat(`[{"a":[]},[]],`, maxMembers/4) + "1]" // four members and elements in each repetition
	if _, _, err := ParseJSON([]byte(nested)); !errors.Is(err, ErrTooMany) {
		t.Errorf("nested: %v", err)
	}
}

// counted returns the number of members and elements of a value, nested ones included.
func counted(v any) int {
	list, ok := Elements(v)
	n := len(list)
	for _, e := range list {
		n += counted(e)
	}
	if !ok {
		return 0
	}
	return n
}

// FuzzParseJSON checks that exactly those bodies are accepted that are JSON, in UTF-8 and not nested too deeply.
func FuzzParseJSON(f *testing.F) {
	for _, s := range []string{``, ` `, `{"a":[1,2.5,"x",null,true,{"b":{}}]}`, `[[[[`, `{"a":1,"a":2}`, `[1,]`, `{"a" 1}`, "\"\\ud800\"",
		`1e999`, "\xff", strings.Repeat("[[],{},", 3000), "[" + strings.Repeat("{},", maxMembers) + "1]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, scalar, err := ParseJSON([]byte(s))
		var bad *JSONError
		switch {
		case err == nil && s != "" && !json.Valid([]byte(s)):
			t.Errorf("%q was read", s)
		case err == nil && scalar && m.Len() > 0:
			t.Errorf("%q is a scalar with fields", s)
		case errors.Is(err, ErrTooMany):
			if n := strings.Count(s, ",") + strings.Count(s, "[") + strings.Count(s, "{"); n < maxMembers || m != nil {
				t.Errorf("%q: %v with %v", s, err, m)
			}
		case err != nil && (!errors.As(err, &bad) || m != nil):
			t.Errorf("%q: %v with %v", s, err, m)
		case err != nil && bad.Code == JSONDepth && strings.Count(s, "[")+strings.Count(s, "{") <= maxJSONDepth:
			t.Errorf("%q is too deep", s)
		}
		if err != nil {
			return
		}
		if n := counted(m); n > maxMembers {
			t.Errorf("%q: %d members and elements", s, n)
		}
		if n := nesting(m); n > maxJSONDepth {
			t.Errorf("%q: nested %d deep", s, n)
		}
	})
}
