package calendar

import (
	"context"
	"time"

	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store/stmtcount"
)

// Observation describes a request that was answered.
type Observation struct {
	// Route is the path of the route below the namespace as in the documentation, such as "/events/{id}". It is "/" for
	// the index, "root" for the REST root, and "" for paths without a route.
	Route string

	// Method is the HTTP method that was executed, after overrides, or "OTHER" for an uncommon one.
	Method string

	// Language is the tag of the language of the answer's texts.
	Language string

	// Status is the HTTP status; 499 if the client closed the connection.
	Status int

	// Duration is the time until the answer was written.
	Duration time.Duration

	// Bytes is the size of the body that was written.
	Bytes int64

	// Statements is the number of statements that were sent to the database for this request, including BEGIN and
	// COMMIT, without the polls that requests share (see CacheStats).
	Statements int64

	// Cache is the result of the cache of answers: "hit", "shared" if the answer was created for a simultaneous
	// request, "miss", or "" for answers that are not cached.
	Cache string

	// Caller is "anonymous", "user" for users of the site, "program" for callers with capabilities from the host, and
	// "refused" if the caller could not be determined.
	Caller string

	// Err is the reason for a Status of 500 or more, and nil otherwise. It is for logs: it contains internal details.
	Err error
}

// observe makes an engine report its requests to the hook.
func (h Hooks) observe(c *rest.Config) {
	if h.Observe == nil {
		return
	}
	c.CountStatements = stmtcount.Context
	c.Observe = func(ctx context.Context, o rest.Observation) { h.Observe(ctx, Observation(o)) }
}
