// Package apierror defines errors that are part of the API. Each has an HTTP status, a code and a translated message.
// It does not import net/http.
package apierror

import (
	"maps"

	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
)

// HTTP statuses of errors.
const (
	BadRequest         = 400
	Forbidden          = 403
	NotFound           = 404
	Conflict           = 409
	Gone               = 410
	PreconditionFailed = 412
	Unavailable        = 503
)

// Error is an error response. Its code is part of the API; its message is in the locale files.
type Error struct {
	Status  int // HTTP status
	Code    string
	Message param.Message
	// RetryAfter is the number of seconds after which the client should try again; 0 means that trying again does not
	// help.
	RetryAfter int64
	Data       []Member           // further members of the body's "data", after the status
	Members    []Member           // further members of the body, after "data"
	Shape      *jsonschema.Schema // schema of a body that differs from the usual one, for the OpenAPI document
	cause      error
}

// Member is a named value in the body of an error: a string, an int64, a []int64 or a json.RawMessage.
type Member struct {
	Name  string
	Value any
}

// New returns an error whose message has the given id.
func New(status int, code, message string) *Error {
	return &Error{Status: status, Code: code, Message: param.Message{ID: message}}
}

func (e *Error) Error() string {
	if e.cause != nil {
		return e.Code + ": " + e.cause.Error()
	}
	return e.Code
}

// Unwrap returns the cause, which is logged but never sent to clients.
func (e *Error) Unwrap() error { return e.cause }

// With returns a copy of e with a value for a variable of its message.
func (e *Error) With(name string, value any) *Error {
	c := *e
	c.Message.Data = map[string]any{name: value}
	maps.Copy(c.Message.Data, e.Message.Data)
	return &c
}

// After returns a copy of e that asks clients to try again after a number of seconds.
func (e *Error) After(seconds int64) *Error {
	c := *e
	c.RetryAfter = seconds
	return &c
}

// WithData returns a copy of e with one more member in the body's "data".
func (e *Error) WithData(name string, value any) *Error {
	c := *e
	c.Data = append(e.Data[:len(e.Data):len(e.Data)], Member{name, value})
	return &c
}

// WithMember returns a copy of e with one more member in the body.
func (e *Error) WithMember(name string, value any) *Error {
	c := *e
	c.Members = append(e.Members[:len(e.Members):len(e.Members)], Member{name, value})
	return &c
}

// Because returns a copy of e with a cause, which is logged but never sent to clients.
func (e *Error) Because(cause error) *Error {
	c := *e
	c.cause = cause
	return &c
}

// Documented returns a copy of e with a schema for the OpenAPI document: data are the members of "data" after the
// status, members those of the body after "data".
func (e *Error) Documented(name, about string, data []jsonschema.Member, members ...jsonschema.Member) *Error {
	c := *e
	c.Shape = Shape(name, e.Status, jsonschema.Only(e.Code), data...).Doc(about).With("", members...)
	return &c
}

// Shape returns the schema of an error's body, with an example of its status.
func Shape(name string, status int, code *jsonschema.Schema, data ...jsonschema.Member) *jsonschema.Schema {
	member := jsonschema.Has("status", jsonschema.Int().Example(status)).Doc("doc_field_http_status")
	return jsonschema.Object(name, jsonschema.Has("code", code), jsonschema.Has("message", jsonschema.Text()),
		jsonschema.Has("data", jsonschema.Object("", append([]jsonschema.Member{member}, data...)...)))
}
