package auth

import (
	"cmp"
	"context"
	"sync/atomic"
	"time"
)

// defaultRefuseAfter is longer than a comparison with any usual stored hash: the slowest, bcrypt with cost 12, takes up
// to a second on a busy machine.
const defaultRefuseAfter = 2 * time.Second

// maxRefusals limits the number of rejections that wait at the same time. Each of them keeps a request in memory.
const maxRefusals = 1000

// refusals delays the rejection of logins until a fixed time after their arrival, however long the check took.
// Otherwise the time would reveal which users exist and how a password is stored. While waiting, a rejection occupies
// nothing but its request and a timer.
type refusals struct {
	after   time.Duration
	now     func() time.Time
	timer   func(d time.Duration) (fires <-chan time.Time, stop func() bool)
	waiting atomic.Int64
}

// newRefusals uses the clock of the process, because the clock of a host may be stopped.
func newRefusals(after time.Duration) *refusals {
	return &refusals{after: cmp.Or(after, defaultRefuseAfter), now: time.Now, timer: func(d time.Duration) (<-chan time.Time, func() bool) {
		t := time.NewTimer(d)
		return t.C, t.Stop
	}}
}

// wait returns when a login that arrived at the given time may be rejected, or when its client has left. If the check
// took longer than the fixed time, it waits for the next multiple of it. It returns false if too many rejections are
// waiting already; then the response must not reveal the result.
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
