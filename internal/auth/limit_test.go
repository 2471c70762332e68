package auth

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/golden"
)

// fails makes n attempts with a wrong password and returns how many of them were checked.
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
		golden.Equal(t, c, waits(l, c.login, c.address, noon.Add(c.after)), c.want)
	}
	// The next window is as long as the first, because rejected attempts did not count.
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
		golden.Equal(t, address, group(address), want)
	}
}

// TestLimitOfAUser checks that many machines that guess together are stopped, while the user can still log in from an
// address from which the right password came before.
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
	// Guessing from the familiar address is stopped, too.
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
	// The count of the address remains, so that logging in to one's own account does not permit guessing the passwords
	// of others.
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

// TestManyAtOnce checks that concurrent attempts reveal no more than consecutive ones: beyond the limit no result is
// revealed, neither right nor wrong.
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

// TestFloodResetsNothing checks that memory is bounded, and that a flood of attempts with other names does not reset a
// count.
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
			table.increment(key, noon.Add(time.Duration(key)))
		}
	}
	table.increment(100, noon) // replaces the counter of key 0
	table.increment(101, noon) // replaces the counter of key 100
	for key, want := range map[uint64]int{0: 0, 1: 3, 7: 9, 100: 0, 101: 1} {
		count := 0
		if s := table.find(key, noon.Add(time.Second)); s != nil {
			count = s.count
		}
		golden.Equal(t, key, count, want)
	}
	table.increment(102, noon.Add(time.Minute)) // replaces any expired counter
	if table.find(102, noon.Add(time.Minute)) == nil || table.find(7, noon.Add(time.Minute)) == nil {
		t.Error("one that counts was lost for one whose time is over")
	}
}

// TestClockSetBack checks that setting the clock back locks nobody out for longer than a window.
func TestClockSetBack(t *testing.T) {
	l := NewLimiter(Limits{})
	fails(l, "admin", "192.0.2.1", 10, noon)
	if got := waits(l, "admin", "192.0.2.1", noon.Add(-time.Hour)); got != 0 {
		t.Error(got)
	}
}

// TestClocksOfRequestsAtOnce checks that counts are right if concurrent requests read the clock before they count.
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
