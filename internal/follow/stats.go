package follow

import (
	"context"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/store/followstore"
	"github.com/agendahq/agenda/schema"
)

// Status is the state of a journal.
type Status struct {
	Installed   bool // the site has a journal and this process has opened it
	First       bool // the first comparison has not been completed
	Incarnation string
	Sequence    int64
	Mark        string    // of the newest change
	Secret      string    // key for signing positions
	Until       time.Time // all changes before this time were found; zero until the first comparison has been completed
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

// Status reads the state of the journal.
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

// Stats are statistics of a Runner.
type Stats struct {
	Status
	Known       time.Time     // when the status was last read
	Comparisons int64         // full comparisons by this process
	Last        time.Duration // duration of the last one
	Spent       time.Duration // time spent in statements that compare
	Changes     int64         // own changes that this process recorded
	Prompt      time.Duration // time from the last own commit until it was recorded
	Failures    int64
}

// runnerStats are Stats that are being counted.
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

// Stats returns the current statistics.
func (r *Runner) Stats() (s Stats) {
	if r != nil {
		r.stats.change(func(is *Stats) { s = *is })
	}
	return s
}

// Follow acquires the lease of a follower: see followstore.Journal.Follow.
func (r *Runner) Follow(ctx context.Context, name string, lasts time.Duration) (*followstore.JournalFollower, error) {
	j := r.Journal()
	if j == nil {
		return nil, followstore.ErrNoJournal
	}
	return j.Follow(ctx, name, lasts)
}
