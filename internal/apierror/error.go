// Package apierror holds the errors that are part of the API: each has a status, a code and a
// text in all languages. It is independent of HTTP, whose numbers of statuses it uses.
package apierror

import (
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
)

// Statuses of errors.
const (
	BadRequest         = 400
	Forbidden          = 403
	NotFound           = 404
	Conflict           = 409
	Gone               = 410
	PreconditionFailed = 412
	Unavailable        = 503
)

// Error is an answer with an error: its code is part of the API, its text is in the
// locale files.
type Error struct {
	Status  int // a status of HTTP
	Code    string
	Message param.Message
	// RetryAfter is after how many seconds another attempt is worthwhile, 0 for none.
	RetryAfter int64
	Data       []Member           // of the body's data, after the status
	Members    []Member           // of the body, after the data
	Shape      *jsonschema.Schema // of a body that is not the usual one, for the documentation
	cause      error
}

// Member is a named value in the body of an error: a string, an int64, a list of
// int64 or a json.RawMessage.
type Member struct {
	Name  string
	Value any
}

// New returns an error answer with the text of a message id.
func New(status int, code, message string) *Error {
	return &Error{Status: status, Code: code, Message: param.Message{ID: message}}
}

func (e *Error) Error() string {
	if e.cause != nil {
		return e.Code + ": " + e.cause.Error()
	}
	return e.Code
}

// Unwrap returns the cause, which is for logs only.
func (e *Error) Unwrap() error { return e.cause }

// With returns a copy of e with a value for the text's template.
func (e *Error) With(name string, value any) *Error {
	c := *e
	c.Message.Data = map[string]any{name: value}
	for k, v := range e.Message.Data {
		c.Message.Data[k] = v
	}
	return &c
}

// After returns a copy of e that says after how many seconds another attempt is worthwhile.
func (e *Error) After(seconds int64) *Error {
	c := *e
	c.RetryAfter = seconds
	return &c
}

// WithData returns a copy of e with one more member in its data.
func (e *Error) WithData(name string, value any) *Error {
	c := *e
	c.Data = append(e.Data[:len(e.Data):len(e.Data)], Member{name, value})
	return &c
}

// WithMember returns a copy of e with one more member in its body.
func (e *Error) WithMember(name string, value any) *Error {
	c := *e
	c.Members = append(e.Members[:len(e.Members):len(e.Members)], Member{name, value})
	return &c
}

// Because returns a copy of e with its cause, which is for logs only.
func (e *Error) Because(cause error) *Error {
	c := *e
	c.cause = cause
	return &c
}

// Documented returns a copy of e whose body has more members in its data than the
// status, and more after the data.
func (e *Error) Documented(name, about string, data []jsonschema.Member, members ...jsonschema.Member) *Error {
	c := *e
	c.Shape = Shape(name, jsonschema.Only(e.Code), data...).Doc(about).With("", members...)
	return &c
}

// Shape is the body of an error.
func Shape(name string, code *jsonschema.Schema, data ...jsonschema.Member) *jsonschema.Schema {
	status := jsonschema.Has("status", jsonschema.Int().Example(BadRequest)).Doc("doc_field_http_status")
	return jsonschema.Object(name, jsonschema.Has("code", code), jsonschema.Has("message", jsonschema.Text()),
		jsonschema.Has("data", jsonschema.Object("", append([]jsonschema.Member{status}, data...)...)))
}
