package calendar

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
)

// Route declares a route of the host's own below the namespace, beside those of the API. It has their callers, errors, languages, limits,
// headers for browsers, HEAD and OPTIONS; the index and the OpenAPI document describe it, Hooks.Observe sees it, Do calls it. A batch
// takes none, and an Idempotency-Key has no meaning for it: no answer could be kept in the transaction of what Handle did. Its answers
// are kept nowhere.
type Route struct {
	// Method is GET, POST, PUT, PATCH or DELETE. A GET must change nothing: it answers HEAD too, and runs where the calendar is ReadOnly.
	Method string

	// Path is below the namespace: "/events/{id}/rsvp". What stands in braces is one of Params, a FieldInteger, which takes digits
	// alone, or a FieldText, for any one segment. A path that the API has, with any method, is refused.
	Path string

	// Params are what a request gives: those that Path names there, others in the query or in the body, which is JSON or a form. What is
	// wrong with them is refused before Handle is called, 400, by their names.
	Params []Param

	// Permits reports whether a caller may use the route at all: others get 401 or 403 before the body is read. Default: everybody.
	Permits func(p Principal) bool

	// Handle answers a request: with a value that is encoded as JSON, or an error. A *Refusal and ErrForbidden refuse the request, and an
	// *Error of this calendar's is the answer as it is; any other error is logged, like a panic, and answered with 500. Its context ends
	// with the request's time. With it, Do, Kinds and Transaction read and write as the caller of the request, in its language.
	Handle func(ctx context.Context, r *RouteRequest) (any, error)

	// Creates says that a success is answered with 201. Default 200.
	Creates bool

	// Answer are the members of the answer, for the OpenAPI document. Default: it does not say.
	Answer []Param

	// MaxBody is the largest body, in bytes. Default: Limits.MaxBody.
	MaxBody int64

	// Timeout bounds Handle. Default: what is left of Limits.RequestTimeout, which holds in any case.
	Timeout time.Duration

	// Description says in a sentence what the route does. Texts are the same in other languages, by their tags ("nl"); the others get
	// Description.
	Description string
	Texts       map[string]string

	wrong error // with the struct of RouteFor
}

// RouteRequest is a request to a Route. Its parameters were checked: one that was not given has its Default or the zero value.
type RouteRequest struct {
	// HTTP is the request as it came, for its headers. Its body was read.
	HTTP *http.Request

	// Principal is the caller, with its capabilities.
	Principal Principal

	// Language is the tag of the language of texts in the answer.
	Language string

	types  map[string]string // of the parameters
	values *param.Values
}

// Text returns the value of a FieldText, FieldDate or FieldChoice.
func (r *RouteRequest) Text(name string) string {
	return valueOf[string](r, name, FieldText, FieldDate, FieldChoice)
}

// Int returns the value of a FieldInteger.
func (r *RouteRequest) Int(name string) int64 { return valueOf[int64](r, name, FieldInteger) }

// Number returns the value of a FieldNumber.
func (r *RouteRequest) Number(name string) float64 { return valueOf[float64](r, name, FieldNumber) }

// Bool returns the value of a FieldYesNo.
func (r *RouteRequest) Bool(name string) bool { return valueOf[bool](r, name, FieldYesNo) }

// List returns the value of a FieldList.
func (r *RouteRequest) List(name string) []string { return valueOf[[]string](r, name, FieldList) }

// Given reports whether the request itself has a parameter.
func (r *RouteRequest) Given(name string) bool { return r.values.Given(name) }

// valueOf returns the value of a parameter. Another name or type than the route declares is a mistake of the host's code.
func valueOf[T any](r *RouteRequest, name string, types ...string) T {
	if !slices.Contains(types, r.types[name]) {
		panic(fmt.Sprintf("calendar: the route has no parameter %q of the type %s", name, strings.Join(types, " or ")))
	}
	return param.Key[T](name).Value(r.values)
}

// hostRouting serves the routes of the host.
type hostRouting struct{ calendar *Calendar }

