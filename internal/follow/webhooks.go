package follow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/media"
	"github.com/agendahq/agenda/internal/store/followstore"
	"github.com/agendahq/agenda/internal/webhook"
	"github.com/agendahq/agenda/schema"
)

// rotation is how long messages are also signed with the previous secret after Rotate.
const rotation = 24 * time.Hour

// Webhooks manages the webhooks of a site, which are stored in its journal.
type Webhooks struct{ Messages *Messages }

// Refused is the error for a value of a webhook that is rejected.
type Refused struct {
	Param, Reason string
	Network       bool // because of the network or the port to which the address leads
}

// Error returns the reason.
func (r *Refused) Error() string { return "follow: " + r.Param + ": " + r.Reason }

// withStored calls fn with the webhooks in the site's journal.
func (w Webhooks) withStored(ctx context.Context, fn func(*followstore.Webhooks, *followstore.Journal) error) (err error) {
	j, err := followstore.OpenJournal(ctx, w.Messages.Store)
	if err != nil {
		return fmt.Errorf("calendar: webhooks: %w", err)
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	return fn(j.Webhooks(), j)
}

// Add adds a webhook for changes of kinds, and generates its secret. The error is a *Refused for an address to which
// nothing may be sent or that answers with a redirect, and for an unknown kind.
func (w Webhooks) Add(ctx context.Context, row *schema.Webhook, kinds []string) error {
	for _, kind := range kinds {
		if !slices.ContainsFunc(w.Messages.Kinds, func(k MessageKind) bool { return k.Collection == kind }) {
			return &Refused{Param: "kinds", Reason: "there is no kind with this name"}
		}
	}
	if err := w.checkAddress(ctx, row.Address); err != nil {
		return err
	}
	row.Kinds, row.Secret = strings.Join(kinds, ","), webhook.NewSecret()
	return w.withStored(ctx, func(hooks *followstore.Webhooks, j *followstore.Journal) error {
		// Other answers than redirects, and errors, are ignored: the receiver may not be ready yet.
		if status, err := w.Messages.Test(ctx, j, row); err == nil && status/100 == 3 {
			return &Refused{Param: "address", Reason: "the address redirects: use the address that it leads to"}
		}
		return hooks.Add(ctx, row)
	})
}

// checkAddress rejects an address to which nothing may be sent.
func (w Webhooks) checkAddress(ctx context.Context, address string) error {
	err := w.Messages.Check(ctx, address)
	if errors.Is(err, ErrOwnAddress) {
		return &Refused{Param: "address", Reason: err.Error()}
	}
	if refused, ok := errors.AsType[*media.Error](err); ok {
		return &Refused{Param: "address", Reason: w.Messages.Explain(refused), Network: refused.OfNetwork()}
	}
	return err
}

// All returns the webhooks, and how many messages wait for each, by its id.
func (w Webhooks) All(ctx context.Context) (rows []*schema.Webhook, counts map[int64]followstore.Counts, err error) {
	err = w.withStored(ctx, func(hooks *followstore.Webhooks, _ *followstore.Journal) (err error) {
		if rows, err = hooks.All(ctx); err == nil {
			counts, err = hooks.Waiting(ctx)
		}
		return err
	})
	return rows, counts, err
}

// Remove removes a webhook and its waiting messages.
func (w Webhooks) Remove(ctx context.Context, id int64) error {
	return w.withStored(ctx, func(hooks *followstore.Webhooks, _ *followstore.Journal) error { return hooks.Remove(ctx, id) })
}

// Rotate generates a new secret for a webhook and returns it. For a day, messages are also signed with the previous one.
func (w Webhooks) Rotate(ctx context.Context, id int64) (secret string, err error) {
	secret = webhook.NewSecret()
	return secret, w.withStored(ctx, func(hooks *followstore.Webhooks, _ *followstore.Journal) error {
		now, err := hooks.Now(ctx)
		if err != nil {
			return err
		}
		return hooks.Rotate(ctx, id, secret, now+rotation.Milliseconds())
	})
}

// Test sends a test message to a webhook at once, and returns why it was not accepted, or "".
func (w Webhooks) Test(ctx context.Context, id int64) (problem string, err error) {
	err = w.withStored(ctx, func(hooks *followstore.Webhooks, j *followstore.Journal) error {
		row, err := hooks.Get(ctx, id)
		if err == nil {
			problem = Problem(w.Messages.Test(ctx, j, row))
		}
		return err
	})
	return problem, err
}

// Replay enables a webhook, and tries all waiting messages again at once. If after is greater than 0, the changes after
// this position of the journal are sent again. It returns the number of waiting messages.
func (w Webhooks) Replay(ctx context.Context, id, after int64) (waiting int64, err error) {
	err = w.withStored(ctx, func(hooks *followstore.Webhooks, j *followstore.Journal) error {
		row, err := hooks.Get(ctx, id)
		if err == nil && after > 0 {
			err = w.Messages.Replay(ctx, hooks, j, row, after)
		}
		if err == nil {
			waiting, err = hooks.Enable(ctx, id)
		}
		return err
	})
	return waiting, err
}
