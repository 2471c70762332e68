package embedded

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/schema"
)

func TestOptimizeLetsSlugsBeFoundByTheirIndex(t *testing.T) {
	db, err := Open(t.Context(), Memory)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := schema.Install(t.Context(), db, "wp_"); err != nil {
		t.Fatal(err)
	}
	for i := range 500 {
		const insert = "INSERT INTO wp_posts (post_type, post_name) VALUES ('tribe_events', ?)"
		if _, err := db.ExecContext(t.Context(), insert, fmt.Sprint("event-", i)); err != nil {
			t.Fatal(err)
		}
	}
	plan := func() string {
		var id, parent, cost int
		var detail string
		err := db.QueryRowContext(t.Context(), "EXPLAIN QUERY PLAN SELECT ID FROM wp_posts"+
			" WHERE post_name IN ('event-7') AND post_type = 'tribe_events'").Scan(&id, &parent, &cost, &detail)
		if err != nil {
			t.Fatal(err)
		}
		return detail
	}
	before := plan()
	if err := Optimize(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if after := plan(); !strings.Contains(after, "post_name") {
		t.Errorf("%q, before %q", after, before)
	}
	t.Log(before)
}
