package auth

import (
	"context"
	"sync/atomic"
	"time"
)

// defaultRefuseAfter is longer than a comparison with any usual stored hash: the
// slowest, bcrypt of cost 12, takes up to a second on a busy machine.
const defaultRefuseAfter = 2 * time.Second

// maxRefusals limits how many refusals wait at once, each of which keeps a request in
// memory.
const maxRefusals = 1000

// refusals answers refused logins a fixed time after they came, whatever was checked
// meanwhile: the time would show who exists and how a password is stored. They wait
// for a timer and hold only their request.
type refusals struct {
	after   time.Duration
	now     func() time.Time
	timer   func(d time.Duration) (fires <-chan time.Time, stop func() bool)
	waiting atomic.Int64
}

// newRefusals uses the process's own clock: that of a host may be stopped.
func newRefusals(after time.Duration) *refusals {
	if after == 0 {
		after = defaultRefuseAfter
	}
	return &refusals{after: after, now: time.Now, timer: func(d time.Duration) (<-chan time.Time, func() bool) {
		t := time.NewTimer(d)
		return t.C, t.Stop
	}}
}

// wait returns when a login that arrived at a moment may be refused, or when its
// client has left. If checking took longer than the fixed time it waits for twice
// that, or three times, and so on. It returns false if too many wait already: then
// the answer must not show the outcome.
func (f *refusals) wait(ctx context.Context, arrived time.Time) bool {
	if f.after < 0 {
		return true
	}
	if f.waiting.Add(1) > maxRefusals {
		f.waiting.Add(-1)
		return false
	}
	defer f.waiting.Add(-1)
	took := f.now().Sub(arrived)
	fires, stop := f.timer(f.after - took%f.after)
	defer stop()
	select {
	case <-fires:
	case <-ctx.Done():
	}
	return true
}
