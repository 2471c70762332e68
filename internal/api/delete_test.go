package api_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/agendahq/agenda/internal/content"
)

// D46: nothing is left of a post that is deleted for good, and nothing of
// others is touched but what pointed at it.
func TestD46Delete(t *testing.T) {
	c := open(t)
	before := c.Dump()
	for _, w := range []struct {
		name   string
		path   string
		fields string
		trash  bool
	}{
		{"published event", "/events",
			`"title":"Gone","description":"D","categories":[16,7],"tags":[26],"venue":8,"organizer":[17,18],"image":"182","cost":["1","2"]`,
			false},
		{"trashed event", "/events", `"title":"Gone"`, true},
		{"draft", "/events", `"title":"Gone","status":"draft"`, false},
		{"waiting", "/events", `"title":"Gone","date":"2030-01-01"`, true},
		{"first and last", "/events", `"title":"Gone","start_date":"2010-01-01","end_date":"2040-01-01"`, false},
		{"venue", "/venues", `"venue":"Gone","city":"Gent"`, false},
		{"trashed organizer", "/organizers", `"organizer":"Gone"`, true},
	} {
		body := w.fields
		if w.name != "first and last" {
			body += "," + evening
		}
		id := c.must("admin", "POST", w.path, "{"+body+"}").ID()
		item := fmt.Sprint(w.path, "/", id)
		c.must("admin", "PATCH", item, `{"description":"first"}`)
		c.must("admin", "PATCH", item, `{"description":"second"}`)
		if len(c.revisions(id)) != 2 {
			t.Fatalf("%s: %d revisions", w.name, len(c.revisions(id)))
		}
		status, slug := c.row(id).Status, c.row(id).Name
		if w.trash {
			c.must("admin", "DELETE", item, "")
			status, slug = "trash", c.row(id).Name
		}
		c.Changes = nil
		a := c.must("admin", "DELETE", item+"?force=true", "")
		if a.ID() != id || a.Body["status"] != status {
			t.Errorf("%s: %s", w.name, a.Text)
		}
		want := []content.Change{{Kind: w.path[1:], ID: id, Slug: slug, Op: content.OpDelete, Before: status}}
		if !slices.Equal(c.Changes, want) {
			t.Errorf("%s: hooks called with %v", w.name, c.Changes)
		}
		if a := c.Do("admin", "DELETE", item+"?force=true", ""); a.Status != 404 && a.Status != 400 {
			t.Errorf("%s again: %d %s", w.name, a.Status, a.Text)
		}
		if d := differing(before, c.Dump()); !slices.Equal(d, []string{"wp_options"}) {
			t.Errorf("%s: something is left in %v", w.name, d)
		}
	}
	if got, want := c.calendarRange(), "2019-01-22 08:30:00 165 2032-03-01 22:59:59 177"; got != want {
		t.Errorf("range %s, want %s", got, want)
	}
}

// Children of a deleted post get its parent; files stay.
func TestD46Children(t *testing.T) {
	c := open(t)
	grand, parent, child := c.create("admin", "Grand", ""), c.create("admin", "Parent", ""), c.create("admin", "Child", "")
	c.Exec("UPDATE wp_posts SET post_parent = ? WHERE ID = ?", grand, parent)
	c.Exec("UPDATE wp_posts SET post_parent = ? WHERE ID IN (?, 182)", parent, child)
	c.must("admin", "DELETE", fmt.Sprintf("/events/%d?force=true", parent), "")
	if got := c.row(child).Parent; got != grand {
		t.Errorf("parent of the child: %d, want %d", got, grand)
	}
	if got := c.row(182).Parent; got != grand {
		t.Errorf("parent of the file: %d, want %d", got, grand)
	}
	c.must("admin", "DELETE", fmt.Sprintf("/events/%d?force=true", grand), "")
	if got := c.row(child).Parent; got != 0 {
		t.Errorf("parent of the child: %d", got)
	}
}

// force deletes only what DELETE would.
func TestD46Rights(t *testing.T) {
	c := open(t)
	published, others := c.create("author", "Published", ""), c.create("admin", "Of another", "")
	draft := c.create("contributor", "Draft", "")
	trashedDraft := c.create("contributor", "Trashed draft", "")
	c.must("contributor", "DELETE", fmt.Sprint("/events/", trashedDraft), "")
	formerly := c.create("contributor", "Published by an editor", "")
	c.change("editor", formerly, `{"status":"publish"}`)
	c.must("editor", "DELETE", fmt.Sprint("/events/", formerly), "")
	before := c.Dump()
	for _, w := range []struct {
		as   string
		id   int64
		want int
	}{
		{"", published, 401}, {"contributor", published, 403}, {"contributor", others, 403}, {"author", others, 403},
		{"contributor", formerly, 403},
	} {
		for _, force := range []string{"true", "1"} {
			if a := c.Do(w.as, "DELETE", fmt.Sprintf("/events/%d?force=%s", w.id, force), ""); a.Status != w.want ||
				a.Code() != "rest_forbidden" {
				t.Errorf("%s %d: %d %s", w.as, w.id, a.Status, a.Text)
			}
		}
	}
	if d := differing(before, c.Dump()); len(d) > 0 {
		t.Errorf("%v changed", d)
	}
	for _, w := range []struct {
		as string
		id int64
	}{{"author", published}, {"contributor", draft}, {"contributor", trashedDraft}, {"editor", others}, {"editor", formerly}} {
		c.must(w.as, "DELETE", fmt.Sprintf("/events/%d?force=1", w.id), "")
	}
}
