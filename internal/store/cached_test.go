package store

import (
	"context"
	"fmt"
	"testing"

	"github.com/agendahq/agenda/internal/change"
)

// still returns the context of a request to a database in which nothing changes.
func still(t testing.TB) context.Context { return change.With(t.Context(), change.Still(0)) }

// A total is counted again when a table of its statement changed, and only then. Within
// a write it is always counted.
func TestTotalsAreCountedWhenTheirTablesChange(t *testing.T) {
	s, _ := recorded(t)
	counted := int64(0)
	count := func() (int64, error) { counted++; return counted, nil }
	want := func(about string, ctx context.Context, statement string, number int64) {
		t.Helper()
		if n, err := Cached(ctx, s.DB, statement, count); n != number || err != nil {
			t.Errorf("%s: %d %v, want %d", about, n, err, number)
		}
	}
	ctx := still(t)
	want("first", ctx, "of wp_posts", 1)
	want("again", ctx, "of wp_posts", 1)
	want("another", ctx, "of wp_postmeta", 2)
	want("after a change", still(t), "of wp_posts", 3)
	want("without a state", t.Context(), "of wp_posts", 4)
	want("without a state, again", t.Context(), "of wp_posts", 5)
	err := s.Transactions.Write(ctx, func(ctx context.Context) error {
		want("in a write", ctx, "of wp_postmeta", 6)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestTablesOfStatements(t *testing.T) {
	s, _ := recorded(t)
	all := 0
	for i, name := range watched {
		if got := s.DB.tablesIn(fmt.Sprintf("SELECT 1 FROM `wp_%s` AS x", name)); got != 1<<i {
			t.Errorf("%s: %b", name, got)
		}
		all |= 1 << i
	}
	if got := s.DB.tablesIn("SELECT 1 FROM wp_posts JOIN wp_terms"); got != s.DB.tablesIn("wp_posts")|s.DB.tablesIn("wp_terms") ||
		got == 0 {
		t.Errorf("two: %b of %b", got, all)
	}
	if got := s.DB.tablesIn("SELECT 1 FROM wp_users"); got != 0 {
		t.Errorf("none: %b", got)
	}
}
