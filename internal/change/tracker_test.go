package change

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/must"
)

// TestTooLongTransaction checks that a commit of a transaction longer than settle can stay unnoticed, but not for ever.
func TestTooLongTransaction(t *testing.T) {
	d, c, r := newReader(t)
	d.pass(time.Second)
	long := d.begin(time.Minute, posts)
	d.commit(posts)
	d.pass(settled + time.Second)
	r.cached(t, bit(posts))
	began := d.now
	d.end(long)
	for d.now.Sub(began) <= maxAge {
		ctx, _ := r.request()
		if n, hit := r.readCounted(t, ctx, bit(posts)); !hit || n == d.count(bit(posts)) {
			t.Fatal("the model shows what it cannot")
		}
		d.pass(30 * time.Second)
	}
	r.expect(t, bit(posts), false)
	if n := c.Stats().Epochs[reasonAge]; n != 1 {
		t.Errorf("%d times the maximal age", n)
	}
}

// TestThereAndBack changes a table twice between two polls, and once while an earlier request computes: the table must
// not get back a version that it had before.
func TestThereAndBack(t *testing.T) {
	d, _, r := newReader(t)
	early, _ := r.request()
	d.pass(20 * time.Second)
	d.commit(posts)
	if _, hit := r.readCounted(t, early, bit(posts)); hit {
		t.Fatal("cached by nobody")
	}
	d.pass(20 * time.Second)
	d.commit(posts)
	r.expect(t, bit(posts), false)
}

func TestLostConnection(t *testing.T) {
	d, c, r := newReader(t)
	r.cached(t, bit(posts))
	_, before := r.request()
	d.lose()
	_, failed := r.request()
	if failed.Settled(bit(posts)) || failed.Options() != nil || failed.Epoch(bit(posts)) <= before.Epoch(bit(posts)) {
		t.Errorf("%+v", failed)
	}
	if d.released != 1 {
		t.Errorf("released %d times", d.released)
	}
	_, after := r.request()
	if !after.Settled(All) || after.Options() == nil || after.Epoch(bit(posts)) <= failed.Epoch(bit(posts)) {
		t.Errorf("%+v", after)
	}
	r.cached(t, bit(posts))
	if s := c.Stats(); s.Epochs[reasonFailed] != 1 || s.Epochs[reasonServer] != 2 {
		t.Errorf("%+v", s)
	}
}

// TestDaylightSaving commits twice at the same local time, one hour apart.
func TestDaylightSaving(t *testing.T) {
	d, c, r := newReader(t)
	berlin := must.Get(time.LoadLocation("Europe/Berlin"))(t)
	first := time.Date(2031, 10, 26, 0, 30, 0, 0, time.UTC).In(berlin)
	second := first.Add(time.Hour)
	if first.Format(time.TimeOnly) != second.Format(time.TimeOnly) {
		t.Fatalf("%s and %s", first, second)
	}
	d.now = first
	d.commit(posts)
	d.pass(settled)
	r.cached(t, bit(posts))
	for d.now.Before(second) {
		d.pass(min(50*time.Second, second.Sub(d.now)))
		ctx, _ := r.request()
		r.readCounted(t, ctx, bit(posts))
	}
	r.expect(t, bit(posts), true)
	d.commit(posts)
	r.expect(t, bit(posts), false)
	if n := c.Stats().Epochs[reasonJump]; n != 0 {
		t.Errorf("%d jumps", n)
	}
}

// TestTransients writes to the table of options all the time. Only options on which answers depend may count as a
// change.
func TestTransients(t *testing.T) {
	d, c, r := newReader(t)
	r.cached(t, bit(posts))
	_, before := r.request()
	for range 100 {
		d.pass(100 * time.Millisecond)
		d.commit(options)
		_, s := r.request()
		if s.Epoch(All) != before.Epoch(All) || !s.Settled(All) || s.Options() != before.Options() {
			t.Fatalf("%+v", s)
		}
		r.expect(t, bit(posts), true)
	}
	d.setOption("after")
	_, after := r.request()
	if after.Epoch(bit(options)) <= before.Epoch(bit(options)) || (*after.Options())["name"] != "after" || !after.Settled(All) {
		t.Errorf("%+v", after)
	}
	if after.Epoch(bit(posts)) != before.Epoch(bit(posts)) || after.Foreign(bit(options)) <= before.Foreign(bit(options)) {
		t.Errorf("%+v", after)
	}
	if (*before.Options())["name"] != "before" {
		t.Error("a state changed")
	}
	if n := c.Stats().Epochs[reasonOptions]; n != 1 {
		t.Errorf("%d changes of options", n)
	}
}

