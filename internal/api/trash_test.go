package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/schema"
)

var trashKeys = []string{schema.MetaTrashStatus, schema.MetaTrashTime, schema.MetaDesiredSlug, schema.MetaIgnoredStatus}

// trashRows are the values of the rows that the trash is kept by.
func (c *calendar) trashRows(id int64) string {
	var values []string
	for _, key := range trashKeys {
		values = append(values, c.meta(id, key))
	}
	return strings.Join(values, "|")
}

// What a post takes along into the trash, by its status, and what it is when it
// comes back.
func TestTrash(t *testing.T) {
	c := open(t)
	for i, w := range []struct{ stored, status, slug, desired string }{
		{`"status":"publish"`, "publish", "kept-0__trashed", "kept-0"},
		{`"status":"private"`, "private", "kept-1__trashed", "kept-1"},
		{`"date":"2030-02-03 04:05:06"`, "future", "kept-2__trashed", "kept-2"},
		{`"status":"draft","slug":"own"`, "draft", "own__trashed", "own"},
		{`"status":"pending"`, "pending", "__trashed", ""},
	} {
		for _, kind := range []string{"title", "venue", "organizer"} {
			path := map[string]string{"title": "/events", "venue": "/venues", "organizer": "/organizers"}[kind]
			slug, desired, ignored := w.slug, w.desired, ""
			if kind == "title" {
				ignored = w.status
			} else if strings.Contains(w.stored, "pending") || strings.Contains(w.stored, "draft") { // they have a slug from their title
				desired = fmt.Sprint("kept-", i)
				slug = desired + "__trashed"
			}
			c.Now = time.Date(2026, 11, 21, 7, 10, 50, 0, time.UTC)
			id := c.must("admin", "POST", path, fmt.Sprintf(`{%q:"Kept %d",%s,%s}`, kind, i, evening, w.stored)).ID()
			was := c.row(id)
			c.Now, c.Changes = c.Now.Add(26*time.Hour), nil
			a := c.must("admin", "DELETE", fmt.Sprint(path, "/", id), "")
			p := c.row(id)
			if a.Body["status"] != "trash" || a.Body["slug"] != slug || p.Status != "trash" || p.Name != slug {
				t.Errorf("%s %s: %s", path, w.stored, a.Text)
			}
			if got, want := c.trashRows(id), fmt.Sprint(w.status, "|", c.Now.Unix(), "|", desired, "|", ignored); got != want {
				t.Errorf("%s %s: rows %s, want %s", path, w.stored, got, want)
			}
			if p.Modified != "2026-11-22 10:10:50" || p.ModifiedGMT != "2026-11-22 09:10:50" {
				t.Errorf("%s %s: modified %s", path, w.stored, p.Modified)
			}
			date, utc := was.Date, was.DateGMT
			if utc == zero { // what had no date gets that of its end
				date, utc = p.Modified, p.ModifiedGMT
			}
			if p.Date != date || p.DateGMT != utc {
				t.Errorf("%s %s: dated %s, %s UTC", path, w.stored, p.Date, p.DateGMT)
			}
			trashed := []content.Change{{Kind: path[1:], ID: id, Slug: slug, Op: content.OpTrash, Before: w.status, After: "trash"}}
			if !slices.Equal(c.Changes, trashed) {
				t.Errorf("%s %s: hooks called with %v", path, w.stored, c.Changes)
			}
			if a := c.Do("admin", "DELETE", fmt.Sprint(path, "/", id), ""); a.Status != 410 {
				t.Errorf("%s %s again: %d %s", path, w.stored, a.Status, a.Text)
			}

			// D14: any other update leaves it where it is.
			c.must("admin", "PATCH", fmt.Sprint(path, "/", id), `{"description":"Changed"}`)
			if p := c.row(id); p.Status != "trash" || p.Name != slug || c.trashRows(id) == "|||" {
				t.Errorf("%s %s: %s %s after an update", path, w.stored, p.Status, p.Name)
			}
			c.Changes = nil
			c.must("admin", "PATCH", fmt.Sprint(path, "/", id), fmt.Sprintf(`{"status":%q}`, w.status))
			p = c.row(id)
			want := desired
			if p.Status != w.status || p.Name != want || c.trashRows(id) != fmt.Sprint(w.status, "|", c.Now.Unix(), "||", ignored) {
				t.Errorf("%s %s: %s %q, rows %s when it comes back", path, w.stored, p.Status, p.Name, c.trashRows(id))
			}
			restored := []content.Change{{Kind: path[1:], ID: id, Slug: desired, Op: content.OpUpdate, Before: "trash", After: w.status}}
			if !slices.Equal(c.Changes, restored) {
				t.Errorf("%s %s: hooks called with %v", path, w.stored, c.Changes)
			}
		}
	}
}

