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

// Limits limits the number of wrong passwords. Fields that are 0 have defaults.
type Limits struct {
	// PerPair is the limit for one user name from one address. Default 10.
	PerPair int
	// PerAddress is the limit for one address, whatever the user names. Default 50.
	PerAddress int
	// PerUser is the limit for one user name, whatever the addresses. Default 100.
	PerUser int
	// Window is the period in which they are counted. It begins with the first wrong password. Default 5 minutes.
	Window time.Duration
}

func (l Limits) withDefaults() Limits {
	return Limits{
		PerPair: cmp.Or(l.PerPair, 10), PerAddress: cmp.Or(l.PerAddress, 50), PerUser: cmp.Or(l.PerUser, 100),
		Window: cmp.Or(l.Window, 5*time.Minute),
	}
}

// familiarity is how long an address stays familiar after a user logged in from it.
const familiarity = 30 * 24 * time.Hour

// Sizes of the two tables, in sets of eight counters: they occupy 1.5 MiB and 0.2 MiB.
const (
	failureSets  = 1 << 13
	familiarSets = 1 << 10
)

// Limiter counts wrong passwords in three ways:
//
//   - per user name and address, which stops guessing without affecting any other user;
//   - per address, which stops a client that tries one password on many names;
//   - per user name, which stops many machines that guess together. By itself this limit would let any stranger
//     lock a user out, so it does not apply to familiar addresses, from which the user logged in recently:
//     programs and browsers that worked continue to work during an attack, and an attacker at such an address is
//     still stopped by the first limit.
//
// Beyond a limit, no password is checked. Rejected attempts are not counted, so attempts are possible again when the
// window of the first one ends.
type Limiter struct {
	limits   Limits
	seed     maphash.Seed
	mu       sync.Mutex
	failures table
	familiar table // pairs of a user name and an address with a recent login
}

// NewLimiter returns a Limiter. Several Users of one site in one process may share it.
func NewLimiter(l Limits) *Limiter {
	l = l.withDefaults()
	return &Limiter{
		limits: l, seed: maphash.MakeSeed(),
		failures: table{sets: failureSets, window: l.Window}, familiar: table{sets: familiarSets, window: familiarity},
	}
}

// attempt contains the keys under which an attempt to log in is counted. They are hashes with a secret seed, so that
// names and addresses are not kept.
type attempt struct{ pair, address, user uint64 }

// attempt returns the keys for a login from an address. The name is folded via upper case, because some letters have
// two lower-case forms with the same upper case.
func (l *Limiter) attempt(login, address string) attempt {
	login, address = strings.ToLower(strings.ToUpper(login)), group(address)
	return attempt{
		pair:    maphash.String(l.seed, "p"+address+"\x00"+login),
		address: maphash.String(l.seed, "a"+address),
		user:    maphash.String(l.seed, "u"+login),
	}
}

// trials returns the name under which attempts at the passwords of posts are counted, and their limit. They are counted
// per address. A request that the host application makes on its own behalf has no address and may stand for many
// clients, so such attempts are counted per post, with the limit for a user from all addresses.
func (l Limits) trials(address string, post int64) (name string, limit int) {
	if address == "" {
		return "post " + strconv.FormatInt(post, 10), l.PerUser
	}
	return group(address), l.PerAddress
}

// tried counts an attempt at a post's password from an address, unless the password was right. These attempts are
// counted separately and never prevent a login. Beyond the limit, tried returns how long to wait, and the caller must
// not reveal whether the password was right.
func (l *Limiter) tried(address string, post int64, right bool, now time.Time) time.Duration {
	name, limit := l.limits.trials(address, post)
	key := maphash.String(l.seed, "b"+name)
	l.mu.Lock()
	defer l.mu.Unlock()
	if wait := l.failures.past(key, limit, now); wait > 0 {
		return wait
	}
	if !right {
		l.failures.increment(key, now)
	}
	return 0
}

// group returns the same string for all addresses that one client can choose from. For IPv6, that is its /64 network.
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

// wait returns how long an attempt has to wait, or 0 if it may be made.
func (l *Limiter) wait(a attempt, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.remaining(a, now)
}

// learn adopts the counts of other processes for an address, so that this process rejects the next attempt without
// asking again. It leaves out the count per user, which does not apply to familiar addresses.
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

// failed counts a wrong password. If concurrent attempts have reached the limit in the meantime, it returns how long to
// wait, and the caller must not reveal the result: otherwise concurrent attempts could exceed the limit. last reports
// that this attempt reached a limit.
func (l *Limiter) failed(a attempt, now time.Time) (wait time.Duration, last bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if wait = l.remaining(a, now); wait > 0 {
		return wait, false
	}
	for _, key := range [...]uint64{a.pair, a.address, a.user} {
		l.failures.increment(key, now)
	}
	return 0, l.remaining(a, now) > 0
}

// succeeded resets the count of the pair. If it returns a wait, the caller must not reveal the result, as for failed.
func (l *Limiter) succeeded(a attempt, now time.Time) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if wait = l.remaining(a, now); wait > 0 {
		return wait
	}
	l.failures.drop(a.pair, now)
	l.familiar.drop(a.pair, now)
	l.familiar.increment(a.pair, now)
	return 0
}

// CommonLimiter is a Limiter for several Users with the same Limits. Its zero value is ready to use.
type CommonLimiter struct {
	mu      sync.Mutex
	limiter *Limiter // nil until it is used for the first time
}

// ForLimits returns the limiter for Users with limits, or nil if it is used with others.
func (s *CommonLimiter) ForLimits(limits Limits) *Limiter {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.limiter == nil:
		s.limiter = NewLimiter(limits)
	case s.limiter.limits != limits.withDefaults():
		return nil
	}
	return s.limiter
}
