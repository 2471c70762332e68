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
)

// Observation is what a request took.
type Observation struct {
	Route      string // path of the route, RestRoot, or "" for none
	Method     string // after overrides; OtherMethod for one that no route has
	Language   string // tag
	Status     int
	Duration   time.Duration
	Bytes      int64 // of the body that was written
	Statements int64 // sent to the database for this request alone
	Cache      string
	Caller     string
	Err        error // of an answer of 500 or more
}

// Outcomes of the cache, besides "" for answers that it is not for.
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

// OtherMethod is the Method of all methods that no route has: callers choose them freely.
const OtherMethod = "OTHER"

// observed is a request that Engine.Observe is called for.
type observed struct {
	began      time.Time
	statements *atomic.Int64
}

// observe begins an observation; nil if nobody asked for any.
func (e *Engine) observe(ctx context.Context) (context.Context, *observed) {
	if e.Observe == nil {
		return ctx, nil
	}
	o := &observed{began: time.Now(), statements: new(atomic.Int64)}
	return e.CountStatements(ctx, o.statements), o
}

// finish hands the observation of an answered call to Observe, whose panic is not the
// request's.
func (o *observed) finish(c *request, err error) {
	if o == nil || errors.Is(err, ErrUnanswered) {
		return
	}
	e := c.engine
	defer func() {
		if p := recover(); p != nil {
			e.Logger.Error("panic in observation hook", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	seen := Observation{
		Method: c.method, Language: c.Language, Status: c.status, Duration: time.Since(o.began), Bytes: c.written,
		Statements: o.statements.Load(), Cache: c.cached, Caller: c.callerKind(), Err: err,
	}
	switch {
	case c.asked == nil:
	case c.asked == e.RootRoute:
		seen.Route = RestRoot
	default:
		seen.Route = cmp.Or(c.asked.Path, "/")
	}
	if !slices.Contains(usualMethods, c.method) {
		seen.Method = OtherMethod
	}
	e.Observe(c.HTTP.Context(), seen)
}

var usualMethods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions,
}

func (c *request) callerKind() string {
	switch {
	case c.loginFailed:
		return CallerRefused
	case c.Principal.Anonymous():
		return CallerAnonymous
	case c.Principal.UserID != 0:
		return CallerUser
	}
	return CallerProgram
}
