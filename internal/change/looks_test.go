package change

import (
	"context"
	"log/slog"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

func TestClose(t *testing.T) {
	d, c, r := newReader(t)
	r.cached(t, bit(posts))
	c.Close()
	if d.released != 1 || d.connection != 0 {
		t.Errorf("released %d times", d.released)
	}
	looks := d.looks
	if s := c.Poll(t.Context()); s != nil || d.looks != looks {
		t.Errorf("%+v after %d looks", s, d.looks)
	}
	r.expect(t, bit(posts), false)
	r.expect(t, bit(posts), false)
	c.Close()
}

// TestCloseWhileLooking checks that Close leaves neither a connection nor a timer.
func TestCloseWhileLooking(t *testing.T) {
	d, c, _ := newReader(t)
	ended := make(chan struct{})
	d.whileLooking = func() {
		go func() {
			c.Close()
			close(ended)
		}()
		for closed := false; !closed; runtime.Gosched() { // Close waits for the poll
			c.mu.Lock()
			closed = c.closed
			c.mu.Unlock()
		}
	}
	c.Poll(t.Context())
	<-ended
	if d.connection != 0 || c.idle != nil && c.idle.Stop() {
		t.Errorf("connection %d, timer %v", d.connection, c.idle)
	}
}

// TestReleaseWhenIdle checks that the connection is closed a minute after the last poll.
func TestReleaseWhenIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDatabase()
		c := New(d, settle, maxAge, slog.New(slog.DiscardHandler))
		defer c.Close()
		released := func() int {
			c.reading.Lock()
			defer c.reading.Unlock()
			return d.released
		}
		c.Poll(t.Context())
		for range 3 {
			time.Sleep(longestGap - 1)
			if c.Poll(t.Context()); released() != 0 {
				t.Fatal("released while it was used")
			}
		}
		time.Sleep(longestGap)
		synctest.Wait()
		if released() != 1 || d.connection != 0 {
			t.Errorf("released %d times", released())
		}
		c.Poll(t.Context())
		if d.opened != 2 {
			t.Errorf("%d connections", d.opened)
		}
	})
}

// TestLookOfLaterCaller checks that a poll is not shared with callers that came after it had begun.
func TestLookOfLaterCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDatabase()
		c := d.clock(t)
		before := c.Poll(t.Context())
		var later [8]*State
		d.whileLooking = func() {
			d.commit(posts)
			for i := range later {
				go func() { later[i] = c.Poll(t.Context()) }()
			}
			synctest.Wait()
		}
		first := c.Poll(t.Context())
		synctest.Wait()
		for _, s := range later {
			if s.Epoch(bit(posts)) <= before.Epoch(bit(posts)) || s.Settled(bit(posts)) {
				t.Errorf("%+v", s)
			}
		}
		if first.Epoch(bit(posts)) != before.Epoch(bit(posts)) || d.looks != 3 {
			t.Errorf("%d looks", d.looks)
		}
	})
}

// TestCancelledLook checks that a poll continues for the other callers when one of them is cancelled.
func TestCancelledLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDatabase()
		c := d.clock(t)
		ctx, cancel := context.WithCancel(t.Context())
		var waiting *State
		done := false
		d.whileLooking = func() {
			go func() { waiting, done = c.Poll(ctx), true }()
			synctest.Wait()
			cancel()
			synctest.Wait()
			if !done || waiting != nil {
				t.Errorf("done %t: %+v", done, waiting)
			}
		}
		if s := c.Poll(ctx); !s.Settled(All) || s.Options() == nil {
			t.Errorf("%+v", s)
		}
	})
}

// TestPanickingLook checks that the Tracker still works after a poll panicked.
func TestPanickingLook(t *testing.T) {
	d, c, r := newReader(t)
	r.cached(t, bit(posts))
	d.whileLooking = func() { panic("broken") }
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		c.Poll(t.Context())
	}()
	r.expect(t, bit(posts), true)
	d.commit(posts)
	r.expect(t, bit(posts), false)
}
