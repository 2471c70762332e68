package calendar

import (
	"context"
	"fmt"
	"time"

	"github.com/agendahq/agenda/internal/follow"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/followstore"
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

// journaling keeps the journal of a site, and records in it what the calendar commits.
type journaling struct{ calendar *Calendar }

func (jn journaling) journalStats() JournalStats {
	s := jn.calendar.journal.Stats()
	return JournalStats{
		Kept: s.Installed, Sequence: s.Sequence, Until: s.Until, Comparisons: s.Comparisons, Took: s.Last, Spent: s.Spent, Own: s.Changes,
		Failures: s.Failures,
	}
}

// DeclareJournal makes the site's journal cover what this calendar serves: see schema.InstallJournal. If it covered
// something else, as the journal of another release may have, the next ScanJournal starts it anew.
func (c *Calendar) DeclareJournal(ctx context.Context) error {
	comparison, err := journaling{c}.comparison(ctx)
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
	comparison, err := journaling{c}.comparison(ctx)
	if err != nil {
		return JournalScan{}, fmt.Errorf("calendar: journal: %w", err)
	}
	found, err := comparison.Scan(ctx)
	if err != nil {
		return JournalScan{}, fmt.Errorf("calendar: journal: %w", err)
	}
	return JournalScan(found), nil
}

// comparison returns what is compared: the rows in which the resources are stored.
func (jn journaling) comparison(ctx context.Context) (*follow.Comparison, error) {
	st := jn.calendar.env.Content.Store
	shown := func(ctx context.Context, options followstore.ReadOptions) ([]byte, error) {
		s, err := jn.storedSettings(ctx, options)
		if err != nil {
			return nil, err
		}
		return s.Shown()
	}
	j := &follow.Comparison{Store: st, Settle: jn.calendar.options.Cache.Settle, Settings: shown}
	for _, kind := range jn.calendar.events.Kinds() {
		j.Kinds = append(j.Kinds, kind.Stored(jn.calendar.env.Content.Taxonomies))
	}
	j.Kinds = append(j.Kinds, item.StoredImages())
	settings, err := jn.storedSettings(ctx, st.Options.Values)
	if err != nil {
		return nil, err
	}
	j.Custom = map[string][]string{}
	for _, f := range settings.CustomFields {
		j.Custom[jn.calendar.events.Collection] = append(j.Custom[jn.calendar.events.Collection], f.Name)
	}
	return j, nil
}

// storedSettings parses the site's settings as they are stored, without the options of this calendar: processes with
// different options share the journal.
func (jn journaling) storedSettings(ctx context.Context, options followstore.ReadOptions) (*site.Settings, error) {
	styles := jn.calendar.env.Content.Store.Options.UserStyles
	stored := &site.Cache{Options: options, Prefix: jn.calendar.options.Site.Prefix, UserStyles: styles,
		Languages: jn.calendar.site.Languages, EveryKind: jn.calendar.site.EveryKind}
	return stored.Settings(store.Outside(ctx))
}