// hostRoutes returns the routes that the host declares, beside those of the API.
func (h hostRouting) hostRoutes(own []*rest.Route) ([]*rest.Route, error) {
	declared := h.calendar.options.Routes
	if err := wrongRoutes(declared, own, h.calendar.options.LanguageParam); err != nil {
		return nil, err
	}
	var all []*rest.Route
	for i := range declared {
		r := &declared[i]
		o := h.operation(r)
		path := strings.TrimRight(r.Path, "/")
		if at := slices.IndexFunc(all, func(other *rest.Route) bool { return other.Path == path }); at >= 0 {
			all[at].Operations = append(all[at].Operations, o)
			continue
		}
		route := rest.At(path, o)
		route.Digits = r.digits()
		all = append(all, route)
	}
	return all, nil
}

// operation returns the operation of a route.
func (h hostRouting) operation(r *Route) *rest.Operation {
	o := &rest.Operation{
		ID: r.id(), Summary: r.textID(), Tag: "own", About: "doc_tag_own", Host: true, MaxBody: r.MaxBody, Creates: r.Creates,
		Handle: h.handler(r), Answer: answerOfRoute(r), Errors: []*apierror.Error{errRefused},
	}
	for _, p := range r.Params {
		declared := p.declare(r)
		declared.Required = declared.Required || r.inPath(p.Name)
		o.Params = append(o.Params, declared)
	}
	o.Params = append(o.Params, h.calendar.env.Language)
	if r.Permits != nil {
		o.Permits = func(p caller.Principal) bool { return r.Permits(forHost(p)) }
	}
	return o.On(r.Method)
}

// errRefused is a Refusal in the OpenAPI document.
var errRefused = apierror.New(http.StatusBadRequest, codeRefused, "error_host")

// handler returns what answers the requests to a route.
func (h hostRouting) handler(r *Route) rest.Handler {
	types := map[string]string{}
	for _, p := range r.Params {
		types[p.Name] = p.Type
	}
	return func(ctx context.Context, q *rest.Request) (*rest.Response, error) {
		given := &RouteRequest{HTTP: q.HTTP, Principal: forHost(q.Principal), Language: q.Language, types: types, values: q.Values}
		ctx = h.handling(ctx, given)
		if r.Timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, r.Timeout)
			defer cancel()
		}
		value, err := r.Handle(ctx, given)
		if err != nil {
			return nil, handled(ctx, err)
		}
		body, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("the answer of %s %s: %w", r.Method, r.Path, err)
		}
		q.Out.Raw(body)
		if r.Creates {
			return &rest.Response{Status: http.StatusCreated}, nil
		}
		return nil, nil
	}
}

// handling returns the context of a handler, which sees no transaction but one of this calendar that the request is a part of.
func (h hostRouting) handling(ctx context.Context, r *RouteRequest) context.Context {
	if !h.calendar.env.Content.Store.Transactions.Writing(ctx) {
		ctx = store.Outside(change.With(ctx, nil))
	}
	ctx = auth.ForClient(WithLanguage(budget.Counted(ctx), r.Language), r.HTTP)
	return WithPrincipal(ctx, r.Principal)
}

// handled returns the error of the API for one of a handler.
func handled(ctx context.Context, err error) error {
	var refused *Error
	var own *Refusal
	if errors.As(err, &own) || !errors.As(err, &refused) {
		return answerOf(ctx, err)
	}
	if refused.Status < http.StatusBadRequest || refused.Status > 599 {
		return fmt.Errorf("an Error with Status %d: use one from 400 to 599: %w", refused.Status, err)
	}
	answer := apierror.New(refused.Status, refused.Code, "error_host").With("Reason", refused.Message).
		After(int64(refused.RetryAfter / time.Second)).Because(err)
	var data map[string]json.RawMessage
	_ = json.Unmarshal(refused.Data, &data)
	for _, name := range slices.Sorted(maps.Keys(data)) {
		if name != "status" {
			answer = answer.WithData(name, data[name])
		}
	}
	return answer
}
