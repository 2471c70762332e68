// Package param declares the parameters of operations and reads them from a
// request's sources. A declaration is made once and drives the reading, the
// index, the OpenAPI document and the translations. The package is independent
// of kinds of resource, no database and no HTTP.
package param

import (
	"context"

	"github.com/agendahq/agenda/internal/jsonschema"
)

// Message names a text of the locale files and the data for its template.
type Message struct {
	ID   string
	Data map[string]any
}

// Fault is what is wrong with one parameter. A Fault with a Code shows it in
// the answer's details.
type Fault struct {
	Param   string
	Message Message
	Code    string
}

// Error makes a Fault usable as the error of a check.
func (f *Fault) Error() string { return f.Param + ": " + f.Message.ID }

// Invalid returns the fault of a check: the text id and its template data in
// pairs of name and value.
func Invalid(id string, data ...any) *Fault {
	m := Message{ID: id, Data: map[string]any{}}
	for i := 0; i+1 < len(data); i += 2 {
		m.Data[data[i].(string)] = data[i+1]
	}
	return &Fault{Message: m}
}

// Key is the name of a parameter whose values are read as a T.
type Key[T any] string

// Param declares the parameter: what it takes, and the rule by which its values
// are read.
func (k Key[T]) Param(takes *jsonschema.Schema, rule Rule[T], options ...Option) *Param {
	p := &Param{Name: string(k), Schema: takes}
	if rule != nil {
		rule(p)
	}
	for _, o := range options {
		o(p)
	}
	if typ := p.valueType(); rule == nil && typ != "" && typ != typeOf[T]() {
		panic("param: " + p.Name + " needs a rule that makes its values")
	}
	return p
}

// typeOf returns the type of a schema whose values become a T without a rule.
func typeOf[T any]() string {
	switch any(*new(T)).(type) {
	case int64:
		return jsonschema.TypeInt
	case bool:
		return jsonschema.TypeBoolean
	case string:
		return jsonschema.TypeText
	}
	return ""
}

// A Rule makes a T of the values of a parameter. nil leaves that to the type of its
// schema.
type Rule[T any] func(*Param)

// Checked is the rule of a check, which needs no database. A *Fault is the caller's mistake, any
// other error is ours.
func Checked[T any](check func(context.Context, any) (T, error)) Rule[T] {
	return func(p *Param) { p.check = untyped(check) }
}

// LookedUp is the rule of a check whose values are then looked up in the
// database.
func LookedUp[U, T any](check func(context.Context, any) (U, error), lookUp func(context.Context, U) (T, error)) Rule[T] {
	return func(p *Param) {
		p.check = untyped(check)
		p.lookUp = func(ctx context.Context, v any) (any, error) { return lookUp(ctx, v.(U)) }
	}
}

// step is one of the steps by which a value is read.
type step func(ctx context.Context, v any) (any, error)

func untyped[T any](f func(context.Context, any) (T, error)) step {
	return func(ctx context.Context, v any) (any, error) { return f(ctx, v) }
}

// Param is the declaration of one parameter.
type Param struct {
	Name   string
	Schema *jsonschema.Schema // what it takes
	Doc    string             // message id of the description

	Required bool
	// Unlisted keeps the parameter out of the index; the OpenAPI document shows it.
	Unlisted bool
	// Own marks a parameter of the host's own, which the index of a resource of The Events Calendar lists too.
	Own bool
	// Secret makes the answer that of whoever knows the value.
	Secret bool
	// InQuery shows the parameter in the query, also of operations with a body.
	InQuery bool
	// InBody takes the value from the request's other sources even where the path
	// has a variable of the same name: a slug that a post shall get, not the one by
	// which it is found.
	InBody bool
	// File lets a part of a form be a *File.
	File bool

	anyType, untyped, null bool
	narrow                 narrow
	check, lookUp          step

	def      func(ctx context.Context) any
	computed bool     // the default, for each request
	shown    []string // see Shown
}

// Option adds to a declaration.
type Option func(*Param)

// Secret marks a parameter that only some know, such as a password.
func Secret() Option { return func(p *Param) { p.Secret = true } }

