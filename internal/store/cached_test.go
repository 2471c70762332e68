package store

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/change"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/schema"
)

// still returns the context of a request to a database in which nothing changes, except in the given tables, where
// something may.
func still(t testing.TB, but ...Table) context.Context {
	var unsettled change.Tables
	for _, table := range but {
		unsettled |= table.Set()
	}
	return change.With(t.Context(), change.Still(unsettled))
}

// TestTotalsAreCountedWhenTheirTablesChange checks that a total is counted again if a table of its query changed, and
// only then. Within a write it is always counted.
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
	want("of a table that is not watched", ctx, TableUsers, 6)
	want("of a table that is not watched, again", ctx, TableUsers, 7)
	err := s.Transactions.Write(ctx, func(ctx context.Context) error {
		want("in a write", ctx, TablePostMeta, 8)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestTablesOfQueries checks that a query reads the tables that it declares, wherever they occur in it, and that one
// that declares none counts as reading all.
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
	if s.DB.Settled(still(t), from(TableUsers)) {
		t.Error("a table that is not watched")
	}
}

// TestTermsWithinAWrite checks that within a write the terms of a taxonomy are read once, and again after the write has
// changed their tables or rolled back to a savepoint.
func TestTermsWithinAWrite(t *testing.T) {
	counter := new(testdb.Counter)
	s, _ := recorded(t, testdb.WithCounter(counter))
	const taxonomy = "tribe_events_cat"
	undone := errors.New("undone")
	err := s.Transactions.Write(t.Context(), func(ctx context.Context) error {
		want := func(about string, reads int, also string) {
			t.Helper()
			before := len(counter.Matching("wp_term_taxonomy AS tt"))
			list, err := s.Terms.Tree(ctx, taxonomy)
			has := slices.ContainsFunc(list, func(term *TaxonomyTerm) bool { return also == "" || term.Name == also })
			if read := len(counter.Matching("wp_term_taxonomy AS tt")) - before; read != reads || !has || err != nil {
				t.Errorf("%s: %d reads, want %d; has %q: %t; %v", about, read, reads, also, has, err)
			}
		}
		add := func(ctx context.Context, name string) error {
			return s.Terms.Insert(ctx, &TaxonomyTerm{Name: name, Slug: name, Taxonomy: taxonomy})
		}
		want("first", 1, "")
		want("again", 0, "")
		err := errors.Join(
			s.Posts.ChangeMeta(ctx, MetaChange{Insert: []*schema.PostMeta{{PostID: 23, Key: "k", Value: "v"}}}),
			s.Posts.Update(ctx, &schema.Post{ID: 23, Title: "New"}, "post_title"), s.Terms.Attach(ctx, 23, []int64{6}, nil))
		want("after a write of a post", 0, "")
		err = errors.Join(err, add(ctx, "One"))
		want("after a write of a term", 1, "One")
		part := s.Transactions.Write(ctx, func(ctx context.Context) error {
			err := add(ctx, "Two")
			want("within a part", 1, "Two")
			return errors.Join(err, undone)
		})
		if !errors.Is(part, undone) {
			t.Errorf("the part: %v", part)
		}
		want("after a part that was undone", 1, "One")
		err = errors.Join(err, s.Transactions.Write(ctx, func(ctx context.Context) error { return add(ctx, "Two") }))
		want("after a part", 1, "Two")
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestKeysOfLongStatements checks that long statements have short keys, which are different for different statements.
func TestKeysOfLongStatements(t *testing.T) {
	long := strings.Repeat("1, ", longestKey)
	one, other := cacheKey("SELECT "+long+"2"), cacheKey("SELECT "+long+"3")
	if one == other || len(one) > longestKey || cacheKey("SELECT 1") != "SELECT 1" {
		t.Errorf("%q and %q", one, other)
	}
}
