package calendar

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/call"
)

type principalKey struct{}

// WithPrincipal returns a context in which Do and the methods of a Kind read and write as a caller,
// also within a Transaction that is another's. A request that is served does not take its
// caller from there.
func WithPrincipal(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, &p)
}

// WithClient returns a context in which Do, the methods of a Kind and requests that are handed to
// the calendar in this process belong to the client of a request that came over the network:
//
//	event, err := c.Do(calendar.WithClient(r.Context(), r), http.MethodGet, path, query, nil)
//
// Wrong passwords of posts count for its address, found as Login says (TrustedProxies,
// ClientAddress), and it reads its own writes from the primary. A host that takes passwords from
// visitors passes it: without it nobody knows the address, and what visitors try counts
// for each post, so that a stranger can keep the others from trying that one. With it the methods
// of a Kind read from Options.Replicas what requests of the client would.
func WithClient(ctx context.Context, r *http.Request) context.Context { return auth.WithClient(ctx, r) }

type languageKey struct{}

// WithLanguage returns a context in which Do and the methods of a Kind read and write as at the root of
// a language, by its Tag in Options.Languages. Without it, and for any other tag, that is the first of
// them.
func WithLanguage(ctx context.Context, tag string) context.Context {
	return context.WithValue(ctx, languageKey{}, tag)
}

// Languages returns the languages of the calendar as they are served: each has a Mount, where Handler serves it.
func (c *Calendar) Languages() []Language {
	list := slices.Clone(c.options.Languages)
	for i := range list {
		list[i].Mount = c.own[i].prefix
	}
	return list
}

// Namespace returns Options.Namespace, or its default.
func (c *Calendar) Namespace() string { return c.options.Namespace }

// mountIn returns where the language of a context is served.
func (c *Calendar) mountIn(ctx context.Context) mount {
	tag, _ := ctx.Value(languageKey{}).(string)
	for _, m := range c.own {
		if m.root.Tag == tag {
			return m
		}
	}
	return c.own[0]
}

// root returns the root of the language of a context.
func (c *Calendar) root(ctx context.Context) *call.Root { return c.mountIn(ctx).root }

// principalIn returns what the last WithPrincipal of a context named, nil without one.
func principalIn(ctx context.Context) *Principal {
	p, _ := ctx.Value(principalKey{}).(*Principal)
	return p
}

// anonymousIn reports whether what a context reads is what anybody may.
func anonymousIn(ctx context.Context) bool {
	p := principalIn(ctx)
	return p == nil || p.Anonymous()
}

// Error is an answer of the API other than a success.
type Error struct {
	Status  int    // of HTTP
	Code    string // "rest-event-not-found", "rest_invalid_param": the OpenAPI document lists those of each operation (x-errors)
	Message string // in the language of the request

	// Data is more about it, as JSON: the member "data" of the answer.
	Data json.RawMessage

	// Params says what is wrong with parameters, by their names.
	Params map[string]string `json:"-"`

	// RetryAfter is when to ask again, 0 where the API says nothing of that.
	RetryAfter time.Duration `json:"-"`
}

// Error returns the message, with what is wrong with parameters.
func (e *Error) Error() string {
	text := fmt.Sprintf("calendar: %d %s: %s", e.Status, e.Code, e.Message)
	for _, name := range slices.Sorted(maps.Keys(e.Params)) {
		if e.Params[name] != e.Message { // which says that it is missing
			text += "; " + name + ": " + e.Params[name]
		}
	}
	return text
}

// recorder is the http.ResponseWriter of an answer that is read in the process.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
	most   int  // bytes of a body that are kept, 0 for all
	beyond bool // there were more, and none is kept
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) { w.status = status }

func (w *recorder) Write(p []byte) (int, error) {
	if w.beyond = w.beyond || w.most > 0 && w.body.Len()+len(p) > w.most; w.beyond {
		w.body = bytes.Buffer{}
		return len(p), nil
	}
	return w.body.Write(p)
}
