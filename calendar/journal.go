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

// JournalScan is what a comparison with the journal found.
type JournalScan struct {
	Changes  int           // that were noted
	First    bool          // there was nothing to compare with: the items are noted as they are
	Pruned   int64         // changes that were kept for long enough
	Sequence int64         // of the newest change
	Until    time.Time     // all that was committed before is noted: when the comparison began, less Cache.Settle
	Took     time.Duration // the comparison
}

// JournalStats are figures about the journal of what changed, as this process knows them: see schema.InstallJournal. They are zero where
// there is none, or where nothing keeps it.
type JournalStats struct {
	Kept     bool      // the site has a journal, which this process reads every second
	Sequence int64     // of the newest change
	Until    time.Time // all that was committed before is noted; zero until the first comparison is through

	// Of this process: how often it compared all that was to be compared, how long that took last, and how long the statements of
	// comparisons took together.
	Comparisons int64
	Took, Spent time.Duration

	Own      int64 // changes that it made and noted itself
	Failures int64
}

// journaling keeps the journal of a site, and notes what a calendar commits itself.
type journaling struct{ calendar *Calendar }

func (jn journaling) journalStats() JournalStats {
	s := jn.calendar.journal.Stats()
	return JournalStats{
		Kept: s.Installed, Sequence: s.Sequence, Until: s.Until, Comparisons: s.Comparisons, Took: s.Last, Spent: s.Spent, Own: s.Changes,
		Failures: s.Failures,
	}
}

// DeclareJournal makes what this calendar serves that which the site's journal is about: see schema.InstallJournal. If it was
// about something else, as that of another release may have been, it begins anew with the next ScanJournal.
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

// ScanJournal compares all that the calendar serves with the site's journal, and notes what changed, whoever wrote it. One
// process does so at a time; the error says if another does.
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

// comparison declares what is compared: what the descriptors of the kinds say that items are stored as.
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

// storedSettings parses the site's settings as they are stored, whatever the options of this calendar say: other processes
// have others.
func (jn journaling) storedSettings(ctx context.Context, options followstore.ReadOptions) (*site.Settings, error) {
	styles := jn.calendar.env.Content.Store.Options.UserStyles
	stored := &site.Cache{Options: options, Prefix: jn.calendar.options.Site.Prefix, UserStyles: styles,
		Languages: jn.calendar.site.Languages, EveryKind: jn.calendar.site.EveryKind}
	return stored.Settings(store.Outside(ctx))
}
