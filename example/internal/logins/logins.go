// Package logins counts wrong passwords for all servers on one database, in a separate table.
package logins

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/calendar"
)

// count is a row of the table. Its key is a hash, so that neither names nor addresses are stored.
type count struct {
	bun.BaseModel `bun:"table:?(prefix)agenda_logins,alias:l"`

	Hash string `bun:"hash,pk,type:char(64)"`
	N    int    `bun:"n,notnull,type:bigint"`
	Ends int64  `bun:"ends,notnull,type:bigint"` // in Unix milliseconds
}

// Counter is a calendar.LoginCounter in a table. The servers' clocks should agree to a few seconds.
type Counter struct {
	db    *bun.DB // bound to the prefix
	now   func() time.Time
	swept atomic.Int64 // when expired rows were last deleted, in Unix milliseconds; 0 if some are left
}

var _ calendar.LoginCounter = (*Counter)(nil)

const (
	addTime    = 5 * time.Second // maximum duration of an Add
	sweepEvery = time.Minute
	sweepRows  = 100 // deleted at a time: more than one Add inserts
	attempts   = 6   // of a transaction that the server rolled back because of a deadlock
)

// Counts implements calendar.LoginCounter.
func (c *Counter) Counts(ctx context.Context, keys []string) ([]calendar.LoginCount, error) {
	return c.counts(ctx, c.db, keys, c.now())
}

func (c *Counter) counts(ctx context.Context, db bun.IDB, keys []string, now time.Time) ([]calendar.LoginCount, error) {
	var rows []count
	err := db.NewSelect().Model(&rows).Where("hash IN (?)", bun.List(keys)).Where("ends > ?", now.UnixMilli()).Scan(ctx)
	if err != nil {
		return nil, err
	}
	counts := make([]calendar.LoginCount, len(keys))
	for _, row := range rows {
		for i, key := range keys {
			if key == row.Hash {
				counts[i] = calendar.LoginCount{N: row.N, Ends: time.UnixMilli(row.Ends)}
			}
		}
	}
	return counts, nil
}

// Add implements calendar.LoginCounter. It also counts for a client that has closed its connection.
func (c *Counter) Add(ctx context.Context, keys []string, window time.Duration) (counts []calendar.LoginCount, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), addTime)
	defer cancel()
	for try := 1; ; try++ {
		now := c.now()
		err = c.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			if err := upsert(ctx, tx, keys, now, now.Add(window)); err != nil {
				return err
			}
			counts, err = c.counts(ctx, tx, keys, now) // this transaction has locked the rows
			return err
		})
		if err == nil {
			c.sweep(ctx, now)
			return counts, nil
		}
		if try == attempts || !deadlocked(err) {
			return nil, err
		}
		time.Sleep(time.Duration(1+rand.IntN(10*try)) * time.Millisecond)
	}
}

// deadlocked reports whether a server rolled a transaction back to resolve a deadlock.
func deadlocked(err error) bool {
	const deadlock, certification = 1213, 3101 // the latter in group replication
	var answer *mysql.MySQLError
	return errors.As(err, &answer) && (answer.Number == deadlock || answer.Number == certification)
}

// upsert counts the keys in one statement. It sorts them, so that concurrent statements lock rows in the same order.
func upsert(ctx context.Context, tx bun.Tx, keys []string, now, ends time.Time) error {
	rows := make([]count, len(keys))
	for i, key := range slices.Sorted(slices.Values(keys)) {
		rows[i] = count{Hash: key, N: 1, Ends: ends.UnixMilli()}
	}
	exists := "CONFLICT (hash) DO UPDATE"
	if tx.Dialect().Name() == dialect.MySQL {
		exists = "DUPLICATE KEY UPDATE"
	}
	// MySQL assigns from left to right, so n must be set before ends, which it depends on.
	_, err := tx.NewInsert().Model(&rows).On(exists).
		Set("n = CASE WHEN ends <= ? THEN 1 ELSE n + 1 END", now.UnixMilli()).
		Set("ends = CASE WHEN ends <= ? THEN ? ELSE ends END", now.UnixMilli(), ends.UnixMilli()).
		Exec(ctx)
	return err
}

// Forget implements calendar.LoginCounter.
func (c *Counter) Forget(ctx context.Context, keys []string) error {
	_, err := c.db.NewDelete().Model((*count)(nil)).Where("hash IN (?)", bun.List(keys)).Exec(ctx)
	return err
}

// sweep deletes expired rows: a few at a time, and more with the next Add if some are left. Rows that it fails to
// delete are left to a later sweep.
func (c *Counter) sweep(ctx context.Context, now time.Time) {
	last := c.swept.Load()
	if now.UnixMilli()-last < sweepEvery.Milliseconds() || !c.swept.CompareAndSwap(last, now.UnixMilli()) {
		return
	}
	var ended []string
	err := c.db.NewSelect().Model((*count)(nil)).Column("hash").Where("ends <= ?", now.UnixMilli()).Limit(sweepRows).Scan(ctx, &ended)
	if err != nil || len(ended) == 0 {
		return
	}
	_, err = c.db.NewDelete().Model((*count)(nil)).Where("hash IN (?)", bun.List(ended)).Where("ends <= ?", now.UnixMilli()).Exec(ctx)
	if err == nil && len(ended) == sweepRows {
		c.swept.Store(0)
	}
}
