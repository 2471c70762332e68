package api_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/schema"
)

func (c *calendar) publishDue() (int, error) {
	return c.Env.Content.Upkeep.PublishDue(site.With(context.Background(), c.Settings))
}

// counts returns the counts of two terms that no post has at first, and of one that some posts have.
func (c *calendar) counts() string {
	c.T.Helper()
	list := c.Scan("SELECT count FROM wp_term_taxonomy WHERE term_taxonomy_id IN (16, 26, 17) " +
		"ORDER BY term_taxonomy_id IN (17), term_taxonomy_id")
	return fmt.Sprint(list)
}

// TestD43PublishDue checks that posts whose publication date has come are published, and that nothing else about them
// or other posts changes.
func TestD43PublishDue(t *testing.T) {
	c := open(t)
	due := c.create("admin", "Due", `,"date":"2026-11-22 09:00","categories":[16],"start_date":"2010-01-01","end_date":"2010-01-02"`)
	venue := c.must("admin", "POST", "/venues", `{"venue":"Due","date":"2026-11-22 09:00:00"}`).ID()
	organizer := c.must("admin", "POST", "/organizers", `{"organizer":"Due","date":"2026-11-22 09:10:50"}`).ID()
	later := c.create("admin", "Later", `,"date":"2026-11-22 09:10:51"`)
	draft := c.create("admin", "Draft", `,"date_utc":"2026-11-22 08:00:00","status":"draft"`)
	private := c.create("admin", "Private", `,"date":"2026-11-22 09:00:00","status":"private"`)
	dateless := c.create("admin", "Never", `,"date":"2030-01-01"`)
	c.Exec("UPDATE wp_posts SET post_date_gmt = '0000-00-00 00:00:00' WHERE ID = ?", dateless)
	c.Exec("INSERT INTO wp_posts SELECT 900000, post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, "+
		"post_status, comment_status, ping_status, post_password, post_name, to_ping, pinged, post_modified, post_modified_gmt, "+
		"post_content_filtered, post_parent, guid, menu_order, 'post', post_mime_type, comment_count FROM wp_posts WHERE ID = ?", due)
	if n, err := c.publishDue(); n != 0 || err != nil {
		t.Fatalf("before its time: %d, %v", n, err)
	}
	was := map[int64]schema.Post{}
	for _, id := range []int64{due, venue, organizer, later, draft, private, dateless, 900000} {
		was[id] = c.row(id)
	}
	cron := c.option("cron")
	c.Now, c.Changes = time.Date(2026, 11, 22, 8, 10, 50, 0, time.UTC), nil
	if n, err := c.publishDue(); n != 3 || err != nil {
		t.Errorf("published %d, %v", n, err)
	}
	for id, w := range was {
		if slices.Contains([]int64{due, venue, organizer}, id) {
			w.Status = "publish"
		}
		if got := c.row(id); got != w {
			t.Errorf("%d: %+v, want %+v", id, got, w)
		}
	}
	want := []content.Change{
		{Kind: "events", ID: due, Slug: "due", Op: content.OpUpdate, Before: "future", After: "publish", Terms: []int64{16}},
		{Kind: "venues", ID: venue, Slug: "due", Op: content.OpUpdate, Before: "future", After: "publish"},
		{Kind: "organizers", ID: organizer, Slug: "due", Op: content.OpUpdate, Before: "future", After: "publish"},
	}
	if !reflect.DeepEqual(c.Changes, want) {
		t.Errorf("hooks called with %v", c.Changes)
	}
	if got := c.counts(); got != "[1 0 17]" {
		t.Errorf("counts %s", got)
	}
	if len(c.Scan("SELECT ID FROM wp_posts WHERE post_parent = ?", due)) != 0 || c.option("cron") != cron {
		t.Error("a revision was kept, or the cron option written")
	}
	before := c.Dump()
	if n, err := c.publishDue(); n != 0 || err != nil {
		t.Errorf("again: %d, %v", n, err)
	}
	if d := differing(before, c.Dump()); len(d) > 0 {
		t.Errorf("nothing was due, and %v changed", d)
	}
}

// TestD43OneThatFails checks that a post which cannot be written does not prevent the publication of others.
func TestD43OneThatFails(t *testing.T) {
	c := open(t)
	var posts []int64
	for i := range 3 {
		posts = append(posts, c.must("admin", "POST", "/venues", fmt.Sprintf(`{"venue":"V %d","date":"2026-11-22"}`, i)).ID())
	}
	c.Exec(fmt.Sprintf("CREATE TRIGGER refuse BEFORE UPDATE ON wp_posts FOR EACH ROW BEGIN IF NEW.ID = %d "+
		"THEN SIGNAL SQLSTATE '45000'; END IF; END", posts[1]))
	c.Now = c.Now.Add(48 * time.Hour)
	n, err := c.publishDue()
	if n != 2 || err == nil {
		t.Errorf("published %d, %v", n, err)
	}
	for i, want := range []string{"publish", "future", "publish"} {
		if got := c.row(posts[i]).Status; got != want {
			t.Errorf("post %d: %s, want %s", i, got, want)
		}
	}
}
