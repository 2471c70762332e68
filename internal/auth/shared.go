package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"
)

// Count is how often a key was counted, and when that ends. The zero value is a key
// that is not counted.
type Count struct {
	N    int
	Ends time.Time
}

// Counter counts keys for several processes. A key is counted from its first Add until
// the window of that has passed.
type Counter interface {
	// Counts returns the counts of keys, in their order.
	Counts(ctx context.Context, keys []string) ([]Count, error)
	// Add counts each key once more and returns the new counts, in the order of keys.
	Add(ctx context.Context, keys []string, window time.Duration) ([]Count, error)
	// Forget removes the counts of keys.
	Forget(ctx context.Context, keys []string) error
}

// sharedLimiter counts as Limiter does, for all processes. It comes after the Limiter,
// so what the process refuses by itself costs nothing. While the Counter fails, the
// limiter is all there is. A nil one limits nothing.
type sharedLimiter struct {
	counter Counter
	limits  Limits
	logger  *slog.Logger
	logged  atomic.Int64 // unix seconds
}

// newSharedLimiter returns a limiter that counts with a Counter, nil without one.
func newSharedLimiter(c Counter, l Limits, logger *slog.Logger) *sharedLimiter {
	if c == nil {
		return nil
	}
	return &sharedLimiter{counter: c, limits: l.withDefaults(), logger: logger}
}

// sharedAttempt has the keys of an attempt in a Counter, and what was counted before it.
type sharedAttempt struct {
	keys   []string // pair, address, user, familiar
	counts []Count
}

// Places in a sharedAttempt.
const (
	ofPair = iota
	ofAddress
	ofUser
	ofFamiliar
)

// sharedKey is the same in every process, and shows neither names nor addresses.
func sharedKey(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// attempt returns an attempt to log in, and how long it has to wait, 0 if it may be
// made.
func (l *sharedLimiter) attempt(ctx context.Context, login, address string, now time.Time) (*sharedAttempt, time.Duration) {
	if l == nil {
		return nil, 0
	}
	login, address = strings.ToLower(strings.ToUpper(login)), group(address)
	a := &sharedAttempt{keys: []string{
		sharedKey("pair", login, address), sharedKey("address", address), sharedKey("user", login), sharedKey("familiar", login, address),
	}}
	counts, err := l.counter.Counts(ctx, a.keys)
	if err != nil || len(counts) != len(a.keys) {
		l.unavailable(ctx, err)
		return nil, 0
	}
	a.counts = counts
	return a, l.remaining(a, 0, now)
}

// remaining returns how long an attempt is past a limit that more failures may exceed.
func (l *sharedLimiter) remaining(a *sharedAttempt, more int, now time.Time) (longest time.Duration) {
	limits := []int{ofPair: l.limits.PerPair, ofAddress: l.limits.PerAddress, ofUser: l.limits.PerUser}
	for i, limit := range limits {
		if i == ofUser && live(a.counts[ofFamiliar], now) {
			continue
		}
		if c := a.counts[i]; c.N >= limit+more && live(c, now) {
			longest = max(longest, min(l.limits.Window, c.Ends.Sub(now)))
		}
	}
	return longest
}

func live(c Count, now time.Time) bool { return c.N > 0 && c.Ends.After(now) }

// failed counts a wrong password. If attempts at the same time have exceeded a limit it
// returns how long to wait, and the outcome must not be shown.
func (l *sharedLimiter) failed(ctx context.Context, a *sharedAttempt, now time.Time) time.Duration {
	if a == nil {
		return 0
	}
	counts, err := l.counter.Add(ctx, a.keys[:ofFamiliar], l.limits.Window)
	if err != nil || len(counts) != ofFamiliar {
		l.unavailable(ctx, err)
		return 0
	}
	copy(a.counts, counts)
	return l.remaining(a, 1, now)
}

// succeeded clears the wrong passwords of the pair and makes the address familiar. It
// writes nothing where both are so already.
func (l *sharedLimiter) succeeded(ctx context.Context, a *sharedAttempt, now time.Time) {
	if a == nil {
		return
	}
	var err error
	if live(a.counts[ofPair], now) {
		err = l.counter.Forget(ctx, a.keys[ofPair:ofPair+1])
	}
	if err == nil && a.counts[ofFamiliar].Ends.Sub(now) < familiarity/2 {
		if err = l.counter.Forget(ctx, a.keys[ofFamiliar:]); err == nil {
			_, err = l.counter.Add(ctx, a.keys[ofFamiliar:], familiarity)
		}
	}
	if err != nil {
		l.unavailable(ctx, err)
	}
}

// tried counts the trial of a post's password, as Limiter.tried does.
func (l *sharedLimiter) tried(ctx context.Context, address string, post int64, right bool, now time.Time) time.Duration {
	if l == nil {
		return 0
	}
	name, limit := l.limits.trials(address, post)
	a := &sharedAttempt{keys: []string{sharedKey("post", name)}}
	counts, err := l.counter.Counts(ctx, a.keys)
	if err == nil && len(counts) == 1 && !right && !(live(counts[0], now) && counts[0].N >= limit) {
		counts, err = l.counter.Add(ctx, a.keys, l.limits.Window)
		limit++ // of which this one is
	}
	if err != nil || len(counts) != 1 {
		l.unavailable(ctx, err)
		return 0
	}
	if c := counts[0]; live(c, now) && c.N >= limit {
		return min(l.limits.Window, c.Ends.Sub(now))
	}
	return 0
}

// unavailable logs, once a minute, that the Counter does not work.
func (l *sharedLimiter) unavailable(ctx context.Context, err error) {
	now := time.Now().Unix()
	if last := l.logged.Load(); ctx.Err() != nil || now-last < 60 || !l.logged.CompareAndSwap(last, now) {
		return
	}
	l.logger.WarnContext(ctx, "wrong passwords are counted in this process alone", "reason", err)
}
