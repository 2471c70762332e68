package auth

import (
	"cmp"
	"hash/maphash"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Limits limit how many wrong passwords are checked. Fields that are 0 have their
// defaults.
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

// Same reports whether both are the same limits.
func (l Limits) Same(other Limits) bool { return l.withDefaults() == other.withDefaults() }

func (l Limits) withDefaults() Limits {
	return Limits{
		PerPair: cmp.Or(l.PerPair, 10), PerAddress: cmp.Or(l.PerAddress, 50), PerUser: cmp.Or(l.PerUser, 100),
		Window: cmp.Or(l.Window, 5*time.Minute),
	}
}

// familiarity is how long an address stays known after a user's login from it.
const familiarity = 30 * 24 * time.Hour

// Sizes of the two tables, in sets of eight: 1.5 MiB and 0.2 MiB.
const (
	failureSets  = 1 << 13
	familiarSets = 1 << 10
)

// Limiter counts wrong passwords, in three ways:
//
//   - per user name and address, which stops guessing, and affects no other user;
//   - per address, which stops one who tries one password on many names;
//   - per user name, which stops many machines that guess together. Alone it would let
//     any stranger lock a user out, so it does not hold for addresses from which the
//     user logged in lately: programs and browsers that worked go on working during an
//     attack, and there the first limit still holds for an attacker.
//
// Past a limit no password is checked. Refused attempts are not counted, so attempts
// are possible again when the window of the first one ends.
type Limiter struct {
	limits   Limits
	seed     maphash.Seed
	mu       sync.Mutex
	failures table
	familiar table // pairs of names and addresses with a right password
}

// NewLimiter returns a Limiter that has counted nothing. Users of one site, in one process, can
// have the same.
func NewLimiter(l Limits) *Limiter {
	l = l.withDefaults()
	return &Limiter{
		limits: l, seed: maphash.MakeSeed(),
		failures: table{sets: failureSets, window: l.Window}, familiar: table{sets: familiarSets, window: familiarity},
	}
}

// attempt has the keys under which an attempt to log in counts. Names and addresses
// are not kept, only their hashes with a secret seed.
type attempt struct{ pair, address, user uint64 }

// attempt returns the keys for a login from an address. Some letters have two small
// forms with one capital.
func (l *Limiter) attempt(login, address string) attempt {
	login, address = strings.ToLower(strings.ToUpper(login)), group(address)
	return attempt{
		pair:    maphash.String(l.seed, "p"+address+"\x00"+login),
		address: maphash.String(l.seed, "a"+address),
		user:    maphash.String(l.seed, "u"+login),
	}
}

// trials returns the name under which trials of a post's password from an address count, and
// their limit. A caller without an address, for whom a host runs a request, is not one client:
// there the trials of each post count, as those of a user from all addresses.
func (l Limits) trials(address string, post int64) (name string, limit int) {
	if address == "" {
		return "post " + strconv.FormatInt(post, 10), l.PerUser
	}
	return group(address), l.PerAddress
}

// tried counts the trial of a post's password from an address, unless it was right. These are
// counted separately and prevent no login. Past the limit it returns how long to wait, and the
// outcome must not be shown.
func (l *Limiter) tried(address string, post int64, right bool, now time.Time) time.Duration {
	name, limit := l.limits.trials(address, post)
	key := maphash.String(l.seed, "b"+name)
	l.mu.Lock()
	defer l.mu.Unlock()
	if wait := l.failures.past(key, limit, now); wait > 0 {
		return wait
	}
	if !right {
		l.failures.add(key, now)
	}
	return 0
}

// group returns the same text for all addresses that one client can choose from: of
// IPv6 its whole network.
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
func (l *Limiter) wait(a attempt, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.remaining(a, now)
}

// learn takes over what other processes counted of an address, so that its next attempt
// is refused here. What they counted of a user does not hold for all addresses.
func (l *Limiter) learn(a attempt, counts []Count, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, key := range [...]uint64{ofPair: a.pair, ofAddress: a.address} {
		if c := counts[i]; live(c, now) {
			l.failures.raise(key, c.N, c.Ends.Add(-l.limits.Window), now)
		}
	}
}

func (l *Limiter) remaining(a attempt, now time.Time) time.Duration {
	longest := max(l.failures.past(a.pair, l.limits.PerPair, now), l.failures.past(a.address, l.limits.PerAddress, now))
	if l.familiar.find(a.pair, now) != nil {
		return longest
	}
	return max(longest, l.failures.past(a.user, l.limits.PerUser, now))
}

// failed counts a wrong password. If attempts at the same time have reached the limit
// it returns how long to wait, and the outcome must not be shown: otherwise attempts
// at the same time could exceed the limit. last reports that this one reached a
// limit.
func (l *Limiter) failed(a attempt, now time.Time) (wait time.Duration, last bool) {
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

// succeeded clears the wrong passwords of the pair. As for failed, the outcome must not be shown if
// it returns a wait.
func (l *Limiter) succeeded(a attempt, now time.Time) (wait time.Duration) {
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
