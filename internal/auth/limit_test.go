package auth

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// fails counts n wrong passwords and returns how many of them were checked.
func fails(l *Limiter, login, address string, n int, now time.Time) (checked int) {
	for range n {
		if a := l.attempt(login, address); l.wait(a, now) == 0 {
			if wait, _ := l.failed(a, now); wait == 0 {
				checked++
			}
		}
	}
	return checked
}

func waits(l *Limiter, login, address string, now time.Time) time.Duration {
	return l.wait(l.attempt(login, address), now)
}

func TestLimitOfAPair(t *testing.T) {
	l := NewLimiter(Limits{})
	if got := fails(l, "admin", "192.0.2.1", 15, noon); got != 10 {
		t.Errorf("%d checked", got)
	}
	for _, c := range []struct {
		login, address string
		after, want    time.Duration
	}{
		{"admin", "192.0.2.1", 0, 5 * time.Minute}, {"ADMIN", "192.0.2.1", time.Minute, 4 * time.Minute},
		{"admin", "192.0.2.1", 5*time.Minute - 1, 1}, {"admin", "192.0.2.1", 5 * time.Minute, 0},
		{"admin", "192.0.2.2", 0, 0}, {"editor", "192.0.2.1", 0, 0},
	} {
		if got := waits(l, c.login, c.address, noon.Add(c.after)); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	// A new window is as long as the first; what was refused did not count.
	if got := fails(l, "admin", "192.0.2.1", 15, noon.Add(5*time.Minute)); got != 10 {
		t.Errorf("in the next window %d checked", got)
	}
}

func TestLimitOfAnAddress(t *testing.T) {
	l := NewLimiter(Limits{})
	checked := 0
	for i := range 80 {
		checked += fails(l, fmt.Sprint("user", i), "192.0.2.1", 1, noon)
	}
	if checked != 50 || waits(l, "another", "192.0.2.1", noon) != 5*time.Minute || waits(l, "user1", "192.0.2.2", noon) != 0 {
		t.Errorf("%d checked", checked)
	}
}

func TestIPv6CountsByNetwork(t *testing.T) {
	l := NewLimiter(Limits{})
	checked := 0
	for i := range 20 {
		checked += fails(l, "admin", fmt.Sprintf("2001:db8:1:2::%x", i), 1, noon)
	}
	if checked != 10 || waits(l, "admin", "2001:db8:1:2:ffff::", noon) == 0 || waits(l, "admin", "2001:db8:1:3::1", noon) != 0 {
		t.Errorf("%d checked", checked)
	}
	for address, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "::ffff:192.0.2.1", "2001:db8:1:2:3::4": "2001:db8:1:2::/64",
		"fe80::1%eth0": "fe80::/64", "somebody": "somebody", "": "",
	} {
		if got := group(address); got != want {
			t.Errorf("%s: %s", address, got)
		}
	}
}

// Many machines that guess together are stopped, and the user is not: where its
// right password came from, it still counts.
func TestLimitOfAUser(t *testing.T) {
	l := NewLimiter(Limits{})
	home := l.attempt("admin", "203.0.113.1")
	if wait := l.succeeded(home, noon); wait != 0 {
		t.Fatal(wait)
	}
	checked := 0
	for i := range 200 {
		checked += fails(l, "Admin", fmt.Sprint("192.0.2.", i), 3, noon.Add(time.Hour))
	}
	later := noon.Add(time.Hour)
	if checked != 100 || waits(l, "admin", "198.51.100.1", later) != 5*time.Minute {
		t.Errorf("%d checked", checked)
	}
	if l.wait(home, later) != 0 || l.succeeded(home, later) != 0 {
		t.Error("the user is locked out at home")
	}
	if waits(l, "editor", "198.51.100.1", later) != 0 {
		t.Error("another user is locked out")
	}
	// At home, too, one who guesses is stopped.
	if got := fails(l, "admin", "203.0.113.1", 30, later); got != 10 {
		t.Errorf("at home %d checked", got)
	}
	if muchLater := later.Add(familiarity); l.wait(home, muchLater) != 0 || l.familiar.find(home.pair, muchLater) != nil {
		t.Error("an address is familiar without end")
	}
}

func TestSuccessForgetsThePair(t *testing.T) {
	l := NewLimiter(Limits{PerAddress: 25, Window: time.Minute})
	a := l.attempt("admin", "192.0.2.1")
	for round := range 2 {
		if got := fails(l, "admin", "192.0.2.1", 9, noon); got != 9 || l.succeeded(a, noon) != 0 {
			t.Errorf("round %d: %d checked", round, got)
		}
	}
	// What counts for the address stays: one's own account opens no way to try
	// those of others.
	if got := fails(l, "editor", "192.0.2.1", 20, noon); got != 25-18 || l.succeeded(a, noon) != time.Minute {
		t.Errorf("%d checked", got)
	}
}

