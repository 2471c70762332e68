package auth

import "time"

// table counts by key within bounded memory. A key belongs to one set of eight counters. Nobody can predict which one,
// because keys are hashes with a secret seed.
//
// In a full set, the lowest count is dropped, and of several the oldest. So a count near its limit remains until all
// others in its set are as high. To remove one, an attacker needs tens of thousands of other counts that high, from
// more than a thousand addresses; with these it could as well make its guesses directly. A rejected attempt adds no
// counter.
type table struct {
	sets   int
	window time.Duration
	slots  []slot // allocated on first use
}

type slot struct {
	key   uint64
	since int64 // Unix nanoseconds of the first count
	count int   // 0 if the slot is free
}

const ways = 8

func (t *table) set(key uint64) []slot {
	if t.slots == nil {
		t.slots = make([]slot, t.sets*ways)
	}
	first := int(key%uint64(t.sets)) * ways
	return t.slots[first : first+ways]
}

// live reports whether a slot has not expired. Its beginning may be slightly after now, because concurrent requests
// read the clock before they count. If it is far ahead, the clock was set back, and the slot counts as expired.
func (t *table) live(s *slot, now time.Time) bool {
	age := time.Duration(now.UnixNano() - s.since)
	return s.count > 0 && age < t.window && age > -t.window
}

// find returns the counter of a key, or nil if it has none.
func (t *table) find(key uint64, now time.Time) *slot {
	if t.slots == nil {
		return nil
	}
	set := t.set(key)
	for i := range set {
		if set[i].key == key && t.live(&set[i], now) {
			return &set[i]
		}
	}
	return nil
}

// past returns how long a key has to wait because it reached a limit, or 0 if it did not.
func (t *table) past(key uint64, limit int, now time.Time) time.Duration {
	s := t.find(key, now)
	if s == nil || s.count < limit {
		return 0
	}
	return min(t.window, t.window-time.Duration(now.UnixNano()-s.since))
}

// increment increments the count of a key.
func (t *table) increment(key uint64, now time.Time) {
	if s := t.find(key, now); s != nil {
		s.count++
		return
	}
	set := t.set(key)
	least := &set[0]
	for i := range set {
		s := &set[i]
		if !t.live(s, now) {
			least = s
			break
		}
		if s.count < least.count || s.count == least.count && s.since < least.since {
			least = s
		}
	}
	*least = slot{key: key, since: now.UnixNano(), count: 1}
}

// raise makes the count of a key at least n, with a window that began at since.
func (t *table) raise(key uint64, n int, since, now time.Time) {
	s := t.find(key, now)
	if s == nil {
		t.increment(key, now)
		s = t.find(key, now)
		s.since = since.UnixNano()
	}
	s.count = max(s.count, n)
}

// drop removes the counter of a key.
func (t *table) drop(key uint64, now time.Time) {
	if s := t.find(key, now); s != nil {
		*s = slot{}
	}
}
