package linked

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// jsonField returns the value of a field in a JSON body.
func jsonField(t testing.TB, text string) any {
	t.Helper()
	m, _, err := param.ParseJSON([]byte(`{"x":` + text + `}`))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	v, _ := m.Get("x")
	return v
}

// fieldOf returns the value of a field in a form.
func fieldOf(t testing.TB, form string) any {
	t.Helper()
	m := must.Get(param.ParseForm(form))(t)
	v, _ := m.Get("x")
	return v
}

// isData reports whether a map contains data of an item in these tests: it has an id or a name.
func isData(m *param.Map) bool {
	_, id := m.Get("id")
	_, name := m.Get("venue")
	return id || name
}

// written formats elements: ids, and names in data.
func written(elements []element, err error) string {
	if err != nil {
		if errors.Is(err, errNoLinks) {
			return "refused"
		}
		return err.Error()
	}
	var parts []string
	for _, e := range elements {
		s := fmt.Sprint(e.id)
		if e.data != nil {
			name, _ := e.data.Get("venue")
			s += fmt.Sprintf("{%v}", name)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}

func TestD18Forms(t *testing.T) {
	golden.Each(t, "links.txt", func(text, want string) { golden.Equal(t, text, written(readLinks(jsonField(t, text), isData)), want) })
	for form, want := range map[string]string{
		"x=7": "7", "x=7,8": "7 8", "x[]=7&x[]=8": "7 8", "x[0]=7&x[3]=8": "7 8", "x[]=": "", "x=": "", "x[]=&x[]=7": "7",
		"x[venue]=A": "0{A}", "x[id]=7": "7{<nil>}", "x[0][venue]=A&x[1]=7": "0{A} 7", "x[][venue]=A": "0{A}", "x[][]=7": "refused",
		"x[a]=b": "refused",
	} {
		golden.Equal(t, form, written(readLinks(fieldOf(t, form), isData)), want)
	}
}

func TestLinksAreBounded(t *testing.T) {
	ids := make([]any, param.MaxList+1)
	for i := range ids {
		ids[i] = int64(i + 1)
	}
	data := param.NewMap()
	data.Set("venue", "A")
	objects := slices.Repeat([]any{data}, maxObjects+1)
	for name, c := range map[string]struct {
		v  any
		ok bool
	}{
		"ids": {ids[:param.MaxList], true}, "too many ids": {ids, false},
		"text": {strings.Repeat("1,", param.MaxList-1) + "1", true}, "a long text": {strings.Repeat("1,", param.MaxList) + "1", false},
		"commas":  {strings.Repeat(",", 1<<20), false},
		"objects": {objects[:maxObjects], true}, "too many objects": {objects, false},
	} {
		if _, err := readLinks(c.v, isData); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzReadLinks checks that every element that is read has an id above zero or data.
func FuzzReadLinks(f *testing.F) {
	golden.Seed(f, `7`, `"7,8"`, `[7,{"venue":"A"}]`, `{"id":"x"}`, `[[]]`, `[null,"",0]`, `{"0":7,"1":{"id":3}}`, `"0,"`,
		`[{"id":[{}]}]`)
	f.Fuzz(func(t *testing.T, s string) {
		m, _, err := param.ParseJSON([]byte(`{"x":` + s + `}`))
		if err != nil {
			return
		}
		v, _ := m.Get("x")
		elements, err := readLinks(v, isData)
		if err != nil && elements != nil {
			t.Errorf("%s: refused, and read %v", s, elements)
		}
		for _, e := range elements {
			if e.id < 0 || e.id == 0 && e.data == nil {
				t.Errorf("%s: %v", s, e)
			}
		}
	})
}

func TestD10FragmentsOf(t *testing.T) {
	golden.Each(t, "fragments.txt", func(text, want string) { golden.Equal(t, text, strings.Join(fragmentsOf(text), "|"), want) })
}

func TestNarrow(t *testing.T) {
	f := &store.LinkedFilter{}
	given := []int64{3, 1, 2}
	narrow(f, given)
	narrow(f, []int64{2, 3, 9})
	if !slices.Equal(*f.IDs, []int64{2, 3}) || !slices.Equal(given, []int64{3, 1, 2}) {
		t.Errorf("%v of %v", *f.IDs, given)
	}
	narrow(f, nil)
	if f.IDs == nil || len(*f.IDs) != 0 {
		t.Error("nothing left is not no filter")
	}
}

func TestCheckWebsite(t *testing.T) {
	check := func(address string, want bool) {
		if _, err := CheckWebsite(t.Context(), address); (err == nil) != want {
			t.Errorf("%.60q: %v", address, err)
		}
	}
	golden.Each(t, "websites.txt", check)
	check("http://"+strings.Repeat("a", 63)+".org", true)
	check("http://"+strings.Repeat("a", 64)+".org", false)
	check("http://"+strings.Repeat("a.", 130)+"org", false)
	for _, v := range []any{int64(5), true, []any{"http://ex.org"}} {
		if _, err := CheckWebsite(t.Context(), v); err == nil {
			t.Errorf("%v is no text", v)
		}
	}
}

func FuzzCheckWebsite(f *testing.F) {
	golden.Seed(f, "", "http://ex.org", "http://[::1]:80/", "mailto:a@b.c", "javascript:x", "http://u:p@h:1/?#", "http://:80",
		":")
	f.Fuzz(func(t *testing.T, s string) {
		if _, err := CheckWebsite(t.Context(), s); err == nil && s != "" && s != "0" {
			if strings.ContainsAny(s, " \n\x00é") || !strings.Contains(s, ":") || strings.HasPrefix(strings.ToLower(s), "javascript:") {
				t.Errorf("%q passes", s)
			}
		}
	})
}
