package param

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/wp"
)

// Sources are the places where a request carries parameters. The first of JSON,
// Form and Query that has a value wins; a parameter of the path comes from the
// path alone.
type Sources struct {
	JSON, Form, Query, Path *Map
	// UTF8MB3 refuses characters of four bytes, such as emoji, which old tables
	// cannot hold.
	UTF8MB3 bool
}

func (s Sources) ordered() [3]*Map { return [3]*Map{s.JSON, s.Form, s.Query} }

// Failure says why a request's parameters were refused: either required ones
// are missing, or some are at fault.
type Failure struct {
	Missing []string
	Faults  []*Fault
	Reason  *Message // why parameters are missing, instead of their names; nil for none
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
	all    []value
	byName map[string]*value
	from   Sources
}

// value is what a request has for one parameter.
type value struct {
	param  *Param
	raw    any // of the request, or the default
	given  bool
	source source
	parsed any // nil if there is none, and for one at fault
	fault  *Fault
}

// source is where a request has a value.
type source int

const (
	fromForm source = iota // or a query
	fromJSON
	fromPath
)

// of returns what the request has for a parameter, the zero value for one that
// is not declared.
func (v *Values) of(name string) value {
	if x := v.byName[name]; x != nil {
		return *x
	}
	return value{}
}

// Given reports whether the request itself carried the parameter.
func (v *Values) Given(name string) bool { return v.of(name).given }

// Get returns the value of the parameter and whether there is one, be it the
// default.
func (k Key[T]) Get(v *Values) (T, bool) {
	x, ok := v.of(string(k)).parsed.(T)
	return x, ok
}

// Value returns the value of the parameter, the zero T without one.
func (k Key[T]) Value(v *Values) T {
	x, _ := k.Get(v)
	return x
}

// In reports whether the request itself carried the parameter.
func (k Key[T]) In(v *Values) bool { return v.Given(string(k)) }

// Given returns the value that the request itself carried, nil without one.
func (k Key[T]) Given(v *Values) *T {
	if x, ok := k.Get(v); ok && k.In(v) {
		return &x
	}
	return nil
}

// Raw returns the text of the parameter as the request carried it.
func (k Key[T]) Raw(v *Values) string {
	s, _ := Scalar(v.of(string(k)).raw)
	return s
}

// InOrder returns the names of parameters in the order in which the request
// carries them, without those that it does not carry.
func InOrder[T any](v *Values, keys ...Key[T]) (carried []string) {
	for _, m := range v.from.ordered() {
		for _, name := range m.Keys() {
			if slices.Contains(keys, Key[T](name)) && !slices.Contains(carried, name) {
				carried = append(carried, name)
			}
		}
	}
	return carried
}

// Parsed are the parameters of a request as far as they can be read without a
// database.
type Parsed struct {
	values *Values
	types  []*Fault // wrong types, which count where nothing else is wrong
}

// Read parses the declared parameters and looks up what has to be.
func Read(ctx context.Context, params []*Param, s Sources) (*Values, error) {
	p, err := Parse(ctx, params, s)
	if err != nil {
		return nil, err
	}
	return p.LookUp(ctx)
}

// Parse takes the declared parameters from the sources and checks them, without a
// database. It refuses text that no field may hold, then missing parameters; what
// else is wrong is refused by LookUp, together with what that finds.
func Parse(ctx context.Context, params []*Param, s Sources) (*Parsed, error) {
	if f := unclean(s, func(_ string, v any) bool { return cleanValue(v, CleanText) }, "fault_text"); f != nil {
		return nil, &Failure{Faults: []*Fault{f}}
	}
	if s.UTF8MB3 {
		if f := unclean(s, fitting(params), "fault_characters"); f != nil {
			return nil, &Failure{Faults: []*Fault{f}}
		}
	}
	v := &Values{make([]value, len(params)), make(map[string]*value, len(params)), s}
	var missing []string
	for i, p := range params {
		x := &v.all[i]
		v.byName[p.Name], x.param = x, p
		if x.raw, x.source, x.given = effective(p, s); !x.given {
			x.raw, _ = p.DefaultValue(ctx)
		}
		if x.raw == nil && p.Required {
			missing = append(missing, p.Name)
		}
	}
	if missing != nil {
		return nil, &Failure{Missing: missing}
	}
	for i := range v.all {
		x := &v.all[i]
		if x.param.check == nil && x.raw != nil {
			x.parsed, _ = converted(x.param.valueType(), x.raw)
		} else if err := x.take(ctx, x.param.check, x.raw); err != nil {
			return nil, err
		}
		x.fit()
	}
	return &Parsed{v, v.wrongTypes()}, nil
}

// fit refuses a given value that the rule of its parameter took and the schema forbids. What wrongTypes says is left to it.
func (x *value) fit() {
	if !x.given || x.raw == nil || x.fault != nil || x.param.Schema.Type == jsonschema.TypeNull { // which is refused by a code of its own
		return
	}
	v := x.raw
	if _, isFile := v.(*File); isFile {
		return
	}
	if text, isText := v.(string); isText && x.source == fromPath {
		v = Unescape(text)
	}
	m := misfitOf(x.param.Schema, v, x.source != fromJSON)
	if m.id == "" || m.kind && x.source != fromPath && x.param.converts() {
		return
	}
	x.parsed, x.fault = nil, m.fault()
	x.fault.Param = x.param.Name
}

