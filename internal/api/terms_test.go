package api_test

import (
	"fmt"
	"testing"
)

// counts are the counts of two terms that no post has at first, and of one that
// some have.
func (c *calendar) counts() string {
	c.T.Helper()
	list := c.Scan("SELECT count FROM wp_term_taxonomy WHERE term_taxonomy_id IN (16, 26, 17) " +
		"ORDER BY term_taxonomy_id IN (17), term_taxonomy_id")
	return fmt.Sprint(list)
}

// Counts of terms are of published posts, whatever happens to a post.
func TestTermCounts(t *testing.T) {
	c := open(t)
	if got := c.counts(); got != "[0 0 17]" {
		t.Fatalf("at first: %s", got)
	}
	id := c.create("admin", "Counted", `,"categories":[16],"tags":[26,17]`)
	for _, w := range []struct{ fields, want string }{
		{`"title":"Counted"`, "[1 1 18]"},
		{`"status":"draft"`, "[0 0 17]"},
		{`"tags":[17]`, "[0 0 17]"},
		{`"status":"publish"`, "[1 0 18]"},
		{`"status":"private"`, "[0 0 17]"},
		{`"status":"publish","tags":[26]`, "[1 1 17]"},
		{`"date":"2030-01-01"`, "[0 0 17]"},
		{`"date":"2020-01-01"`, "[1 1 17]"},
		{`"status":"pending","categories":[],"tags":[17]`, "[0 0 17]"},
		{`"status":"publish"`, "[0 0 18]"},
		{`"categories":[16],"tags":[]`, "[1 0 17]"},
		{`"status":"trash"`, "[0 0 17]"},
		{`"tags":[26]`, "[0 0 17]"},
		{`"status":"publish"`, "[1 1 17]"},
	} {
		c.change("admin", id, "{"+w.fields+"}")
		if got := c.counts(); got != w.want {
			t.Errorf("%s: %s, want %s", w.fields, got, w.want)
		}
	}
	draft := c.create("admin", "Draft", `,"status":"draft","categories":[16],"tags":[26]`)
	future := c.create("admin", "Future", `,"date":"2030-01-01","categories":[16],"tags":[26]`)
	if got := c.counts(); got != "[1 1 17]" {
		t.Errorf("with a draft and one that waits: %s", got)
	}
	for _, x := range []int64{draft, future, id} {
		c.must("admin", "DELETE", fmt.Sprintf("/events/%d?force=true", x), "")
	}
	if got := c.counts(); got != "[0 0 17]" {
		t.Errorf("all deleted: %s", got)
	}
	if left := c.Scan("SELECT object_id FROM wp_term_relationships WHERE object_id IN (?, ?, ?)", id, draft, future); len(left) > 0 {
		t.Errorf("terms of deleted posts: %v", left)
	}
}
