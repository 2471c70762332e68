package calendar

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/media"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/webhook"
	"github.com/agendahq/agenda/schema"
)

// How messages are sent.
const (
	webhookTimeout = 20 * time.Second // of a try
	webhookLease   = time.Minute      // after which a try is taken for one that a process did not live to end
	webhookEvery   = time.Second      // how often what is due is looked for
	webhookAgain   = 5 * time.Second  // after an error, and where there is nothing to do
	webhookTries   = 64               // at once, to different webhooks: addresses that hang delay no other
	webhookItem    = 256 << 10        // bytes of the largest item in a message
)

// gone is why a webhook is disabled whose address answered so.
const gone = "gone"

// webhookRunner sends what waits for a site's webhooks.
type webhookRunner struct {
	calendar *Calendar
	again    time.Duration
	cancel   context.CancelFunc
	ended    sync.WaitGroup
	woken    chan struct{}
	tries    chan struct{} // as many as run at once

	mu   sync.Mutex
	busy map[int64]bool // webhooks that something is being sent to
}

// sendWebhooks begins to send messages, if the options say so.
func (c *Calendar) sendWebhooks() {
	if !c.options.Webhooks.Send || c.ReadOnly() {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	w := &webhookRunner{calendar: c, again: webhookAgain, cancel: cancel, woken: make(chan struct{}, 1), busy: map[int64]bool{},
		tries: make(chan struct{}, webhookTries)}
	c.webhooks = w
	w.ended.Go(func() { w.tell(ctx) })
	w.ended.Go(func() { w.send(ctx) })
}

// close ends sending. Tries that have begun are waited for, as long as ctx lasts.
func (w *webhookRunner) close(ctx context.Context) {
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

// wake has what is due looked for now.
func (w *webhookRunner) wake() {
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

// send sends what is due, to each webhook one message after the other.
func (w *webhookRunner) send(ctx context.Context) {
	w.repeat(ctx, "messages to webhooks are not sent", func(ctx context.Context, j *store.Journal) error {
		ctx, cancel := context.WithCancel(ctx)
		var sending sync.WaitGroup
		defer sending.Wait() // before the journal is closed
		defer cancel()       // so that no other waits until all is sent that waits for one
		hooks := j.Webhooks()
		for ctx.Err() == nil {
			due, err := hooks.Due(ctx)
			if err != nil {
				return err
			}
			for _, id := range due {
				if w.begin(id) {
					sending.Go(func() {
						defer w.end(id)
						w.sendTo(ctx, hooks, id)
					})
				}
			}
			after(ctx, webhookEvery, w.woken)
		}
		return nil
	})
}

func (w *webhookRunner) begin(id int64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.busy[id] {
		return false
	}
	w.busy[id] = true
	return true
}

func (w *webhookRunner) end(id int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.busy, id)
}

// sendTo sends a webhook what is due, until a try fails.
func (w *webhookRunner) sendTo(ctx context.Context, hooks *store.Webhooks, id int64) {
	for ctx.Err() == nil {
		select {
		case w.tries <- struct{}{}: // before the lease of a message begins
		case <-ctx.Done():
			return
		}
		taken, err := w.sendNext(ctx, hooks, id)
		<-w.tries
		if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrNoWebhook) {
			w.calendar.options.Logger.WarnContext(ctx, "a message to a webhook could not be handled", "webhook", id, "error", err)
		}
		if !taken || err != nil {
			return
		}
	}
}

// sendNext sends a webhook the next message that is due. It reports whether there was one and it was taken.
func (w *webhookRunner) sendNext(ctx context.Context, hooks *store.Webhooks, id int64) (taken bool, err error) {
	row, err := hooks.Get(ctx, id)
	if err != nil {
		return false, err
	}
	d, err := hooks.Claim(ctx, id, webhookLease.Milliseconds())
	if err != nil || d == nil {
		return false, err
	}
	return w.try(context.WithoutCancel(ctx), hooks, row, d)
}

// try sends a message that was claimed, and stores what became of it. It reports whether it was taken.
func (w *webhookRunner) try(ctx context.Context, hooks *store.Webhooks, row *schema.Webhook, d *schema.Delivery) (bool, error) {
	claim := w.calendar.options.Limits.Answers.pool.Claim(ctx, -1) // of the body, until it was sent
	defer claim.Release()
	body, err := w.calendar.message(ctx, claim, row, d)
	if err != nil {
		return false, errors.Join(err, w.failed(ctx, hooks, row, d, 0, nil, err))
	}
	status, header, err := w.calendar.post(ctx, row, d.ID, body)
	if problemOf(status, err) == "" {
		now, err := hooks.Now(ctx)
		return true, errors.Join(err, hooks.Done(ctx, d), hooks.Succeeded(ctx, row.ID, now))
	}
	return false, w.failed(ctx, hooks, row, d, status, header, err)
}

// failed gives back a message that was not taken, to be tried again later.
func (w *webhookRunner) failed(ctx context.Context, hooks *store.Webhooks, row *schema.Webhook, d *schema.Delivery, status int,
	header http.Header, cause error) error {
	now, err := hooks.Now(ctx)
	if err != nil {
		return err // it is tried again when the lease has ended
	}
	problem, log := problemOf(status, cause), w.calendar.options.Logger
	due := int64(schema.DeliveryNever)
	if status == http.StatusGone {
		log.ErrorContext(ctx, "a webhook is disabled: its address is gone", "webhook", row.ID)
		due = now
		err = hooks.Disable(ctx, row.ID, gone)
	} else if wait, again := webhook.Delay(d.Tries, header.Get("Retry-After"), time.UnixMilli(now)); again {
		log.WarnContext(ctx, "a message to a webhook was not taken yet", "webhook", row.ID, "message", d.ID, "try", d.Tries,
			"problem", problem)
		due = now + wait.Milliseconds()
	} else {
		log.ErrorContext(ctx, "a message to a webhook failed for good", "webhook", row.ID, "message", d.ID, "problem", problem)
	}
	return errors.Join(err, hooks.Later(ctx, d, due, problem), hooks.Failed(ctx, row.ID, now, problem))
}

// problemOf says why a message was not taken, "" if it was. What a network says of an address is not repeated: it may name hosts
// that nobody is to know.
func problemOf(status int, err error) string {
	var refused *Error
	switch {
	case err == nil && status/100 == 2:
		return ""
	case errors.As(err, &refused) && refused.Params["address"] != "":
		return refused.Params["address"]
	case err != nil:
		if known, ok := errors.AsType[*media.Error](err); ok {
			return addressReasons[known.Reason]
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

// post sends a message, signed by the webhook's secret, and for a day by the one before.
func (c *Calendar) post(ctx context.Context, row *schema.Webhook, id string, body []byte) (int, http.Header, error) {
	if c.ourselves(row.Address) {
		return 0, nil, refusedAddress("the address is that of this calendar")
	}
	at := time.Now()
	key, err := webhook.Secret(row.Secret)
	if err != nil {
		return 0, nil, err
	}
	keys := [][]byte{key}
	if old, err := webhook.Secret(row.OldSecret); err == nil && at.UnixMilli() < row.OldUntil {
		keys = append(keys, old)
	}
	signature, moment := webhook.Sign(id, at, body, keys...)
	header := http.Header{"Content-Type": {"application/json"}}
	for name, value := range map[string]string{
		webhook.HeaderID: id, webhook.HeaderTimestamp: moment, webhook.HeaderSignature: signature,
	} {
		header.Set(name, value)
	}
	return c.poster().Post(ctx, row.Address, header, body)
}

// message is what is sent.
type message struct {
	Type      string      `json:"type"`
	Timestamp string      `json:"timestamp"` // of the change
	Data      messageData `json:"data"`
}

type messageData struct {
	Kind      string          `json:"kind,omitempty"`
	ID        int64           `json:"id,omitempty"`
	Operation string          `json:"operation,omitempty"`
	Address   string          `json:"address,omitempty"` // in the API
	Position  int64           `json:"position"`          // of the journal
	Item      json.RawMessage `json:"item,omitempty"`    // as everybody may read it, null if nobody may
	Omitted   bool            `json:"item_omitted,omitempty"`
}

// publicItem adds the item of a path as everybody may read it. One that is too large is left out: a receiver finds it at its address.
func (c *Calendar) publicItem(ctx context.Context, m *messageData, path string) error {
	w := &recorder{header: http.Header{}, most: webhookItem}
	err := c.do(rest.Uncached(WithPrincipal(ctx, Principal{})), http.MethodGet, path, nil, nil, w)
	var refused *Error
	switch {
	case errors.As(err, &refused) && refused.Status == http.StatusRequestEntityTooLarge, err == nil && w.beyond:
		m.Omitted = true
	case err == nil:
		m.Item = w.body.Bytes()
	case refused != nil && refused.Status < http.StatusInternalServerError: // it was hidden or deleted since
		m.Item = json.RawMessage("null")
	default:
		return err
	}
	return nil
}

// message returns the body of a message, whose bytes are claimed.
func (c *Calendar) message(ctx context.Context, claim *budget.Claim, row *schema.Webhook, d *schema.Delivery) ([]byte, error) {
	m := message{Type: d.Type, Timestamp: time.UnixMilli(d.Moment).UTC().Format(time.RFC3339Nano), Data: messageData{Position: d.Sequence}}
	if d.Kind == "" {
		return json.Marshal(m)
	}
	path := fmt.Sprintf("/%s/%d", d.Kind, d.ObjectID)
	m.Data.Kind, m.Data.ID, m.Data.Operation = d.Kind, d.ObjectID, d.Operation
	m.Data.Address = c.own[0].root.URL + path
	if row.Items && d.Operation != store.ToldDelete {
		if err := c.publicItem(ctx, &m.Data, path); err != nil {
			return nil, err
		}
	}
	const copies = 3 // the item, the body, and what encodes it
	if err := claim.Take(copies * int64(len(m.Data.Item))); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(m)
	return bytes.TrimRight(out.Bytes(), "\n"), err
}

// sendTest sends a message that says nothing.
func (c *Calendar) sendTest(ctx context.Context, j *store.Journal, row *schema.Webhook) (int, http.Header, error) {
	head, err := j.Head(ctx)
	if err != nil {
		return 0, nil, err
	}
	body, err := c.message(ctx, nil, row, &schema.Delivery{Type: "webhook.test", Sequence: head.Sequence, Moment: time.Now().UnixMilli()})
	if err != nil {
		return 0, nil, err
	}
	return c.post(ctx, row, webhook.NewID(), body)
}
