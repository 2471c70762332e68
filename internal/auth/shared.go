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

// Count is the count of a key, and when it expires. The zero value belongs to a key that is not counted.
type Count struct {
	N    int
	Ends time.Time
}

// Counter counts keys for several processes. A key is counted from its first Add until the window of that Add has
// passed.
type Counter interface {
	// Counts returns the counts of keys, in their order.
	Counts(ctx context.Context, keys []string) ([]Count, error)
	// Add increments the count of each key and returns the new counts, in the order of keys.
	Add(ctx context.Context, keys []string, window time.Duration) ([]Count, error)
	// Forget removes the counts of keys.
	Forget(ctx context.Context, keys []string) error
}

// sharedLimiter counts like Limiter, but for all processes. It is used after the Limiter, so that attempts rejected by
// the process itself cost nothing. While the Counter fails, only the Limiter limits attempts. A nil *sharedLimiter
// limits nothing.
type sharedLimiter struct {
	counter Counter
	limits  Limits
	logger  *slog.Logger
	logged  atomic.Int64 // Unix time of the last warning
}

// newSharedLimiter returns a limiter that counts with a Counter, or nil without one.
func newSharedLimiter(c Counter, l Limits, logger *slog.Logger) *sharedLimiter {
	if c == nil {
		return nil
	}
	return &sharedLimiter{counter: c, limits: l.withDefaults(), logger: logger}
}

// sharedAttempt contains the keys of an attempt in a Counter, and their counts before it.
type sharedAttempt struct {
	keys   []string // at the indexes ofPair to ofFamiliar
	counts []Count
}

// Indexes of the keys and counts of a sharedAttempt.
const (
	ofPair = iota
	ofAddress
	ofUser
	ofFamiliar
)

// sharedKey returns a key that is the same in every process and reveals neither names nor addresses.
func sharedKey(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// attempt returns the keys of an attempt to log in, and how long it has to wait, or 0 if it may be made.
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

// remaining returns how long an attempt has to wait because a count exceeds its limit by at least more.
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

// failed counts a wrong password. If concurrent attempts have exceeded a limit, it returns how long to wait, and the
// caller must not reveal the result.
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

// succeeded resets the count of the pair and makes the address familiar. It writes nothing if neither is necessary.
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

// tried counts an attempt at a post's password, like Limiter.tried.
func (l *sharedLimiter) tried(ctx context.Context, address string, post int64, right bool, now time.Time) time.Duration {
	if l == nil {
		return 0
	}
	name, limit := l.limits.trials(address, post)
	a := &sharedAttempt{keys: []string{sharedKey("post", name)}}
	counts, err := l.counter.Counts(ctx, a.keys)
	if err == nil && len(counts) == 1 && !right && !(live(counts[0], now) && counts[0].N >= limit) {
		counts, err = l.counter.Add(ctx, a.keys, l.limits.Window)
		limit++ // the count includes this attempt
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

// unavailable logs that the Counter fails, at most once a minute.
func (l *sharedLimiter) unavailable(ctx context.Context, err error) {
	now := time.Now().Unix()
	if last := l.logged.Load(); ctx.Err() != nil || now-last < 60 || !l.logged.CompareAndSwap(last, now) {
		return
	}
	l.logger.WarnContext(ctx, "wrong passwords are counted only in this process", "reason", err)
}
