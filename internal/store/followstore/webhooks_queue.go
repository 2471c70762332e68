package followstore

import (
	"context"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/webhook"
	"github.com/agendahq/agenda/schema"
)

// maxQueue is the maximum number of messages that wait for a webhook. If there are more, a message that asks for a sync
// replaces them.
const maxQueue = 10_000

// Told is a change of which webhooks are notified.
type Told struct {
	Type, Kind string
	ID         int64
	Operation  string
	Sequence   int64
	Moment     int64
	number     int64 // sequence number of the first of the changes that are merged into this one
}

// about is the item that a message is about.
type about struct {
	kind string
	id   int64
}

// coalesced returns one change for each item, at the position of its first one.
func coalesced(told []Told) (list []Told) {
	places := map[about]int{}
	for _, t := range told {
		item := about{t.Kind, t.ID}
		at, known := places[item]
		if !known {
			places[item], t.number = len(list), t.Sequence
			list = append(list, t)
			continue
		}
		t.Operation, t.number = merged(list[at].Operation, t.Operation), list[at].number
		list[at] = t
	}
	return list
}

// The operations in messages of webhooks.
const (
	ToldCreate = "create"
	ToldUpdate = "update"
	ToldDelete = "delete"
)

// merged returns the operation that replaces two consecutive ones for a receiver who knows neither.
func merged(first, second string) string {
	switch {
	case first == ToldCreate && second == ToldUpdate:
		return ToldCreate
	case first == ToldDelete && second == ToldCreate:
		return ToldUpdate
	}
	return second
}

// Queue moves a follower to at and, in the same transaction, adds messages about changes to the queues of webhooks. lost
// says that changes are missing, so that all webhooks are asked to sync, up to at.
func (w *Webhooks) Queue(ctx context.Context, f *JournalFollower, told []Told, lost bool, at Told) error {
	return f.doneWith(ctx, at.Sequence, func(ctx context.Context, tx bun.Tx) error { return w.queue(ctx, tx, told, lost, at) })
}

