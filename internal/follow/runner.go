package follow

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/internal/store/followstore"
	"github.com/agendahq/agenda/schema"
)

// Intervals of a Runner.
const (
	tick       = time.Second            // between two checks whether something changed
	gather     = 75 * time.Millisecond  // at least between two transactions that record own changes
	mostGather = 300 * time.Millisecond // at most
	quickEvery = 2 * time.Second        // between two quick comparisons
	soon       = 2 * time.Second        // a full comparison that takes no longer needs no quick one before it
	stuck      = 10 * time.Second       // before the next attempt after an error
	askAgain   = 5 * time.Second        // between two checks whether there is a journal
)

// RunnerConfig contains the dependencies and settings of a Runner.
type RunnerConfig struct {
	Store *store.Store

	// Comparison returns what is compared, with the current settings.
	Comparison func(context.Context) (*Comparison, error)

	Share          float64       // share of one core of the database that comparisons may use; 0 to compare nothing
	Settle, MaxAge time.Duration // maximum duration of a transaction of another program, and the time after which every table is compared
	Logger         *slog.Logger

	// Notify is called with the changes that other programs made, in order and in one process at a time. After an error
	// it is called with the same changes again. It may be nil.
	Notify func(context.Context, []content.Change) error
}

// Runner keeps the journal of a site up to date while a program serves it: it records the program's own changes at once
// and, unless another process does so, compares what other programs changed.
type Runner struct {
	RunnerConfig
	own     ownChanges
	stats   runnerStats
	journal *followstore.Journal // nil while there is none

	mu      sync.Mutex
	asked   time.Time          // when it was last checked whether there is a journal
	changed chan struct{}      // closed when there are more changes
	seen    int64              // the newest known sequence number
	stop    context.CancelFunc // ends comparing and following
	cancel  context.CancelFunc // ends recording own changes
	others  sync.WaitGroup
	ended   sync.WaitGroup
	stopped bool
	closed  bool

	compared compared
}

// NewRunner returns a Runner, which does nothing before Start.
func NewRunner(c RunnerConfig) *Runner {
	return &Runner{RunnerConfig: c, changed: make(chan struct{}), own: ownChanges{hinted: make(chan struct{}, 1)}}
}

// Start begins to keep the journal if the site has one and its database is not in memory. It may be called again to
// check whether there is a journal now, which it does at limited intervals.
func (r *Runner) Start(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.journal != nil || r.stopped || !r.asked.IsZero() && time.Since(r.asked) < askAgain {
		return nil
	}
	r.asked = time.Now()
	memory, err := schema.InMemory(ctx, r.Store.Config.DB) // a journal in memory ends with its process
	if memory || err != nil {
		return err
	}
	j, err := followstore.OpenJournal(ctx, r.Store)
	switch {
	case errors.Is(err, followstore.ErrNoJournal), dberr.FaultOf(err) == dberr.Broken:
		return nil
	case err != nil:
		return err
	}
	r.journal = j
	noting, cancel := context.WithCancel(context.Background())
	others, stop := context.WithCancel(noting)
	r.cancel, r.stop = cancel, stop
	r.ended.Go(func() { r.noteOwn(noting) })
	r.others.Go(func() { r.loop(others) })
	if r.Notify != nil {
		r.others.Go(func() { r.followOthers(others) })
	}
	return nil
}

// Stop ends comparing and following. Own changes are recorded until Close.
func (r *Runner) Stop() {
	r.mu.Lock()
	r.stopped = true
	stop := r.stop
	r.mu.Unlock()
	if stop != nil {
		stop()
	}
	r.others.Wait()
}

// Close ends what Start began. Waiting own changes are recorded until ctx ends.
func (r *Runner) Close(ctx context.Context) error {
	r.Stop()
	r.mu.Lock()
	j, cancel := r.journal, r.cancel
	closed := r.closed
	r.closed = true
	r.mu.Unlock()
	if j == nil || closed {
		return nil
	}
	cancel()
	r.ended.Wait()
	r.noteRest(ctx)
	return j.Close()
}

// Journal returns the journal while it is kept, otherwise nil.
func (r *Runner) Journal() *followstore.Journal {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil
	}
	return r.journal
}

// Changed returns a channel that is closed when there are more changes than at the time of the call, as far as this
// process knows: it learns of changes that other processes record within a second or two.
func (r *Runner) Changed() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.changed
}

// notifyChanged records the newest sequence number and notifies those who wait on Changed.
func (r *Runner) notifyChanged(sequence int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if sequence != r.seen {
		r.seen = sequence
		close(r.changed)
		r.changed = make(chan struct{})
	}
}

// comparison returns what is compared, with the open journal.
func (r *Runner) comparison(ctx context.Context) (*Comparison, error) {
	c, err := r.Comparison(ctx)
	if err != nil {
		return nil, err
	}
	c.Journal, c.Settle = r.journal, r.Settle
	return c, nil
}

// loop checks every second whether there is something to compare.
func (r *Runner) loop(ctx context.Context) {
	l := &loop{of: r}
	defer l.end(ctx)
	said := ""
	for wait := time.Duration(0); waitFor(ctx, wait, nil); {
		wait = tick
		err := l.step(ctx)
		text := ""
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, followstore.ErrOthersTurn):
			l.turn = nil
		case err != nil:
			text, wait, l.turn = err.Error(), stuck, nil
			r.stats.failed()
		}
		if text != said && text != "" {
			r.Logger.WarnContext(ctx, "the journal could not be updated", "error", err)
		}
		said = text
	}
}

// compared is what the comparisons of this process covered.
type compared struct {
	tables []change.Version // when the last full comparison began
	known  bool
	all    change.Tables     // tables whose versions no later commit can have
	at     [16]time.Time     // when each table was last compared
	quick  [2]change.Version // of posts and of occurrences, at the last quick comparison
	quiet  bool              // no later commit can have the versions in quick
}

// covers reports whether the current version of a table has been compared: by this process, or by another one that
// recorded the time of its comparison.
func (c *compared) covers(i int, v change.Version, exact bool, head *schema.JournalRow) bool {
	if c.known && i < len(c.tables) && c.tables[i] == v {
		if c.all&(1<<i) != 0 {
			return true
		}
	} else if c.known && i < len(c.tables) && v.Updated.Before(c.tables[i].Updated) {
		return false // the table was replaced
	}
	if exact || v.Updated.IsZero() || head.Complete == 0 {
		return v.Identity == "" && c.known
	}
	newest := v.Updated
	if v.Created.After(newest) {
		newest = v.Created
	}
	return newest.Add(time.Second).UnixMilli() <= head.Complete
}
