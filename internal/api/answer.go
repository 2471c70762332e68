package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
)

// The answers if the connection was lost at the commit. A request with an Idempotency-Key
// can be repeated at once.
var (
	errUnknown       = apierror.New(http.StatusServiceUnavailable, "rest_outcome_unknown", "error_outcome_unknown")
	errUnknownOfOnce = apierror.New(http.StatusServiceUnavailable, errUnknown.Code, "error_outcome_unknown_key").
				After(1)
)

// Answer renders the answer of a write from what the write has read; it reads nothing
// itself. nil is the usual response.
type Answer func() *rest.Response

// Write runs fn, which changes rows and reads what the answer shows, in one
// transaction. fn may run more than once, each time from the beginning. Hooks are
// called and the answer is rendered after the commit: rendering may take long, and
// other writers wait until then. The answer to a request with an Idempotency-Key is
// rendered and kept before the commit; if the request was carried out before, the error
// is a *rest.Repeated, and nothing is written.
func (a *Adapter) Write(ctx context.Context, fn func(ctx context.Context) (Answer, error)) (*rest.Response, error) {
	var answer Answer
	var resp *rest.Response
	once := rest.OnceFrom(ctx)
	err := a.Service.Content.Write(ctx, func(ctx context.Context) (err error) {
		if once != nil {
			resp, err = a.once(ctx, once, fn)
		} else {
			answer, err = fn(ctx)
		}
		return err
	})
	if errors.Is(err, store.ErrOutcomeUnknown) {
		if once != nil {
			return nil, errUnknownOfOnce.Because(err)
		}
		return nil, errUnknown.Because(err)
	}
	if err != nil {
		return nil, err
	}
	if once != nil {
		return resp, nil
	}
	return answer(), nil
}

// WriteWithImages is Write for requests whose fields may give images as files and by address:
// see content.Service.WithImages.
func (a *Adapter) WriteWithImages(ctx context.Context, fields []*content.Fields,
	fn func(context.Context) (Answer, error)) (resp *rest.Response, err error) {
	err = a.Service.Content.WithImages(ctx, fields, func(ctx context.Context) (err error) {
		resp, err = a.Write(ctx, fn)
		return err
	})
	return resp, err
}
