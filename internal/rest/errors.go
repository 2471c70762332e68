package rest

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/shape"
)

// Error is an answer with an error: its code is part of the API, its text is in the
// locale files.
type Error struct {
	Status  int
	Code    string
	Message param.Message
	Header  []Header     // of the answer, besides the generic ones
	Data    []Member     // of the body's data, after the status
	Members []Member     // of the body, after the data
	Shape   *shape.Shape // of a body that is not the usual one, for the documentation
	cause   error
}

// Member is a named value in the body of an error: a string, an int64 or a list
// of int64.
type Member struct {
	Name  string
	Value any
}

// NewError returns an error answer with the text of a message id.
func NewError(status int, code, message string) *Error {
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

// WithHeader returns a copy of e that carries a response header.
func (e *Error) WithHeader(name string, value any) *Error {
	c := *e
	c.Header = append(e.Header[:len(e.Header):len(e.Header)], Header{name, value})
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
func (e *Error) Documented(name, about string, data []shape.Member, members ...shape.Member) *Error {
	c := *e
	c.Shape = ErrorShape(name, shape.Only(e.Code), data...).Doc(about).With("", members...)
	return &c
}

// ErrorShape is the body of an error.
func ErrorShape(name string, code *shape.Shape, data ...shape.Member) *shape.Shape {
	status := shape.Has("status", shape.Int().Example(http.StatusBadRequest)).Doc("doc_field_http_status")
	return shape.Object(name, shape.Has("code", code), shape.Has("message", shape.Text()),
		shape.Has("data", shape.Object("", append([]shape.Member{status}, data...)...)))
}

// Seconds until another attempt is worthwhile: soon after a temporary failure or one
// of a single process, later if somebody has to repair something.
const (
	retryAfter        = "Retry-After"
	soon, later int64 = 5, 60
)

// Errors of the engine itself.
var (
	errNoRoute     = NewError(http.StatusNotFound, "rest_no_route", "error_no_route")
	errCallback    = NewError(http.StatusBadRequest, "rest_callback_disabled", "error_callback_disabled")
	errInternal    = NewError(http.StatusInternalServerError, "internal_server_error", "error_internal")
	errTooLarge    = NewError(http.StatusRequestEntityTooLarge, "rest_body_too_large", "error_too_large")
	errBody        = NewError(http.StatusBadRequest, "rest_invalid_body", "error_body")
	errBodyTimeout = NewError(http.StatusRequestTimeout, "rest_body_timeout", "error_body_timeout")
	errMediaType   = NewError(http.StatusBadRequest, errBody.Code, "error_media_type")
	errNoMediaType = NewError(http.StatusBadRequest, errBody.Code, "error_no_media_type")
	errTooMany     = NewError(http.StatusBadRequest, "rest_too_many_fields", "error_too_many_fields")
	errScalarBody  = NewError(http.StatusBadRequest, "rest_invalid_json", "error_scalar_body")
	errOverride    = NewError(http.StatusMethodNotAllowed, "rest_override_needs_post", "error_override_needs_post")
	errNamespace   = NewError(http.StatusNotFound, "rest_invalid_namespace", "error_namespace")

	errUnauthorized = NewError(http.StatusUnauthorized, "rest_forbidden", "error_forbidden")
	errForbidden    = NewError(http.StatusForbidden, "rest_forbidden", "error_forbidden")

	errMissing = NewError(http.StatusBadRequest, "rest_missing_callback_param", "error_missing_param").
			Documented("MissingParameters", "doc_error_missing", []shape.Member{
			shape.Has("params", shape.List(shape.Text().Example("title"))).Doc("doc_field_missing")})
	errInvalidJSON = NewError(http.StatusBadRequest, "rest_invalid_json", "error_invalid_json").
			Documented("InvalidJSON", "doc_error_json", []shape.Member{
			shape.Has("json_error_code", shape.Int().Example(4)), shape.Has("json_error_message", shape.Text().Example("Syntax error"))})
)

// ErrInvalidParam is the answer to invalid parameters, which it lists.
var ErrInvalidParam = NewError(http.StatusBadRequest, "rest_invalid_param", "error_invalid_param").
	Documented("InvalidParameters", "doc_error_invalid", []shape.Member{
		shape.Has("params", shape.Map(shape.Text())).Doc("doc_field_invalid"),
		shape.Has("details", shape.OneOf(shape.EmptyList(), shape.Map(shape.Object("InvalidType",
			shape.Has("code", shape.Only(param.TypeFault)), shape.Has("message", shape.Text()),
			shape.Has("data", shape.Object("", shape.Has("param", shape.Text())).Undescribed()),
		).Undescribed()))),
	})

// Answers to callers who are not let in, by the site's users or by the host. They do
// not show whether a user exists.
var (
	ErrPassword         = NewError(http.StatusUnauthorized, "incorrect_password", "error_incorrect_password")
	ErrPlainHTTP        = NewError(http.StatusUnauthorized, "rest_https_required", "error_https_required")
	ErrNotAuthenticated = NewError(http.StatusUnauthorized, "rest_not_authenticated", "error_not_authenticated")
	ErrNonce            = NewError(http.StatusForbidden, "rest_cookie_invalid_nonce", "error_cookie_nonce")
	ErrAttempts         = NewError(http.StatusTooManyRequests, "rest_too_many_attempts", "error_too_many_attempts")
)

// Answers to failures that another attempt may not meet: a statement or request that
// took too long, a temporary or lasting failure of the database.
var (
	ErrTimeout     = NewError(http.StatusServiceUnavailable, "rest_timeout", "error_timeout").WithHeader(retryAfter, soon)
	ErrUnavailable = NewError(http.StatusServiceUnavailable, "rest_unavailable", "error_unavailable").WithHeader(retryAfter, soon)
	ErrDatabase    = NewError(http.StatusServiceUnavailable, "rest_database_fault", "error_database").WithHeader(retryAfter, later)
)

// Answers to requests whose answer takes more memory than there is for it, alone or beside
// the others that are in the making.
var (
	errAnswerTooLarge = NewError(http.StatusRequestEntityTooLarge, "rest_answer_too_large", "error_answer_too_large")
	errPageTooLarge   = NewError(http.StatusRequestEntityTooLarge, errAnswerTooLarge.Code, "error_answer_too_large_page")
	errFeedTooLarge   = NewError(http.StatusRequestEntityTooLarge, errAnswerTooLarge.Code, "error_answer_too_large_feed")
	errBusy           = NewError(http.StatusServiceUnavailable, "rest_busy", "error_busy").WithHeader(retryAfter, soon)
)

// ErrLoginUnavailable is the answer if the caller could not be determined.
var ErrLoginUnavailable = NewError(http.StatusServiceUnavailable, "rest_login_unavailable", "error_login_unavailable").
	WithHeader(retryAfter, soon)

// asError returns the answer for an error of a handler.
func (e *Engine) asError(ctx context.Context, err error) *Error {
	var answer *Error
	switch {
	case errors.As(err, &answer):
		return answer
	case errors.Is(err, budget.ErrTooLarge):
		return errAnswerTooLarge
	case errors.Is(err, budget.ErrFull):
		answer = errBusy
	case errors.Is(err, context.DeadlineExceeded), errors.Is(ctx.Err(), context.DeadlineExceeded):
		answer = ErrTimeout
	default:
		if e.Explain != nil {
			answer = e.Explain(err)
		}
		if answer == nil {
			answer = errInternal
		}
	}
	c := *answer
	c.cause = err
	return &c
}

// logEvery is how often the same lasting failure is logged.
const logEvery = time.Minute

// report logs an answer that the caller did not cause.
func (e *Engine) report(path string, answer *Error) {
	if (answer.Code == ErrDatabase.Code || answer.Code == errBusy.Code) && !e.faults.due(answer.cause.Error(), e.clock()) {
		return
	}
	e.Logger.Error("request failed", "path", path, "code", answer.Code, "error", answer.cause)
}

// maxFaults limits how many failures are remembered.
const maxFaults = 100

// throttle remembers when each failure was last logged.
type throttle struct {
	mu     sync.Mutex
	logged map[string]time.Time // by failure
}

// due reports whether a failure is to be logged now, and records that it is.
func (t *throttle) due(fault string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.logged, func(_ string, at time.Time) bool { return now.Sub(at) >= logEvery })
	if _, lately := t.logged[fault]; lately || len(t.logged) >= maxFaults {
		return false
	}
	if t.logged == nil {
		t.logged = map[string]time.Time{}
	}
	t.logged[fault] = now
	return true
}

func (e *Engine) clock() time.Time {
	if e.Now == nil {
		return time.Now()
	}
	return e.Now()
}

// writeError writes the error's body and returns its status.
func writeError(w *phpjson.Writer, t Translator, err error) int {
	var failure *param.Failure
	var bad *param.JSONError
	if errors.As(err, &failure) {
		writeFailure(w, t, failure)
		return http.StatusBadRequest
	}
	if errors.As(err, &bad) {
		writeJSONError(w, t, bad)
		return http.StatusBadRequest
	}
	e := err.(*Error)
	w.Object()
	w.KeyString("code", e.Code)
	w.KeyString("message", t.Text(e.Message.ID, e.Message.Data))
	w.KeyObject("data")
	w.KeyInt("status", int64(e.Status))
	writeMembers(w, e.Data)
	w.End()
	writeMembers(w, e.Members)
	w.End()
	return e.Status
}

func writeMembers(w *phpjson.Writer, members []Member) {
	for _, m := range members {
		switch x := m.Value.(type) {
		case int64:
			w.KeyInt(m.Name, x)
		case string:
			w.KeyString(m.Name, x)
		case []int64:
			w.KeyArray(m.Name)
			for _, n := range x {
				w.Int(n)
			}
			w.End()
		}
	}
}

var jsonTexts = map[int]string{
	param.JSONDepth: "json_depth", param.JSONSyntax: "json_syntax", param.JSONUTF8: "json_utf8", param.JSONHalf: "json_utf16",
}

func writeJSONError(w *phpjson.Writer, t Translator, e *param.JSONError) {
	w.Object()
	w.KeyString("code", errInvalidJSON.Code)
	w.KeyString("message", t.Text(errInvalidJSON.Message.ID, nil))
	w.KeyObject("data")
	w.KeyInt("status", http.StatusBadRequest)
	w.KeyInt("json_error_code", int64(e.Code))
	w.KeyString("json_error_message", t.Text(jsonTexts[e.Code], nil))
	w.End()
	w.End()
}

func writeFailure(w *phpjson.Writer, t Translator, f *param.Failure) {
	e, names := ErrInvalidParam, f.Missing
	if f.Missing != nil {
		e = errMissing
	}
	for _, fault := range f.Faults {
		names = append(names, fault.Param)
	}
	message := param.Message{ID: e.Message.ID, Data: map[string]any{"Names": strings.Join(names, ", "), "Count": len(names)}}
	if f.Reason != nil {
		message = *f.Reason
	}
	w.Object()
	w.KeyString("code", e.Code)
	w.KeyString("message", text(t, message))
	w.KeyObject("data")
	w.KeyInt("status", http.StatusBadRequest)
	if f.Missing != nil {
		w.KeyArray("params")
		for _, n := range names {
			w.String(n)
		}
		w.End()
	} else {
		writeFaults(w, t, f.Faults)
	}
	w.End()
	w.End()
}

func writeFaults(w *phpjson.Writer, t Translator, faults []*param.Fault) {
	w.KeyObject("params")
	for _, f := range faults {
		w.KeyString(f.Param, text(t, f.Message))
	}
	w.End()
	w.KeyObject("details")
	for _, f := range faults {
		if f.Code == "" {
			continue
		}
		w.KeyObject(f.Param)
		w.KeyString("code", f.Code)
		w.KeyString("message", text(t, f.Message))
		w.KeyObject("data")
		w.KeyString("param", f.Param)
		w.End()
		w.End()
	}
	w.End()
}

// text returns the text of a message, in which data may be messages too.
func text(t Translator, m param.Message) string {
	data := m.Data
	for name, v := range m.Data {
		if inner, ok := v.(param.Message); ok {
			data = maps.Clone(data)
			data[name] = text(t, inner)
		}
	}
	return t.Text(m.ID, data)
}
