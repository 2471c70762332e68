package param

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/test/golden"
)

// plain formats a value, with maps as "{name:value …}" in their order.
func plain(v any) string {
	switch x := v.(type) {
	case *Map:
		var parts []string
		for i, k := range x.Keys() {
			parts = append(parts, k+":"+plain(x.vals[i]))
		}
		return "{" + strings.Join(parts, " ") + "}"
	case []any:
		var parts []string
		for _, e := range x {
			parts = append(parts, plain(e))
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	return fmt.Sprintf("%#v", v)
}

func TestParseForm(t *testing.T) {
	golden.Each(t, "forms.txt", func(query, want string) {
		m, err := ParseForm(query)
		if err != nil {
			t.Errorf("%q: %v", query, err)
			return
		}
		golden.Equal(t, query, plain(m), want)
	})
}

// TestD59BracketsCount checks that members created by brackets in names count together with the fields.
func TestD59BracketsCount(t *testing.T) {
	deep := func(fields int) string { return strings.Repeat("a[][][][][][][][][]=1&", fields) } // nine in each, one list for all
	if m, err := ParseForm(deep((maxMembers - 1) / 9)); err != nil || counted(m) > maxMembers {
		t.Errorf("%d members: %v", counted(m), err)
	}
	if m, err := ParseForm(deep(maxMembers/9 + 1)); !errors.Is(err, ErrTooMany) {
		t.Errorf("%d members: %v", counted(m), err)
	}
}

// nesting returns the depth to which maps are nested.
func nesting(v any) int {
	deepest := 0
	list, ok := Elements(v)
	if !ok {
		return 0
	}
	for _, e := range list {
		deepest = max(deepest, nesting(e))
	}
	return deepest + 1
}

func TestUnescape(t *testing.T) {
	golden.Each(t, "escapes.txt", func(s, want string) { golden.Equal(t, s, Unescape(s), want) })
}

func TestElements(t *testing.T) {
	m, _ := ParseForm("a[x]=2&a[0]=1&b=3")
	a, _ := m.Get("a")
	b, _ := m.Get("b")
	for name, c := range map[string]struct {
		v    any
		want []any
		ok   bool
	}{
		"form":   {a, []any{"2", "1"}, true},
		"array":  {[]any{int64(1), nil}, []any{int64(1), nil}, true},
		"empty":  {NewMap(), nil, true},
		"text":   {b, nil, false},
		"null":   {nil, nil, false},
		"number": {int64(1), nil, false},
	} {
		if got, ok := Elements(c.v); ok != c.ok || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v %v, want %v %v", name, got, ok, c.want, c.ok)
		}
	}
}

// FuzzParseForm checks that any form is parsed to its end, and that the result has no more names than the form has
// fields.
func FuzzParseForm(f *testing.F) {
	golden.Seed(f, "", "a=1&b[]=2&b[c][d]=3", "%20a.b[=%zz&+", "a[5]=1&a[]=2&a=3&a[][]=4", "[", "a[b]c[d]=1", "%00=%ff")
	f.Fuzz(func(t *testing.T, s string) {
		m, err := ParseForm(s)
		if err != nil {
			if !errors.Is(err, ErrTooMany) || strings.Count(s, "&") < MaxFields && strings.Count(Unescape(s), "[") < maxMembers/2 {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		if fields := strings.Count(s, "&") + 1; m.Len() > fields {
			t.Errorf("%q: %d names of %d fields", s, m.Len(), fields)
		}
		if n := counted(m); n > maxMembers {
			t.Errorf("%q: %d members", s, n)
		}
		if n := nesting(m); n > maxNesting+1 {
			t.Errorf("%q: nested %d deep", s, n)
		}
		for _, k := range m.Keys() {
			if k == "" || k[0] == ' ' || strings.ContainsAny(k, ". [") {
				t.Errorf("%q: name %q", s, k)
			}
		}
		if out := Unescape(s); len(out) > len(s) || utf8.ValidString(s) && !strings.Contains(s, "%") && !utf8.ValidString(out) {
			t.Errorf("Unescape(%q) = %q", s, out)
		}
	})
}
