package calendar

import (
	"context"
	"time"

	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
)

// Observation is what a request took.
type Observation struct {
	// Route is the path of the route below the namespace as the documentation has
	// it, such as "/events/{id}"; "/" for the index, "root" for the REST root, "" for
	// paths without a route.
	Route string

	// Method is the method that was run, after overrides: one of HTTP's usual ones,
	// "OTHER" for the rest.
	Method string

	// Language is the tag of the language of the answer's texts.
	Language string

	// Status is that of HTTP; 499 if the client went away.
	Status int

	// Duration is how long it took until the answer was written.
	Duration time.Duration

	// Bytes is the size of the body that was written.
	Bytes int64

	// Statements are those sent to the database for this request, BEGIN and COMMIT
	// among them; not the looks that requests share (see CacheStats).
	Statements int64

	// Cache is what the cache of answers did: "hit", "shared" if the answer was made
	// for another request that waited too, "miss", or "" for answers that it is not
	// for.
	Cache string

	// Caller is "anonymous", "user" for users of the site, "program" for callers that
	// a host gave capabilities, and "refused" if who calls could not be found out.
	Caller string

	// Err is why the Status is 500 or more, nil otherwise. It is for logs: it shows
	// internals.
	Err error
}

// observe has an engine report its requests.
func (h Hooks) observe(c *rest.Config) {
	if h.Observe == nil {
		return
	}
	c.CountStatements = store.CountStatements
	c.Observe = func(ctx context.Context, o rest.Observation) { h.Observe(ctx, Observation(o)) }
}
