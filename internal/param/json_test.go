package param

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

func TestParseJSON(t *testing.T) {
	golden.Each(t, "json.txt", func(body, want string) {
		m, scalar, err := ParseJSON([]byte(body))
		if err != nil || scalar {
			t.Errorf("%s: scalar %v, %v", body, scalar, err)
			return
		}
		golden.Equal(t, body, plain(m), want)
	})
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
	golden.Seed(f, ``, ` `, `{"a":[1,2.5,"x",null,true,{"b":{}}]}`, `[[[[`, `{"a":1,"a":2}`, `[1,]`, `{"a" 1}`, "\"\\ud800\"",
		`1e999`, "\xff", strings.Repeat("[[],{},", 3000), "["+strings.Repeat("{},", maxMembers)+"1]")
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
