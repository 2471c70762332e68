package store

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"
)

// Portion is the maximum number of rows that a statement returns or changes where their number would otherwise grow
// with the site: proxies in front of several servers reject results of more than 10,000 rows, and statements that
// change more.
const Portion = 5000

// DeleteAll deletes any number of rows within a transaction: it sends a statement for each portion of them. where sets
// the table and the conditions.
func DeleteAll(ctx context.Context, tx bun.IDB, where func(*bun.DeleteQuery) *bun.DeleteQuery) error {
	return inPortions(tx, func(limited bool) (sql.Result, error) {
		q := where(tx.NewDelete())
		if limited {
			q = q.Limit(Portion)
		}
		return q.Exec(ctx)
	})
}

// UpdateAll updates any number of rows: it sends a statement for each portion of them. set sets the table, the values, and
// conditions that no updated row meets any longer.
func UpdateAll(ctx context.Context, db bun.IDB, set func(*bun.UpdateQuery) *bun.UpdateQuery) error {
	return inPortions(db, func(limited bool) (sql.Result, error) {
		q := set(db.NewUpdate())
		if limited {
			q = q.Limit(Portion)
		}
		return q.Exec(ctx)
	})
}

// inPortions calls send until it changes less than a Portion. The embedded database has no limit, and needs none.
func inPortions(db bun.IDB, send func(limited bool) (sql.Result, error)) error {
	limited := db.Dialect().Name() == dialect.MySQL
	for {
		result, err := send(limited)
		if err != nil || !limited {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n < Portion {
			return err
		}
	}
}

// EachInPortions is Each for a query with any number of rows: it sends a statement for each portion of them. The rows
// are sorted by expr, whose values must be unique; after returns the value of a row.
func EachInPortions[K int64 | string, T any](ctx context.Context, q *Query, expr string, after func(*T) K, read func(*T) error) error {
	var last K
	for sent, rows := 0, Portion; rows == Portion; sent++ {
		part := q.clone().OrderExpr(expr).Limit(Portion)
		if sent > 0 {
			part.Where(expr+" > ?", last)
		}
		rows = 0
		err := Each(ctx, part, func(row *T) error {
			rows, last = rows+1, after(row)
			return read(row)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// allIDs is IDs for a query with any number of rows. It selects one id column and sorts by it.
func allIDs(ctx context.Context, q *Query, column string) (list []int64, err error) {
	type row struct {
		ID int64 `bun:"id"`
	}
	err = EachInPortions(ctx, q.ColumnExpr("? AS id", bun.Ident(column)), column, func(r *row) int64 { return r.ID }, func(r *row) error {
		list = append(list, r.ID)
		return nil
	})
	return list, err
}

// linkedIDs returns the ids in the values of a meta column, parsing equal values once.
func (db *DB) linkedIDs(ctx context.Context, q *Query, column string) (list []int64, err error) {
	type row struct {
		Value string `bun:"value"`
	}
	q = q.Distinct().ColumnExpr("? AS value", bun.Ident(column)).Where("? IS NOT NULL", bun.Ident(column))
	err = EachInPortions(ctx, q, column, func(r *row) string { return r.Value }, func(r *row) error {
		list = append(list, LinkedIDs([]string{r.Value})...)
		return nil
	})
	return list, err
}
