package followstore

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// JournalTurn is the lease that lets one process at a time compare.
type JournalTurn struct {
	journal *Journal
	holder  string
	lasts   time.Duration
	renewed time.Time
}

// servers is the prefix of the names of holders that compare all the time. A command may take the turn from them.
const servers = "server-"

// TakeTurn acquires the turn to compare, which expires when it is not renewed for lasts. always says that the caller
// compares all the time. A caller that does not may take the turn from one that does, which notices that at its next
// write.
func (j *Journal) TakeTurn(ctx context.Context, lasts time.Duration, always bool) (*JournalTurn, error) {
	t := &JournalTurn{journal: j, holder: rand.Text(), lasts: lasts}
	if always {
		t.holder = servers + t.holder
	}
	return t, j.locked(ctx, func(ctx context.Context, tx bun.Tx, rows map[string]*schema.JournalRow) error {
		now, err := j.clock(ctx, tx)
		if err != nil {
			return err
		}
		row := rows[schema.JournalComparison]
		if row.Holder != "" && row.Until > now && (always || !strings.HasPrefix(row.Holder, servers)) {
			return ErrOthersTurn
		}
		return t.hold(ctx, tx, now)
	})
}

func (t *JournalTurn) hold(ctx context.Context, tx bun.Tx, now int64) error {
	t.renewed = time.Now()
	_, err := tx.NewUpdate().Model((*schema.JournalRow)(nil)).Set("holder = ?", t.holder).
		Set("held_until = ?", now+t.lasts.Milliseconds()).Where("name = ?", schema.JournalComparison).Exec(ctx)
	return err
}

// Renew renews the turn if a third of its duration has passed.
func (t *JournalTurn) Renew(ctx context.Context) error {
	if time.Since(t.renewed) < t.lasts/3 {
		return nil
	}
	return t.writeLocked(ctx, func(context.Context, bun.Tx, *schema.JournalRow) error { return nil })
}

// End releases the turn, also when ctx has ended.
func (t *JournalTurn) End(ctx context.Context) error {
	return t.journal.release(ctx, schema.JournalComparison, t.holder)
}

// releasing is how long releasing a lease may take. A lease that is not released expires.
const releasing = 5 * time.Second

// release ends a lease, also when ctx has ended.
func (j *Journal) release(ctx context.Context, name, holder string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releasing)
	defer cancel()
	_, err := j.own.DB.NewUpdate().Model((*schema.JournalRow)(nil)).Set("holder = ''").Set("held_until = 0").
		Where("name = ?", name).Where("holder = ?", holder).Exec(ctx)
	return err
}

// Now returns the time of the database, in milliseconds since 1970.
func (t *JournalTurn) Now(ctx context.Context) (int64, error) {
	return t.journal.clock(ctx, t.journal.own.DB)
}

// writeLocked runs fn in a transaction that has locked the journal's row, unless the turn was lost, and renews the turn.
func (t *JournalTurn) writeLocked(ctx context.Context, fn func(context.Context, bun.Tx, *schema.JournalRow) error) error {
	return t.journal.locked(ctx, func(ctx context.Context, tx bun.Tx, rows map[string]*schema.JournalRow) error {
		if rows[schema.JournalComparison].Holder != t.holder {
			return ErrOthersTurn
		}
		now, err := t.journal.clock(ctx, tx)
		if err == nil {
			err = t.hold(ctx, tx, now)
		}
		if err != nil {
			return err
		}
		return fn(ctx, tx, rows[schema.JournalHead])
	})
}

// Complete records the time until which all changes were found, and ends a first comparison.
func (t *JournalTurn) Complete(ctx context.Context, until int64) error {
	return t.writeLocked(ctx, func(ctx context.Context, tx bun.Tx, head *schema.JournalRow) error {
		head.Complete, head.Progress = max(until, head.Complete), ""
		return t.journal.set(ctx, tx, head)
	})
}

// Declare stores a hash of declarations in the journal. If the journal had another one, a new incarnation begins with a
// first comparison.
func (t *JournalTurn) Declare(ctx context.Context, declarations string) error {
	return t.writeLocked(ctx, func(ctx context.Context, tx bun.Tx, head *schema.JournalRow) error {
		if head.Declarations == declarations {
			return nil
		}
		for _, model := range []any{(*schema.JournalObject)(nil), (*schema.JournalLink)(nil)} {
			err := store.DeleteAll(ctx, tx, func(q *bun.DeleteQuery) *bun.DeleteQuery { return q.Model(model).Where("1 = 1") })
			if err != nil {
				return err
			}
		}
		if head.Declarations != "" {
			head.Incarnation = rand.Text()
		}
		head.Declarations, head.Complete, head.Progress = declarations, 0, ""
		return t.journal.set(ctx, tx, head)
	})
}

// Prune deletes changes older than age, by the clock of the database, except the newest one, so that no sequence number
// is used again. It deletes batch rows at a time.
func (t *JournalTurn) Prune(ctx context.Context, age time.Duration, batch int64) (n int64, err error) {
	j := t.journal
	now, err := t.Now(ctx)
	if err != nil {
		return 0, err
	}
	head, err := j.Head(ctx)
	if err != nil {
		return 0, err
	}
	for {
		var rows []*schema.JournalChange
		err := j.own.DB.NewSelect().Model(&rows).Column("sequence", "moment").Order("sequence").Limit(batch).Scan(ctx)
		if err != nil {
			return n, err
		}
		old := 0
		for old < len(rows) && rows[old].Moment < now-age.Milliseconds() && rows[old].Sequence < head.Sequence {
			old++
		}
		if old == 0 {
			return n, nil
		}
		_, err = j.own.DB.NewDelete().Model((*schema.JournalChange)(nil)).Where("sequence <= ?", rows[old-1].Sequence).Exec(ctx)
		if err != nil {
			return n, err
		}
		if n += int64(old); old < len(rows) {
			return n, t.Renew(ctx)
		}
		if err := t.Renew(ctx); err != nil {
			return n, err
		}
	}
}
