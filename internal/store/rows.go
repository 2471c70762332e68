package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"strings"
	"sync"
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
	into, err := fieldsOf(rows, row)
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

// firstRow returns the first row of a statement that was run.
func firstRow[T any](rows *sql.Rows, err error) (row T, _ error) {
	if err != nil {
		return row, err
	}
	defer rows.Close()
	into, err := fieldsOf(rows, &row)
	switch {
	case err != nil:
		return row, err
	case !rows.Next():
		return row, cmp.Or(rows.Err(), sql.ErrNoRows)
	}
	err = rows.Scan(into...)
	return row, cmp.Or(err, rows.Close())
}

// IDs runs a query that selects one id column.
func IDs(ctx context.Context, q *Query) (list []int64, err error) {
	err = eachValue(ctx, q, func(id int64) { list = append(list, id) })
	return list, err
}

// Number runs a query that selects one number.
func Number(ctx context.Context, q *Query) (n int64, err error) {
	err = eachValue(ctx, q, func(found int64) { n = found })
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

// columnsOf are the indexes of fields by the columns in their tags, for each type of row: map[string][]int.
var columnsOf sync.Map

// fieldsOf returns pointers to the fields of a row in the order of the columns.
func fieldsOf(rows *sql.Rows, row any) ([]any, error) {
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	v := reflect.ValueOf(row).Elem()
	known, ok := columnsOf.Load(v.Type())
	if !ok {
		known, _ = columnsOf.LoadOrStore(v.Type(), taggedFields(v.Type()))
	}
	fields := known.(map[string][]int)
	into := make([]any, len(names))
	for i, name := range names {
		place, ok := fields[name]
		if !ok {
			return nil, fmt.Errorf("store: %s has no field for the column %q", v.Type(), name)
		}
		into[i] = v.FieldByIndex(place).Addr().Interface()
	}
	return into, nil
}

func taggedFields(t reflect.Type) map[string][]int {
	fields := map[string][]int{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("bun"), ",")
		if known, ok := fields[name]; name != "" && !f.Anonymous && (!ok || len(f.Index) < len(known)) {
			fields[name] = f.Index // of several fields the least nested one
		}
	}
	return fields
}
