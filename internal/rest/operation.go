// Package rest is the engine for all resources: it matches a request to an operation, parses its parameters, runs the
// handler and turns its result or error into the response. It knows neither the resources nor the database.
package rest

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
)

// Route is an address with its operations, in the order of the index and the Allow header.
type Route struct {
	// Path is the address below the namespace, such as "/events/{id}". {id} matches digits, {slug} one segment that may
	// contain an encoded slash.
	Path       string
	Operations []*Operation
	// Digits are the variables of the path that match only digits. nil means {id} alone, as in all paths of the API.
	Digits   map[string]bool
	segments []string
}

// At returns the route of a path with its operations.
func At(path string, operations ...*Operation) *Route {
	for _, o := range operations {
		o.Answer = o.Answer.Shared()
	}
	return &Route{Path: path, Operations: operations}
}

// Methods returns all methods that the route answers.
func (r *Route) Methods() []string {
	methods := []string{http.MethodHead, http.MethodOptions}
	for _, o := range r.Operations {
		methods = append(methods, o.Methods...)
	}
	return methods
}

// Operation is what one or more methods do on a route.
type Operation struct {
	ID      string   // name of the operation in the documentation
	Methods []string // set by On
	Summary string   // message id
	Tag     string   // name of the resource, for the documentation
	About   string   // message id of the description of the tag
	Params  []*param.Param
	Handle  Handler
	// Permits reports whether a caller may use the operation at all, on any item; nil permits everybody. It is called
	// before the body is read and the parameters are validated (D52), and must not read anything.
	Permits func(caller.Principal) bool
	// Authorize reports whether the caller may use the operation on this request's target; nil permits everybody whom
	// Permits does. It is called before Handle, and for the Allow header of every answer of the route.
	Authorize func(context.Context, *Request) (bool, error)
	// keep names members that _fields never drops.
	keep []string
	// List marks a collection, whose answers change with every item.
	List bool
	// Host marks an operation of the host. What it reads is not known, so its answers are not cached, it cannot be part
	// of a batch, and only the primary answers it.
	Host bool
	// MaxBody is the maximum size of the body in bytes, 0 for that of the engine.
	MaxBody int64
	// Batch marks an operation whose body contains requests to others. It must be JSON.
	Batch bool
	// Sync marks the form of a list for clients that keep a copy, at a separate address. It is never cached or answered
	// by a replica.
	Sync bool

	Offered  *Format // besides JSON, nil for none: see Offer
	Only     *Format // of all successful answers, nil if there is a choice or JSON alone: see InFormat
	inFormat Handler // for the offered format, used instead of Handle

	// For the documentation:

	Unshown []string           // names of parameters that it does not describe, because what they request has a separate address
	Creates bool               // success is 201 with the new item's address
	Answer  *jsonschema.Schema // of a success
	Errors  []*apierror.Error  // besides those of every operation
}

// On sets the methods of the operation on a route and returns it.
func (o *Operation) On(methods ...string) *Operation {
	o.Methods = methods
	return o
}

// Operations are the operations of a resource. Routes give them paths.
type Operations struct {
	List, Create *Operation
	Sync         *Operation     // the list for clients that keep a copy
	Item         ItemOperations // on the item with the path's id
	BySlug       ItemOperations // on the item with the path's slug, if the resource has slugs
}

// ItemOperations are the operations on one item.
type ItemOperations struct{ Get, Delete, Update *Operation }

// Handler answers an operation: it writes the body to r.Out and returns the rest of the answer.
type Handler func(ctx context.Context, r *Request) (*Response, error)

// Response is an answer without its body. Status 0 means 200.
type Response struct {
	Status int
	Header []Header
	Page   *Page // the page that is the answer, nil for others
}

// Created returns the answer for a new item with its address.
func Created(address string) *Response {
	return &Response{Status: http.StatusCreated, Header: []Header{{Name: "Location", Value: address}}}
}

// Header is a response header of an answer. Its value is a string or an int64, which an envelope shows as a number.
type Header struct {
	Name  string
	Value any
}

// Request is a request for a handler.
type Request struct {
	call.Call
	HTTP *http.Request
	// Revision is set by handlers of single reads. It changes with the stored item, is the same in every view, and
	// becomes part of the ETag.
	Revision string
	// Unkept keeps the answer out of all caches: it has no validator.
	Unkept bool
	Out    *phpjson.Writer
	Text   Translator // the texts of the request's language
	Format *Format    // of the answer, one of the operation's; nil for JSON
	engine *Engine
	route  *Route
	key    string // of a batch: hash of its Idempotency-Key and the caller, "" without one

	fingerprint string      // see NotModified
	unchanged   func() bool // of the call
}

