package media

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"github.com/agendahq/agenda/internal/caller"
)

// slots limits how many decoded pictures are in memory at the same time, in the whole process. To be fair, a user gets
// only one slot at a time, and a calendar gets a second one only if no other calendar is waiting. So nobody has to wait
// until all pictures of somebody else are decoded.
var slots = &slotQueue{free: 2, held: map[holder]int{}, stores: map[*Store]int{}}

// holder identifies who decodes a picture: a user of a calendar.
type holder struct {
	store *Store
	user  string
}

// holderIn returns the holder for the caller of the context.
func (s *Store) holderIn(ctx context.Context) holder {
	p := caller.From(ctx)
	if p.UserID != 0 {
		return holder{s, strconv.FormatInt(p.UserID, 10)}
	}
	return holder{s, p.Login}
}

type slotQueue struct {
	mu      sync.Mutex
	free    int
	held    map[holder]int
	stores  map[*Store]int
	waiting []*slotWaiter
}

type slotWaiter struct {
	holder
	ready chan struct{} // closed when the slot is granted
}

// acquire waits for a slot until ctx ends. release returns the slot.
func (q *slotQueue) acquire(ctx context.Context, h holder) (release func(), err error) {
	w := &slotWaiter{h, make(chan struct{})}
	q.mu.Lock()
	q.waiting = append(q.waiting, w)
	q.grant()
	q.mu.Unlock()
	select {
	case <-w.ready:
	case <-ctx.Done():
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := slices.Index(q.waiting, w); i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
		q.grant()
		return nil, ctx.Err()
	}
	release = func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.count(h, -1)
		q.grant()
	}
	return release, nil
}

// grant gives free slots to waiters, in order of arrival except where fairness demands otherwise. The caller holds the
// lock.
func (q *slotQueue) grant() {
	idle := func(w *slotWaiter) bool { return q.held[w.holder] == 0 }
	for q.free > 0 {
		next := slices.IndexFunc(q.waiting, func(w *slotWaiter) bool { return idle(w) && q.stores[w.store] == 0 })
		if next < 0 {
			next = slices.IndexFunc(q.waiting, idle)
		}
		if next < 0 {
			return
		}
		w := q.waiting[next]
		q.waiting = slices.Delete(q.waiting, next, next+1)
		q.count(w.holder, 1)
		close(w.ready)
	}
}

// count adds n, 1 or -1, to the number of slots of a holder. The caller holds the lock.
func (q *slotQueue) count(h holder, n int) {
	q.free -= n
	if q.held[h] += n; q.held[h] == 0 {
		delete(q.held, h)
	}
	if q.stores[h.store] += n; q.stores[h.store] == 0 {
		delete(q.stores, h.store)
	}
}
