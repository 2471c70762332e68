package budget

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// timed returns the context of a request with a timeout of 30 seconds.
func timed(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

const kib = 1 << 10

func claim(t *testing.T, p *Pool, take int64) *Claim {
	t.Helper()
	c := p.Claim(timed(t), 1000*kib)
	c.Bound()
	if err := c.Wait(take); err != nil {
		t.Fatalf("%d bytes: %v", take, err)
	}
	return c
}

func TestBoundOfOne(t *testing.T) {
	p := NewPool(-1)
	c := claim(t, p, 0)
	if err := c.Rows(1001 * kib); !errors.Is(err, ErrTooLarge) || !errors.Is(c.Err(), ErrTooLarge) || c.Room(1) != 0 {
		t.Errorf("rows: %v", err)
	}
	c = claim(t, p, 0)
	if room := c.Room(600 * kib); room != 1000*kib {
		t.Errorf("room of %d", room)
	}
	if room := c.Room(1001 * kib); room != 0 || !errors.Is(c.Err(), ErrTooLarge) {
		t.Errorf("room of %d, %v", room, c.Err())
	}
	c = claim(t, p, 0)
	c.Count()
	if room := c.Room(2000 * kib); room < 2000*kib || c.Rows(9000*kib) != nil {
		t.Errorf("what only counts has room of %d, %v", room, c.Err())
	}
	if part := c.Part(false); !errors.Is(part.Rows(1001*kib), ErrTooLarge) || c.Part(true).Rows(1001*kib) != nil {
		t.Error("a part has no bound, or a whole one has")
	}
	var none *Claim
	if none.Wait(1) != nil || none.Row(1) != nil || none.Rows(1) != nil || none.Expect(1) != nil || none.Room(5) < 5 ||
		none.Reserve(1) != nil {
		t.Error("without a claim something is refused")
	}
	none.Release()
}

// TestCounting checks that what is returned is available to others, that the free part of a claim is not counted, and
// that nothing is left at the end.
func TestCounting(t *testing.T) {
	p := NewPool(1000 * kib)
	a := claim(t, p, Free)
	if p.Used() != 0 {
		t.Errorf("%d bytes of what is free", p.Used())
	}
	_, _, _ = a.Wait(300*kib), a.Expect(100*kib), a.Row(50*kib)
	if p.Used() != 400*kib {
		t.Errorf("%d bytes", p.Used())
	}
	if a.Keep(200 * kib); p.Used() != 200*kib-Free {
		t.Errorf("%d bytes are kept", p.Used())
	}
	if a.Release(); p.Used() != 0 {
		t.Errorf("%d bytes are left", p.Used())
	}
	s := p.Share(500 * kib)
	s.Hold()
	s.Hold()
	if s.Drop(); p.Used() != 500*kib-Free {
		t.Errorf("%d bytes are shared", p.Used())
	}
	if s.Drop(); p.Used() != 0 || p.Share(Free) != nil {
		t.Errorf("%d bytes are shared by nobody", p.Used())
	}
}

// TestWaiting checks that claims wait in order where memory is used up, and for no longer than a part of their time.
func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPool(1000 * kib)
		a, b := claim(t, p, 800*kib+Free), claim(t, p, 800*kib+Free) // the second exceeds the limit
		ended := make(chan string, 2)
		wait := func(name string, n int64) {
			go func() {
				c := p.Claim(timed(t), -1)
				if err := c.Wait(n + Free); err != nil {
					name += ": " + err.Error()
				}
				ended <- name
			}()
			synctest.Wait()
		}
		wait("large", 900*kib)
		wait("small", 10*kib)
		if len(ended) > 0 {
			t.Fatalf("not waited: %s", <-ended)
		}
		b.Release()
		if first := <-ended; first != "large" {
			t.Fatalf("in turn: %s", first)
		}
		began := time.Now()
		if second := <-ended; second != "small: "+ErrFull.Error() || time.Since(began) != longest {
			t.Errorf("after %s: %s", time.Since(began), second)
		}
		a.Release()
	})
}

// TestNoDeadlock checks that claims that each hold a part and need more are granted one after the other.
func TestNoDeadlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPool(100 * kib)
		var done atomic.Int64
		for range 8 {
			go func() {
				c := p.Claim(timed(t), -1)
				for range 20 {
					if c.Wait(20*kib) != nil {
						return
					}
				}
				done.Add(1)
				c.Release()
			}()
		}
		synctest.Wait()
		if done.Load() != 8 || p.Used() != 0 {
			t.Errorf("%d of 8 got through, %d bytes are left", done.Load(), p.Used())
		}
	})
}

// TestReserve checks that a write is rejected before it is stored, or not at all.
func TestReserve(t *testing.T) {
	p := NewPool(100 * kib)
	w := p.Claim(timed(t), 10*kib)
	w.Count()
	if err := w.Reserve(500 * kib); err != nil {
		t.Errorf("alone: %v", err)
	}
	other := p.Claim(timed(t), 10*kib)
	other.Count()
	if err := other.Reserve(500 * kib); !errors.Is(err, ErrFull) || other.Wait(500*kib) != nil {
		t.Errorf("beside another: %v, then %v", err, other.Err())
	}
	w.Release()
	other.Release()
	if p.Used() != 0 {
		t.Errorf("%d bytes are left", p.Used())
	}
}

// TestMost checks that a context can lower the limit of an answer and cannot raise it.
func TestMost(t *testing.T) {
	ctx := AtMost(t.Context(), 100)
	for _, c := range []struct{ max, plain, bounded int64 }{{-1, -1, 100}, {50, 50, 50}, {200, 200, 100}} {
		if plain, bounded := Most(t.Context(), c.max), Most(ctx, c.max); plain != c.plain || bounded != c.bounded {
			t.Errorf("of %d: %d and %d", c.max, plain, bounded)
		}
	}
	claim := NewPool(-1).Claim(ctx, Most(ctx, 200))
	claim.Bound()
	if err := claim.Rows(101); err != ErrTooLarge {
		t.Errorf("rows of more bytes: %v", err)
	}
}
