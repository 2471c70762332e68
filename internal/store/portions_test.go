package store

import (
	"context"
	"fmt"
	"testing"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// manyNumbers is a table of the numbers n from 0 to Portion: one more than a statement may change.
var manyNumbers = func() string {
	const digits = "(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 " +
		"UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)"
	all := "SELECT 1000 * a.d + 100 * b.d + 10 * c.d + e.d AS n FROM " + digits + " a, " + digits + " b, " + digits + " c, " + digits + " e"
	return fmt.Sprintf("(SELECT n FROM (%s) AS numbers WHERE n <= %d) AS chosen", all, Portion)
}()

// TestUpdatesInPortions checks that the children of a post and of a term are moved to another parent in portions, since
// proxies reject statements that change too many rows.
func TestUpdatesInPortions(t *testing.T) {
	const parent, other, more = 900_000, 900_001, Portion + 1
	counter := new(testdb.Counter)
	s, db := recorded(t, testdb.WithCounter(counter))
	const posts = "INSERT INTO wp_posts (post_title, post_content, post_excerpt, to_ping, pinged, post_content_filtered, " +
		"post_parent, post_type) "
	others := testdb.OfOthers(t, db)
	execute(t, others, posts+"SELECT '', '', '', '', '', '', ?, 'page' FROM "+manyNumbers, parent)
	execute(t, others, posts+"VALUES ('', '', '', '', '', '', ?, ?)", parent, schema.TypeRevision)
	execute(t, db, "INSERT INTO wp_term_taxonomy (term_id, taxonomy, description, parent) "+
		"SELECT 1000000 + n, 'tribe_events_cat', '', ? FROM "+manyNumbers, parent)
	counter.MaxRows(Portion)
	number := func(query string, args ...any) (n int) {
		t.Helper()
		must.Succeed(t, db.NewRaw(query, args...).Scan(t.Context(), &n))
		return n
	}
	change := func(statements int, f func(context.Context) error) {
		t.Helper()
		counter.Reset()
		if err := s.Transactions.Write(t.Context(), f); err != nil {
			t.Error(err)
		}
		if sent := counter.Matching("SET post_parent"); len(sent)+len(counter.Matching("SET parent")) != statements {
			t.Errorf("not %d statements: %q", statements, counter.Statements())
		}
	}
	change(2, func(ctx context.Context) error { return s.Posts.Adopt(ctx, parent, other) })
	const children = "SELECT COUNT(*) FROM wp_posts WHERE post_parent = ?"
	if left, moved := number(children, parent), number(children, other); left != 1 || moved != more { // the revision stays
		t.Errorf("of the posts %d stay, %d are moved", left, moved)
	}
	change(0, func(ctx context.Context) error { return s.Posts.Adopt(ctx, other, other) }) // a post that is its own parent
	change(2, func(ctx context.Context) error {
		return s.Terms.Delete(ctx, &TaxonomyTerm{ID: parent, TaxonomyID: parent, Taxonomy: "tribe_events_cat", Parent: other})
	})
	const below = "SELECT COUNT(*) FROM wp_term_taxonomy WHERE parent = ?"
	if left, moved := number(below, parent), number(below, other); left != 0 || moved != more {
		t.Errorf("of the terms %d stay, %d are moved", left, moved)
	}
}
