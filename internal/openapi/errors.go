package openapi

import (
	"net/http"
	"slices"

	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/shape"
)

// callerErrors are about who calls, and can end any request. They are made by
// what finds the caller, of the host or of the site.
var callerErrors = []*rest.Error{
	rest.NewError(http.StatusUnauthorized, "incorrect_password", "error_incorrect_password"),
	rest.NewError(http.StatusUnauthorized, "rest_https_required", "error_https_required"),
	rest.NewError(http.StatusUnauthorized, "rest_not_authenticated", "error_not_authenticated"),
	rest.NewError(http.StatusForbidden, "rest_cookie_invalid_nonce", "error_cookie_nonce"),
	rest.NewError(http.StatusTooManyRequests, "rest_too_many_attempts", "error_too_many_attempts"),
}

// errorShape is an error with data of its own beside the status.
func errorShape(name string, code *shape.Shape, data ...shape.Member) *shape.Shape {
	data = append([]shape.Member{shape.Has("status", shape.Int().Example(http.StatusBadRequest)).Doc("doc_field_http_status")}, data...)
	return shape.Object(name, shape.Has("code", code), shape.Has("message", shape.Text()), shape.Has("data", shape.Object("", data...)))
}

var (
	plainError = errorShape("Error", shape.Text()).Doc("doc_error")

	missingError = errorShape("MissingParameters", shape.Only("rest_missing_callback_param"),
		shape.Has("params", shape.List(shape.Text().Example("title"))).Doc("doc_field_missing")).Doc("doc_error_missing")

	paramError = errorShape("InvalidParameters", shape.Only("rest_invalid_param"),
		shape.Has("params", shape.Map(shape.Text())).Doc("doc_field_invalid"),
		shape.Has("details", shape.OneOf(shape.EmptyList(), shape.Map(shape.Object("InvalidType",
			shape.Has("code", shape.Only("rest_invalid_type")), shape.Has("message", shape.Text()),
			shape.Has("data", shape.Object("", shape.Has("param", shape.Text())).Undescribed()),
		).Undescribed())))).Doc("doc_error_invalid")

	jsonError = errorShape("InvalidJSON", shape.Only("rest_invalid_json"),
		shape.Has("json_error_code", shape.Int().Example(4)), shape.Has("json_error_message", shape.Text().Example("Syntax error"))).Doc("doc_error_json")

	termError = errorShape("TermExists", shape.Only("term_exists"), shape.Has("term_id", shape.Int().Example(12))).Doc("doc_error_term").
			With("", shape.Has("additional_data", shape.List(shape.Int().Example(12))))
)

// special are errors with a body of their own, by code.
var special = map[string]*shape.Shape{"term_exists": termError}

// withCodes narrows the usual error to codes.
func withCodes(codes []string) *shape.Shape {
	narrow := &shape.Shape{Type: shape.TypeObject, Open: true, Plain: true, Members: []shape.Member{shape.Optional("code", shape.Words(codes...))}}
	return &shape.Shape{AllOf: []*shape.Shape{plainError, narrow}}
}

// failures are the answers to an operation that did not succeed, by status.
func failures(route *rest.Route, o *rest.Operation) []*answer {
	byStatus := map[int]*answer{}
	at := func(status int) *answer {
		if byStatus[status] == nil {
			byStatus[status] = &answer{status: status}
		}
		return byStatus[status]
	}
	for _, e := range slices.Concat(o.AllErrors(), callerErrors) {
		at(e.Status).add(e)
	}
	bad := at(http.StatusBadRequest)
	bad.bodies = append(bad.bodies, paramError, jsonError)
	for _, p := range o.Params {
		if p.Required && !route.InPath(p.Name) {
			bad.bodies = append(bad.bodies, missingError)
			break
		}
	}
	var all []*answer
	for _, a := range byStatus {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b *answer) int { return a.status - b.status })
	return all
}
