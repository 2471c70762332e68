// Package hostroute makes routes of the engine out of those that a host declares, and checks the declarations.
package hostroute

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
)

// Route declares a route of the host's own; see calendar.Route.
type Route struct {
	Method, Path   string
	Params, Answer []Param
	Permits        func(caller.Principal) bool
	Handle         func(context.Context, *rest.Request) (any, error) // nil if the host has declared none
	Creates        bool
	MaxBody        int64
	Timeout        time.Duration
	Description    string
	Texts          map[string]string
	Errors         []*apierror.Error // errors of Handle, for the OpenAPI document
	Wrong          error             // what is wrong with the struct from which Params were made
}

// Routes returns the engine's routes of declarations that Check accepts. language is the parameter for the language of
// texts, which each route has.
func Routes(declared []Route, language *param.Param) (all []*rest.Route) {
	for i := range declared {
		r := &declared[i]
		o := r.operation(language)
		path := strings.TrimRight(r.Path, "/")
		if at := slices.IndexFunc(all, func(other *rest.Route) bool { return other.Path == path }); at >= 0 {
			all[at].Operations = append(all[at].Operations, o)
			continue
		}
		route := rest.At(path, o)
		route.Digits = r.digits()
		all = append(all, route)
	}
	return all
}

// operation returns the operation of a route.
func (r *Route) operation(language *param.Param) *rest.Operation {
	o := &rest.Operation{
		ID: r.id(), Summary: r.textID(), Tag: "own", About: "doc_tag_own", Host: true, MaxBody: r.MaxBody, Creates: r.Creates,
		Handle: r.handle, Answer: answerOf(r), Errors: r.Errors, Permits: r.Permits,
	}
	for _, p := range r.Params {
		declared := p.declare(r)
		declared.Required = declared.Required || r.inPath(p.Name)
		o.Params = append(o.Params, declared)
	}
	o.Params = append(o.Params, language)
	return o.On(r.Method)
}

// handle answers a request with the JSON of what Handle returns.
func (r *Route) handle(ctx context.Context, q *rest.Request) (*rest.Response, error) {
	if r.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.Timeout)
		defer cancel()
	}
	value, err := r.Handle(ctx, q)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("the response of %s %s: %w", r.Method, r.Path, err)
	}
	q.Out.Raw(body)
	if r.Creates {
		return &rest.Response{Status: http.StatusCreated}, nil
	}
	return nil, nil
}

// segments returns the segments of a path.
func segments(path string) []string { return strings.Split(strings.Trim(path, "/"), "/") }

// inPath reports whether a parameter is a variable of the path.
func (r *Route) inPath(name string) bool { return slices.Contains(segments(r.Path), "{"+name+"}") }

// digits returns the variables of the path that match only digits.
func (r *Route) digits() map[string]bool {
	all := map[string]bool{}
	for _, p := range r.Params {
		if p.Type == Integer && r.inPath(p.Name) {
			all[p.Name] = true
		}
	}
	return all
}

// id returns the operation id in the OpenAPI document: "ownPostEventsIdRsvp".
func (r *Route) id() string {
	name := "own" + r.Method[:1] + strings.ToLower(r.Method[1:])
	for _, word := range strings.FieldsFunc(r.Path, func(c rune) bool { return strings.ContainsRune("/{}._~-", c) }) {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return name
}

// textID returns the message id of the description.
func (r *Route) textID() string { return TextID(r.Method, r.Path) }

// TextID returns the message id of the description of the route with a method and a path. It is the beginning of the ids
// of its parameters and of the members of its answer.
func TextID(method, path string) string {
	return "route_" + method + "_" + strings.TrimRight(path, "/")
}

// answerOf returns the schema of the answers of a route.
func answerOf(r *Route) *jsonschema.Schema {
	if r.Answer == nil {
		return jsonschema.Any()
	}
	o := jsonschema.Object("")
	for _, p := range r.Answer {
		m := jsonschema.Member{Name: p.Name, Shape: p.shape(), Optional: !p.Required, About: r.textID() + "_answer_" + p.Name}
		o.Members = append(o.Members, m)
	}
	return o
}
