package follow

import (
	"context"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/store/followstore"
	"github.com/agendahq/agenda/schema"
)

// Status is how a journal is.
type Status struct {
	Installed   bool // the site has a journal, and this process has it open
	First       bool // the first comparison is not through
	Incarnation string
	Sequence    int64
	Mark        string    // of the newest change
	Secret      string    // a key for signing positions
	Until       time.Time // all changes before were found; zero before the first comparison is through
}

func statusOf(head *schema.JournalRow) Status {
	s := Status{
		Installed: true, First: head.Complete == 0, Incarnation: head.Incarnation, Sequence: head.Sequence, Mark: head.Mark,
		Secret: head.Secret,
	}
	if !s.First {
		s.Until = time.UnixMilli(head.Complete).UTC()
	}
	return s
}

// Status reads how the journal is.
func (r *Runner) Status(ctx context.Context) (Status, error) {
	if r == nil {
		return Status{}, nil
	}
	if err := r.Start(ctx); err != nil {
		return Status{}, err
	}
	j := r.Journal()
	if j == nil {
		return Status{}, nil
	}
	head, err := j.Head(ctx)
	if err != nil {
		return Status{}, err
	}
	return statusOf(head), nil
}

// Stats are figures about a Runner.
type Stats struct {
	Status
	Known       time.Time     // when the status was read last
	Comparisons int64         // full ones, of this process
	Last        time.Duration // that the last one took
	Spent       time.Duration // by statements that compare
	Changes     int64         // that this process noted of its own
	Prompt      time.Duration // from the last own commit until it was noted
	Failures    int64
}

// runnerStats are Stats that are counted.
type runnerStats struct {
	mu sync.Mutex
	Stats
}

func (s *runnerStats) change(fn func(*Stats)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fn(&s.Stats)
}

func (s *runnerStats) failed() { s.change(func(s *Stats) { s.Failures++ }) }

func (s *runnerStats) spent(d time.Duration) { s.change(func(s *Stats) { s.Spent += d }) }

func (s *runnerStats) compared(took time.Duration) {
	s.change(func(s *Stats) { s.Comparisons++; s.Last = took })
}

func (s *runnerStats) noted(changes int, after time.Duration) {
	s.change(func(s *Stats) { s.Changes += int64(changes); s.Prompt = after })
}

func (s *runnerStats) head(head *schema.JournalRow) {
	s.change(func(s *Stats) { s.Status, s.Known = statusOf(head), time.Now() })
}

// Stats returns the figures of this moment.
func (r *Runner) Stats() (s Stats) {
	if r != nil {
		r.stats.change(func(is *Stats) { s = *is })
	}
	return s
}

// Follow takes the lease of a follower: see followstore.Journal.Follow.
func (r *Runner) Follow(ctx context.Context, name string, lasts time.Duration) (*followstore.JournalFollower, error) {
	j := r.Journal()
	if j == nil {
		return nil, followstore.ErrNoJournal
	}
	return j.Follow(ctx, name, lasts)
}
