package store

import (
	"context"
	"database/sql"

	"github.com/agendahq/agenda/internal/store/scan"
)

// All returns the rows of a query. Each column is stored in the field of T whose tag contains its name, as in bun's
// models. Within a Write it sees the changes of the Write.
func All[T any](ctx context.Context, q *Query) (list []T, err error) {
	err = Each(ctx, q, func(row *T) error {
		list = append(list, *row)
		return nil
	})
	return list, err
}

// Each is like All but calls read for every row, with the same T.
func Each[T any](ctx context.Context, q *Query, read func(*T) error) error {
	rows, err := q.within(ctx).Rows(ctx)
	if err != nil {
		return err
	}
	defer rows.Close()
	row := new(T)
	into, err := scan.Fields(rows, row)
	if err != nil {
		return err
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if err := read(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// One returns the row of a query that finds at most one, nil for none.
func One[T any](ctx context.Context, q *Query) (found *T, err error) {
	err = Each(ctx, q, func(row *T) error {
		found = row
		return nil
	})
	return found, err
}

// IDs runs a query that selects one id column.
func IDs(ctx context.Context, q *Query) (list []int64, err error) {
	err = eachValue(ctx, q, func(id int64) { list = append(list, id) })
	return list, err
}

// Number runs a query that selects one number. It returns 0 for NULL.
func Number(ctx context.Context, q *Query) (n int64, err error) {
	err = eachValue(ctx, q, func(found sql.NullInt64) { n = found.Int64 })
	return n, err
}

// eachValue runs a query that selects one column, whatever its name.
func eachValue[T any](ctx context.Context, q *Query, read func(T)) error {
	rows, err := q.within(ctx).Rows(ctx)
	if err != nil {
		return err
	}
	defer rows.Close()
	value := new(T)
	for rows.Next() {
		if err := rows.Scan(value); err != nil {
			return err
		}
		read(*value)
	}
	return rows.Err()
}