// Translator returns the text of a message id in one language. Plural forms are selected by Count in the data or,
// without it, by Max.
type Translator interface {
	Text(id string, data map[string]any) string
}

// newRequest returns the request of a client to a root.
func (e *Engine) newRequest(r *http.Request, root *call.Root) *Request {
	c := call.Call{Root: root, IfMatch: strings.Join(r.Header.Values("If-Match"), ",")}
	if e.TryPassword != nil {
		c.TryPassword = func(post int64, right bool) error { return e.TryPassword(r, post, right) }
	}
	return &Request{HTTP: r, Call: c}
}

// Engine returns the engine that serves the request.
func (r *Request) Engine() *Engine { return r.engine }

// Routes returns the routes of the engine that serves the request.
func (r *Request) Routes() []*Route { return r.engine.Routes }

type requestKey struct{}

// With returns a context with a request.
func With(ctx context.Context, r *Request) context.Context {
	return caller.With(context.WithValue(ctx, requestKey{}, r), &r.Call.Request)
}

// CallerContext returns the context with which the request of ctx arrived, without values of the engine and the
// handlers. Without a request it returns ctx.
func CallerContext(ctx context.Context) context.Context {
	if r, ok := ctx.Value(requestKey{}).(*Request); ok {
		return r.HTTP.Context()
	}
	return ctx
}

// find returns the route of a raw (still escaped) path and the values of its variables. Letter case and trailing
// slashes do not matter.
func (e *Engine) find(to Target) (*Route, *param.Map) {
	path := strings.TrimRight(to.Path, "/")
	if to.Above {
		if path == "" {
			return e.RootRoute, param.NewMap()
		}
		return nil, param.NewMap()
	}
	var segments []string
	if path != "" {
		if path[0] != '/' {
			return nil, nil
		}
		segments = strings.Split(path[1:], "/")
	}
	for _, r := range e.Routes {
		if vars, ok := r.match(segments); ok {
			return r, vars
		}
	}
	return nil, nil
}

func (r *Route) match(segments []string) (*param.Map, bool) {
	if !r.mayMatch(segments) {
		return nil, false
	}
	vars := param.NewMap()
	for i, want := range r.segments {
		name, got := Variable(want), segments[i]
		if name == "" {
			continue
		}
		if got == "" || r.Digits[name] && strings.Trim(got, "0123456789") != "" {
			return nil, false
		}
		vars.Set(name, got)
	}
	return vars, true
}

// Variable returns the name of a segment of a path that is a variable, and "" for other segments.
func Variable(segment string) string {
	if len(segment) > 2 && segment[0] == '{' && segment[len(segment)-1] == '}' {
		return segment[1 : len(segment)-1]
	}
	return ""
}

// mayMatch reports whether a path has the number of segments of the route, and its fixed ones.
func (r *Route) mayMatch(segments []string) bool {
	if len(segments) != len(r.segments) {
		return false
	}
	for i, want := range r.segments {
		if Variable(want) == "" && !strings.EqualFold(segments[i], want) {
			return false
		}
	}
	return true
}

// OfHost reports whether the route belongs to the host.
func (r *Route) OfHost() bool { return r.Operations[0].Host }

// OfHost reports whether a raw path below the namespace is that of a route of the host.
func (e *Engine) OfHost(path string) bool {
	r, _ := e.find(Target{Path: path})
	return r != nil && r.OfHost()
}

// operation returns the route's operation for a method; HEAD is a GET.
func (r *Route) operation(method string) *Operation {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for _, o := range r.Operations {
		if slices.Contains(o.Methods, method) {
			return o
		}
	}
	return nil
}

func (o *Operation) permits(p caller.Principal) bool { return o.Permits == nil || o.Permits(p) }

// Restricted reports whether some callers may not use the operation.
func (o *Operation) Restricted() bool { return o.Permits != nil || o.Authorize != nil }

// allow lists the methods that the caller may use here. A method is omitted if the check of its rights fails.
func (r *Request) allow(ctx context.Context) string {
	var methods []string
	for _, o := range r.route.Operations {
		if !o.permits(r.Principal) {
			continue
		}
		if o.Authorize != nil {
			if may, err := o.Authorize(ctx, r); err != nil || !may {
				continue
			}
		}
		methods = append(methods, o.Methods...)
	}
	return strings.Join(methods, ", ")
}
