package param

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/wp"
)

// Sources are the places where a request carries parameters. The first of JSON,
// Form and Query that has a value wins; a parameter of the path comes from the
// path alone.
type Sources struct {
	JSON, Form, Query, Path *Map
	// Narrow refuses characters outside Unicode's first plane, such as emoji,
	// which old tables cannot hold.
	Narrow bool
}

func (s Sources) ordered() [3]*Map { return [3]*Map{s.JSON, s.Form, s.Query} }

// Failure says why a request's parameters were refused: either required ones
// are missing, or some are at fault.
type Failure struct {
	Missing []string
	Faults  []*Fault
}

func (f *Failure) Error() string { return "param: refused" }

// Refuse refuses one parameter, for what only its handler finds out.
func Refuse(name string, f *Fault) error {
	named := *f
	named.Param = name
	return &Failure{Faults: []*Fault{&named}}
}

// TypeFault is the code of a value of the wrong type.
const TypeFault = "rest_invalid_type"

// Values are the parameters of a request after reading.
type Values struct {
	parsed map[string]any
	given  map[string]bool
	raw    map[string]any
	from   Sources
}

// Get returns a parsed value, nil if the parameter is absent without default.
func (v *Values) Get(name string) any { return v.parsed[name] }

// Given tells whether the request itself carried the parameter.
func (v *Values) Given(name string) bool { return v.given[name] }

// Raw returns the text of a parameter as the request carried it.
func (v *Values) Raw(name string) string {
	s, _ := Scalar(v.raw[name])
	return s
}

// InOrder returns names in the order in which the request carries them, without
// those that it does not carry.
func (v *Values) InOrder(names ...string) (carried []string) {
	for _, m := range v.from.ordered() {
		for _, name := range m.Keys() {
			if slices.Contains(names, name) && !slices.Contains(carried, name) {
				carried = append(carried, name)
			}
		}
	}
	return carried
}

// Value returns the parsed value of a name as a T, the zero T if it is absent.
func Value[T any](v *Values, name string) T {
	x, _ := v.parsed[name].(T)
	return x
}

// Read takes the declared parameters from the sources. The phases stop each
// other: text that no field may hold, missing parameters, failing checks (all
// of them), wrong types (all of them).
func Read(ctx context.Context, params []*Param, s Sources) (*Values, error) {
	if f := unclean(s, CleanText, "fault_text"); f != nil {
		return nil, &Failure{Faults: []*Fault{f}}
	}
	if s.Narrow {
		if f := unclean(s, narrowText, "fault_characters", sought(params)...); f != nil {
			return nil, &Failure{Faults: []*Fault{f}}
		}
	}
	v := &Values{parsed: make(map[string]any, len(params)), given: make(map[string]bool, len(params)), from: s}
	raw := make(map[string]any, len(params))
	v.raw = raw
	var missing []string
	for _, p := range params {
		x, given := effective(p, s)
		if given {
			v.given[p.Name] = true
		} else if d, ok := p.DefaultValue(ctx); ok {
			x = d
		}
		if x == nil && p.Required {
			missing = append(missing, p.Name)
		}
		raw[p.Name] = x
	}
	if missing != nil {
		return nil, &Failure{Missing: missing}
	}
	faults, err := check(ctx, params, raw, v)
	if err == nil && faults == nil {
		faults = convert(params, raw, s, v)
	}
	if err != nil {
		return nil, err
	}
	if faults != nil {
		return nil, &Failure{Faults: faults}
	}
	return v, nil
}

func effective(p *Param, s Sources) (any, bool) {
	if x, ok := s.Path.Get(p.Name); ok && !p.InBody {
		return x, true
	}
	null := false
	for _, m := range s.ordered() {
		x, ok := m.Get(p.Name)
		if ok && x != nil {
			return x, true
		}
		null = null || ok
	}
	return nil, null && p.Null
}

func check(ctx context.Context, params []*Param, raw map[string]any, v *Values) ([]*Fault, error) {
	var faults []*Fault
	for _, p := range params {
		x := raw[p.Name]
		if x == nil || p.Check == nil {
			continue
		}
		parsed, err := p.Check(ctx, x)
		var f *Fault
		switch {
		case errors.As(err, &f):
			named := *f
			named.Param = p.Name
			faults = append(faults, &named)
		case err != nil:
			return nil, err
		default:
			v.parsed[p.Name] = parsed
		}
	}
	return faults, nil
}

