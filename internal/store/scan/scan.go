// Package scan stores the columns of a row in the fields of a struct whose tags contain their names, as in bun's models.
package scan

import (
	"cmp"
	"database/sql"
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// First returns the first row of a statement that was run.
func First[T any](rows *sql.Rows, err error) (row T, _ error) {
	if err != nil {
		return row, err
	}
	defer rows.Close()
	into, err := Fields(rows, &row)
	switch {
	case err != nil:
		return row, err
	case !rows.Next():
		return row, cmp.Or(rows.Err(), sql.ErrNoRows)
	}
	err = rows.Scan(into...)
	return row, cmp.Or(err, rows.Close())
}

// columnsOf are the indexes of fields by the columns in their tags, for each type of row: map[string][]int.
var columnsOf sync.Map

// Fields returns pointers to the fields of row, which is a pointer to a struct, in the order of the columns of rows.
func Fields(rows *sql.Rows, row any) ([]any, error) {
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
