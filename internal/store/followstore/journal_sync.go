package followstore

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/schema"
)

// Snapshot calls fn with the row of the journal, and with a context in which all reads of the site are from one point
// in time, which is not before that of the row: everything committed after that point is recorded after the position in
// the row. The reads use one connection, and begin a transaction as writes do, so that no proxy sends them to a
// replica.
func (j *Journal) Snapshot(ctx context.Context, s *store.Store, fn func(context.Context, *schema.JournalRow) error) error {
	var head *schema.JournalRow
	options := &sql.TxOptions{Isolation: sql.LevelRepeatableRead}
	if !s.DB.IsMySQL() {
		options = &sql.TxOptions{ReadOnly: true} // a transaction that writes would lock the file
	}
	if j.own.Separate() {
		var err error
		if head, err = j.Head(ctx); err != nil {
			return err
		}
	}
	tx, err := s.Config.DB.BeginTx(ctx, options)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // nothing was written
	if head == nil {
		rows, err := j.rows(ctx, tx, schema.JournalHead)
		if err != nil {
			return err
		}
		if head = rows[schema.JournalHead]; head == nil {
			return ErrNoJournal
		}
	}
	within, end := s.Transactions.Reading(ctx, tx)
	defer end()
	return fn(within, head)
}

// States returns those items that exist, with their fingerprints, as the context sees them.
func (j *Journal) States(ctx context.Context, k Stored, ids []int64) (map[int64]*schema.JournalObject, error) {
	return j.prints.states(ctx, nil, k, ids)
}

// Known returns the last known states of items.
func (j *Journal) Known(ctx context.Context, kind string, ids []int64) (map[int64]*schema.JournalObject, error) {
	return j.known(ctx, j.own.DB, kind, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("object_id IN (?)", bun.List(ids))
	})
}

// KnownIDs returns the ids above after, up to upto, of the items of a kind that have a last known state.
func (j *Journal) KnownIDs(ctx context.Context, kind string, after, upto int64) (ids []int64, err error) {
	for n := store.Portion; n == store.Portion; {
		var part []int64
		err := j.own.DB.NewSelect().Model((*schema.JournalObject)(nil)).Column("object_id").Where("kind = ?", kind).
			Where("object_id > ?", after).Where("object_id <= ?", upto).Order("object_id").Limit(store.Portion).Scan(ctx, &part)
		if err != nil {
			return nil, err
		}
		if n = len(part); n > 0 {
			after = part[n-1]
		}
		ids = append(ids, part...)
	}
	return ids, nil
}

// IDs returns the ids above after of items of a kind, sorted, at most limit, as the context sees them.
func (j *Journal) IDs(ctx context.Context, k Stored, after, limit int64) ([]int64, error) {
	return j.prints.ids(ctx, k, after, limit)
}

// Positions returns the random marks of those changes that are kept, by their sequence numbers.
func (j *Journal) Positions(ctx context.Context, sequences ...int64) (map[int64]string, error) {
	var rows []*schema.JournalChange
	err := j.own.DB.NewSelect().Model(&rows).Column("sequence", "mark").Where("sequence IN (?)", bun.List(sequences)).Scan(ctx)
	if dberr.IsNoTable(err) {
		err = ErrNoJournal
	}
	marks := make(map[int64]string, len(rows))
	for _, c := range rows {
		marks[c.Sequence] = c.Mark
	}
	return marks, err
}
