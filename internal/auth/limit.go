package auth

import (
	"cmp"
	"hash/maphash"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// Limits bound how many wrong passwords are looked at. Fields that are 0 take
// their defaults.
type Limits struct {
	// PerPair is the number for one user name from one address. Default 10.
	PerPair int
	// PerAddress is the number for one address, whatever the names. Default 50.
	PerAddress int
	// PerUser is the number for one user name, whatever the addresses. Default
	// 100.
	PerUser int
	// Window is the time within which they are counted, from the first one on.
	// Default 5 minutes.
	Window time.Duration
}

func (l Limits) withDefaults() Limits {
	return Limits{
		PerPair: cmp.Or(l.PerPair, 10), PerAddress: cmp.Or(l.PerAddress, 50), PerUser: cmp.Or(l.PerUser, 100),
		Window: cmp.Or(l.Window, 5*time.Minute),
	}
}

// familiarity is how long an address stays one from which a user came.
const familiarity = 30 * 24 * time.Hour

// Sizes of the two tables, in sets of eight: 1.5 MiB and 0.2 MiB.
const (
	failureSets  = 1 << 13
	familiarSets = 1 << 10
)

// limiter counts wrong passwords, in three ways:
//
//   - per user name and address, which stops one who guesses, and harms nobody
//     else;
//   - per address, which stops one who tries one password on many names;
//   - per user name, which stops many machines that guess together. Alone it
//     would give every stranger the power to lock a user out, so it does not hold
//     where the user's right password came from lately: programs and browsers
//     that worked go on working while an attack lasts, and for the attacker such
//     an address is as narrow as any other, because of the first limit.
//
// Only past a limit is nothing looked at; attempts that were refused are not
// counted, so the way is open again when the window of the first one ends.
type limiter struct {
	limits   Limits
	seed     maphash.Seed
	mu       sync.Mutex
	failures table
	familiar table // pairs of names and addresses that a right password came from
}

func newLimiter(l Limits) *limiter {
	l = l.withDefaults()
	return &limiter{
		limits: l, seed: maphash.MakeSeed(),
		failures: table{sets: failureSets, window: l.Window}, familiar: table{sets: familiarSets, window: familiarity},
	}
}

// attempt is what an attempt to log in counts for. Names and addresses are not
// kept, only what a secret seed makes of them.
type attempt struct{ pair, address, user uint64 }

// attempt returns what to count for a login from an address. Some letters have
// two small forms, which are one only by way of the capital.
func (l *limiter) attempt(login, address string) attempt {
	login, address = strings.ToLower(strings.ToUpper(login)), group(address)
	return attempt{
		pair:    maphash.String(l.seed, "p"+address+"\x00"+login),
		address: maphash.String(l.seed, "a"+address),
		user:    maphash.String(l.seed, "u"+login),
	}
}

// postPassword returns the key of an address that tries the passwords of posts.
// They are counted apart: who guesses them keeps nobody from logging in.
func (l *limiter) postPassword(address string) uint64 {
	return maphash.String(l.seed, "b"+group(address))
}

// tried counts the trial of a post's password from an address, unless it was the
// right one. Past the limit of addresses it returns how long to wait: then the
// outcome is not to be told.
func (l *limiter) tried(key uint64, right bool, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if wait := l.failures.past(key, l.limits.PerAddress, now); wait > 0 {
		return wait
	}
	if !right {
		l.failures.add(key, now)
	}
	return 0
}

// group puts the addresses together that one client can change between: of IPv6
// its whole network.
func group(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil || a.Unmap().Is4() {
		return address
	}
	network, err := a.WithZone("").Prefix(64)
	if err != nil {
		return address
	}
	return network.String()
}

// wait returns how long an attempt has to wait, 0 if it may be made.
func (l *limiter) wait(a attempt, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.remaining(a, now)
}

func (l *limiter) remaining(a attempt, now time.Time) time.Duration {
	longest := max(l.failures.past(a.pair, l.limits.PerPair, now), l.failures.past(a.address, l.limits.PerAddress, now))
	if l.familiar.find(a.pair, now) != nil {
		return longest
	}
	return max(longest, l.failures.past(a.user, l.limits.PerUser, now))
}

// failed counts a wrong password. Where others that were looked at meanwhile
// reached the limit it returns how long to wait, and the outcome is not to be
// told: otherwise more could be tried by trying them at once. last tells that
// this one reached a limit.
func (l *limiter) failed(a attempt, now time.Time) (wait time.Duration, last bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if wait = l.remaining(a, now); wait > 0 {
		return wait, false
	}
	for _, key := range [...]uint64{a.pair, a.address, a.user} {
		l.failures.add(key, now)
	}
	return 0, l.remaining(a, now) > 0
}

// succeeded forgets the wrong passwords of the pair. As for failed, what others
// did meanwhile can mean that the outcome is not to be told.
func (l *limiter) succeeded(a attempt, now time.Time) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if wait = l.remaining(a, now); wait > 0 {
		return wait
	}
	l.failures.drop(a.pair, now)
	l.familiar.drop(a.pair, now)
	l.familiar.add(a.pair, now)
	return 0
}