// TestOptionsAreCompared checks that options are read until the table's time can hide no change, and no longer.
func TestOptionsAreCompared(t *testing.T) {
	d, _, r := newReader(t)
	r.request()
	read := func() bool {
		before := d.optionsRead
		_, s := r.request()
		if got := (*s.Options())["name"]; got != d.rows["name"] {
			t.Fatalf("%q, and %q is stored", got, d.rows["name"])
		}
		return d.optionsRead > before
	}
	if read() {
		t.Error("read though nothing was written")
	}
	long := d.begin(settle, options)
	d.commit(options)
	if !read() {
		t.Error("not read after a write")
	}
	d.rows["name"] = "within the same second"
	d.commit(options)
	if !read() {
		t.Error("not read in the second of a write")
	}
	d.pass(settle - time.Second)
	if !read() {
		t.Error("not read though a transaction can run")
	}
	d.rows["name"] = "long"
	d.pass(time.Second)
	if !long.due.Equal(d.now) || !read() {
		t.Error("not read when it was over")
	}
	d.pass(settled)
	if !read() || read() {
		t.Error("not read once more")
	}
	d.evict(options)
	if !read() || read() {
		t.Error("not read when the time was forgotten")
	}
	d.pass(unknownGap + time.Millisecond)
	d.rows["name"] = "forgotten"
	if !read() || read() {
		t.Error("not read after a while without a time")
	}
	d.rows["name"], d.host = "elsewhere", "b"
	if !read() {
		t.Error("not read from another server")
	}
}

// newSetReader is newReader for a MySQL server that reports its transactions.
func newSetReader(t *testing.T) (*database, *Tracker, *reader) {
	d, c, r := newReader(t)
	d.atCommit, d.sets = true, true
	return d, c, r
}

// TestUnloggedCommits checks that commits which do not change the set of transactions are found by the times of tables
// and by commits of this program, and that from then on only times are used.
func TestUnloggedCommits(t *testing.T) {
	for name, commit := range map[string]func(d *database, c *Tracker, r *reader){
		"others": func(d *database, _ *Tracker, r *reader) {
			d.unlogged(posts)
			r.cached(t, bit(posts)) // the set may be about to change
			d.pass(unloggedGap)
		},
		"own": func(d *database, c *Tracker, _ *reader) {
			committed := c.Commit()
			d.unlogged(posts)
			committed(true)
			d.pass(time.Millisecond)
		},
	} {
		t.Run(name, func(t *testing.T) {
			d, c, r := newSetReader(t)
			logger, lines := logOf()
			c.logger = logger
			r.cached(t, bit(posts))
			commit(d, c, r)
			r.request()
			logged := strings.Join(lines(), "")
			if s := c.Stats(); s.Method != MethodCommit || s.Epochs[reasonUnlogged] != 1 || !strings.Contains(logged, "no longer") {
				t.Errorf("%+v, %s", s, logged)
			}
			d.pass(time.Minute / 2)
			r.cached(t, bit(posts))
			d.unlogged(posts)
			r.expect(t, bit(posts), false)
			r.expect(t, bit(posts), false)
		})
	}
}

// TestSetsThatAreLate checks that a set stays in use if it changes soon after the times of tables, if a commit of this
// program changed nothing, and if a poll ran during the commit.
func TestSetsThatAreLate(t *testing.T) {
	d, c, r := newSetReader(t)
	r.cached(t, bit(posts))
	d.unlogged(posts)
	r.cached(t, bit(posts))
	d.pass(unloggedGap - time.Millisecond)
	d.executed++
	r.request()
	d.pass(time.Second)
	c.Commit()(false)
	d.pass(time.Second)
	r.request()
	committed := c.Commit()
	d.commit(posts)
	r.request()
	committed(true)
	d.pass(time.Second)
	r.request()
	d.whileLooking = func() { d.own(c, posts) }
	r.request()
	d.pass(unloggedGap)
	r.request()
	if s := c.Stats(); s.Method != MethodSet {
		t.Errorf("%+v", s)
	}
}

func TestOwnCommits(t *testing.T) {
	d, c, r := newReader(t)
	_, before := r.request()
	committed := c.Commit()
	_, running := r.request()
	d.commit(posts)
	committed(true)
	_, after := r.request()
	if e := []uint64{before.Epoch(0), running.Epoch(0), after.Epoch(0)}; e[0] >= e[1] || e[1] >= e[2] {
		t.Errorf("epochs %d", e)
	}
	if after.Settled(bit(posts)) || !after.Settled(bit(meta)) {
		t.Errorf("%+v", after)
	}
	for range 3 {
		d.pass(10 * time.Second)
		d.own(c, posts, meta)
		_, after = r.request()
	}
	if before.Foreign(All) != after.Foreign(All) {
		t.Errorf("foreign %d, then %d", before.Foreign(All), after.Foreign(All))
	}
	if n := c.Stats().Epochs[reasonOwn]; n != 8 {
		t.Errorf("%d own epochs", n)
	}
}

// TestOwnCommitWhileLooking commits in this program after the poll has read the versions.
func TestOwnCommitWhileLooking(t *testing.T) {
	d, c, r := newReader(t)
	_, before := r.request()
	d.pass(10 * time.Second)
	d.whileLooking = func() { d.own(c, posts) }
	ctx, _ := r.request()
	r.readCounted(t, ctx, bit(posts))
	r.expect(t, bit(posts), false)
	if _, s := r.request(); s.Foreign(All) != before.Foreign(All) {
		t.Error("foreign")
	}
	d.pass(10 * time.Second)
	d.commit(posts)
	if _, s := r.request(); s.Foreign(bit(posts)) == before.Foreign(bit(posts)) {
		t.Error("not foreign")
	}
}

