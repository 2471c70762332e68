package follow

import (
	"context"
	"sync"
	"time"
)

// Own are changes that this process committed.
type Own struct {
	Kind string
	IDs  []int64

	// Then is called once the changes are recorded, or when that has failed; it may be nil.
	Then func()

	// Foreign makes them recorded as if other programs had made them, so that those who follow only changes of others
	// are notified.
	Foreign bool

	at time.Time
}

// ownChanges are own changes that wait to be recorded.
type ownChanges struct {
	mu     sync.Mutex
	list   []Own
	ended  bool      // no more changes are accepted
	said   string    // the last error for which changes were not recorded, "" if they were
	saidAt time.Time // when that was logged
	hinted chan struct{}
}

// mostOwn is the maximum number of own changes that wait; comparisons find the others.
const mostOwn = 20_000

// Commit queues changes that this process has committed, to be recorded soon. It returns false if there is no journal,
// so that they will not be.
func (r *Runner) Commit(changes ...Own) bool {
	if r.Journal() == nil {
		return false
	}
	o := &r.own
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ended || len(o.list)+len(changes) > mostOwn {
		return false
	}
	for _, c := range changes {
		c.at = time.Now()
		o.list = append(o.list, c)
	}
	select {
	case o.hinted <- struct{}{}:
	default:
	}
	return true
}

func (o *ownChanges) drain() []Own {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := o.list
	o.list = nil
	return list
}

// noteOwn records own changes as they come, but those within a short interval together. A change after a pause is
// recorded at once.
func (r *Runner) noteOwn(ctx context.Context) {
	var ended time.Time
	var took time.Duration
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.own.hinted:
		}
		if wait := gathering(took) - time.Since(ended); wait > 0 && !waitFor(ctx, wait, nil) {
			return
		}
		began := time.Now()
		r.noteBefore(ctx)
		ended = time.Now()
		took = ended.Sub(began)
	}
}

// gathering returns the time between two transactions that record own changes, given the duration of the last one. A
// transaction takes almost as long for many changes as for one, so recording takes about a tenth of the time, as
// comparing does, if that leaves changes unrecorded for no longer than mostGather.
func gathering(took time.Duration) time.Duration { return min(max(gather, 10*took), mostGather) }

// lastNote is how long own changes are still recorded after the runner has ended.
const lastNote = 5 * time.Second

func (r *Runner) noteBefore(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastNote)
	defer cancel()
	r.noteAll(ctx, r.own.drain())
}

// noteRest records the waiting changes when the runner ends.
func (r *Runner) noteRest(ctx context.Context) {
	r.own.mu.Lock()
	r.own.ended = true
	r.own.mu.Unlock()
	r.noteAll(ctx, r.own.drain())
}

// batch are own changes of one kind that are recorded together.
type batch struct {
	kind    string
	foreign bool
}

// noteAll records own changes and then calls their Then functions. Changes that are not visible yet, as on another node
// of a cluster, are tried a few more times; those that fail are left to the comparison.
func (r *Runner) noteAll(ctx context.Context, list []Own) {
	if len(list) == 0 {
		return
	}
	defer func() {
		for _, c := range list {
			if c.Then != nil {
				c.Then()
			}
		}
	}()
	c, err := r.comparison(ctx)
	if err != nil {
		r.notNoted(ctx, err)
		return
	}
	batches, oldest := map[batch][]int64{}, map[batch]time.Time{}
	var order []batch
	for _, o := range list {
		b := batch{o.Kind, o.Foreign}
		if batches[b] == nil {
			order, oldest[b] = append(order, b), o.at
		}
		batches[b] = append(batches[b], o.IDs...)
	}
	for _, b := range order {
		ago := time.Since(oldest[b]) + time.Second
		for try, ids := 0, batches[b]; try < unseenTries && len(ids) > 0; try++ {
			if try > 0 && !waitFor(ctx, unseenPause<<try, nil) {
				break
			}
			done, err := c.noteAgo(ctx, b.kind, ids, !b.foreign, ago)
			if err != nil {
				r.notNoted(ctx, err)
				break
			}
			r.own.said = ""
			r.stats.noted(done.Changes, time.Since(oldest[b]))
			if ids = done.Unseen; done.Sequence > 0 {
				r.notifyChanged(done.Sequence)
			}
		}
	}
}

// sayAgain is the minimum time between two log lines about own changes that were not recorded.
const sayAgain = time.Minute

// notNoted logs why own changes were not recorded, once for each reason.
func (r *Runner) notNoted(ctx context.Context, err error) {
	r.stats.failed()
	if text := err.Error(); text != r.own.said && time.Since(r.own.saidAt) > sayAgain {
		r.own.said, r.own.saidAt = text, time.Now()
		r.Logger.WarnContext(ctx, "own changes could not be recorded in the journal: the next comparison finds them", "reason", text)
	}
}

// How often and after which pause own changes that are not visible yet are tried again.
const (
	unseenTries = 3
	unseenPause = 10 * time.Millisecond
)