func (w *Webhooks) queue(ctx context.Context, tx bun.Tx, told []Told, lost bool, at Told) error {
	var to []*schema.Webhook
	if err := tx.NewSelect().Model(&to).Order("id").Scan(ctx); err != nil {
		return err
	}
	now, err := w.journal.clock(ctx, tx)
	if err != nil {
		return err
	}
	for _, one := range to {
		q := &queue{tx: tx, webhook: one.ID, now: now}
		if lost {
			err = q.sync(ctx, at)
		} else {
			err = q.addChanges(ctx, wanted(one, told))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// QueueAgain adds messages to the queue of one webhook, about changes of which it may have been notified before.
func (w *Webhooks) QueueAgain(ctx context.Context, one *schema.Webhook, told []Told) error {
	return w.journal.locked(ctx, func(ctx context.Context, tx bun.Tx, _ map[string]*schema.JournalRow) error {
		now, err := w.journal.clock(ctx, tx)
		if err != nil {
			return err
		}
		return (&queue{tx: tx, webhook: one.ID, now: now}).addChanges(ctx, wanted(one, told))
	})
}

// wanted returns the changes of which a webhook is to be notified.
func wanted(one *schema.Webhook, told []Told) []Told {
	if one.Kinds == "" {
		return told
	}
	kinds := strings.Split(one.Kinds, ",")
	return slices.DeleteFunc(slices.Clone(told), func(t Told) bool { return !slices.Contains(kinds, t.Kind) })
}

// queue is the queue of a webhook, while messages are added.
type queue struct {
	tx      bun.Tx
	webhook int64
	now     int64
}

func (q *queue) addChanges(ctx context.Context, told []Told) error {
	if len(told) == 0 {
		return nil
	}
	n, err := q.tx.NewSelect().Model((*schema.Delivery)(nil)).Where("webhook_id = ?", q.webhook).Count(ctx)
	if err != nil {
		return err
	}
	last := told[len(told)-1]
	asked, err := q.moved(ctx, last) // a sync that has not been requested yet includes all of them
	if asked || err != nil {
		return err
	}
	if n+int64(len(told)) > maxQueue {
		return q.sync(ctx, last)
	}
	told = coalesced(told)
	waiting, err := q.waiting(ctx, told)
	if err != nil {
		return err
	}
	var added []*schema.Delivery
	for _, t := range told {
		d, err := q.one(ctx, t, waiting[about{t.Kind, t.ID}])
		if err != nil {
			return err
		}
		if d != nil {
			added = append(added, d)
		}
	}
	if len(added) == 0 {
		return nil
	}
	_, err = q.tx.NewInsert().Model(&added).Exec(ctx)
	return err
}

// waiting returns the messages about the items of changes, in order.
func (q *queue) waiting(ctx context.Context, told []Told) (map[about][]*schema.Delivery, error) {
	ids := make([]int64, len(told))
	for i, t := range told {
		ids[i] = t.ID
	}
	var rows []*schema.Delivery
	err := q.tx.NewSelect().Model(&rows).Where("webhook_id = ?", q.webhook).Where("object_id IN (?)", bun.List(ids)).Order("number").
		Scan(ctx)
	of := map[about][]*schema.Delivery{}
	for _, d := range rows {
		item := about{d.Kind, d.ObjectID}
		of[item] = append(of[item], d)
	}
	return of, err
}

// one returns the message to add for a change. It returns nil if an existing message about the item that was not tried yet
// has been extended to this change. A message about the item that has failed permanently is deleted, and the new one covers
// its change too.
func (q *queue) one(ctx context.Context, t Told, waiting []*schema.Delivery) (*schema.Delivery, error) {
	for _, d := range waiting {
		switch {
		case d.Tries == 0 && d.Sequence >= t.Sequence:
			return nil, nil // it is known already
		case d.Tries == 0:
			result, err := q.tx.NewUpdate().Model((*schema.Delivery)(nil)).Set("operation = ?", merged(d.Operation, t.Operation)).
				Set("type = ?", typed(t, merged(d.Operation, t.Operation))).Set("sequence = ?", t.Sequence).Set("moment = ?", t.Moment).
				Where("id = ?", d.ID).Where("tries = 0").Exec(ctx)
			if err != nil {
				return nil, err
			}
			if n, err := result.RowsAffected(); err != nil || n > 0 {
				return nil, err
			}
		case d.Due == schema.DeliveryNever:
			if _, err := q.tx.NewDelete().Model((*schema.Delivery)(nil)).Where("id = ?", d.ID).Exec(ctx); err != nil {
				return nil, err
			}
			t.Operation = merged(d.Operation, t.Operation)
		}
	}
	return q.message(t, typed(t, t.Operation)), nil
}

// typed returns the type of a message about an item, such as "event.created".
func typed(t Told, operation string) string { return t.Type + "." + operation + "d" }

func (q *queue) message(t Told, kind string) *schema.Delivery {
	return &schema.Delivery{
		ID: webhook.NewID(), Webhook: q.webhook, Type: kind, Kind: t.Kind, ObjectID: t.ID, Operation: t.Operation, Sequence: t.Sequence,
		Number: t.number, Moment: t.Moment, Created: q.now, Due: q.now,
	}
}

// moved extends a message that asks for a sync, and was not tried yet, to a change. It reports whether there was one.
func (q *queue) moved(ctx context.Context, t Told) (bool, error) {
	var asked []*schema.Delivery
	err := q.tx.NewSelect().Model(&asked).Where("webhook_id = ?", q.webhook).Where("type = ?", schema.DeliverySync).
		Where("tries = 0").Limit(1).Scan(ctx)
	if err != nil || len(asked) == 0 {
		return false, err
	}
	if asked[0].Sequence >= t.Sequence {
		return true, nil
	}
	result, err := q.tx.NewUpdate().Model((*schema.Delivery)(nil)).Set("sequence = ?", t.Sequence).Where("id = ?", asked[0].ID).
		Where("tries = 0").Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// sync replaces all messages that are not being sent by one that asks for a sync.
func (q *queue) sync(ctx context.Context, t Told) error {
	err := store.DeleteAll(ctx, q.tx, func(d *bun.DeleteQuery) *bun.DeleteQuery {
		return d.Model((*schema.Delivery)(nil)).Where("webhook_id = ?", q.webhook).Where("held_until <= ?", q.now)
	})
	if err != nil {
		return err
	}
	one := q.message(Told{Sequence: t.Sequence, Moment: t.Moment, number: t.Sequence}, schema.DeliverySync)
	_, err = q.tx.NewInsert().Model(one).Exec(ctx)
	return err
}
