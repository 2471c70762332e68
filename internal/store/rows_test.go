package store

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// TestRowsAreReadByName checks that columns are stored in the fields with their names, wherever they are; of fields
// with the same name the outer one is used. A column without a field is an error, and so is a NULL that a field cannot
// store.
func TestRowsAreReadByName(t *testing.T) {
	s, _ := recorded(t)
	type inner struct {
		Name  string `bun:"option_name"`
		Value int64  `bun:"option_value"`
	}
	type outer struct {
		inner
		Value string `bun:"option_value"`
		Extra string `bun:"extra"`
	}
	options := func(columns ...string) *Query {
		return s.DB.Select().From(TableOptions, "").Column(columns...).Where("option_name = 'start_of_week'")
	}
	want := []outer{{inner: inner{Name: "start_of_week"}, Value: "1"}}
	for _, columns := range [][]string{{"option_name", "option_value"}, {"option_value", "option_name"}} {
		if got, err := All[outer](t.Context(), options(columns...)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v: %+v, %v", columns, got, err)
		}
	}
	if got, err := All[outer](t.Context(), options("autoload")); err == nil || !strings.Contains(err.Error(), `"autoload"`) {
		t.Errorf("without a field: %+v, %v", got, err)
	}
	if got, err := All[outer](t.Context(), options("option_name").ColumnExpr("NULL AS extra")); err == nil {
		t.Errorf("NULL: %+v", got)
	}
}

// Write makes a change as a unit of work.
func (s *Transactions) Write(ctx context.Context, change func(context.Context) error) error {
	u, err := s.Begin(ctx)
	if err != nil {
		return err
	}
	defer u.Close()
	for u.Next() {
		u.End(change(u.Context()))
	}
	return u.Err()
}
