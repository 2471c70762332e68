package follow

import (
	"context"
	"time"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/store/followstore"
	"github.com/agendahq/agenda/schema"
)

// loop compares what other programs change while this process holds the turn.
type loop struct {
	of      *Runner
	turn    *followstore.JournalTurn
	blocks  map[block]string // checksums found by the last quick comparison
	passing time.Time        // when the current full comparison began
	looked  time.Time        // when the last quick comparison ended
	polled  time.Time
	told    bool          // whether it was logged that the journal has other declarations
	until   int64         // a time of completeness that has not been recorded yet
	wrote   time.Time     // when that was last recorded
	idle    time.Time     // since when there has been nothing to compare
	last    time.Duration // duration of the last full comparison
}

// block is a block of rows in a quick comparison.
type block struct {
	number int64
	dates  bool
}

// unknownEvery is how often everything is compared if it is not known which tables changed.
const unknownEvery = 15 * time.Second

// held is how long the turn is kept while there is nothing to compare.
const held = 30 * time.Second

// end releases the turn.
func (l *loop) end(ctx context.Context) {
	if l.turn == nil {
		return
	}
	_ = l.turn.End(ctx)
	l.turn = nil
}

// poll reads the head of the journal and notifies those who wait for changes.
func (l *loop) poll(ctx context.Context) (*schema.JournalRow, error) {
	head, err := l.of.journal.Head(ctx)
	if err != nil {
		return nil, err
	}
	l.polled = time.Now()
	l.of.notifyChanged(head.Sequence)
	l.of.stats.head(head)
	return head, nil
}

// step compares if there is something to compare and this process holds or gets the turn.
func (l *loop) step(ctx context.Context) error {
	head, err := l.poll(ctx)
	if err != nil || l.of.Share <= 0 {
		return err
	}
	// The versions are read before anything is compared: commits in the meantime belong to later versions.
	v, unsettled, known := l.of.Store.Tracker.Versions(ctx)
	tables := l.due(v, known, head)
	if tables == 0 {
		if l.turn != nil && l.until > 0 && time.Since(l.wrote) > laterEvery {
			return l.complete(ctx)
		}
		if l.idle.IsZero() {
			l.idle = time.Now()
		}
		if time.Since(l.idle) > held {
			l.end(ctx)
		}
		return nil
	}
	l.idle = time.Time{}
	c, err := l.of.comparison(ctx)
	if err != nil {
		return err
	}
	r := &run{of: c, journal: l.of.journal, tables: tables}
	r.rest, r.later = l.rest(r), l.later
	if r.declarations, err = c.hash(l.of.journal.LanguageForm()); err != nil || !l.mayWrite(ctx, r, head) {
		return err
	}
	if l.turn == nil {
		if l.turn, err = l.of.journal.TakeTurn(ctx, turn, true); err != nil {
			return err
		}
	}
	if r.turn = l.turn; head.Declarations != r.declarations {
		return r.turn.Declare(ctx, r.declarations) // the next step compares
	}
	return l.compare(ctx, r, v, unsettled, known)
}

// mayWrite reports whether this program may write the journal: whether the journal has the declarations of this program,
// none, or those of a program with a lower release.
func (l *loop) mayWrite(ctx context.Context, r *run, head *schema.JournalRow) bool {
	if head.Declarations == r.declarations || releaseOf(head.Declarations) < Release {
		l.told = false
		return true
	}
	if !l.told {
		l.told = true
		l.of.Logger.WarnContext(ctx, "this process does not keep the journal", "reason", followstore.ErrDeclarations.Error())
	}
	l.end(ctx)
	return false
}

// due returns the tables that have to be compared.
func (l *loop) due(v change.Versions, known bool, head *schema.JournalRow) (tables change.Tables) {
	c := &l.of.compared
	switch {
	case head.Complete == 0, !known && time.Since(c.at[0]) > unknownEvery:
		return change.All
	case !known:
		return 0
	}
	for i, t := range v.Tables {
		if !c.covers(i, t, v.Exact, head) || time.Since(c.at[i]) > l.of.MaxAge {
			tables |= 1 << i
		}
	}
	return tables
}

// compare runs a full comparison.
func (l *loop) compare(ctx context.Context, r *run, v change.Versions, unsettled change.Tables, known bool) error {
	head, err := l.of.journal.Head(ctx)
	if err != nil {
		return err
	}
	began := time.Now()
	l.passing = began
	first, resumed := head.Complete == 0, head.Progress != ""
	if !first {
		if err := l.quickLook(ctx, r, v, unsettled, known); err != nil {
			return err
		}
	}
	if err := r.pass(ctx, head); err != nil {
		return err
	}
	l.last = time.Since(began)
	done := &l.of.compared
	if done.known = known && !(first && resumed); done.known {
		done.tables, done.all = v.Tables, ^unsettled
	}
	for i := range done.at {
		if first || r.tables&(1<<i) != 0 {
			done.at[i] = began
		}
	}
	l.of.stats.compared(l.last)
	if _, err = r.turn.Prune(ctx, keptFor, pruned); err == nil {
		_, err = l.poll(ctx)
	}
	return err
}

// rest waits after a slice of a full comparison. Meanwhile it notifies those who wait for changes, and runs a quick
// comparison if the tables changed again.
func (l *loop) rest(r *run) func(context.Context, time.Duration, int) error {
	return func(ctx context.Context, took time.Duration, found int) error {
		if found > 0 || time.Since(l.polled) >= tick {
			if _, err := l.poll(ctx); err != nil {
				return err
			}
		}
		if err := l.wait(ctx, took); err != nil {
			return err
		}
		if time.Since(l.looked) < quickEvery || time.Since(l.passing) < soon {
			return nil
		}
		v, unsettled, known := l.of.Store.Tracker.Versions(ctx)
		return l.quickLook(ctx, r, v, unsettled, known)
	}
}

// laterEvery is the minimum time between two records of the time until which everything was found.
const laterEvery = 5 * time.Second

// later records the time until which everything was found where there were no changes. It does not write each time, so
// that a journal without changes is not written all the time.
func (l *loop) later(ctx context.Context, until int64) error {
	l.until = until
	if time.Since(l.wrote) < laterEvery {
		return nil
	}
	return l.complete(ctx)
}

func (l *loop) complete(ctx context.Context) error {
	err := l.turn.Complete(ctx, l.until)
	if err == nil {
		l.until, l.wrote = 0, time.Now()
	}
	return err
}

// wait waits after a statement, so that statements use no more than their share of a core.
func (l *loop) wait(ctx context.Context, took time.Duration) error {
	l.of.stats.spent(took)
	if wait := time.Duration(float64(took) * (1/l.of.Share - 1)); wait > 0 {
		waitFor(ctx, wait, nil)
	}
	return ctx.Err()
}