// D17: the status trash does what DELETE does, after the other fields are
// written, for those who may delete.
func TestD17TrashByStatus(t *testing.T) {
	c := open(t)
	for _, kind := range []string{"title", "venue", "organizer"} {
		path := map[string]string{"title": "/events", "venue": "/venues", "organizer": "/organizers"}[kind]
		id := c.must("admin", "POST", path, fmt.Sprintf(`{%q:"By status",%s}`, kind, evening)).ID()
		item := fmt.Sprint(path, "/", id)
		a := c.must("admin", "PATCH", item, fmt.Sprintf(`{"status":"trash",%q:"Written","description":"too"}`, kind))
		p := c.row(id)
		if a.Body["status"] != "trash" || p.Status != "trash" || p.Title != "Written" || p.Content != "too" ||
			p.Name != "by-status__trashed" {
			t.Errorf("%s: %s", path, a.Text)
		}
		ignored := map[bool]string{true: "publish"}[kind == "title"]
		if got, want := c.trashRows(id), fmt.Sprint("publish|", c.Now.Unix(), "|by-status|", ignored); got != want {
			t.Errorf("%s: rows %s, want %s", path, got, want)
		}
		before := c.Dump()
		c.must("admin", "PATCH", item, `{"status":"trash"}`)
		if d := differing(before, c.Dump()); len(d) > 0 {
			t.Errorf("%s: in the trash already, and %v changed", path, d)
		}
	}
	// Who may edit a published post of an other's but not delete it has no such role by default.
	id := c.create("admin", "Not to be deleted", "")
	c.Settings.Roles["editor"] = clone(c.Settings.Roles["editor"])
	delete(c.Settings.Roles["editor"], "delete_others_tribe_events")
	before := c.Dump()
	if a := c.Do("editor", "PATCH", fmt.Sprint("/events/", id), `{"status":"trash","title":"x"}`); a.Status != 403 ||
		a.Code() != "rest_forbidden" {
		t.Errorf("%d %s", a.Status, a.Text)
	}
	if d := differing(before, c.Dump()); len(d) > 0 {
		t.Errorf("%v changed", d)
	}
}

func clone(m map[string]bool) map[string]bool {
	c := map[string]bool{}
	for k, v := range m {
		c[k] = v
	}
	return c
}

// A slug that is given to a post in the trash is the one it comes back with.
func TestSlugGivenInTheTrash(t *testing.T) {
	c := open(t)
	id := c.create("admin", "Old name", "")
	c.trash(id)
	c.change("admin", id, `{"slug":"new-name"}`)
	if p := c.row(id); p.Name != "new-name__trashed" || c.meta(id, schema.MetaDesiredSlug) != "new-name" {
		t.Errorf("in the trash: %q, %q to come", p.Name, c.meta(id, schema.MetaDesiredSlug))
	}
	c.change("admin", id, `{"status":"publish"}`)
	if p := c.row(id); p.Name != "new-name" {
		t.Errorf("out of it: %q", p.Name)
	}
	c.trash(id)
	c.change("admin", id, `{"slug":"third","status":"publish"}`)
	if p := c.row(id); p.Name != "third" || c.meta(id, schema.MetaDesiredSlug) != "" {
		t.Errorf("with its status: %q", p.Name)
	}
}
