package follow

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/media"
	"github.com/agendahq/agenda/internal/store/followstore"
	"github.com/agendahq/agenda/internal/webhook"
	"github.com/agendahq/agenda/schema"
)

// Parameters of sending.
const (
	deliveryLease = time.Minute     // after this time an attempt counts as abandoned by a process that ended during it
	deliveryPoll  = time.Second     // how often messages that are due are looked for
	deliveryRetry = 5 * time.Second // after an error, and when there is nothing to do
	mostTries     = 64              // attempts at the same time, to different webhooks: addresses that hang delay no others
)

// gone is the reason for which a webhook is disabled whose address answered with status 410.
const gone = "gone"

// Sender turns changes of a site into messages to its webhooks and sends them, from Start to Close.
type Sender struct {
	messages *Messages
	cancel   context.CancelFunc
	ended    sync.WaitGroup
	woken    chan struct{}
	tries    chan struct{} // its capacity is the number of simultaneous attempts
	busy     sync.Map      // the ids of webhooks to which something is being sent
}

// Start begins to send messages.
func Start(m *Messages) *Sender {
	ctx, cancel := context.WithCancel(context.Background())
	w := &Sender{messages: m, cancel: cancel, woken: make(chan struct{}, 1), tries: make(chan struct{}, mostTries)}
	w.ended.Go(func() { w.queue(ctx) })
	w.ended.Go(func() { w.send(ctx) })
	return w
}

// Close ends sending. It waits for attempts in progress until ctx ends. A nil Sender does nothing.
func (w *Sender) Close(ctx context.Context) {
	if w == nil {
		return
	}
	w.cancel()
	ended := make(chan struct{})
	go func() {
		w.ended.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}

// wake makes the sender look for messages that are due now.
func (w *Sender) wake() {
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

// send sends the messages that are due, to each webhook one after the other.
func (w *Sender) send(ctx context.Context) {
	w.repeat(ctx, "messages to webhooks are not sent", func(ctx context.Context, j *followstore.Journal) error {
		ctx, cancel := context.WithCancel(ctx)
		var sending sync.WaitGroup
		defer sending.Wait() // before the journal is closed
		defer cancel()       // so that a webhook whose sender waits for another one does not have to wait until everything is sent
		hooks := j.Webhooks()
		for ctx.Err() == nil {
			due, err := hooks.Due(ctx)
			if err != nil {
				return err
			}
			for _, id := range due {
				if _, busy := w.busy.LoadOrStore(id, true); !busy {
					sending.Go(func() {
						defer w.busy.Delete(id)
						w.sendTo(ctx, hooks, id)
					})
				}
			}
			waitFor(ctx, deliveryPoll, w.woken)
		}
		return nil
	})
}

// sendTo sends a webhook the messages that are due, until an attempt fails.
func (w *Sender) sendTo(ctx context.Context, hooks *followstore.Webhooks, id int64) {
	for ctx.Err() == nil {
		select {
		case w.tries <- struct{}{}: // before the lease of a message begins
		case <-ctx.Done():
			return
		}
		taken, err := w.sendNext(ctx, hooks, id)
		<-w.tries
		if err != nil && ctx.Err() == nil && !errors.Is(err, followstore.ErrNoWebhook) {
			w.messages.Logger.WarnContext(ctx, "webhook message could not be processed", "webhook", id, "error", err)
		}
		if !taken || err != nil {
			return
		}
	}
}

// sendNext sends a webhook the next message that is due. It reports whether there was one and it was accepted.
func (w *Sender) sendNext(ctx context.Context, hooks *followstore.Webhooks, id int64) (taken bool, err error) {
	row, err := hooks.Get(ctx, id)
	if err != nil {
		return false, err
	}
	d, err := hooks.Claim(ctx, id, deliveryLease.Milliseconds())
	if err != nil || d == nil {
		return false, err
	}
	return w.try(context.WithoutCancel(ctx), hooks, row, d)
}

// try sends a message that was claimed and stores the outcome. It reports whether the message was accepted.
func (w *Sender) try(ctx context.Context, hooks *followstore.Webhooks, row *schema.Webhook, d *schema.Delivery) (bool, error) {
	claim := w.messages.Memory.Claim(ctx, -1) // for the body, until it is sent
	defer claim.Release()
	body, err := w.messages.body(ctx, claim, row, d)
	if err != nil {
		return false, errors.Join(err, w.failed(ctx, hooks, row, d, 0, nil, err))
	}
	status, header, err := w.messages.post(ctx, row, d.ID, body)
	if Problem(status, err) == "" {
		now, err := hooks.Now(ctx)
		return true, errors.Join(err, hooks.Done(ctx, d), hooks.Succeeded(ctx, row.ID, now))
	}
	return false, w.failed(ctx, hooks, row, d, status, header, err)
}

// failed releases a message that was not accepted, to be tried again later.
func (w *Sender) failed(ctx context.Context, hooks *followstore.Webhooks, row *schema.Webhook, d *schema.Delivery, status int,
	header http.Header, cause error) error {
	now, err := hooks.Now(ctx)
	if err != nil {
		return err // it is tried again when the lease has expired
	}
	problem, log := Problem(status, cause), w.messages.Logger
	due := int64(schema.DeliveryNever)
	if status == http.StatusGone {
		log.ErrorContext(ctx, "webhook disabled: its address is gone", "webhook", row.ID)
		due = now
		err = hooks.Disable(ctx, row.ID, gone)
	} else if wait, again := webhook.Delay(d.Tries, header.Get("Retry-After"), time.UnixMilli(now)); again {
		log.WarnContext(ctx, "webhook message not accepted yet", "webhook", row.ID, "message", d.ID, "try", d.Tries,
			"problem", problem)
		due = now + wait.Milliseconds()
	} else {
		log.ErrorContext(ctx, "webhook message failed for good", "webhook", row.ID, "message", d.ID, "problem", problem)
	}
	return errors.Join(err, hooks.Later(ctx, d, due, problem), hooks.Failed(ctx, row.ID, now, problem))
}

// Problem says why a message was not accepted, "" if it was. Network errors about an address are not repeated, because
// they may contain hosts that must stay confidential.
func Problem(status int, err error) string {
	switch {
	case err == nil && status/100 == 2:
		return ""
	case errors.Is(err, ErrOwnAddress):
		return ErrOwnAddress.Error()
	case err != nil:
		if known, ok := errors.AsType[*media.Error](err); ok {
			return AddressReasons[known.Reason]
		}
		if errors.Is(err, context.DeadlineExceeded) {
			return "no answer in time"
		}
		return "no answer"
	case status/100 == 3:
		return "answered " + strconv.Itoa(status) + ", a redirect, which is not followed"
	}
	return "answered " + strconv.Itoa(status)
}
