package rest

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/agendahq/agenda/internal/caller"
)

// Observation describes an answered request.
type Observation struct {
	Route      string // path of the route, RestRoot, or "" for none
	Method     string // after overrides; OtherMethod for one that no route has
	Language   string // tag
	Status     int
	Duration   time.Duration
	Bytes      int64 // of the body that was written
	Statements int64 // database statements of this request alone
	Cache      string
	Caller     string
	Err        error // of an answer with a status of 500 or more
}

// Outcomes of the cache; "" if the answer cannot be cached.
const (
	CacheHit    = "hit"
	CacheShared = "shared"
	CacheMiss   = "miss"
)

// Kinds of callers.
const (
	CallerAnonymous = "anonymous"
	CallerUser      = "user"
	CallerProgram   = "program"
	CallerRefused   = "refused"
)

// RestRoot is the Route of the root above the namespace.
const RestRoot = "root"

// OtherMethod replaces all methods that no route has, because callers can send any string.
const OtherMethod = "OTHER"

// observed is a request for which Engine.Observe is called.
type observed struct {
	began      time.Time
	statements *atomic.Int64
}

// observe begins an observation; it returns nil if Observe is not set.
func (e *Engine) observe(ctx context.Context) (context.Context, *observed) {
	if e.Observe == nil {
		return ctx, nil
	}
	o := &observed{began: time.Now(), statements: new(atomic.Int64)}
	return e.CountStatements(ctx, o.statements), o
}

// observation returns what the request shows of itself when it was answered.
func (c *request) observation(err error) Observation {
	return Observation{
		Method: c.method, Language: c.Language, Status: c.status, Bytes: c.written, Cache: c.cached,
		Caller: callerKind(c.Principal, c.loginFailed), Err: err,
	}
}

// finish passes the observation of an answered request to Observe, with the route of its path, nil for none. It recovers,
// so that a panic of Observe does not affect the request.
func (o *observed) finish(e *Engine, r *http.Request, asked *Route, seen Observation) {
	if o == nil || errors.Is(seen.Err, ErrUnanswered) {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			e.Logger.Error("panic in observation hook", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	seen.Duration, seen.Statements = time.Since(o.began), o.statements.Load()
	switch {
	case asked == nil:
	case asked == e.RootRoute:
		seen.Route = RestRoot
	default:
		seen.Route = cmp.Or(asked.Path, "/")
	}
	if !slices.Contains(usualMethods, seen.Method) {
		seen.Method = OtherMethod
	}
	e.Observe(r.Context(), seen)
}

var usualMethods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions,
}

func callerKind(p caller.Principal, loginFailed bool) string {
	switch {
	case loginFailed:
		return CallerRefused
	case p.Anonymous():
		return CallerAnonymous
	case p.UserID != 0:
		return CallerUser
	}
	return CallerProgram
}
