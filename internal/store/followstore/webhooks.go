package followstore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/schema"
)

// Webhooks are the addresses that are notified of the journal's changes, and the messages that wait for them. No
// transaction stays open while another server is contacted.
type Webhooks struct{ journal *Journal }

// Errors of Webhooks.
var (
	ErrNoWebhook    = errors.New("there is no such webhook")
	ErrManyWebhooks = errors.New("there are 100 webhooks, which is the maximum: remove one first")
)

// maxWebhooks is the maximum number of webhooks, for each of which every change is written.
const maxWebhooks = 100

// FollowerOfWebhooks is the name of the follower that turns changes into messages.
const FollowerOfWebhooks = "webhooks"

// Webhooks returns the addresses that are notified of the journal's changes.
func (j *Journal) Webhooks() *Webhooks { return &Webhooks{j} }

func (w *Webhooks) db() *bun.DB { return w.journal.own.DB }

// Now returns the time of the database, in milliseconds since 1970, by which messages are due.
func (w *Webhooks) Now(ctx context.Context) (int64, error) { return w.journal.clock(ctx, w.db()) }

// All returns all webhooks sorted by id.
func (w *Webhooks) All(ctx context.Context) (list []*schema.Webhook, err error) {
	err = w.db().NewSelect().Model(&list).Order("id").Scan(ctx)
	return list, err
}

// Get returns a webhook.
func (w *Webhooks) Get(ctx context.Context, id int64) (*schema.Webhook, error) {
	var one schema.Webhook
	err := w.db().NewSelect().Model(&one).Where("id = ?", id).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNoWebhook
	}
	return &one, err
}

// Add adds a webhook. It is notified of all changes after the newest one.
func (w *Webhooks) Add(ctx context.Context, one *schema.Webhook) error {
	return w.journal.locked(ctx, func(ctx context.Context, tx bun.Tx, rows map[string]*schema.JournalRow) (err error) {
		n, err := tx.NewSelect().Model((*schema.Webhook)(nil)).Count(ctx)
		switch {
		case err != nil:
			return err
		case n >= maxWebhooks:
			return ErrManyWebhooks
		}
		head := rows[schema.JournalHead]
		follower := &schema.JournalRow{Name: FollowerOfWebhooks, Incarnation: head.Incarnation, Sequence: head.Sequence, Mark: head.Mark,
			Progress: fmt.Sprintf("%s %d", head.Incarnation, head.Sequence)}
		_, err = tx.NewInsert().Model(follower).Ignore().Exec(ctx) // the follower is created with the first webhook
		if err == nil && n == 0 {                                  // a follower left by webhooks that were removed is reset
			_, err = tx.NewUpdate().Model(follower).Column("incarnation", "sequence", "mark", "progress").WherePK().Exec(ctx)
		}
		if err != nil {
			return err
		}
		if one.Created, err = w.journal.clock(ctx, tx); err != nil {
			return err
		}
		one.ID = 0
		_, err = tx.NewInsert().Model(one).Exec(ctx)
		return err
	})
}

// Remove removes a webhook and the messages that wait for it.
func (w *Webhooks) Remove(ctx context.Context, id int64) error {
	return w.journal.inTx(ctx, func(ctx context.Context, tx bun.Tx) error {
		result, err := tx.NewDelete().Model((*schema.Webhook)(nil)).Where("id = ?", id).Exec(ctx)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, ErrNoWebhook)
		}
		return store.DeleteAll(ctx, tx, func(q *bun.DeleteQuery) *bun.DeleteQuery {
			return q.Model((*schema.Delivery)(nil)).Where("webhook_id = ?", id)
		})
	})
}

// Rotate sets a new secret of a webhook. Messages are also signed with the previous one, until a time.
func (w *Webhooks) Rotate(ctx context.Context, id int64, secret string, until int64) error {
	one, err := w.Get(ctx, id)
	if err != nil {
		return err
	}
	return w.change(ctx, id, func(q *bun.UpdateQuery) *bun.UpdateQuery {
		return q.Set("old_secret = ?", one.Secret).Set("old_until = ?", until).Set("secret = ?", secret).Where("secret = ?", one.Secret)
	})
}

// Disable stops sending to a webhook, for a reason. Its messages wait until Enable.
func (w *Webhooks) Disable(ctx context.Context, id int64, reason string) error {
	return w.change(ctx, id, func(q *bun.UpdateQuery) *bun.UpdateQuery { return q.Set("disabled = ?", reason) })
}

// Enable makes all messages that wait for a webhook due now, including those that have failed permanently.
func (w *Webhooks) Enable(ctx context.Context, id int64) (waiting int64, err error) {
	if _, err := w.Get(ctx, id); err != nil {
		return 0, err
	}
	now, err := w.Now(ctx)
	if err != nil {
		return 0, err
	}
	err = w.change(ctx, id, func(q *bun.UpdateQuery) *bun.UpdateQuery { return q.Set("disabled = ''") })
	if err == nil {
		err = store.UpdateAll(ctx, w.db(), func(q *bun.UpdateQuery) *bun.UpdateQuery {
			return q.Model((*schema.Delivery)(nil)).Set("tries = 1").
				Where("webhook_id = ?", id).Where("tries > 1").Where("held_until < ?", now)
		})
	}
	if err == nil {
		err = store.UpdateAll(ctx, w.db(), func(q *bun.UpdateQuery) *bun.UpdateQuery {
			return q.Model((*schema.Delivery)(nil)).Set("due = ?", now).
				Where("webhook_id = ?", id).Where("due <> ?", now).Where("held_until < ?", now)
		})
	}
	if err != nil {
		return 0, err
	}
	counts, err := w.Waiting(ctx)
	return counts[id].All, err
}