// Doc sets the message id of the description.
func Doc(id string) Option {
	return func(p *Param) { p.Doc = id }
}

// DocIn sets the message id of the description to the one that ids has for the parameter's name.
func DocIn(ids map[string]string) Option { return func(p *Param) { Doc(ids[p.Name])(p) } }

// mainSchema returns a schema without alternatives: of several the first, which is what clients are meant to give.
func mainSchema(s *jsonschema.Schema) *jsonschema.Schema {
	for _, list := range [][]*jsonschema.Schema{s.OneOf, s.AnyOf} {
		if list != nil {
			s = list[0]
		}
	}
	return s
}

// valueType returns the type to which values are converted, and without which they are refused by name of that type; "" for a
// parameter whose rule, or whose schema, reads its values as they are.
func (p *Param) valueType() string {
	switch typ := mainSchema(p.Schema).Type; typ {
	case jsonschema.TypeInt, jsonschema.TypeBoolean, jsonschema.TypeText:
		if !p.untyped {
			return typ
		}
	}
	return ""
}

// Default sets the value of an absent parameter.
func Default(v any) Option {
	return func(p *Param) {
		DefaultFunc(func(context.Context) any { return v })(p)
		p.computed = false
	}
}

// DefaultFunc sets a default that is computed for each request.
func DefaultFunc(f func(ctx context.Context) any) Option {
	return func(p *Param) { p.def, p.computed = f, true }
}

// Required marks the parameter as required.
func Required() Option { return func(p *Param) { p.Required = true } }

// AnyType leaves values of other types than the schema's to the rule, which reads them too. Whether a null is one is up to Null.
func AnyType() Option { return func(p *Param) { p.anyType = true } }

// Untyped leaves values of other types to the rule, as AnyType does, and passes over a null. Without a rule values are kept as
// they are.
func Untyped() Option { return func(p *Param) { p.untyped = true } }

// Null makes a null of the request a value, nil, instead of an absence.
func Null() Option { return func(p *Param) { p.null = true } }

// TakesNull reports whether a null of the request is a value: see Null.
func (p *Param) TakesNull() bool { return p.null }

// OfHost marks a parameter of the host's own.
func OfHost() Option { return func(p *Param) { p.Own = true } }

// IsText reports whether the parameter accepts strings, or what stands for one.
func (p *Param) IsText() bool { return mainSchema(p.Schema).Type == jsonschema.TypeText }

// InQuery shows the parameter in the query, also of operations with a body.
func InQuery() Option { return func(p *Param) { p.InQuery = true } }

// TakesFile lets a part of a form be a file.
func TakesFile() Option { return func(p *Param) { p.File = true } }

// narrow is what becomes of characters of a text that old tables cannot hold.
type narrow int

const (
	narrowRefused narrow = iota
	narrowSought
	narrowEncoded
	narrowNested
)

// Sought marks a text that is only looked for: characters that the database
// cannot hold are no fault in it.
func Sought() Option { return func(p *Param) { p.narrow = narrowSought } }

// EmojiEncoded marks a text in which emoji that the database cannot hold are stored as references (D93).
func EmojiEncoded() Option { return func(p *Param) { p.narrow = narrowEncoded } }

// Nested marks a parameter that may have objects with parameters of their own, which are read with Sources of their own.
func Nested() Option { return func(p *Param) { p.narrow = narrowNested } }

// Unlisted keeps the parameter out of the index.
func Unlisted() Option { return func(p *Param) { p.Unlisted = true } }

// Object is an object of parameters. What is not declared in it is ignored.
func Object(name string, params []*Param) *jsonschema.Schema {
	o := &jsonschema.Schema{Name: name, Type: jsonschema.TypeObject, Open: true}
	for _, p := range params {
		o.Members = append(o.Members, jsonschema.Member{Name: p.Name, Shape: p.Schema, Optional: !p.Required, About: p.Doc})
	}
	return o
}

// Computed reports whether the default is computed for each request.
func (p *Param) Computed() bool { return p.computed }

// DefaultValue returns the default of this moment and whether there is one.
func (p *Param) DefaultValue(ctx context.Context) (any, bool) {
	if p.def == nil {
		return nil, false
	}
	return p.def(ctx), true
}
