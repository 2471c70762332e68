package calendar

import (
	"context"
	"fmt"
	"time"

	"github.com/agendahq/agenda/internal/api"
	"github.com/agendahq/agenda/internal/follow"
)

// JournalScan is the result of comparing the site with its journal.
type JournalScan struct {
	Changes  int           // number of changes that were recorded
	First    bool          // there was nothing to compare with: the items were recorded as they are
	Pruned   int64         // number of changes that were removed because their retention time was over
	Sequence int64         // sequence number of the newest change
	Until    time.Time     // everything that was committed before this time is recorded: the start of the comparison minus Cache.Settle
	Took     time.Duration // duration of the comparison
}

// JournalStats are statistics of the site's journal of changes, as far as this process knows them: see
// schema.InstallJournal. They are zero if there is no journal, or if this process does not keep it.
type JournalStats struct {
	Kept     bool      // the site has a journal, which this process reads every second
	Sequence int64     // sequence number of the newest change
	Until    time.Time // everything that was committed before this time is recorded; zero until the first comparison is complete

	// Comparisons is how many full comparisons this process made, Took the duration of the last one, and Spent the
	// total duration of the statements of comparisons.
	Comparisons int64
	Took, Spent time.Duration

	Own      int64 // changes that this process made and recorded
	Failures int64
}

func journalStats(s follow.Stats) JournalStats {
	return JournalStats{
		Kept: s.Installed, Sequence: s.Sequence, Until: s.Until, Comparisons: s.Comparisons, Took: s.Last, Spent: s.Spent, Own: s.Changes,
		Failures: s.Failures,
	}
}

// DeclareJournal makes the site's journal cover what this calendar serves: see schema.InstallJournal. If it covered
// something else, as the journal of another release may have, the next ScanJournal starts it anew.
func (c *Calendar) DeclareJournal(ctx context.Context) error {
	comparison, err := c.journal.Comparison(ctx)
	if err == nil {
		err = comparison.Declare(ctx)
	}
	if err != nil {
		return fmt.Errorf("calendar: journal: %w", err)
	}
	return nil
}

// ScanJournal compares everything that the calendar serves with the site's journal, and records what changed, no matter
// which program changed it. Only one process can do so at a time; otherwise ScanJournal returns an error that says so.
func (c *Calendar) ScanJournal(ctx context.Context) (JournalScan, error) {
	comparison, err := c.journal.Comparison(ctx)
	if err != nil {
		return JournalScan{}, fmt.Errorf("calendar: journal: %w", err)
	}
	found, err := comparison.Scan(ctx)
	if err != nil {
		return JournalScan{}, fmt.Errorf("calendar: journal: %w", err)
	}
	return JournalScan(found), nil
}

// newRunner returns the runner that keeps the journal of a site, if it has one.
func newRunner(o *Options, v *api.Covered, h *follow.Hook, readOnly bool) *follow.Runner {
	config := follow.RunnerConfig{
		Store: v.Store, Comparison: v.Comparison, Share: o.JournalShare, Settle: o.Cache.Settle, MaxAge: o.Cache.MaxAge, Logger: o.Logger,
	}
	if readOnly || config.Share == None {
		config.Share = 0
	}
	if h.Call != nil && !readOnly {
		config.Notify = h.Foreign
	}
	return follow.NewRunner(config)
}