// converts reports whether wrongTypes refuses values of another type.
func (p *Param) converts() bool { return p.valueType() != "" && !p.anyType }

// LookUp looks the parameters up that need it. Each that is wrong, in itself or by
// what is stored, is named in the Failure; where none is, wrong types are.
func (p *Parsed) LookUp(ctx context.Context) (*Values, error) {
	var faults []*Fault
	for i := range p.values.all {
		x := &p.values.all[i]
		if err := x.take(ctx, x.param.lookUp, x.parsed); err != nil {
			return nil, err
		}
		if x.fault != nil {
			faults = append(faults, x.fault)
		}
	}
	if faults == nil {
		faults = p.types
	}
	if faults != nil {
		return nil, &Failure{Faults: faults}
	}
	return p.values, nil
}

// take does one step with a value, if there is one.
func (x *value) take(ctx context.Context, f step, v any) (err error) {
	if f == nil || v == nil {
		return nil
	}
	var fault *Fault
	if x.parsed, err = f(ctx, v); errors.As(err, &fault) {
		named := *fault
		named.Param = x.param.Name
		x.parsed, x.fault, err = nil, &named, nil
	}
	return err
}

func effective(p *Param, s Sources) (v any, from source, given bool) {
	if x, ok := s.Path.Get(p.Name); ok && !p.InBody {
		return x, fromPath, true
	}
	null := false
	for _, m := range s.ordered() {
		x, ok := m.Get(p.Name)
		if ok && x != nil {
			if m == s.JSON {
				from = fromJSON
			}
			return x, from, true
		}
		null = null || ok
	}
	return nil, fromJSON, null && p.null
}

// wrongTypes holds each source's value against the declared type, even one that a
// stronger source hides. Faults come in the order of the request.
func (v *Values) wrongTypes() []*Fault {
	var faults []*Fault
	seen := map[string]bool{}
	for _, m := range v.from.ordered() {
		for i, name := range m.Keys() {
			p := v.of(name).param
			_, inPath := v.from.Path.Get(name)
			if p == nil || inPath && !p.InBody || seen[name] {
				continue
			}
			typ := p.valueType()
			if typ == "" || p.anyType && (p.null || m.vals[i] != nil) {
				continue
			}
			if _, ok := converted(typ, m.vals[i]); !ok {
				seen[name] = true
				f := Invalid("fault_type", "Name", name, "Type", typ)
				f.Param, f.Code = name, TypeFault
				faults = append(faults, f)
			}
		}
	}
	return faults
}

// converted turns a raw value into the given type: an int64, a bool or a string.
func converted(typ string, x any) (any, bool) {
	switch typ {
	case jsonschema.TypeInt:
		return Integer(x)
	case jsonschema.TypeBoolean:
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
	case jsonschema.TypeText:
		t, ok := x.(string)
		return t, ok
	}
	return x, true
}

// Integer reads a whole number, given as one or in digits.
func Integer(x any) (int64, bool) {
	switch n := x.(type) {
	case int64:
		return n, true
	case float64:
		return clamp(n), n == math.Trunc(n)
	case string:
		f, integral, ok := wp.Numeric(n)
		if !ok || f != math.Trunc(f) {
			return 0, false
		}
		if integral {
			if i, ok := wp.Integer(n); ok {
				return i, true
			}
		}
		return clamp(f), true
	}
	return 0, false
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
func unclean(s Sources, clean func(name string, v any) bool, message string) *Fault {
	for _, m := range [...]*Map{s.JSON, s.Form, s.Query, s.Path} {
		for i, name := range m.Keys() {
			if clean(name, name) && clean(name, m.vals[i]) {
				continue
			}
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

func cleanMap(m *Map, clean func(string) bool) bool {
	for i, k := range m.Keys() {
		if !clean(k) || !cleanValue(m.vals[i], clean) {
			return false
		}
	}
	return true
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
		return cleanMap(x, clean)
	}
	return true
}

// Clean reports whether a map has no text that Parse refuses wherever it is.
func Clean(m *Map, utf8mb3 bool) bool {
	return cleanMap(m, func(s string) bool { return CleanText(s) && (!utf8mb3 || fitsUTF8MB3(s)) })
}

// fitting returns what reports whether the value of a parameter fits tables that lack characters of four bytes.
func fitting(params []*Param) func(name string, v any) bool {
	how := map[string]narrow{}
	for _, p := range params {
		how[p.Name] = p.narrow
	}
	return func(name string, v any) bool {
		switch how[name] {
		case narrowSought:
			return true
		case narrowEncoded:
			return cleanValue(v, func(s string) bool { return fitsUTF8MB3(wp.EncodeEmoji(s)) })
		case narrowNested:
			v = withoutObjects(v)
		}
		return cleanValue(v, fitsUTF8MB3)
	}
}

// withoutObjects returns a value without objects, and those of a list.
func withoutObjects(v any) any {
	if list, ok := v.([]any); ok {
		return slices.DeleteFunc(slices.Clone(list), func(e any) bool { return withoutObjects(e) == nil })
	}
	if _, object := v.(*Map); object {
		return nil
	}
	return v
}

// fitsUTF8MB3 reports whether a text has no characters of four bytes.
func fitsUTF8MB3(s string) bool { return !wp.FourBytes(s) }

// CleanText reports whether a text can be stored: UTF-8 without a NUL.
func CleanText(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }
