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

// Sources are the parts of a request that contain parameters. The first of JSON, Form and Query with a value wins. A
// parameter that is a variable of the path is read from Path only.
type Sources struct {
	JSON, Form, Query, Path *Map
	// UTF8MB3 rejects characters of four bytes, such as emoji, which the site's tables cannot store.
	UTF8MB3 bool
}

func (s Sources) ordered() [3]*Map { return [3]*Map{s.JSON, s.Form, s.Query} }

// Failure reports why the parameters of a request were rejected: either required ones are missing, or some are invalid.
type Failure struct {
	Missing []string
	Faults  []*Fault
	Reason  *Message // explains why parameters are missing, instead of listing their names; may be nil
}

func (f *Failure) Error() string { return "param: refused" }

// Refuse returns a Failure for one parameter. It is for errors that only the operation itself can detect.
func Refuse(name string, f *Fault) error { return RefuseEach([]string{name}, f) }

// RefuseEach returns a Failure for parameters that are rejected for the same reason, nil without parameters.
func RefuseEach(names []string, f *Fault) error {
	if len(names) == 0 {
		return nil
	}
	refused := &Failure{}
	for _, name := range names {
		named := *f
		named.Param = name
		refused.Faults = append(refused.Faults, &named)
	}
	return refused
}

// TypeFault is the code of a Fault for a value of the wrong type.
const TypeFault = "rest_invalid_type"

// Values contains the parameters of a request after they were read.
type Values struct {
	all    []value
	byName map[string]*value
	from   Sources
}

// value is the value of one parameter in a request.
type value struct {
	param  *Param
	raw    any // as in the request, or the default
	given  bool
	source source
	parsed any // nil if there is no value or an invalid one
	fault  *Fault
}

// source says which part of the request a value is from.
type source int

const (
	fromForm source = iota // or from the query
	fromJSON
	fromPath
)

// valueOf returns the value of a parameter, and the zero value for an undeclared one.
func (v *Values) valueOf(name string) value {
	if x := v.byName[name]; x != nil {
		return *x
	}
	return value{}
}

// Given reports whether the request itself contains the parameter, as opposed to its default.
func (v *Values) Given(name string) bool { return v.valueOf(name).given }

// Get returns the value of the parameter, which may be its default, and reports whether there is one.
func (k Key[T]) Get(v *Values) (T, bool) {
	x, ok := v.valueOf(string(k)).parsed.(T)
	return x, ok
}

// Value returns the value of the parameter, or the zero T if there is none.
func (k Key[T]) Value(v *Values) T {
	x, _ := k.Get(v)
	return x
}

// IsGiven reports whether the request itself contains the parameter, as opposed to its default.
func (k Key[T]) IsGiven(v *Values) bool { return v.Given(string(k)) }

// Given returns the value that the request itself contains, or nil if it contains none.
func (k Key[T]) Given(v *Values) *T {
	if x, ok := k.Get(v); ok && k.IsGiven(v) {
		return &x
	}
	return nil
}

// Raw returns the parameter as the string that the request contains.
func (k Key[T]) Raw(v *Values) string {
	s, _ := Scalar(v.valueOf(string(k)).raw)
	return s
}

// InOrder returns those of the keys that the request contains, in the order of the request.
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

// Parsed contains the parameters of a request as far as they can be read without a database.
type Parsed struct {
	values *Values
	types  []*Fault // values of the wrong type, reported only if there is no other error
}

// Read parses the declared parameters and looks up those that refer to rows of the database.
func Read(ctx context.Context, params []*Param, s Sources) (*Values, error) {
	p, err := Parse(ctx, params, s)
	if err != nil {
		return nil, err
	}
	return p.LookUp(ctx)
}

// Parse reads the declared parameters from the sources and checks them without a database. It fails for strings that no
// field can store, and then for missing parameters. Other errors are returned by LookUp, together with those that it
// finds itself.
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
		} else if err := x.runStep(ctx, x.param.check, x.raw); err != nil {
			return nil, err
		}
		x.fit()
	}
	return &Parsed{v, v.wrongTypes()}, nil
}

// fit checks a given value against the schema, if the rule of the parameter has accepted it. It leaves errors to
// wrongTypes that this reports.
func (x *value) fit() {
	if !x.given || x.raw == nil || x.fault != nil || x.param.Schema.Type == jsonschema.TypeNull { // null has an error code of its own
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

// converts reports whether wrongTypes rejects values of another type.
func (p *Param) converts() bool { return p.valueType() != "" && !p.anyType }

// LookUp looks up the parameters that refer to rows of the database. The Failure names every parameter that is invalid
// in itself or by what is stored; if there are none, it names those of the wrong type.
func (p *Parsed) LookUp(ctx context.Context) (*Values, error) {
	var faults []*Fault
	for i := range p.values.all {
		x := &p.values.all[i]
		if err := x.runStep(ctx, x.param.lookUp, x.parsed); err != nil {
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

// runStep runs one step of reading on a value, if there is one.
func (x *value) runStep(ctx context.Context, f step, v any) (err error) {
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

// wrongTypes checks the values of each source against the declared types, including values that another source
// overrides. The faults are in the order of the request.
func (v *Values) wrongTypes() []*Fault {
	var faults []*Fault
	seen := map[string]bool{}
	for _, m := range v.from.ordered() {
		for i, name := range m.Keys() {
			p := v.valueOf(name).param
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

// converted converts a raw value to the given type: an int64, a bool or a string.
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

// Integer converts a number without fraction, or a string with such a number, to an int64. Values out of range are
// clamped.
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

// unclean returns a Fault for the first string anywhere in the request, names included, that no field of the database
// can store.
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

// maxShown is the maximum length in bytes of a client's undeclared name in an error.
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

// Clean reports whether a map contains no string that Parse would reject for every parameter.
func Clean(m *Map, utf8mb3 bool) bool {
	return cleanMap(m, func(s string) bool { return CleanText(s) && (!utf8mb3 || fitsUTF8MB3(s)) })
}

// fitting returns a function that reports whether the value of a parameter can be stored in tables without characters
// of four bytes.
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

// withoutObjects removes objects from a value, and from a list.
func withoutObjects(v any) any {
	if list, ok := v.([]any); ok {
		return slices.DeleteFunc(slices.Clone(list), func(e any) bool { return withoutObjects(e) == nil })
	}
	if _, object := v.(*Map); object {
		return nil
	}
	return v
}

// fitsUTF8MB3 reports whether a string contains no characters of four bytes.
func fitsUTF8MB3(s string) bool { return !wp.FourBytes(s) }

// CleanText reports whether a string can be stored: it is UTF-8 and contains no NUL.
func CleanText(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }
