package followstore

import (
	"context"
	"crypto/rand"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// Changes returns the changes after a sequence number in order, at most limit.
func (j *Journal) Changes(ctx context.Context, after int64, limit int) ([]*schema.JournalChange, error) {
	var changes []*schema.JournalChange
	err := j.own.DB.NewSelect().Model(&changes).Where("sequence > ?", after).Order("sequence").Limit(int64(limit)).Scan(ctx)
	return changes, err
}

// JournalFollower reads the changes of a journal one after the other. Its position is stored in the journal under its
// name, so that it continues there after a restart. One process at a time holds it.
type JournalFollower struct {
	journal  *Journal
	row      schema.JournalRow
	lasts    time.Duration
	renewed  time.Time
	read     []*schema.JournalChange // by the last Next
	jumped   bool
	position int64 // last sequence number passed to Done
}

// Follow acquires the lease of the follower with a name. The lease expires when Next is not called for lasts. The first
// position of a new follower is that of the newest change. The error is ErrOthersTurn while another process holds the
// lease.
func (j *Journal) Follow(ctx context.Context, name string, lasts time.Duration) (*JournalFollower, error) {
	f := &JournalFollower{journal: j, lasts: lasts}
	err := j.inTx(ctx, func(ctx context.Context, tx bun.Tx) error { return f.acquire(ctx, tx, name) })
	if err != nil {
		return nil, err
	}
	f.renewed, f.position = time.Now(), f.row.Sequence
	return f, nil
}

func (f *JournalFollower) acquire(ctx context.Context, tx bun.Tx, name string) error {
	j := f.journal
	rows, err := j.rows(ctx, tx, schema.JournalHead, name)
	if err != nil {
		return err
	}
	head := rows[schema.JournalHead]
	if head == nil {
		return ErrNoJournal
	}
	if rows[name] == nil {
		first := &schema.JournalRow{Name: name, Incarnation: head.Incarnation, Sequence: head.Sequence, Mark: head.Mark}
		if _, err := tx.NewInsert().Model(first).Ignore().Exec(ctx); err != nil {
			return err
		}
	}
	if rows, err = j.lockedRows(ctx, tx, name); err != nil {
		return err
	}
	now, err := j.clock(ctx, tx)
	if err != nil {
		return err
	}
	own := rows[name]
	switch {
	case own == nil:
		return ErrNoJournal
	case own.Holder != "" && own.Until > now:
		return ErrOthersTurn
	}
	own.Holder, own.Until = rand.Text(), now+f.lasts.Milliseconds()
	f.row = *own
	f.jumped = f.begin(head)
	_, err = tx.NewUpdate().Model(&f.row).WherePK().Exec(ctx)
	return err
}

// begin moves the position to the newest change if it does not belong to this journal, because the journal was
// restarted or an older copy of it was restored. It reports whether it did.
func (f *JournalFollower) begin(head *schema.JournalRow) bool {
	if f.row.Incarnation == head.Incarnation && f.row.Sequence <= head.Sequence {
		return false
	}
	f.row.Incarnation, f.row.Sequence, f.row.Mark = head.Incarnation, head.Sequence, head.Mark
	f.position = head.Sequence
	return true
}

// Jumped reports whether changes were skipped since the last call, because the journal was restarted or had pruned
// them.
func (f *JournalFollower) Jumped() bool {
	jumped := f.jumped
	f.jumped = false
	return jumped
}

// Next renews the lease and returns the changes after the position, at most limit; none if there are none. It returns
// the same changes until Done is called. The error is ErrOthersTurn if another process has acquired the lease.
func (f *JournalFollower) Next(ctx context.Context, limit int) ([]*schema.JournalChange, error) {
	j := f.journal
	if time.Since(f.renewed) > f.lasts/3 {
		if err := f.update(ctx, func(q *bun.UpdateQuery) *bun.UpdateQuery { return q }); err != nil {
			return nil, err
		}
	}
	rows, err := j.rows(ctx, j.own.DB, schema.JournalHead, f.row.Name)
	if err != nil {
		return nil, err
	}
	head, own := rows[schema.JournalHead], rows[f.row.Name]
	switch {
	case head == nil || own == nil:
		return nil, ErrNoJournal
	case own.Holder != f.row.Holder:
		return nil, ErrOthersTurn
	}
	if f.begin(head) {
		return nil, f.jump(ctx)
	}
	if f.read = nil; head.Sequence == f.position {
		return nil, nil
	}
	changes, err := j.Changes(ctx, f.position-1, limit+1) // including that of the position
	if err != nil {
		return nil, err
	}
	if len(changes) > 0 && changes[0].Sequence == f.position {
		if f.row.Mark != "" && changes[0].Mark != f.row.Mark { // an older copy was restored, and other changes added to it
			f.row.Sequence, f.row.Mark, f.position = head.Sequence, head.Mark, head.Sequence
			return nil, f.jump(ctx)
		}
		changes = changes[1:]
	}
	f.jumped = f.jumped || len(changes) > 0 && changes[0].Sequence != f.position+1
	f.read = changes[:min(len(changes), limit)]
	return f.read, nil
}

// jump stores a position that is not that of a change that was read.
func (f *JournalFollower) jump(ctx context.Context) error {
	f.jumped, f.read = true, nil
	return f.update(ctx, f.moved)
}

func (f *JournalFollower) moved(q *bun.UpdateQuery) *bun.UpdateQuery {
	return q.Set("incarnation = ?", f.row.Incarnation).Set("sequence = ?", f.row.Sequence).Set("mark = ?", f.row.Mark)
}

// Done moves the position to a change that Next returned: the changes up to it are not returned again.
func (f *JournalFollower) Done(ctx context.Context, sequence int64) error {
	i := slices.IndexFunc(f.read, func(c *schema.JournalChange) bool { return c.Sequence == sequence })
	if i < 0 {
		return nil
	}
	f.row.Sequence, f.row.Mark = sequence, f.read[i].Mark
	if err := f.update(ctx, f.moved); err != nil {
		return err
	}
	f.position, f.read = sequence, f.read[i+1:]
	return nil
}

// Position returns the sequence number of the last change that was passed to Done.
func (f *JournalFollower) Position() int64 { return f.position }

// update changes the row of the follower while it holds the lease, and renews the lease.
func (f *JournalFollower) update(ctx context.Context, set func(*bun.UpdateQuery) *bun.UpdateQuery) error {
	j := f.journal
	return store.Again(ctx, func() error {
		now, err := j.clock(ctx, j.own.DB)
		if err != nil {
			return err
		}
		began := time.Now()
		q := j.own.DB.NewUpdate().Model((*schema.JournalRow)(nil)).Set("held_until = ?", now+f.lasts.Milliseconds())
		result, err := set(q).Where("name = ?", f.row.Name).Where("holder = ?", f.row.Holder).Exec(ctx)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n > 0 {
			f.renewed = began
			return err
		}
		rows, err := j.rows(ctx, j.own.DB, f.row.Name) // on MySQL an unchanged row does not count as affected
		if err == nil && (rows[f.row.Name] == nil || rows[f.row.Name].Holder != f.row.Holder) {
			err = ErrOthersTurn
		}
		return err
	})
}

// End releases the lease, also when ctx has ended.
func (f *JournalFollower) End(ctx context.Context) error {
	return f.journal.release(ctx, f.row.Name, f.row.Holder)
}
