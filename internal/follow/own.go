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

	// Then is called when they are noted, or when that did not work; nil for nothing.
	Then func()

	// Foreign says to note them as if others had made them: those who follow the changes of others shall be told.
	Foreign bool

	at time.Time
}

// ownChanges are those that wait to be noted.
type ownChanges struct {
	mu     sync.Mutex
	list   []Own
	ended  bool      // nothing more is noted
	said   string    // why they were not noted last, "" if they were
	saidAt time.Time // when that was logged
	hinted chan struct{}
}

// mostOwn is how many own changes wait at most; comparisons find those beyond.
const mostOwn = 20_000

// Commit notes changes that this process has committed, soon. It reports false if it will not, as there is no journal.
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

func (o *ownChanges) take() []Own {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := o.list
	o.list = nil
	return list
}

// noteOwn notes own changes as they come, but those of a while together.
func (r *Runner) noteOwn(ctx context.Context) {
	for last := (time.Time{}); ; last = time.Now() {
		select {
		case <-ctx.Done():
			return
		case <-r.own.hinted:
		}
		if wait := gather - time.Since(last); wait > 0 && !pauseFor(ctx, wait) {
			return
		}
		r.noteBefore(ctx)
	}
}

// lastNote bounds how long own changes are noted when the runner has ended meanwhile.
const lastNote = 5 * time.Second

func (r *Runner) noteBefore(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastNote)
	defer cancel()
	r.noteAll(ctx, r.own.take())
}

// noteRest notes what waits when the runner ends.
func (r *Runner) noteRest(ctx context.Context) {
	r.own.mu.Lock()
	r.own.ended = true
	r.own.mu.Unlock()
	r.noteAll(ctx, r.own.take())
}

// batch are own changes of one kind that are noted together.
type batch struct {
	kind    string
	foreign bool
}

// noteAll notes own changes, and calls what is to be called then. What is not there yet, as on another node of a cluster, is
// asked for again some times; what fails is left to the comparison.
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
			if try > 0 && !pauseFor(ctx, unseenPause<<try) {
				break
			}
			done, err := c.note(ctx, b.kind, ids, !b.foreign, ago)
			if err != nil {
				r.notNoted(ctx, err)
				break
			}
			r.own.said = ""
			r.stats.noted(done.Changes, time.Since(oldest[b]))
			if ids = done.Unseen; done.Sequence > 0 {
				r.tell(done.Sequence)
			}
		}
	}
}

// sayAgain is how often it is logged at most that own changes were not noted.
const sayAgain = time.Minute

// notNoted logs why own changes were not noted, once for each reason.
func (r *Runner) notNoted(ctx context.Context, err error) {
	r.stats.failed()
	if text := err.Error(); text != r.own.said && time.Since(r.own.saidAt) > sayAgain {
		r.own.said, r.own.saidAt = text, time.Now()
		r.Logger.WarnContext(ctx, "own changes are not noted in the journal, but left to a comparison", "reason", text)
	}
}

// How own changes that do not show are asked for again.
const (
	unseenTries = 3
	unseenPause = 10 * time.Millisecond
)

// pauseFor waits, and reports false if ctx ended.
func pauseFor(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
