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
	"github.com/agendahq/agenda/internal/hostroute"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
)

// Route declares a route of the host's own below the namespace, in addition to those of the API. It uses the API's
// authentication, errors, languages, limits and CORS headers, and answers HEAD and OPTIONS. The index and the OpenAPI
// document describe it, Hooks.Observe is called for it, and Do can call it. It cannot be part of a batch, and an
// Idempotency-Key has no effect, since the answer could not be stored in the transaction of what Handle did. Its
// answers are not cached.
type Route struct {
	// Method is GET, POST, PUT, PATCH or DELETE. A GET must not change anything: it also answers HEAD, and runs on a
	// read-only calendar.
	Method string

	// Path is relative to the namespace: "/events/{id}/rsvp". A segment in braces is a variable, which must be one of
	// Params: a FieldInteger, which matches only digits, or a FieldText, which matches any segment. A path of the API,
	// with whatever method, is an error.
	Path string

	// Params are the parameters of a request: the variables of Path, and others in the query or in the body, which is
	// JSON or a form. If any are invalid, Handle is not called, and the answer is 400 with their names.
	Params []Param

	// Permits reports whether a caller may use the route. Other callers are answered with 401 or 403 before the body is
	// read. Default: everybody may.
	Permits func(p Principal) bool

	// Handle answers a request: with a value that is encoded as JSON, or with an error. A *Refusal and ErrForbidden
	// reject the request. An *Error of this calendar is answered unchanged. Any other error is logged, like a panic,
	// and answered with 500. The context ends with the time of the request. With this context, Do, Kinds and
	// Transaction read and write as the caller of the request and in its language.
	Handle func(ctx context.Context, r *RouteRequest) (any, error)

	// Creates makes 201 the status of a success. Default: 200.
	Creates bool

	// Answer are the members of the answer, for the OpenAPI document. Default: the document does not describe them.
	Answer []Param

	// MaxBody is the maximal size of the body, in bytes. Default: Limits.MaxBody.
	MaxBody int64

	// Timeout limits the time of Handle. Default: the rest of Limits.RequestTimeout, which applies in any case.
	Timeout time.Duration

	// Description says in one sentence what the route does. Texts are its translations, by language tag ("nl").
	// Languages without one use Description.
	Description string
	Texts       map[string]string

	wrong error // what is wrong with the struct of RouteFor
}

// RouteRequest is a request to a Route. Its parameters have been validated. A parameter that was not given has its
// Default or the zero value.
type RouteRequest struct {
	// HTTP is the original request, for its headers. Its body has been read.
	HTTP *http.Request

	// Principal is the caller, with its capabilities.
	Principal Principal

	// Language is the tag of the language for texts in the answer.
	Language string

	types  map[string]string // types of the parameters, by name
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

// Given reports whether the request contains a parameter.
func (r *RouteRequest) Given(name string) bool { return r.values.Given(name) }

// valueOf returns the value of a parameter. It panics if the route declares no parameter with this name and one of
// these types, which is an error in the host's code.
func valueOf[T any](r *RouteRequest, name string, types ...string) T {
	if !slices.Contains(types, r.types[name]) {
		panic(fmt.Sprintf("calendar: the route has no parameter %q of the type %s", name, strings.Join(types, " or ")))
	}
	return param.Key[T](name).Value(r.values)
}

// hostRouting serves the host's routes.
type hostRouting struct {
	language     *param.Param // of texts, a parameter of each route
	transactions *store.Transactions
}

// hostRoutes checks the routes that a host has declared, and returns them. own are the API's routes.
func (h hostRouting) hostRoutes(o *Options, own []*rest.Route) ([]*rest.Route, error) {
	declared := make([]hostroute.Route, len(o.Routes))
	for i := range o.Routes {
		declared[i] = h.declaration(&o.Routes[i])
	}
	if err := hostroute.Check(declared, own, o.LanguageParam); err != nil {
		return nil, err
	}
	return hostroute.Routes(declared, h.language), nil
}

// declaration converts the declaration of a route.
func (h hostRouting) declaration(r *Route) hostroute.Route {
	d := hostroute.Route{
		Method: r.Method, Path: r.Path, Params: declaredParams(r.Params), Answer: declaredParams(r.Answer), Creates: r.Creates,
		MaxBody: r.MaxBody, Timeout: r.Timeout, Description: r.Description, Texts: r.Texts, Errors: []*apierror.Error{errRefused},
		Wrong: r.wrong,
	}
	if r.Handle != nil {
		d.Handle = h.handler(r)
	}
	if r.Permits != nil {
		d.Permits = func(p caller.Principal) bool { return r.Permits(forHost(p)) }
	}
	return d
}

// declaredParams converts the declarations of parameters, nil to nil.
func declaredParams(list []Param) (all []hostroute.Param) {
	if list != nil {
		all = make([]hostroute.Param, len(list))
	}
	for i, p := range list {
		all[i] = hostroute.Param(p)
	}
	return all
}

// errRefused represents a Refusal in the OpenAPI document.
var errRefused = apierror.New(http.StatusBadRequest, codeRefused, "error_host")

// handler returns the handler of requests to a route.
func (h hostRouting) handler(r *Route) func(context.Context, *rest.Request) (any, error) {
	types := map[string]string{}
	for _, p := range r.Params {
		types[p.Name] = p.Type
	}
	return func(ctx context.Context, q *rest.Request) (any, error) {
		given := &RouteRequest{HTTP: q.HTTP, Principal: forHost(q.Principal), Language: q.Language, types: types, values: q.Values}
		ctx = h.handling(ctx, given)
		value, err := r.Handle(ctx, given)
		if err != nil {
			err = handled(ctx, err)
		}
		return value, err
	}
}

// handling returns the context of a handler. The handler is part of a transaction only if it is one of this calendar to
// which the request belongs.
func (h hostRouting) handling(ctx context.Context, r *RouteRequest) context.Context {
	if !h.transactions.Writing(ctx) {
		ctx = store.Outside(change.With(ctx, nil))
	}
	ctx = auth.ForClient(WithLanguage(budget.Counted(ctx), r.Language), r.HTTP)
	return WithPrincipal(ctx, r.Principal)
}

// handled converts an error of a handler to the API's error.
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
