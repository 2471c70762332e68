// Package param declares the parameters of operations and reads them from the parts of a request. One declaration of a
// parameter drives how it is read, the index, the OpenAPI document and the translations. The package knows nothing of
// resources, the database or HTTP.
package param

import (
	"context"

	"github.com/agendahq/agenda/internal/jsonschema"
)

// Message names a message of the locale files, with the data for its template.
type Message struct {
	ID   string
	Data map[string]any
}

// Fault is a validation error of one parameter. If Code is set, the error details of the response contain it.
type Fault struct {
	Param   string
	Message Message
	Code    string
}

// Error lets a check return a Fault as an error.
func (f *Fault) Error() string { return f.Param + ": " + f.Message.ID }

// Invalid returns a Fault with the message id, and its template data in pairs of name and value. Param is filled in by
// the caller of the check.
func Invalid(id string, data ...any) *Fault {
	m := Message{ID: id, Data: map[string]any{}}
	for i := 0; i+1 < len(data); i += 2 {
		m.Data[data[i].(string)] = data[i+1]
	}
	return &Fault{Message: m}
}

// Key is the name of a parameter whose value is read as a T.
type Key[T any] string

// Param declares the parameter: the schema of the values that it accepts, and the rule that converts them to a T.
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
	p.Schema = takes.Shared()
	return p
}

// typeOf returns the schema type whose values become a T without a rule, or "" if there is none.
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

// A Rule sets how the values of a parameter are converted to a T. With a nil Rule, the type of the schema decides.
type Rule[T any] func(*Param)

// Checked is a rule with a check that needs no database. A *Fault that it returns is a mistake of the client; any other
// error is a failure of the server.
func Checked[T any](check func(context.Context, any) (T, error)) Rule[T] {
	return func(p *Param) { p.check = untyped(check) }
}

// LookedUp is a rule whose checked values are then looked up in the database.
func LookedUp[U, T any](check func(context.Context, any) (U, error), lookUp func(context.Context, U) (T, error)) Rule[T] {
	return func(p *Param) {
		p.check = untyped(check)
		p.lookUp = func(ctx context.Context, v any) (any, error) { return lookUp(ctx, v.(U)) }
	}
}

// step is one step of reading a value: its check or its look-up.
type step func(ctx context.Context, v any) (any, error)

func untyped[T any](f func(context.Context, any) (T, error)) step {
	return func(ctx context.Context, v any) (any, error) { return f(ctx, v) }
}

// Param is the declaration of one parameter.
type Param struct {
	Name   string
	Schema *jsonschema.Schema // the values that it accepts
	Doc    string             // message id of the description

	Required bool
	// Unlisted omits the parameter from the index. The OpenAPI document contains it.
	Unlisted bool
	// Own marks a parameter that the host application added. The indexes of resources of The Events Calendar list it,
	// although that plugin lacks it.
	Own bool
	// Secret marks a parameter whose value decides what the response shows, such as a password.
	Secret bool
	// InQuery documents the parameter as a query parameter even for operations with a body.
	InQuery bool
	// InBody reads the value from the JSON body, form or query even where the path has a variable of the same name: the
	// new slug of a post, rather than the slug by which the post is found.
	InBody bool
	// File lets the value be a *File of a multipart form.
	File bool

	anyType, untyped, null bool
	narrow                 narrow
	check, lookUp          step

	def      func(ctx context.Context) any
	computed bool     // the default is computed for each request
	shown    []string // the members in the index, see Shown
}

// Option modifies the declaration of a parameter.
type Option func(*Param)

// Secret sets Param.Secret.
func Secret() Option { return func(p *Param) { p.Secret = true } }

// Doc sets the message id of the description.
func Doc(id string) Option {
	return func(p *Param) { p.Doc = id }
}

// DocIn sets the message id of the description to the entry of ids for the parameter's name.
func DocIn(ids map[string]string) Option { return func(p *Param) { Doc(ids[p.Name])(p) } }

// mainSchema returns the schema itself or, of alternatives, the first, which is the form that clients are supposed to
// send.
func mainSchema(s *jsonschema.Schema) *jsonschema.Schema {
	for _, list := range [][]*jsonschema.Schema{s.OneOf, s.AnyOf} {
		if list != nil {
			s = list[0]
		}
	}
	return s
}

// valueType returns the type to which values are converted; a value that cannot be converted is rejected with an error
// that names this type. It is "" if the rule, or the schema, reads the values unconverted.
func (p *Param) valueType() string {
	switch typ := mainSchema(p.Schema).Type; typ {
	case jsonschema.TypeInt, jsonschema.TypeBoolean, jsonschema.TypeText:
		if !p.untyped {
			return typ
		}
	}
	return ""
}

// Default sets the value of a parameter that the request lacks.
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

// Required sets Param.Required.
func Required() Option { return func(p *Param) { p.Required = true } }

// AnyType passes values of types other than the schema's to the rule instead of rejecting them. Whether null is such a
// value depends on Null.
func AnyType() Option { return func(p *Param) { p.anyType = true } }

// Untyped passes values of other types to the rule, like AnyType, and ignores null. Without a rule, values stay as they
// are.
func Untyped() Option { return func(p *Param) { p.untyped = true } }

// Null makes a null in the request a value, nil, instead of treating the parameter as absent.
func Null() Option { return func(p *Param) { p.null = true } }

// TakesNull reports whether a null in the request is a value; see Null.
func (p *Param) TakesNull() bool { return p.null }

// OfHost sets Param.Own.
func OfHost() Option { return func(p *Param) { p.Own = true } }

// IsText reports whether the parameter accepts strings or values that are converted to strings.
func (p *Param) IsText() bool { return mainSchema(p.Schema).Type == jsonschema.TypeText }

// InQuery sets Param.InQuery.
func InQuery() Option { return func(p *Param) { p.InQuery = true } }

// TakesFile sets Param.File.
func TakesFile() Option { return func(p *Param) { p.File = true } }

// narrow says how to handle characters of a string that tables in utf8mb3 cannot store.
type narrow int

const (
	narrowRefused narrow = iota
	narrowSought
	narrowEncoded
	narrowNested
)

// Sought marks a string that is only searched for. Characters that the database cannot store are allowed in it.
func Sought() Option { return func(p *Param) { p.narrow = narrowSought } }

// EmojiEncoded marks a string in which emoji that the database cannot store are stored as character references (D93).
func EmojiEncoded() Option { return func(p *Param) { p.narrow = narrowEncoded } }

// Nested marks a parameter that may contain objects with parameters of their own. These are read later, with separate
// Sources.
func Nested() Option { return func(p *Param) { p.narrow = narrowNested } }

// Unlisted sets Param.Unlisted.
func Unlisted() Option { return func(p *Param) { p.Unlisted = true } }

// Object returns the schema of an object whose members are the given parameters. Undeclared members are ignored.
func Object(name string, params []*Param) *jsonschema.Schema {
	o := &jsonschema.Schema{Name: name, Type: jsonschema.TypeObject, Open: true}
	for _, p := range params {
		o.Members = append(o.Members, jsonschema.Member{Name: p.Name, Shape: p.Schema, Optional: !p.Required, About: p.Doc})
	}
	return o
}

// Computed reports whether the default is computed for each request, so that it cannot be documented.
func (p *Param) Computed() bool { return p.computed }

// DefaultValue returns the current default and reports whether there is one.
func (p *Param) DefaultValue(ctx context.Context) (any, bool) {
	if p.def == nil {
		return nil, false
	}
	return p.def(ctx), true
}
