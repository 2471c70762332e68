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

// Errors for a connection that was lost during the commit, so that the outcome is unknown. With an Idempotency-Key, the
// client can safely repeat the request at once.
var (
	errUnknown       = apierror.New(http.StatusServiceUnavailable, "rest_outcome_unknown", "error_outcome_unknown")
	errUnknownOfOnce = apierror.New(http.StatusServiceUnavailable, errUnknown.Code, "error_outcome_unknown_key").
				After(1)
)

// Write is a write whose result is rendered for a response.
type Write struct {
	Work content.Work[item.Result]
	// Render renders the response from the result of the write; it must not read from the database. It returns nil for
	// the usual response.
	Render func(item.Result) *rest.Response
}

// Write executes a write and answers it. The response is rendered after the commit, because rendering may take long and
// would block other writers. A request with an Idempotency-Key is different: its response is rendered and stored before
// the commit. If that request was carried out earlier, nothing is written and the error is a *rest.Repeated.
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

// Make executes a write of a host, which needs no response.
func (a *Adapter) Make(ctx context.Context, w content.Work[item.Result]) (item.Result, error) {
	done, err := content.Run(ctx, a.Service.Content, w)
	return done, named(err, errUnknown)
}

// named returns the error of a write. If the commit is in doubt, it returns unknown.
func named(err error, unknown *apierror.Error) error {
	if errors.Is(err, store.ErrOutcomeUnknown) {
		return unknown.Because(err)
	}
	return err
}

// Doubt returns the error of a write, with or without an Idempotency-Key, whose commit is in doubt because of err. It
// returns nil if no commit is.
func Doubt(err error, keyed bool) error {
	switch {
	case !errors.Is(err, store.ErrOutcomeUnknown):
		return nil
	case keyed:
		return named(err, errUnknownOfOnce)
	}
	return named(err, errUnknown)
}