// convert applies the declared types: each source's value has to fit, even one
// that a stronger source hides. Faults come in the order of the request.
func convert(params []*Param, raw map[string]any, s Sources, v *Values) []*Fault {
	declared := make(map[string]*Param, len(params))
	for _, p := range params {
		declared[p.Name] = p
		if x := raw[p.Name]; p.Type != "" && p.Check == nil && x != nil {
			v.parsed[p.Name], _ = Convert(p.Type, x)
		} else if p.Check == nil && x != nil {
			v.parsed[p.Name] = x
		}
	}
	var faults []*Fault
	seen := map[string]bool{}
	for _, m := range s.ordered() {
		for i, name := range m.Keys() {
			p := declared[name]
			_, inPath := s.Path.Get(name)
			if p == nil || p.Type == "" || inPath && !p.InBody || seen[name] {
				continue
			}
			if p.AnyType && (p.Null || m.vals[i] != nil) {
				continue
			}
			if _, ok := Convert(p.Type, m.vals[i]); !ok {
				seen[name] = true
				f := Invalid("fault_type", "Name", name, "Type", p.Type)
				f.Param, f.Code = name, TypeFault
				faults = append(faults, f)
			}
		}
	}
	return faults
}

// Convert turns a raw value into the given type: an int64, a bool or a string.
func Convert(typ string, x any) (any, bool) {
	switch typ {
	case Integer:
		return integer(x)
	case Boolean:
		switch b := x.(type) {
		case bool:
			return b, true
		case int64:
			return b == 1, b == 0 || b == 1
		case string:
			l := strings.ToLower(b)
			return l == "1" || l == "true", l == "1" || l == "0" || l == "true" || l == "false"
		}
		return nil, false
	case String:
		t, ok := x.(string)
		return t, ok
	}
	return x, true
}

func integer(x any) (any, bool) {
	switch n := x.(type) {
	case int64:
		return n, true
	case float64:
		return clamp(n), n == math.Trunc(n)
	case string:
		f, integral, ok := wp.Numeric(n)
		if !ok || f != math.Trunc(f) {
			return nil, false
		}
		if integral {
			if i, ok := wp.Integer(n); ok {
				return i, true
			}
		}
		return clamp(f), true
	}
	return nil, false
}

func clamp(f float64) int64 {
	switch {
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}

// unclean finds text that no field of the database may hold, anywhere in the
// request, in names too.
func unclean(s Sources, clean func(string) bool, message string, except ...string) *Fault {
	for _, m := range [...]*Map{s.JSON, s.Form, s.Query, s.Path} {
		if name, bad := uncleanMap(m, clean, except...); bad {
			f := Invalid(message)
			f.Param = strings.ReplaceAll(strings.ToValidUTF8(shortened(name), ""), "\x00", "")
			return f
		}
	}
	return nil
}

// maxShown is how many bytes of a name that the caller made up an answer shows.
const maxShown = 200

func shortened(name string) string { return name[:min(len(name), maxShown)] }

func uncleanMap(m *Map, clean func(string) bool, except ...string) (string, bool) {
	for i, k := range m.Keys() {
		if slices.Contains(except, k) {
			continue
		}
		if !clean(k) || !cleanValue(m.vals[i], clean) {
			return k, true
		}
	}
	return "", false
}

func cleanValue(v any, clean func(string) bool) bool {
	switch x := v.(type) {
	case string:
		return clean(x)
	case []any:
		for _, e := range x {
			if !cleanValue(e, clean) {
				return false
			}
		}
	case *Map:
		_, bad := uncleanMap(x, clean)
		return !bad
	}
	return true
}

// sought are the names of the parameters that are only looked for.
func sought(params []*Param) (names []string) {
	for _, p := range params {
		if p.Sought {
			names = append(names, p.Name)
		}
	}
	return names
}

// narrowText tells whether a text has no characters of four bytes.
func narrowText(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c > 0xffff })
}

// CleanText tells whether a text can be stored: UTF-8 without a NUL.
func CleanText(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }
