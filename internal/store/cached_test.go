package store

import (
	"context"
	"slices"
	"testing"

	"github.com/agendahq/agenda/internal/change"
)

// still returns the context of a request to a database in which nothing changes, but for
// the tables in which something may.
func still(t testing.TB, but ...Table) context.Context {
	var unsettled change.Tables
	for _, table := range but {
		unsettled |= table.Set()
	}
	return change.With(t.Context(), change.Still(unsettled))
}

// A total is counted again when a table of its query changed, and only then. Within
// a write it is always counted.
func TestTotalsAreCountedWhenTheirTablesChange(t *testing.T) {
	s, _ := recorded(t)
	counted := int64(0)
	count := func() (int64, error) { counted++; return counted, nil }
	want := func(about string, ctx context.Context, table Table, number int64) {
		t.Helper()
		if n, err := Cached(ctx, s.DB, s.DB.Select().From(table, "x").ColumnExpr("1"), count); n != number || err != nil {
			t.Errorf("%s: %d %v, want %d", about, n, err, number)
		}
	}
	ctx := still(t)
	want("first", ctx, TablePosts, 1)
	want("again", ctx, TablePosts, 1)
	want("another", ctx, TablePostMeta, 2)
	want("after a change", still(t), TablePosts, 3)
	want("without a state", t.Context(), TablePosts, 4)
	want("without a state, again", t.Context(), TablePosts, 5)
	want("of a table that is not watched", ctx, tableUsers, 6)
	want("of a table that is not watched, again", ctx, tableUsers, 7)
	err := s.Transactions.Write(ctx, func(ctx context.Context) error {
		want("in a write", ctx, TablePostMeta, 8)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// A query reads the tables that it declares, wherever in it they are, and one that declares
// none reads all.
func TestTablesOfQueries(t *testing.T) {
	s, _ := recorded(t)
	from := func(table Table) *Query { return s.DB.Select().From(table, "x").ColumnExpr("1") }
	for about, c := range map[string]struct {
		q    *Query
		want []string
	}{
		"from":        {from(TablePosts), []string{"posts"}},
		"join":        {from(TablePosts).Join("JOIN", TableTerms, "t", "t.term_id = ?", 1), []string{"posts", "terms"}},
		"query":       {s.DB.Select().FromQuery(from(TablePosts), "q").ColumnExpr("1"), []string{"posts"}},
		"condition":   {from(TablePosts).Where("EXISTS (?)", from(TablePostMeta)), []string{"posts", "postmeta"}},
		"alternative": {from(TablePosts).WhereOr("EXISTS (?)", from(TablePostMeta)), []string{"posts", "postmeta"}},
		"group": {from(TablePosts).WhereGroup(" AND ", func(q *Query) *Query { return q.Where("EXISTS (?)", from(TablePostMeta)) }),
			[]string{"posts", "postmeta"}},
		"column":   {s.DB.Select().From(TablePosts, "x").ColumnExpr("EXISTS (?)", from(TableOptions)), []string{"posts", "options"}},
		"union":    {from(TablePosts).UnionAll(from(TableTerms)), []string{"posts", "terms"}},
		"with":     {s.DB.Select().With("w", from(TableOccurrences)).FromExpr("w").ColumnExpr("1"), []string{"tec_occurrences"}},
		"argument": {s.DB.Select().ColumnExpr("EXISTS (SELECT 1 FROM ?)", TableTermTaxonomy), []string{"term_taxonomy"}},
		"nothing":  {s.DB.Select().ColumnExpr("1"), nil},
	} {
		if got := c.q.names(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", about, got, c.want)
		}
		if _, err := IDs(t.Context(), c.q); err != nil {
			t.Errorf("%s: %v", about, err)
		}
	}
	nothing := s.DB.Select().ColumnExpr("1")
	for i := range watched {
		table := Table(i)
		if got := s.DB.Settled(still(t, table), from(TablePosts)); got != (table != TablePosts) {
			t.Errorf("posts while %s changes: %t", table, got)
		}
		if s.DB.Settled(still(t, table), nothing) {
			t.Errorf("what declares nothing while %s changes", table)
		}
	}
	if s.DB.Settled(still(t), from(tableUsers)) {
		t.Error("a table that is not watched")
	}
}