// Succeeded records that a webhook accepted a message.
func (w *Webhooks) Succeeded(ctx context.Context, id, now int64) error {
	return w.change(ctx, id, func(q *bun.UpdateQuery) *bun.UpdateQuery { return q.Set("succeeded = ?", now) })
}

// Failed records that it did not, and why.
func (w *Webhooks) Failed(ctx context.Context, id, now int64, problem string) error {
	return w.change(ctx, id, func(q *bun.UpdateQuery) *bun.UpdateQuery {
		return q.Set("failed = ?", now).Set("problem = ?", clipped(problem))
	})
}

func (w *Webhooks) change(ctx context.Context, id int64, set func(*bun.UpdateQuery) *bun.UpdateQuery) error {
	return store.Again(ctx, func() error {
		_, err := set(w.db().NewUpdate().Model((*schema.Webhook)(nil))).Where("id = ?", id).Exec(ctx)
		return err
	})
}

// clipped returns a text truncated to the size of the column for problems.
func clipped(text string) string {
	if r := []rune(text); len(r) > 250 {
		text = string(r[:250])
	}
	return text
}

// Counts are the numbers of messages that wait for a webhook.
type Counts struct{ All, Failed int64 }

// Waiting returns the numbers of waiting messages, by webhook.
func (w *Webhooks) Waiting(ctx context.Context) (map[int64]Counts, error) {
	var rows []struct {
		ID     int64 `bun:"webhook_id"`
		All    int64 `bun:"n"`
		Failed int64 `bun:"failed"`
	}
	err := w.db().NewSelect().Model((*schema.Delivery)(nil)).Column("webhook_id").ColumnExpr("COUNT(*) AS n").
		ColumnExpr("SUM(CASE WHEN due = ? THEN 1 ELSE 0 END) AS failed", int64(schema.DeliveryNever)).Group("webhook_id").Scan(ctx, &rows)
	counts := make(map[int64]Counts, len(rows))
	for _, r := range rows {
		counts[r.ID] = Counts{r.All, r.Failed}
	}
	return counts, err
}

// Due returns the webhooks to which a message may be sent now.
func (w *Webhooks) Due(ctx context.Context) (ids []int64, err error) {
	now, err := w.Now(ctx)
	if err != nil {
		return nil, err
	}
	err = w.db().NewSelect().Model((*schema.Delivery)(nil)).Distinct().Column("webhook_id").Where("due <= ?", now).
		Where("held_until <= ?", now).Where("webhook_id IN (?)", w.enabled()).Scan(ctx, &ids)
	return ids, err
}

func (w *Webhooks) enabled() *bun.SelectQuery {
	return w.db().NewSelect().Model((*schema.Webhook)(nil)).Column("id").Where("disabled = ''")
}

// Claim claims the next message for a webhook, for as long as sending it may take, and counts the attempt; nil if there
// is none. The claim is committed before Claim returns. Messages about one item are claimed in order of arrival.
func (w *Webhooks) Claim(ctx context.Context, webhook, lease int64) (*schema.Delivery, error) {
	for {
		now, err := w.Now(ctx)
		if err != nil {
			return nil, err
		}
		var d schema.Delivery
		earlier := w.db().NewSelect().Model((*schema.Delivery)(nil)).ModelTableExpr("?(prefix)agenda_deliveries AS e").ColumnExpr("1").
			Where("e.webhook_id = de.webhook_id").Where("e.kind = de.kind").Where("e.object_id = de.object_id").
			Where("e.number < de.number")
		err = w.db().NewSelect().Model(&d).Where("webhook_id = ?", webhook).Where("due <= ?", now).Where("held_until <= ?", now).
			Where("webhook_id IN (?)", w.enabled()).Where("NOT EXISTS (?)", earlier).Order("number", "id").Limit(1).Scan(ctx)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		holder := rand.Text()
		result, err := w.db().NewUpdate().Model((*schema.Delivery)(nil)).Set("holder = ?", holder).Set("held_until = ?", now+lease).
			Set("tries = ?", d.Tries+1).Where("id = ?", d.ID).Where("holder = ?", d.Holder).Where("held_until = ?", d.Until).
			Where("tries = ?", d.Tries).Where("sequence = ?", d.Sequence).Exec(ctx)
		if err != nil && !dberr.Retryable(err) {
			return nil, err
		}
		if err == nil {
			if n, err := result.RowsAffected(); err != nil || n == 1 {
				d.Holder, d.Until, d.Tries = holder, now+lease, d.Tries+1
				return &d, err
			}
		}
	}
}

// Done removes a message that was accepted.
func (w *Webhooks) Done(ctx context.Context, d *schema.Delivery) error {
	return store.Again(ctx, func() error {
		_, err := w.db().NewDelete().Model((*schema.Delivery)(nil)).Where("id = ?", d.ID).Where("holder = ?", d.Holder).Exec(ctx)
		return err
	})
}

// Later releases a message, to be tried at a time.
func (w *Webhooks) Later(ctx context.Context, d *schema.Delivery, due int64, problem string) error {
	return store.Again(ctx, func() error {
		_, err := w.db().NewUpdate().Model((*schema.Delivery)(nil)).Set("holder = ''").Set("held_until = 0").Set("due = ?", due).
			Set("problem = ?", clipped(problem)).Where("id = ?", d.ID).Where("holder = ?", d.Holder).Exec(ctx)
		return err
	})
}