func TestForeignCommitBetweenOwn(t *testing.T) {
	for name, foreign := range map[string]func(d *database, r *reader){
		"with looks between": func(d *database, r *reader) {
			r.request()
			d.commit(posts)
			r.request()
		},
		"at once, with looks between": func(d *database, r *reader) {
			r.request()
			d.pass(time.Second)
			d.commit(posts)
			r.request()
		},
		"later": func(d *database, r *reader) {
			d.pass(10 * time.Second)
			d.commit(posts)
		},
		"to a table that is made again": func(d *database, r *reader) { d.create(posts) },
		"to options":                    func(d *database, r *reader) { d.setOption("after") },
	} {
		t.Run(name, func(t *testing.T) {
			d, c, r := newReader(t)
			_, before := r.request()
			d.own(c, posts)
			if name == "with looks between" {
				d.pass(10 * time.Second)
			}
			foreign(d, r)
			_, after := r.request()
			if after.Foreign(All) <= before.Foreign(All) {
				t.Error("not foreign")
			}
			if after.Foreign(bit(meta)) != before.Foreign(bit(meta)) {
				t.Error("the change of another table")
			}
			d.own(c, posts)
			if _, s := r.request(); s.Foreign(All) != after.Foreign(All) {
				t.Error("foreign")
			}
		})
	}
}

// TestForeignAge checks that own commits do not postpone the maximum age.
func TestForeignAge(t *testing.T) {
	d, c, r := newReader(t)
	_, before := r.request()
	for range 11 {
		d.pass(maxAge / 10)
		d.own(c, meta)
		r.request()
	}
	if _, s := r.request(); s.Foreign(bit(posts)) <= before.Foreign(bit(posts)) {
		t.Error("proved for ever")
	}
}

// TestUnknown replaces a table by a view, and then the view by the table.
func TestUnknown(t *testing.T) {
	d := newDatabase()
	logger, lines := logOf()
	c := New(d, settle, maxAge, logger)
	c.now = func() time.Time { return d.now }
	t.Cleanup(c.Close)
	r := &reader{db: d, clock: c}
	r.cached(t, bit(posts))
	d.unknown = "wp_posts is a view"
	for i := range 5 {
		d.tables[posts].commits++
		r.expect(t, bit(posts), false)
		if i == 2 {
			d.lose()
			r.expect(t, bit(posts), false)
		}
	}
	if _, s := r.request(); s.Settled(bit(meta)) || s.Options() != nil {
		t.Errorf("%+v", s)
	}
	if got := lines(); len(got) != 2 || !strings.Contains(got[0], MethodStart) || !strings.Contains(got[1], d.unknown) {
		t.Errorf("%q", got)
	}
	if s := c.Stats(); s.Unknown != d.unknown || s.Epochs[reasonUnknown] != 6 {
		t.Errorf("%+v", s)
	}
	d.unknown = ""
	d.tables[posts].commits++
	r.cached(t, bit(posts))
	if s := c.Stats(); s.Unknown != "" || len(lines()) != 3 {
		t.Errorf("%+v, %q", s, lines())
	}
}

// TestAdvice checks that it is logged once, with the names of the tables, that other programs write all the time.
func TestAdvice(t *testing.T) {
	for _, x := range []struct {
		name     string
		every    int // how many requests there are for each commit
		compared bool
		busy     bool
	}{
		{"now and then", 200, false, false},
		{"all the time", 2, false, true},
		{"what is compared without a poll", 5, true, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			d, c, r := newReader(t)
			d.exact, d.compared = x.compared, x.compared
			logger, lines := logOf()
			c.logger = logger
			c.Advise()
			for i := range 2000 {
				if i%x.every == 0 {
					d.commit(meta)
				}
				d.pass(100 * time.Millisecond)
				r.request()
			}
			advice := slices.DeleteFunc(lines(), func(line string) bool { return !strings.Contains(line, "MaxStale") })
			if len(advice) > 1 || x.busy != (len(advice) == 1) || x.busy && !strings.Contains(advice[0], "postmeta 6") {
				t.Errorf("%q", advice)
			}
			// What is compared is one version for all tables.
			if n := c.Stats().Moved["postmeta"]; n < 9 || !x.compared && c.Stats().Moved["posts"] != 0 {
				t.Errorf("%v", c.Stats().Moved)
			}
		})
	}
}

func TestNilClock(t *testing.T) {
	var c *Tracker
	if c.Poll(t.Context()) != nil {
		t.Error("a state")
	}
	c.Commit()(false)
	c.Close()
	if s := c.Stats(); s.Looks != 0 || s.Epochs != nil {
		t.Errorf("%+v", s)
	}
}
