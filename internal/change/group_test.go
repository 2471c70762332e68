package change

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

var errRun = errors.New("the run failed")

// call is a call of Do and its results.
type call struct {
	value  int
	shared bool
	err    error
	ended  bool
}

// calls are calls with one key of a group. Each run waits until the test ends it.
type calls struct {
	group Group[string, int]
	runs  int
	begun []chan ending
}

// ending is how a run ends.
type ending struct {
	share bool
	err   error
	panic bool
}

// do begins a call in the background.
func (c *calls) do(ctx context.Context, found func() (int, bool)) *call {
	r := &call{}
	go func() {
		defer func() {
			if recover() != nil {
				r.err = errRun
			}
			r.ended = true
		}()
		r.value, r.shared, r.err = c.group.Do(ctx, "key", found, func() (int, bool, error) {
			c.runs++
			n, end := c.runs, make(chan ending)
			c.begun = append(c.begun, end)
			how := <-end
			if how.panic {
				panic("broken")
			}
			return n, how.share, how.err
		})
	}()
	synctest.Wait()
	return r
}

// end ends the current runs.
func (c *calls) end(how ending) {
	begun := c.begun
	c.begun = nil
	for _, end := range begun {
		end <- how
	}
	synctest.Wait()
}

func TestGroupSharesWithThoseWhoCameBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c calls
		var all [64]*call
		for i := range all {
			all[i] = c.do(t.Context(), nil)
		}
		if len(c.begun) != 1 {
			t.Fatalf("%d runs at the same time", len(c.begun))
		}
		c.end(ending{share: true})
		if !all[0].ended || all[1].ended || len(c.begun) != 1 {
			t.Fatalf("%+v %+v, %d runs", all[0], all[1], len(c.begun))
		}
		late := c.do(t.Context(), nil) // after the second run has begun
		c.end(ending{share: true})
		leads := 0
		for i, r := range all {
			if want := min(i+1, 2); !r.ended || r.value != want || r.err != nil {
				t.Errorf("%d: %+v", i, r)
			}
			if !r.shared {
				leads++
			}
		}
		if leads != 2 || late.ended {
			t.Errorf("%d ran, the late one %+v", leads, late)
		}
		c.end(ending{share: true})
		if c.runs != 3 || late.value != 3 || late.shared {
			t.Errorf("%d runs, %+v", c.runs, late)
		}
	})
}

func TestGroupKeys(t *testing.T) {
	var g Group[int, int]
	inner := 0
	outer, _, err := g.Do(t.Context(), 1, nil, func() (_ int, _ bool, err error) {
		inner, _, err = g.Do(t.Context(), 2, nil, func() (int, bool, error) { return 2, true, nil })
		return 1, true, err
	})
	if outer != 1 || inner != 2 || err != nil {
		t.Errorf("%d, %d, %v", outer, inner, err)
	}
	if len(g.running) != 0 {
		t.Errorf("%d runs are left", len(g.running))
	}
}

// TestGroupRunsThatFail checks that no caller gets the result of another caller's failed run.
func TestGroupRunsThatFail(t *testing.T) {
	for name, how := range map[string]ending{
		"not shared": {}, "with an error": {share: true, err: errRun}, "with a panic": {panic: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var c calls
				first, second, third := c.do(t.Context(), nil), c.do(t.Context(), nil), c.do(t.Context(), nil)
				c.end(how)
				if failed := how.err != nil || how.panic; failed != (first.err != nil) || !first.ended || second.ended || third.ended {
					t.Fatalf("%+v %+v %+v", first, second, third)
				}
				if c.runs != 2 {
					t.Fatalf("%d runs", c.runs)
				}
				c.end(how) // ends the run of one of the two, which both wait for
				if c.runs != 3 || second.ended == third.ended {
					t.Fatalf("%d runs, %+v %+v", c.runs, second, third)
				}
				c.end(ending{share: true})
				last := second
				if third.value == 3 {
					last = third
				}
				if !second.ended || !third.ended || last.value != 3 || last.shared || last.err != nil {
					t.Errorf("%+v %+v", second, third)
				}
			})
		})
	}
}

func TestGroupCancelledWaiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c calls
		ctx, cancel := context.WithCancel(t.Context())
		first, waiting, patient := c.do(t.Context(), nil), c.do(ctx, nil), c.do(t.Context(), nil)
		cancel()
		synctest.Wait()
		if !waiting.ended || !errors.Is(waiting.err, context.Canceled) || first.ended || patient.ended {
			t.Errorf("%+v %+v %+v", first, waiting, patient)
		}
		c.end(ending{share: true})
		c.end(ending{share: true})
		if c.runs != 2 || patient.value != 2 || patient.err != nil {
			t.Errorf("%d runs, %+v", c.runs, patient)
		}
	})
}

// TestGroupFound checks that callers which came too late for a run use what it cached.
func TestGroupFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c calls
		found := func() (int, bool) { return 7, true }
		missing := func() (int, bool) { return 8, false }
		first, lucky, other := c.do(t.Context(), found), c.do(t.Context(), found), c.do(t.Context(), missing)
		if lucky.ended {
			t.Fatalf("%+v", lucky)
		}
		c.end(ending{share: true})
		if first.value != 1 || lucky.value != 7 || !lucky.shared || other.ended {
			t.Errorf("%+v %+v %+v", first, lucky, other)
		}
		c.end(ending{share: true})
		if c.runs != 2 || other.value != 2 {
			t.Errorf("%d runs, %+v", c.runs, other)
		}
	})
}
