package calendar

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
)

// Do executes a request in the process and returns the body of its answer. The caller is the Principal of
// WithPrincipal, or anonymous. path is relative to the namespace, such as "/events/12". A body other than nil is sent
// as JSON. Rights, validation, filtering of HTML, limits and hooks are the same as for a request over HTTP. WithClient
// sets the client's address, WithLanguage the language. If the API rejects the request, the error is an *Error. For
// events, venues, organizers, categories and tags there are methods with Go values: see Kinds.
func (c *Calendar) Do(ctx context.Context, method, path string, query url.Values, body any) (json.RawMessage, error) {
	w := &rest.Recorder{}
	if err := c.do(ctx, method, path, query, body, w); err != nil {
		return nil, err
	}
	return w.Body.Bytes(), nil
}

// do is Do, with a recorder for the answer.
func (c *Calendar) do(ctx context.Context, method, path string, query url.Values, body any, w *rest.Recorder) error {
	m := mountIn(ctx, c.own)
	target := &url.URL{Path: m.Prefix + "/" + c.options.Namespace + path, RawQuery: query.Encode()}
	var sent []byte
	if body != nil {
		var err error
		if sent, err = json.Marshal(body); err != nil {
			return fmt.Errorf("calendar: %w", err)
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, target.String(), bytes.NewReader(sent))
	if err != nil {
		return fmt.Errorf("calendar: %w", err)
	}
	r.RequestURI = target.String()
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if method != http.MethodGet && method != http.MethodHead && method != http.MethodOptions {
		defer c.replicas.writing(ctx)()
	}
	failure := c.engine.Serve(w, r, rest.Target{Root: m.Root, Path: path, Caller: c.principal})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case w.Status < http.StatusOK || w.Status >= http.StatusMultipleChoices:
		seconds, _ := strconv.ParseInt(w.Header().Get("Retry-After"), 10, 64)
		refused := refusal(w.Status, w.Body.Bytes(), seconds)
		if failure != nil {
			return fmt.Errorf("%w: %w", refused, failure)
		}
		return refused
	}
	return nil
}

// refusal returns the Error of an answer whose status is an error. retryAfter is in seconds.
func refusal(status int, body []byte, retryAfter int64) *Error {
	refused := &Error{}
	_ = json.Unmarshal(body, refused)
	refused.Status, refused.RetryAfter = status, time.Duration(retryAfter)*time.Second
	refused.Params = rest.ParamsIn(refused.Data, refused.Message)
	return refused
}

// prepared contains what was read for a context of one Calendar, so that it need not be read again.
type prepared struct {
	settings *site.Settings
	given    *Principal       // set by WithPrincipal; nil if not set
	caller   caller.Principal // the same caller, with the capabilities that the site stores
}

// preparedKey is the context key of a Calendar's prepared. It contains the Calendar, since others that are called with
// the same context have other settings and users.
type preparedKey struct{ of *Calendar }

// principal returns the caller of a context, with the capabilities that the site stores for it.
func (c *Calendar) principal(ctx context.Context) (caller.Principal, error) {
	given := principalIn(ctx)
	if known, ok := ctx.Value(preparedKey{c}).(*prepared); ok && known.given == given {
		return known.caller, nil
	}
	if given == nil {
		return caller.Principal{}, nil
	}
	return c.users.WithRights(ctx, caller.Principal(*given))
}

// Transaction runs fn in one transaction, as the Principal in ctx. What is written by Do or a Kind with the context of
// fn is stored together or not at all, and is visible to reads with this context. A request that is rejected stores
// nothing and does not end the transaction. An error of fn rolls back everything. Hooks are called after the commit.
//
// fn may be called more than once, each time from the beginning, if the transaction conflicts with others; it must keep
// nothing from an earlier call. It should end within a second, since all other writers of the site wait for it. A
// Transaction within another one is a savepoint of it, which can be rolled back alone.
//
// The context of fn belongs to this Calendar. Within fn, WithPrincipal returns a context with another caller, in the
// same transaction. What another Calendar does with such a context is not part of the transaction, and does not see its
// changes. Its writes fail at once if they would have to wait for the transaction to end: in the same tables, or in the
// same SQLite file.
func (c *Calendar) Transaction(ctx context.Context, fn func(ctx context.Context) error) error {
	// Requests within the transaction must not wait for memory that others hold, since those may wait for the transaction.
	ctx = budget.Counted(ctx)
	if c.env.Content.Store.Transactions.Writing(ctx) {
		return c.env.Content.WriteBatch(ctx, fn)
	}
	if c.engine.ReadOnly != nil {
		return &Error{Status: c.engine.ReadOnly.Status, Code: c.engine.ReadOnly.Code, Message: "the calendar is read-only"}
	}
	end, err := c.engine.Writes.Begin()
	if err != nil {
		return ErrClosed
	}
	defer end()
	defer c.replicas.writing(ctx)()
	ctx, err = c.prepare(ctx)
	if err != nil {
		return err
	}
	return c.env.Content.WriteBatch(ctx, fn)
}

// prepare returns a context with the settings of the site and the caller, for work in the process that is not a
// request. Nothing that is read with this context is cached, since the work may change it.
func (c *Calendar) prepare(ctx context.Context) (context.Context, error) {
	root := mountIn(ctx, c.own).Root
	ctx, _, err := c.engine.Prepare(ctx, root, 0)
	if err != nil {
		return ctx, fmt.Errorf("calendar: %w", err)
	}
	p, err := c.principal(ctx)
	if err != nil {
		return ctx, fmt.Errorf("calendar: %w", err)
	}
	known := &prepared{settings: site.From(ctx), given: principalIn(ctx), caller: p}
	ctx = context.WithValue(change.With(ctx, nil), preparedKey{c}, known)
	return caller.With(ctx, &caller.Request{Principal: p, Language: root.Tag}), nil
}

// prepareRequest implements the engine's Prepare, within a Transaction and outside.
func (c *Calendar) prepareRequest(ctx context.Context, _ *call.Root, maxStale time.Duration) (context.Context, bool, error) {
	if known, ok := ctx.Value(preparedKey{c}).(*prepared); ok && c.env.Content.Store.Transactions.Writing(ctx) { // within Transaction
		return site.With(change.With(ctx, nil), known.settings), true, nil
	}
	return c.state.Prepare(ctx, c.tracker.Recent(ctx, maxStale))
}
