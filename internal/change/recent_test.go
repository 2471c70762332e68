package change

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestRecent asks for a state that may be up to a second old, each time after some time has passed or something has
// happened.
func TestRecent(t *testing.T) {
	steps := []struct {
		name  string
		do    func(d *database, c *Tracker)
		looks int  // polls of the database; they run in the background if the returned state is the previous one
		same  bool // the state is that of the previous step
	}{
		{"the first one", func(*database, *Tracker) {}, 1, false},
		{"a moment later", func(d *database, _ *Tracker) { d.pass(time.Second / renewals) }, 0, true},
		{"renewed for those that come next", func(d *database, _ *Tracker) { d.pass(time.Millisecond) }, 1, true},
		{"that was renewed", func(d *database, _ *Tracker) { d.pass(time.Millisecond) }, 0, false},
		{"others committed", func(d *database, _ *Tracker) { d.commit(posts) }, 0, true},
		{"a second old", func(d *database, _ *Tracker) { d.pass(999 * time.Millisecond) }, 1, true},
		{"too old", func(d *database, _ *Tracker) { d.pass(1001 * time.Millisecond) }, 1, false},
		{"this program committed", func(d *database, c *Tracker) { d.own(c, posts) }, 1, false},
		{"this program commits", func(_ *database, c *Tracker) { c.Commit() }, 1, false},
		{"a copy of it committed", func(d *database, c *Tracker) {
			lead := New(d, settle, maxAge, c.logger)
			c.Follow(lead)
			lead.Commit()(true)
		}, 1, false},
		{"another connection", func(_ *database, c *Tracker) { c.Reconnect() }, 1, false},
		{"a look fails", func(d *database, c *Tracker) { c.Reconnect(); d.broken = errLost }, 1, false},
		{"the next one fails too", func(*database, *Tracker) {}, 1, false},
		{"the database is back", func(d *database, _ *Tracker) { d.broken = nil }, 1, false},
		{"it stays", func(*database, *Tracker) {}, 0, true},
	}
	synctest.Test(t, func(t *testing.T) {
		d, c, _ := newReader(t)
		var before *State
		for _, step := range steps {
			step.do(d, c)
			looks := d.looks
			s := c.Recent(t.Context(), time.Second)
			synctest.Wait()
			if d.looks-looks != step.looks || (s == before) != step.same {
				t.Errorf("%s: %d looks, the same state: %t", step.name, d.looks-looks, s == before)
			}
			before = s
		}
		if looks := d.looks; c.Recent(t.Context(), 0) == before || d.looks != looks+1 {
			t.Error("a state is old where none may be")
		}
	})
}
