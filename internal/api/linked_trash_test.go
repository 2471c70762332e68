package api_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/schema"
)

// list returns a list of ids in its stored form.
func list(ids []int64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "a:%d:{", len(ids))
	for i, id := range ids {
		fmt.Fprintf(&b, "i:%d;i:%d;", i, id)
	}
	return b.String() + "}"
}

// TestD39Unlinking checks that moving an organizer to the trash unlinks it from every event, whatever the status of the
// event, and changes nothing else; that this takes as many statements as for one event; and that restoring the
// organizer links it again.
func TestD39Unlinking(t *testing.T) {
	c := open(t)
	c.Exec("UPDATE wp_posts SET post_status = 'draft' WHERE ID = 25")
	c.Exec("UPDATE wp_posts SET post_status = 'trash' WHERE ID = 50")
	organizers := func(event int64) []string { return c.Meta(event, schema.MetaOrganizerID) }
	events := c.linking(schema.MetaOrganizerID, 18)
	if len(events) < 30 || !slices.Contains(events, 25) {
		t.Fatalf("linked by %v", events)
	}
	others := map[int64][]string{}
	for _, e := range events {
		others[e] = slices.DeleteFunc(organizers(e), func(v string) bool { return v == "18" })
	}
	dates := c.dates()
	c.Counter.Reset()
	c.Must(200, "admin", "DELETE", "/organizers/18", "")
	statements := len(c.Counter.Statements())
	if left := c.linking(schema.MetaOrganizerID, 18); len(left) > 0 {
		t.Errorf("still linked by %v", left)
	}
	for _, e := range events {
		if got := organizers(e); !slices.Equal(got, others[e]) {
			t.Errorf("event %d keeps %v, want %v", e, got, others[e])
		}
		if fields := c.Meta(e, schema.MetaModifiedFields); len(fields) != 1 || !strings.Contains(fields[0], schema.MetaOrganizerID) {
			t.Errorf("event %d: %q", e, fields)
		}
	}
	if got := c.Meta(18, schema.MetaUnlinkedEvents); !slices.Equal(got, []string{list(events)}) {
		t.Errorf("remembered %q, want %q", got, list(events))
	}
	if c.dates() != dates {
		t.Error("the modified date of an event moved")
	}
	draft := content.Change{
		Kind: "events", ID: 25, Slug: "blues-rock-roll-zomer-1", Op: content.OpUpdate, Before: "draft", After: "draft",
	}
	isDraft := func(got content.Change) bool { return reflect.DeepEqual(got, draft) }
	if n := len(c.Changes); n != len(events)+1 || !slices.ContainsFunc(c.Changes, isDraft) {
		t.Errorf("%d changes: %v", n, c.Changes)
	}

	gone, busy := events[3], events[4]
	c.Exec("DELETE FROM wp_posts WHERE ID = ?", gone)
	c.Exec("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, ?, '18')", busy, schema.MetaOrganizerID)
	a := c.Must(200, "admin", "PATCH", "/organizers/18", `{"status":"publish"}`)
	if a.Body["slug"] != "ville-de-liege" || a.Body["status"] != "publish" {
		t.Errorf("%s", a.Text)
	}
	want := slices.DeleteFunc(slices.Clone(events), func(id int64) bool { return id == gone })
	if got := c.linking(schema.MetaOrganizerID, 18); !slices.Equal(got, want) {
		t.Errorf("linked again by %v, want %v", got, want)
	}
	if got := c.Meta(18, schema.MetaUnlinkedEvents); len(got) > 0 {
		t.Errorf("still remembered: %q", got)
	}

	c.Exec("UPDATE wp_postmeta SET meta_value = '19' WHERE meta_key = ? AND meta_value = '18' AND post_id <> 25", schema.MetaOrganizerID)
	c.Counter.Reset()
	c.Must(200, "admin", "DELETE", "/organizers/18", "")
	if n := len(c.Counter.Statements()); statements > n+5 {
		t.Errorf("%d statements for one event, %d for %d", n, statements, len(events))
	}
}

// dates returns the modification times of all events.
func (c *calendar) dates() string {
	c.T.Helper()
	return strings.Join(c.Scan("SELECT post_modified FROM wp_posts WHERE post_type = 'tribe_events' ORDER BY ID"), " ")
}
