package calendar

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/auth"
)

type principalKey struct{}

// WithPrincipal returns a context with which Do and the methods of a Kind read and write as a caller, even within the
// Transaction of another caller. Requests over HTTP ignore it.
func WithPrincipal(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, &p)
}

// WithClient returns a context with which Do, the methods of a Kind, and requests passed to the calendar in this
// process belong to the client that sent r over the network:
//
//	event, err := c.Do(calendar.WithClient(r.Context(), r), http.MethodGet, path, query, nil)
//
// Wrong passwords of protected posts are counted for the client's address, which is determined as Login describes
// (TrustedProxies, ClientAddress), and the client reads its own writes from the primary. Hosts that accept passwords
// from visitors should use it: without it wrong passwords are counted per post, so that one visitor can block a post's
// password for all others. With it, the methods of a Kind read from Options.Replicas under the same conditions as
// requests of the client.
func WithClient(ctx context.Context, r *http.Request) context.Context { return auth.WithClient(ctx, r) }

type languageKey struct{}

// WithLanguage returns a context with which Do and the methods of a Kind read and write as at the root of a language,
// given its Tag in Options.Languages. Without it, and for any other tag, they use the first language.
func WithLanguage(ctx context.Context, tag string) context.Context {
	return context.WithValue(ctx, languageKey{}, tag)
}

// Languages returns the languages of the calendar. The Mount of each is the path at which Handler serves it.
func (c *Calendar) Languages() []Language {
	list := slices.Clone(c.options.Languages)
	for i := range list {
		list[i].Mount = c.own.List[i].Prefix
	}
	return list
}

// Namespace returns Options.Namespace, or its default.
func (c *Calendar) Namespace() string { return c.options.Namespace }

// principalIn returns the caller of the innermost WithPrincipal of a context, or nil if there is none.
func principalIn(ctx context.Context) *Principal {
	p, _ := ctx.Value(principalKey{}).(*Principal)
	return p
}

// anonymousIn reports whether the caller of a context is anonymous.
func anonymousIn(ctx context.Context) bool {
	p := principalIn(ctx)
	return p == nil || p.Anonymous()
}

// Error is an answer of the API with an error status.
type Error struct {
	Status  int    // HTTP status
	Code    string // such as "rest_invalid_param"; the OpenAPI document lists those of each operation (x-errors)
	Message string // in the language of the request

	// Data is the member "data" of the answer, with details, as JSON.
	Data json.RawMessage

	// Params maps names of parameters to what is wrong with them.
	Params map[string]string `json:"-"`

	// RetryAfter is the time to wait before another attempt, or 0 if the API says nothing about it.
	RetryAfter time.Duration `json:"-"`
}

// Error returns the message, followed by what is wrong with parameters.
func (e *Error) Error() string {
	text := fmt.Sprintf("calendar: %d %s: %s", e.Status, e.Code, e.Message)
	for _, name := range slices.Sorted(maps.Keys(e.Params)) {
		if e.Params[name] != e.Message { // for missing parameters the two are equal
			text += "; " + name + ": " + e.Params[name]
		}
	}
	return text
}
