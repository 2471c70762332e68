package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

func textsOf(t *testing.T, db *bun.DB, query string, args ...any) []string {
	t.Helper()
	var list []string
	if err := db.NewRaw(query, args...).Scan(t.Context(), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

func termsOf(t *testing.T, db *bun.DB, ids ...int64) []string {
	t.Helper()
	return textsOf(t, db, "SELECT CONCAT_WS('|', t.term_id, t.name, t.slug, t.term_group, tt.taxonomy, tt.description, "+
		"tt.parent, tt.count) FROM wp_terms t LEFT JOIN wp_term_taxonomy tt ON tt.term_id = t.term_id "+
		"WHERE t.term_id IN (?) ORDER BY t.term_id", bun.List(ids))
}

func TestInsertUpdateTerm(t *testing.T) {
	s, db := recorded(t)
	term := &TaxonomyTerm{Name: "日本 🎉", Slug: "x", Taxonomy: "tribe_events_cat", Description: `it's \ "q"`, Parent: 6}
	err := s.Transactions.Write(t.Context(), func(ctx context.Context) error {
		if err := s.Terms.Insert(ctx, term); err != nil {
			return err
		}
		found, err := s.Terms.Lock(ctx, "tribe_events_cat", term.ID)
		if err != nil || found == nil || *found != *term {
			return fmt.Errorf("%+v, %w", found, err)
		}
		other, err := s.Terms.Lock(ctx, "post_tag", term.ID)
		if err != nil || other != nil {
			return fmt.Errorf("of another taxonomy: %+v, %w", other, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := termsOf(t, db, term.ID), fmt.Sprintf(`%d|日本 🎉|x|0|tribe_events_cat|it's \ "q"|6|0`, term.ID); !slices.Equal(got,
		[]string{want}) || term.TaxonomyID == 0 {
		t.Errorf("%q, want %q", got, want)
	}
	for about, c := range map[string]struct {
		change     func(*TaxonomyTerm)
		statements int
	}{
		"nothing":     {func(*TaxonomyTerm) {}, 0},
		"name":        {func(t *TaxonomyTerm) { t.Name += "1" }, 1},
		"slug":        {func(t *TaxonomyTerm) { t.Slug += "1" }, 1},
		"description": {func(t *TaxonomyTerm) { t.Description = "" }, 1},
		"parent":      {func(t *TaxonomyTerm) { t.Parent++ }, 1},
		"all":         {func(t *TaxonomyTerm) { t.Name, t.Slug, t.Description, t.Parent = "n", "s", "d", 0 }, 2},
	} {
		was := *term
		c.change(term)
		counter := new(testdb.Counter)
		counted, err := schema.Bind(testdb.Reopen(t, db, testdb.WithCounter(counter)), "wp_")
		if err != nil {
			t.Fatal(err)
		}
		s := newStore(t, counted)
		if err := s.Transactions.Write(t.Context(), func(ctx context.Context) error {
			return s.Terms.Update(ctx, &was,
				term)
		}); err != nil {
			t.Fatal(err)
		}
		if n := len(counter.Matching("UPDATE wp_term")); n != c.statements {
			t.Errorf("%s: %d statements", about, n)
		}
		want := fmt.Sprintf("%d|%s|%s|0|tribe_events_cat|%s|%d|0", term.ID, term.Name, term.Slug, term.Description, term.Parent)
		if got := termsOf(t, db, term.ID); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, want %q", about, got, want)
		}
	}
}

func TestTermSlugs(t *testing.T) {
	s, db := recorded(t)
	long := strings.Repeat("a", 200)
	octets := strings.Repeat("%e6%97%a5", 22)
	for i, slug := range []string{"fair", "fair-2", "FAIR-3", "fair-music-2", "fairground", "f_ir", "f_ir-2", "a%c3%b7b", "a%c3%b7b-2",
		long, long[:198] + "-2", long[:197] + "-10", octets, octets + "-2", octets[:189] + "-10"} {
		execute(t, db, "INSERT INTO wp_terms (name, slug) VALUES (?, ?)", fmt.Sprint("slug ", i), slug)
	}
	for slug, want := range map[string][]string{
		"fair": {"fair", "fair-2", "fair-3", "fair-music-2"}, "f_ir": {"f_ir", "f_ir-2"}, "a%c3%b7b": {"a%c3%b7b", "a%c3%b7b-2"},
		"nothing": nil, "%": nil,
		long:   {long[:197] + "-10", long[:198] + "-2", long},
		octets: {octets, octets[:189] + "-10", octets + "-2"},
	} {
		used, err := s.Terms.Slugs(t.Context(), slug)
		if got := slices.Sorted(maps.Keys(used)); err != nil || !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("%s: %q, %v", slug, got, err)
		}
		// Variants of any number are found.
		for _, n := range []int{2, 10, 12345, 999_999_999} {
			variant := wp.SuffixSlug(slug, n)
			family := slug + "-"
			if len(slug) > longSlug {
				family = wp.CutSlug(slug, longSlug)
			}
			if !strings.HasPrefix(variant, family) {
				t.Errorf("%s is none of %s", variant, family)
			}
		}
	}
}

func TestDeleteTerm(t *testing.T) {
	s, db := recorded(t)
	execute(t, db, "INSERT INTO wp_termmeta (term_id, meta_key, meta_value) VALUES (6, 'a', 'b'), (17, 'a', 'b')")
	execute(t, db, "INSERT INTO wp_term_taxonomy (term_id, taxonomy, description, parent) "+
		"VALUES (17, 'genre', '', 0), (18, 'genre', '', 6)")
	remove := func(term *TaxonomyTerm) {
		t.Helper()
		if err := s.Transactions.Write(t.Context(), func(ctx context.Context) error { return s.Terms.Delete(ctx, term) }); err != nil {
			t.Fatal(err)
		}
	}
	count := func(table, where string) string {
		t.Helper()
		return textsOf(t, db, "SELECT COUNT(*) FROM "+table+" WHERE "+where)[0]
	}
	others := count("wp_term_relationships", "term_taxonomy_id <> 6")
	remove(&TaxonomyTerm{ID: 6, TaxonomyID: 6, Taxonomy: "tribe_events_cat", Parent: 10})
	for where, want := range map[string]string{
		"wp_terms term_id = 6": "0", "wp_term_taxonomy term_id = 6": "0", "wp_term_relationships term_taxonomy_id = 6": "0",
		"wp_term_relationships term_taxonomy_id > 0": others,
		"wp_termmeta term_id = 6":                    "0", "wp_term_taxonomy parent = 10 AND taxonomy = 'tribe_events_cat'": "4",
		"wp_term_taxonomy parent = 6": "1", // of another taxonomy, whatever it means there
	} {
		table, where, _ := strings.Cut(where, " ")
		if got := count(table, where); got != want {
			t.Errorf("%s, %s: %s, want %s", table, where, got, want)
		}
	}
	remove(&TaxonomyTerm{ID: 17, TaxonomyID: 17, Taxonomy: "post_tag"})
	if got := termsOf(t, db, 17); len(got) != 1 || !strings.Contains(got[0], "|genre|") || count("wp_termmeta", "term_id = 17") != "1" {
		t.Errorf("a term of two taxonomies: %q", got)
	}
	execute(t, db, "DROP TABLE wp_termmeta")
	remove(&TaxonomyTerm{ID: 7, TaxonomyID: 7, Taxonomy: "tribe_events_cat", Parent: 10})
	if count("wp_terms", "term_id = 7") != "0" {
		t.Error("not deleted without a table of meta rows")
	}
}

func TestNoTable(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{&mysql.MySQLError{Number: 1146}, true}, {fmt.Errorf("x: %w", &mysql.MySQLError{Number: 1142}), true},
		{&mysql.MySQLError{Number: 1213}, false},
		{errors.New("SQL logic error: no such table: wp_termmeta (1)"), true}, {errors.New("broken"), false},
	} {
		if got := IsNoTable(c.err); got != c.want {
			t.Errorf("%v: %v", c.err, got)
		}
	}
}
