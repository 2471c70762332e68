package embedded

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestOptimizeLetsIndexesBeUsed checks that posts are found by their slugs, and by their titles in any case, with the
// index of these.
func TestOptimizeLetsIndexesBeUsed(t *testing.T) {
	db := must.Get(Open(t.Context(), Memory))(t)
	defer db.Close()
	must.Succeed(t, schema.Install(t.Context(), db, "wp_"))
	for i := range 500 {
		const insert = "INSERT INTO wp_posts (post_type, post_name, post_title) VALUES ('tribe_events', ?, ?)"
		must.Get(db.ExecContext(t.Context(), insert, fmt.Sprint("event-", i), fmt.Sprint("Event ", i)))(t)
	}
	plan := func(condition string) string {
		var id, parent, cost int
		var detail string
		must.Succeed(t, db.QueryRowContext(t.Context(), "EXPLAIN QUERY PLAN SELECT ID FROM wp_posts WHERE "+condition).
			Scan(&id, &parent, &cost, &detail))
		return detail
	}
	const bySlug = "post_name IN ('event-7') AND post_type = 'tribe_events'"
	before := plan(bySlug)
	must.Succeed(t, Optimize(t.Context(), db))
	if after := plan(bySlug); !strings.Contains(after, "post_name") {
		t.Errorf("%q, before %q", after, before)
	}
	t.Log(before)
	const byTitle = "post_type = 'tribe_events' AND post_status = 'publish' AND (post_title = 'event 7' OR post_title = 'event 8')"
	if titles := plan(byTitle + " ORDER BY ID"); !strings.Contains(titles, "agenda_title (post_title=? AND") {
		t.Errorf("%q", titles)
	}
}
