package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
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

// Write is a write that is answered.
type Write struct {
	Work content.Work[item.Result]
	// Render writes the answer from what the write has read; it reads nothing itself. nil is the usual response.
	Render func(item.Result) *rest.Response
}

// Write makes a write and answers it. The answer is rendered after the commit: rendering may take long, and other writers wait until
// then. The answer to a request with an Idempotency-Key is rendered and kept before the commit; if the request was carried out
// before, the error is a *rest.Repeated, and nothing is written.
func (a *Adapter) Write(ctx context.Context, w Write) (*rest.Response, error) {
	if once := rest.OnceFrom(ctx); once != nil {
		resp, err := content.Run(ctx, a.Service.Content, content.Work[*rest.Response]{
			Images: w.Work.Images,
			Apply:  func(ctx context.Context) (*rest.Response, error) { return a.once(ctx, once, w) },
		})
		return resp, named(err, errUnknownOfOnce)
	}
	done, err := content.Run(ctx, a.Service.Content, w.Work)
	if err != nil {
		return nil, named(err, errUnknown)
	}
	return w.Render(done), nil
}

// Make makes a write of a host, which is not answered.
func (a *Adapter) Make(ctx context.Context, w content.Work[item.Result]) (item.Result, error) {
	done, err := content.Run(ctx, a.Service.Content, w)
	return done, named(err, errUnknown)
}

// named returns the error of a write: unknown where nobody knows whether it was made.
func named(err error, unknown *apierror.Error) error {
	if errors.Is(err, store.ErrOutcomeUnknown) {
		return unknown.Because(err)
	}
	return err
}
