package calendar

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/agendahq/agenda/internal/auth"
)

type principalKey struct{}

// WithPrincipal returns a context in which Do, Event and Events read and write as a caller,
// also within a Transaction that is another's. A request that is served does not take its
// caller from there.
func WithPrincipal(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, &p)
}

// WithClient returns a context in which Do, Event, Events and requests that are handed to the
// calendar in this process belong to the client of a request that came over the network:
//
//	event, err := c.Do(calendar.WithClient(r.Context(), r), http.MethodGet, path, query, nil)
//
// Wrong passwords of posts count for its address, found as Login says (TrustedProxies,
// ClientAddress), and it reads its own writes from the primary. A host that takes passwords from
// visitors passes it: without it nobody knows the address, and what visitors try counts
// for each post, so that a stranger can keep the others from trying that one.
func WithClient(ctx context.Context, r *http.Request) context.Context { return auth.WithClient(ctx, r) }

// principalIn returns what the last WithPrincipal of a context named, nil without one.
func principalIn(ctx context.Context) *Principal {
	p, _ := ctx.Value(principalKey{}).(*Principal)
	return p
}

// Error is an answer of the API other than a success.
type Error struct {
	Status  int    // of HTTP
	Code    string // "event-not-found": see the documentation of the API
	Message string // in the language of the request

	// Data is more about it, as JSON: the member "data" of the answer.
	Data json.RawMessage

	// Params says what is wrong with parameters, by their names.
	Params map[string]string `json:"-"`
}

func (e *Error) Error() string {
	return fmt.Sprintf("calendar: %d %s: %s", e.Status, e.Code, e.Message)
}

// Event returns an event as the API answers it to the Principal in ctx, or to
// anonymous callers without one: in the language of the first of Options.Languages,
// within Limits.RequestTimeout. What the API refuses is an *Error.
func (c *Calendar) Event(ctx context.Context, id int64) (*Event, error) {
	event := &Event{}
	if err := c.read(ctx, "/events/"+strconv.FormatInt(id, 10), nil, event); err != nil {
		return nil, err
	}
	return event, nil
}

// Events returns a page of the list of events that the API answers to a query: its
// parameters are those of GET /events, such as "categories", "page" or
// Options.LanguageParam. Else it is as Event.
func (c *Calendar) Events(ctx context.Context, query url.Values) (*Page, error) {
	var list struct {
		Events     []Event `json:"events"`
		Total      int64   `json:"total"`
		TotalPages int64   `json:"total_pages"`
	}
	if err := c.read(ctx, "/events", query, &list); err != nil {
		return nil, err
	}
	return &Page{list.Events, list.Total, list.TotalPages}, nil
}

// read decodes the answer to a GET below the namespace.
func (c *Calendar) read(ctx context.Context, path string, query url.Values, into any) error {
	body, err := c.Do(ctx, http.MethodGet, path, query, nil)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("calendar: reading %s: %w", path, err)
	}
	return nil
}

// recorder is the http.ResponseWriter of an answer that is read in the process.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) { w.status = status }

func (w *recorder) Write(p []byte) (int, error) { return w.body.Write(p) }
