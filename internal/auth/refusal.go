package auth

import (
	"context"
	"sync/atomic"
	"time"
)

// DefaultRefuseAfter is more than comparing with any usual stored hash takes: the
// slowest, bcrypt of cost 12, takes up to a second on a busy machine.
const defaultRefuseAfter = 2 * time.Second

// maxRefusals bounds the refusals that wait for their moment at once, each of
// which keeps a request in memory.
const maxRefusals = 1000

// refusals answers refused logins a fixed time after they came, whatever was
// looked at meanwhile: how long that took would tell who exists and how a
// password is stored. They wait for a timer and hold nothing but their request.
type refusals struct {
	after   time.Duration
	now     func() time.Time
	timer   func(d time.Duration) (fires <-chan time.Time, stop func() bool)
	waiting atomic.Int64
}

// newRefusals measures with the process's own clock: that of a host may stand
// still.
func newRefusals(after time.Duration) *refusals {
	if after == 0 {
		after = defaultRefuseAfter
	}
	return &refusals{after: after, now: time.Now, timer: func(d time.Duration) (<-chan time.Time, func() bool) {
		t := time.NewTimer(d)
		return t.C, t.Stop
	}}
}

// wait returns when a login that came at a moment may be refused, or when its
// client has left. Where looking took longer than the fixed time it is refused
// after twice that, or three times, and so on. It reports false where too many
// wait already: then nothing may be told.
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
