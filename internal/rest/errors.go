package rest

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
)

// Seconds until another attempt is worthwhile: soon after a temporary failure or one
// of a single process, later if somebody has to repair something.
const (
	retryAfter        = "Retry-After"
	soon, later int64 = 5, 60
)

// Errors of the engine itself.
var (
	errNoRoute     = apierror.New(http.StatusNotFound, "rest_no_route", "error_no_route")
	errCallback    = apierror.New(http.StatusBadRequest, "rest_callback_disabled", "error_callback_disabled")
	errInternal    = apierror.New(http.StatusInternalServerError, "internal_server_error", "error_internal")
	errTooLarge    = apierror.New(http.StatusRequestEntityTooLarge, "rest_body_too_large", "error_too_large")
	errBody        = apierror.New(http.StatusBadRequest, "rest_invalid_body", "error_body")
	errBodyTimeout = apierror.New(http.StatusRequestTimeout, "rest_body_timeout", "error_body_timeout")
	errMediaType   = apierror.New(http.StatusBadRequest, errBody.Code, "error_media_type")
	errNoMediaType = apierror.New(http.StatusBadRequest, errBody.Code, "error_no_media_type")
	errTooMany     = apierror.New(http.StatusBadRequest, "rest_too_many_fields", "error_too_many_fields")
	errScalarBody  = apierror.New(http.StatusBadRequest, "rest_invalid_json", "error_scalar_body")
	errOverride    = apierror.New(http.StatusMethodNotAllowed, "rest_override_needs_post", "error_override_needs_post")
	errNamespace   = apierror.New(http.StatusNotFound, "rest_invalid_namespace", "error_namespace")

	errUnauthorized = apierror.New(http.StatusUnauthorized, "rest_forbidden", "error_forbidden")
	errForbidden    = apierror.New(http.StatusForbidden, "rest_forbidden", "error_forbidden")

	errMissing = apierror.New(http.StatusBadRequest, "rest_missing_callback_param", "error_missing_param").
			Documented("MissingParameters", "doc_error_missing", []jsonschema.Member{
			jsonschema.Has("params", jsonschema.List(jsonschema.Text().Example("title"))).Doc("doc_field_missing")})
	errInvalidJSON = apierror.New(http.StatusBadRequest, "rest_invalid_json", "error_invalid_json").
			Documented("InvalidJSON", "doc_error_json", []jsonschema.Member{
			jsonschema.Has("json_error_code", jsonschema.Int().Example(4)), jsonschema.Has("json_error_message", jsonschema.Text().Example("Syntax error"))})
)

// ErrInvalidParam is the answer to invalid parameters, which it lists.
var ErrInvalidParam = apierror.New(http.StatusBadRequest, "rest_invalid_param", "error_invalid_param").
	Documented("InvalidParameters", "doc_error_invalid", []jsonschema.Member{
		jsonschema.Has("params", jsonschema.Map(jsonschema.Text())).Doc("doc_field_invalid"),
		jsonschema.Has("details", jsonschema.OneOf(jsonschema.EmptyList(), jsonschema.Map(jsonschema.Object("InvalidType",
			jsonschema.Has("code", jsonschema.Only(param.TypeFault)), jsonschema.Has("message", jsonschema.Text()),
			jsonschema.Has("data", jsonschema.Object("", jsonschema.Has("param", jsonschema.Text())).Undescribed()),
		).Undescribed()))),
	})

// Answers to callers who are not let in, by the site's users or by the host. They do
// not show whether a user exists.
var (
	ErrPassword         = apierror.New(http.StatusUnauthorized, "incorrect_password", "error_incorrect_password")
	ErrPlainHTTP        = apierror.New(http.StatusUnauthorized, "rest_https_required", "error_https_required")
	ErrNotAuthenticated = apierror.New(http.StatusUnauthorized, "rest_not_authenticated", "error_not_authenticated")
	ErrNonce            = apierror.New(http.StatusForbidden, "rest_cookie_invalid_nonce", "error_cookie_nonce")
	ErrAttempts         = apierror.New(http.StatusTooManyRequests, "rest_too_many_attempts", "error_too_many_attempts")
)

// Answers to failures that another attempt may not meet: a statement or request that
// took too long, a temporary or lasting failure of the database.
var (
	ErrTimeout     = apierror.New(http.StatusServiceUnavailable, "rest_timeout", "error_timeout").After(soon)
	ErrUnavailable = apierror.New(http.StatusServiceUnavailable, "rest_unavailable", "error_unavailable").After(soon)
	ErrDatabase    = apierror.New(http.StatusServiceUnavailable, "rest_database_fault", "error_database").After(later)
)

// Answers to requests whose answer takes more memory than there is for it, alone or beside
// the others that are in the making.
var (
	errAnswerTooLarge = apierror.New(http.StatusRequestEntityTooLarge, "rest_answer_too_large", "error_answer_too_large")
	errPageTooLarge   = apierror.New(http.StatusRequestEntityTooLarge, errAnswerTooLarge.Code, "error_answer_too_large_page")
	errFeedTooLarge   = apierror.New(http.StatusRequestEntityTooLarge, errAnswerTooLarge.Code, "error_answer_too_large_feed")
	errBusy           = apierror.New(http.StatusServiceUnavailable, "rest_busy", "error_busy").After(soon)
)

// ErrLoginUnavailable is the answer if the caller could not be determined.
var ErrLoginUnavailable = apierror.New(http.StatusServiceUnavailable, "rest_login_unavailable", "error_login_unavailable").
	After(soon)

// asError returns the answer for an error of a handler.
func (e *Engine) asError(ctx context.Context, err error) *apierror.Error {
	var answer *apierror.Error
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
	return answer.Because(err)
}

// logEvery is how often the same lasting failure is logged.
const logEvery = time.Minute

// report logs an answer that the caller did not cause.
func (e *Engine) report(path string, answer *apierror.Error) {
	if (answer.Code == ErrDatabase.Code || answer.Code == errBusy.Code) && !e.faults.due(answer.Unwrap().Error(), e.clock()) {
		return
	}
	e.Logger.Error("request failed", "path", path, "code", answer.Code, "error", answer.Unwrap())
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
	e := err.(*apierror.Error)
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

func writeMembers(w *phpjson.Writer, members []apierror.Member) {
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
