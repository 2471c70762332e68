package store

import (
	"context"

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
	for {
		q := where(tx.NewDelete())
		limited := tx.Dialect().Name() == dialect.MySQL // the embedded database needs no limit, and has none
		if limited {
			q = q.Limit(Portion)
		}
		result, err := q.Exec(ctx)
		if err != nil || !limited {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n < Portion {
			return err
		}
	}
}

// UpdateAll updates any number of rows: it sends a statement for each portion of them. set sets the table, the values, and
// conditions that no updated row meets any longer.
func UpdateAll(ctx context.Context, db bun.IDB, set func(*bun.UpdateQuery) *bun.UpdateQuery) error {
	for {
		q := set(db.NewUpdate())
		limited := db.Dialect().Name() == dialect.MySQL
		if limited {
			q = q.Limit(Portion)
		}
		result, err := q.Exec(ctx)
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
