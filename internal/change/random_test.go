package change

import (
	"context"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// asking is a request that has polled and not read yet.
type asking struct {
	ctx    context.Context
	of     Tables
	stored int // what was stored when the request arrived
}

// world is a database, a Tracker and random events.
type world struct {
	*rapid.T
	db      *database
	clock   *Tracker
	reader  reader
	asking  []asking
	options *State // of the last poll
	hits    int
}

// event is something that can happen.
type event struct {
	name string
	do   func(w *world)
}

// events are the events of each history. An entry that is repeated happens more often.
var events = []event{
	{"wait", (*world).wait}, {"wait", (*world).wait}, {"wait long", (*world).waitLong},
	{"request", (*world).request}, {"request", (*world).request}, {"request", (*world).request},
	{"ask", (*world).startRequest}, {"read", (*world).endRequest}, {"request all", (*world).requestAll},
	{"commit", (*world).commit}, {"commit elsewhere", (*world).commitElsewhere},
	{"begin", (*world).begin}, {"begin", (*world).begin}, {"end", (*world).end},
	{"own", (*world).own}, {"option", (*world).setOption}, {"evict", (*world).evict}, {"rare", (*world).rare},
}

// rarely are events that happen rarely.
var rarely = []event{
	{"restart", func(w *world) { w.db.restart() }},
	{"lose", func(w *world) { w.db.lose() }},
	{"other server", func(w *world) { w.db.restart(); w.db.host += "b"; w.db.ahead += w.duration(-4000, 4000) }},
	{"create", func(w *world) { w.db.create(translations) }},
	{"release", func(w *world) { w.clock.Reconnect() }},
	{"idle", func(w *world) { w.db.pass(longestGap + w.duration(-1000, 1000)) }},
	{"jump", func(w *world) { w.db.ahead += w.duration(-20_000, 20_000) }},
	{"small jump", func(w *world) { w.db.ahead += w.duration(-900, 900) }},
	{"slow look", func(w *world) { w.db.before, w.db.after = w.duration(0, 1200), w.duration(0, 1200) }},
	{"commit while looking", func(w *world) { w.db.whileLooking = w.commit }},
	{"own while looking", func(w *world) { w.db.whileLooking = w.own }},
}

// duration draws a duration in tenths of seconds.
func (w *world) duration(least, most int) time.Duration {
	return time.Duration(rapid.IntRange(least/100, most/100).Draw(w.T, "tenths")) * 100 * time.Millisecond
}

func (w *world) table() int {
	return rapid.SampledFrom([]int{posts, posts, meta, options}).Draw(w.T, "table")
}

func (w *world) wait()     { w.db.pass(w.duration(0, 1500)) }
func (w *world) waitLong() { w.db.pass(w.duration(2000, 7000)) }
func (w *world) commit()   { w.db.commit(w.table()) }

// commitElsewhere commits to another database of the server.
func (w *world) commitElsewhere() { w.db.executed++ }

func (w *world) own() { w.db.own(w.clock, w.table()) }
func (w *world) setOption() {
	w.db.setOption(fmt.Sprint(w.db.commits, rapid.Bool().Draw(w.T, "option")))
}
func (w *world) begin() { w.db.begin(w.duration(0, int((settle-jump)/time.Millisecond)), w.table()) }
func (w *world) end() {
	if len(w.db.open) > 0 {
		w.db.end(rapid.SampledFrom(w.db.open).Draw(w.T, "transaction"))
	}
}

// evict makes the server forget a table that nobody has written for a while.
func (w *world) evict() {
	if i := w.table(); w.db.now.Sub(w.db.tables[i].committed) > unknownGap {
		w.db.evict(i)
	}
}

func (w *world) rare() { rapid.SampledFrom(rarely).Draw(w.T, "rare").do(w) }

// startRequest polls; the request reads later.
func (w *world) startRequest() {
	of := bit(rapid.SampledFrom([]int{posts, posts, meta, translations}).Draw(w.T, "of"))
	if rapid.Bool().Draw(w.T, "two tables") {
		of |= bit(posts)
	}
	w.beginRequest(of)
}

// beginRequest begins a request and checks the options that it gets.
func (w *world) beginRequest(of Tables) {
	stored, value := w.db.count(of), w.db.rows["name"]
	ctx, s := w.reader.request()
	w.db.before, w.db.after = 0, 0
	w.asking = append(w.asking, asking{ctx, of, stored})
	if s.Options() != nil && (*s.Options())["name"] != value && (*s.Options())["name"] != w.db.rows["name"] {
		w.Fatalf("options %v, and %q is stored", *s.Options(), value)
	}
	if w.options.Options() != nil && s.Options() != w.options.Options() && s.Epoch(bit(options)) == w.options.Epoch(bit(options)) {
		w.Fatal("other options in the same epoch")
	}
	w.options = s
}

// endRequest ends a request that polled earlier. Another program may write while it computes.
func (w *world) endRequest() {
	if len(w.asking) == 0 {
		return
	}
	i := rapid.IntRange(0, len(w.asking)-1).Draw(w.T, "request")
	a := w.asking[i]
	w.asking = append(w.asking[:i], w.asking[i+1:]...)
	hit := true
	n, err := Get(a.ctx, &w.reader.cache, fmt.Sprint(a.of), a.of, func() (int, error) {
		hit = false
		n := w.db.count(a.of)
		if rapid.IntRange(0, 9).Draw(w.T, "while computing") == 0 {
			w.commit()
		}
		return n, nil
	})
	if err != nil || n < a.stored {
		w.Fatalf("read %d, %v, and %d was stored before (from the cache: %t)", n, err, a.stored, hit)
	}
	if hit {
		w.hits++
	}
}

// request polls and reads at once.
func (w *world) request() {
	w.startRequest()
	last := len(w.asking) - 1
	a := w.asking[last]
	others := w.asking[:last:last]
	w.asking = []asking{a}
	w.endRequest()
	w.asking = others
}

func (w *world) requestAll() {
	w.beginRequest(All &^ bit(options))
	w.endRequest()
}

// TestRandomHistories checks that no request which polled after a commit gets what was stored before the commit.
func TestRandomHistories(t *testing.T) {
	for name, as := range map[string]database{
		MethodStart: {}, MethodExact: {exact: true}, MethodCommit: {atCommit: true}, MethodSet: {atCommit: true, sets: true},
		MethodExact + ", compared": {exact: true, compared: true},
	} {
		t.Run(name, func(t *testing.T) {
			hits := 0
			rapid.Check(t, func(rt *rapid.T) {
				d := newDatabase()
				d.exact, d.compared, d.atCommit, d.sets = as.exact, as.compared, as.atCommit, as.sets
				c := d.clock(rt)
				w := &world{T: rt, db: d, clock: c, reader: reader{db: d, clock: c}}
				c.Poll(context.Background()) // jumps before the first poll are not noticed
				for range 200 {
					rapid.SampledFrom(events).Draw(rt, "event").do(w)
				}
				hits += w.hits
			})
			if hits == 0 {
				t.Error("nothing was cached")
			}
			t.Logf("%d values from the cache", hits)
		})
	}
}
