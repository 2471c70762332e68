package rest

import (
	"context"
	"errors"
	"net/http"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
)

// Seconds until another attempt is worthwhile: soon after a temporary failure or one of a single process, later if
// somebody has to repair something.
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
			jsonschema.Has("json_error_code", jsonschema.Int().Example(4)),
			jsonschema.Has("json_error_message", jsonschema.Text().Example("Syntax error"))})
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

// Answers to callers whose login fails, by the site's users or by the host. They do not reveal whether a user exists.
var (
	ErrPassword         = apierror.New(http.StatusUnauthorized, "incorrect_password", "error_incorrect_password")
	ErrPlainHTTP        = apierror.New(http.StatusUnauthorized, "rest_https_required", "error_https_required")
	ErrNotAuthenticated = apierror.New(http.StatusUnauthorized, "rest_not_authenticated", "error_not_authenticated")
	ErrNonce            = apierror.New(http.StatusForbidden, "rest_cookie_invalid_nonce", "error_cookie_nonce")
	ErrAttempts         = apierror.New(http.StatusTooManyRequests, "rest_too_many_attempts", "error_too_many_attempts")
)

// errNotLoggedIn is the answer to visitors if the plugin Members restricts the API to users.
var errNotLoggedIn = apierror.New(http.StatusUnauthorized, "rest_not_logged_in", "error_not_logged_in")

// ErrSiteClosed is the answer to every request to a site that is archived, deleted or marked as spam in a network of
// sites (WordPress multisite). WordPress answers with the same code.
var ErrSiteClosed = apierror.New(http.StatusGone, "wp_die", "error_site_closed")

// Answers to failures after which another attempt may succeed: a statement or request that took too long, a temporary
// or lasting failure of the database.
var (
	ErrTimeout     = apierror.New(http.StatusServiceUnavailable, "rest_timeout", "error_timeout").After(soon)
	ErrUnavailable = apierror.New(http.StatusServiceUnavailable, "rest_unavailable", "error_unavailable").After(soon)
	ErrDatabase    = apierror.New(http.StatusServiceUnavailable, "rest_database_fault", "error_database").After(later)
)

// Answers to requests whose answer needs more memory than is available, by itself or together with other answers in
// progress.
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

// report logs an answer that the caller did not cause.
func (e *Engine) report(path string, answer *apierror.Error) {
	if (answer.Code == ErrDatabase.Code || answer.Code == errBusy.Code) && !e.faults.due(answer.Unwrap().Error(), e.Now()) {
		return
	}
	e.Logger.Error("request failed", "path", path, "code", answer.Code, "error", answer.Unwrap())
}
