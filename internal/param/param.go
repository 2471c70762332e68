// Package param declares the parameters of operations and reads them from a
// request's sources. A declaration is made once and drives the reading, the
// index, the OpenAPI document and the translations. The package knows no kind
// of resource, no database and no HTTP.
package param

import "context"

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

// Error makes a Fault usable as the error of a Check.
func (f *Fault) Error() string { return f.Param + ": " + f.Message.ID }

// Invalid returns the fault of a Check: the text id and its template data in
// pairs of name and value.
func Invalid(id string, data ...any) *Fault {
	m := Message{ID: id, Data: map[string]any{}}
	for i := 0; i+1 < len(data); i += 2 {
		m.Data[data[i].(string)] = data[i+1]
	}
	return &Fault{Message: m}
}

// Check validates a parameter's effective value and returns the value that
// handlers use. A *Fault is the caller's mistake, any other error is ours.
type Check func(ctx context.Context, v any) (any, error)

// Types of parameters as they are published and converted.
const (
	Integer = "integer"
	Boolean = "boolean"
	String  = "string"
)

// Param is the declaration of one parameter.
type Param struct {
	Name     string
	Type     string // Integer, Boolean, String or "" for anything
	Items    string // type of a list's items, "" if it is no list
	Format   string
	Doc      string // message id of the description
	Required bool
	// Unlisted keeps the parameter out of the index, which mirrors an older
	// service; the OpenAPI document shows it.
	Unlisted bool
	// AnyType publishes the type without converting to it: the Check reads
	// values of other types too. Whether a null is one is up to Null.
	AnyType bool
	// Null makes a null of the request a value, nil, instead of an absence.
	Null bool
	// InBody keeps a path variable of the same name from filling the parameter.
	InBody bool
	// Sought marks a text that is only looked for: characters that the database
	// cannot hold are no mistake, they are found nowhere.
	Sought bool
	Check  Check

	def       func(ctx context.Context) any
	computed  bool // the default, for each request
	published []string
}

// Option adds to a declaration. The order of the options is the order in which
// the index prints them.
type Option func(*Param)

// New declares a parameter.
func New(name string, options ...Option) *Param {
	p := &Param{Name: name}
	for _, o := range options {
		o(p)
	}
	return p
}

// Doc sets the message id of the description.
func Doc(id string) Option {
	return func(p *Param) { p.Doc = id; p.published = append(p.published, "description") }
}

// Type sets the published type.
func Type(t string) Option {
	return func(p *Param) { p.Type = t; p.published = append(p.published, "type") }
}

// Items declares a list with items of type t.
func Items(t string) Option {
	return func(p *Param) { p.Items = t; p.published = append(p.published, "items") }
}

// Format sets the published format of an untyped parameter.
func Format(f string) Option {
	return func(p *Param) { p.Format = f; p.published = append(p.published, "format") }
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
	return func(p *Param) { p.def, p.computed, p.published = f, true, append(p.published, "default") }
}

// Checked sets the validator.
func Checked(c Check) Option { return func(p *Param) { p.Check = c } }

// Required marks the parameter as required.
func Required() Option { return func(p *Param) { p.Required = true } }

// AnyType leaves reading the type to the check.
func AnyType() Option { return func(p *Param) { p.AnyType = true } }

// Null makes null a value.
func Null() Option { return func(p *Param) { p.Null = true } }

// InBody takes the value from the request's other sources even where the path
// has a variable of the same name: a slug that a post shall get, not the one by
// which it is found.
func InBody() Option { return func(p *Param) { p.InBody = true } }

// Sought marks a text that is only looked for.
func Sought() Option { return func(p *Param) { p.Sought = true } }

// Unlisted keeps the parameter out of the index.
func Unlisted() Option { return func(p *Param) { p.Unlisted = true } }

// Published returns the keys under which the index prints the declaration, in
// order, without the closing "required".
func (p *Param) Published() []string { return p.published }

// Computed reports whether the default is computed for each request.
func (p *Param) Computed() bool { return p.computed }

// DefaultValue returns the default of this moment and whether there is one.
func (p *Param) DefaultValue(ctx context.Context) (any, bool) {
	if p.def == nil {
		return nil, false
	}
	return p.def(ctx), true
}