func TestLastTellsTheLimit(t *testing.T) {
	l := NewLimiter(Limits{PerPair: 3})
	a := l.attempt("admin", "192.0.2.1")
	for i, want := range []bool{false, false, true, false} {
		if wait, last := l.failed(a, noon); last != want || (wait > 0) != (i == 3) {
			t.Errorf("%d: %s, %v", i, wait, last)
		}
	}
}

// Many attempts at once show no more than one after the other: past the limit no
// outcome is shown, be it right or wrong.
func TestManyAtOnce(t *testing.T) {
	l := NewLimiter(Limits{})
	var shown, held atomic.Int64
	start := make(chan struct{})
	var ready, all sync.WaitGroup
	for range 64 {
		ready.Add(1)
		all.Go(func() {
			a := l.attempt("admin", "192.0.2.1")
			if l.wait(a, noon) != 0 {
				t.Error("refused before anything failed")
			}
			ready.Done()
			<-start
			if wait, _ := l.failed(a, noon); wait == 0 {
				shown.Add(1)
			} else {
				held.Add(1)
			}
		})
	}
	ready.Wait()
	close(start)
	all.Wait()
	if shown.Load() != 10 || held.Load() != 54 {
		t.Errorf("%d shown, %d held back", shown.Load(), held.Load())
	}
	if l.succeeded(l.attempt("admin", "192.0.2.1"), noon) == 0 {
		t.Error("a right password past the limit is shown")
	}
}

// Memory is bounded, and what many others count does not reset one's own.
func TestFloodResetsNothing(t *testing.T) {
	l := NewLimiter(Limits{})
	if got := fails(l, "admin", "192.0.2.1", 9, noon); got != 9 {
		t.Fatal(got)
	}
	for i := range 200_000 {
		a := l.attempt(fmt.Sprint("user", i), fmt.Sprint("host", i/40))
		l.failed(a, noon.Add(time.Second))
	}
	if n := len(l.failures.slots); n != failureSets*ways {
		t.Errorf("%d counters", n)
	}
	if got := fails(l, "admin", "192.0.2.1", 5, noon.Add(2*time.Second)); got != 1 {
		t.Errorf("after the flood %d checked", got)
	}
}

func TestFullSetLosesTheLeast(t *testing.T) {
	table := &table{sets: 1, window: time.Minute}
	for key := range uint64(ways) {
		for range key + 2 {
			table.add(key, noon.Add(time.Duration(key)))
		}
	}
	table.add(100, noon) // takes the place of 0
	table.add(101, noon) // takes the place of 100
	for key, want := range map[uint64]int{0: 0, 1: 3, 7: 9, 100: 0, 101: 1} {
		count := 0
		if s := table.find(key, noon.Add(time.Second)); s != nil {
			count = s.count
		}
		if count != want {
			t.Errorf("key %d: %d, want %d", key, count, want)
		}
	}
	table.add(102, noon.Add(time.Minute)) // of those whose time is over, any
	if table.find(102, noon.Add(time.Minute)) == nil || table.find(7, noon.Add(time.Minute)) == nil {
		t.Error("one that counts was lost for one whose time is over")
	}
}

// A clock that was set back locks nobody out for longer than a window.
func TestClockSetBack(t *testing.T) {
	l := NewLimiter(Limits{})
	fails(l, "admin", "192.0.2.1", 10, noon)
	if got := waits(l, "admin", "192.0.2.1", noon.Add(-time.Hour)); got != 0 {
		t.Error(got)
	}
}

// Concurrent requests read the clock before they count.
func TestClocksOfRequestsAtOnce(t *testing.T) {
	l := NewLimiter(Limits{})
	for i := range 10 {
		fails(l, "admin", "192.0.2.1", 1, noon.Add(-time.Duration(i)*time.Millisecond))
	}
	if got := waits(l, "admin", "192.0.2.1", noon.Add(-time.Second)); got != 5*time.Minute {
		t.Error(got)
	}
}

func TestUntouchedLimiterIsSmall(t *testing.T) {
	l := NewLimiter(Limits{})
	if waits(l, "admin", "192.0.2.1", noon) != 0 || l.failures.slots != nil || l.familiar.slots != nil {
		t.Error("tables are made before they are needed")
	}
}
