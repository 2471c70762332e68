package followstore

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// Passed reports whether all changes up to the position were passed to doneWith. If not, the position jumped, and the
// process that held the lease ended before it could report that.
func (f *JournalFollower) Passed() bool { return f.row.Progress == f.passed(f.row.Sequence) }

// passed returns what doneWith stores for a position.
func (f *JournalFollower) passed(sequence int64) string {
	return fmt.Sprintf("%s %d", f.row.Incarnation, sequence)
}

// doneWith is Done together with what fn writes to the journal's database, in one transaction. fn may be called again
// from the beginning.
func (f *JournalFollower) doneWith(ctx context.Context, sequence int64, fn func(context.Context, bun.Tx) error) error {
	j, mark := f.journal, f.row.Mark
	for _, c := range f.read {
		if c.Sequence == sequence {
			mark = c.Mark
		}
	}
	err := j.inTx(ctx, func(ctx context.Context, tx bun.Tx) error {
		rows, err := j.lockedRows(ctx, tx, f.row.Name)
		if err != nil {
			return err
		}
		switch own := rows[f.row.Name]; {
		case own == nil:
			return ErrNoJournal
		case own.Holder != f.row.Holder:
			return ErrOthersTurn
		}
		_, err = tx.NewUpdate().Model((*schema.JournalRow)(nil)).Set("sequence = ?", sequence).Set("mark = ?", mark).
			Set("progress = ?", f.passed(sequence)).Where("name = ?", f.row.Name).Exec(ctx)
		if err != nil {
			return err
		}
		return fn(ctx, tx)
	})
	if err != nil {
		return err
	}
	f.row.Progress = f.passed(sequence)
	return f.Done(ctx, sequence)
}
