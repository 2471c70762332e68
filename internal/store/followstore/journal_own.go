package followstore

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// ErrDeclarations means that the journal was written by a program with other declarations of what is compared, such as
// another release. Either program would take the differences between the declarations for changes.
var ErrDeclarations = errors.New("the journal is that of a program with other declarations: " +
	"'agenda journal install' with this one starts it again")

// Noted is the result of Journal.RecordOwn.
type Noted struct {
	Changes  int     // number of changes written
	Sequence int64   // of the newest change
	Unseen   []int64 // items that equal their last known states and have no change recorded since Given.Ago
	Images   []int64 // that the items show
}

// Given are items that may have changed.
type Given struct {
	Kind         Stored
	IDs          []int64
	Declarations string        // hash of the caller's declarations: nothing is written to a journal with others
	Own          bool          // the caller changed them itself
	Ago          time.Duration // how long ago the caller changed them
}

// RecordOwn records the changes of given items, without a turn: in one transaction that has locked the journal's row. Own
// changes that a comparison has recorded already are marked as own.
func (j *Journal) RecordOwn(ctx context.Context, g Given) (done Noted, err error) {
	err = j.locked(ctx, func(ctx context.Context, tx bun.Tx, rows map[string]*schema.JournalRow) error {
		done = Noted{}
		head := rows[schema.JournalHead]
		if head.Declarations != g.Declarations {
			return ErrDeclarations
		}
		known, found, err := j.stored(ctx, tx, g.Kind, g.IDs)
		if err != nil {
			return err
		}
		differ := Differing(known, found)
		for _, id := range g.IDs {
			if !slices.Contains(differ, id) {
				done.Unseen = append(done.Unseen, id)
			}
			if o := found[id]; o != nil && o.Image != 0 {
				done.Images = append(done.Images, o.Image)
			}
		}
		if done.Changes, err = j.writeChanges(ctx, tx, head, known, found, noting{progress: head.Progress, own: g.Own}); err != nil {
			return err
		}
		if done.Sequence = head.Sequence; g.Own && len(done.Unseen) > 0 {
			done.Unseen, err = j.claim(ctx, tx, head, g, done.Unseen)
		}
		return err
	})
	return done, err
}

// newest is the number of newest changes among which own ones are looked for.
const newest = 1000

// claim marks the last changes of items as own, if they were recorded since the items were changed. It returns the
// other items.
func (j *Journal) claim(ctx context.Context, tx bun.Tx, head *schema.JournalRow, g Given, ids []int64) (others []int64, err error) {
	now, err := j.clock(ctx, tx)
	if err != nil {
		return nil, err
	}
	var rows []*schema.JournalChange
	err = tx.NewSelect().Model(&rows).Column("sequence", "object_id", "own").Where("sequence > ?", head.Sequence-newest).
		Where("moment >= ?", now-g.Ago.Milliseconds()).Where("kind = ?", g.Kind.Kind).Where("object_id IN (?)", bun.List(ids)).
		Order("sequence").Scan(ctx)
	if err != nil {
		return nil, err
	}
	last := map[int64]*schema.JournalChange{}
	for _, c := range rows {
		last[c.ID] = c
	}
	var claimed []int64
	for _, id := range ids {
		switch c := last[id]; {
		case c == nil:
			others = append(others, id)
		case !c.Own:
			claimed = append(claimed, c.Sequence)
		}
	}
	if len(claimed) == 0 {
		return others, nil
	}
	_, err = tx.NewUpdate().Model((*schema.JournalChange)(nil)).Set("own = ?", true).Where("sequence IN (?)", bun.List(claimed)).Exec(ctx)
	return others, err
}
