package event_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/apitest"
)

// TestD1 checks that the path decides which event is written.
func TestD1(t *testing.T) {
	c := open(t)
	one, two := c.create("admin", "One", ""), c.create("admin", "Two", "")
	a := c.Must(200, "admin", "PATCH", eventPath(one)+fmt.Sprintf("?id=%d", two.ID()), fmt.Sprintf(`{"id":%d,"title":"First"}`, two.ID()))
	if a.ID() != one.ID() || a.Body["title"] != "First" {
		t.Errorf("%s", a.Text)
	}
	a = c.Must(200, "admin", "PATCH", "/events/by-slug/one", `{"slug":"two","excerpt":"x"}`)
	if a.ID() != one.ID() || a.Body["slug"] != "two-2" {
		t.Errorf("%s", a.Text)
	}
	a = c.Must(200, "admin", "PATCH", "/events/by-slug/TWO-2", `{"slug":"third"}`)
	if a.ID() != one.ID() || a.Body["slug"] != "third" {
		t.Errorf("%s", a.Text)
	}
	if a = c.Must(200, "admin", "PATCH", "/events/by-slug/third", `{"excerpt":"y"}`); a.ID() != one.ID() || a.Body["slug"] != "third" {
		t.Errorf("%s", a.Text)
	}
	if a = c.Must(200, "admin", "DELETE", "/events/by-slug/third?slug=two", `{"slug":"two"}`); a.ID() != one.ID() {
		t.Errorf("%s", a.Text)
	}
}

// TestD13 checks that a slug gives no right that the id does not give.
func TestD13(t *testing.T) {
	c := open(t)
	a := c.create("editor", "Theirs", "")
	own := c.create("author", "Own", "")
	draft := c.create("contributor", "Mine", `,"slug":"mine"`)
	for _, at := range []struct{ path, slug string }{{eventPath(a), "theirs"}, {eventPath(own), "own"}, {eventPath(draft), "mine"}} {
		for caller, want := range map[string]map[string]int{
			"": {"theirs": 401, "own": 401, "mine": 401}, "subscriber": {"theirs": 403, "own": 403, "mine": 403},
			"contributor": {"theirs": 403, "own": 403, "mine": 200}, "author": {"theirs": 403, "own": 200, "mine": 403},
			"editor": {"theirs": 200, "own": 200, "mine": 200},
		} {
			for _, path := range []string{at.path, "/events/by-slug/" + at.slug} {
				c.Must(want[at.slug], caller, "PATCH", path, `{}`)
			}
		}
		for caller, want := range map[string]int{"": 401, "subscriber": 403} {
			c.Must(want, caller, "DELETE", "/events/by-slug/"+at.slug, "")
		}
	}
	c.Must(403, "contributor", "DELETE", "/events/by-slug/theirs", "")
	c.Must(403, "author", "DELETE", "/events/by-slug/theirs", "")
	c.Must(200, "contributor", "DELETE", "/events/by-slug/mine", "")
}

func TestUnknownEvents(t *testing.T) {
	c := open(t)
	for _, at := range []struct {
		method, path string
		status       int
		code         string
	}{
		{"PATCH", "/events/999999", 404, "rest-event-not-found"}, {"DELETE", "/events/999999", 404, "rest-event-not-found"},
		{"PUT", "/events/7", 400, "rest-invalid-event-id"}, {"DELETE", "/events/7?force=true", 400, "rest-invalid-event-id"},
		{"PATCH", "/events/by-slug/no-such", 404, "rest-event-not-found"}, {"DELETE", "/events/by-slug/no-such", 400, "rest_invalid_param"},
		{"PATCH", "/events/by-slug/0", 404, "rest-event-not-found"}, {"DELETE", "/events/by-slug/0", 400, "rest_invalid_param"},
		{"PATCH", "/events/by-slug/%00", 404, "rest-event-not-found"}, {"DELETE", "/events/by-slug/%ff", 400, "rest_invalid_param"},
	} {
		body := `{"title":"x","image":"http://127.0.0.1:1/x.png"}`
		if a := c.Must(at.status, "admin", at.method, at.path, body); a.Code() != at.code {
			t.Errorf("%s %s: %s", at.method, at.path, a.Text)
		}
	}
	c.Must(401, "", "DELETE", "/events/999999", "")
	c.Must(403, "subscriber", "PATCH", "/events/by-slug/no-such", `{}`)
	c.Must(401, "", "DELETE", "/events/by-slug/no-such", "") // D52
}

// TestD46 checks both ways of deleting.
func TestD46(t *testing.T) {
	c := open(t)
	a := c.create("admin", "Gone", full)
	id := a.ID()
	trashed := c.Must(200, "admin", "DELETE", eventPath(a), "")
	if trashed.Body["status"] != "trash" || trashed.Body["slug"] != "all__trashed" {
		t.Errorf("%s", trashed.Text)
	}
	if a := c.Must(410, "admin", "DELETE", eventPath(a), ""); a.Code() != "event-is-in-trash" {
		t.Errorf("%s", a.Text)
	}
	c.Must(403, "contributor", "DELETE", eventPath(a)+"?force=true", "")
	forced := c.Must(200, "admin", "DELETE", eventPath(a)+"?force=true", "")
	if forced.ID() != id || forced.Body["status"] != "trash" || forced.Body["title"] != "Gone" {
		t.Errorf("%s", forced.Text)
	}
	c.Must(404, "admin", "DELETE", eventPath(a)+"?force=true", "")
	for _, rows := range []string{"posts WHERE ID", "postmeta WHERE post_id", "tec_events WHERE post_id", "tec_occurrences WHERE post_id",
		"term_relationships WHERE object_id", "posts WHERE post_parent"} {
		if n := c.column("SELECT COUNT(*) FROM wp_"+rows+" = ?", id); n != "0" {
			t.Errorf("%s rows left: %s", n, rows)
		}
	}
	live := c.create("author", "Live", "")
	if a := c.Must(200, "author", "DELETE", "/events/by-slug/live", `{"force":true}`); a.Body["status"] != "publish" ||
		a.ID() != live.ID() {
		t.Errorf("%s", a.Text)
	}
	c.Must(400, "author", "DELETE", "/events/by-slug/live", `{"force":true}`)
	c.Must(400, "admin", "DELETE", eventPath(c.create("admin", "Kept", "")), `{"force":"yes"}`)
}

// TestTrashByStatus checks D17, and the way back.
func TestTrashByStatus(t *testing.T) {
	c := open(t)
	a := c.create("author", "Bin", "")
	b := c.Must(200, "author", "PATCH", eventPath(a), `{"status":"trash","excerpt":"last words"}`)
	if b.Body["status"] != "trash" || !strings.Contains(b.Body["excerpt"].(string), "last words") ||
		c.meta(a.ID(), "_wp_trash_meta_status") != `["publish"]` {
		t.Errorf("%s", b.Text)
	}
	if b = c.Must(200, "author", "PATCH", eventPath(a), `{"status":"publish"}`); b.Body["status"] != "publish" || b.Body["slug"] != "bin" {
		t.Errorf("%s", b.Text)
	}
	c.Must(400, "author", "POST", "/events", `{"title":"T","start_date":"2033-04-05","end_date":"2033-04-05","status":"trash"}`)
}

// TestD26 checks that a write meant for another state is refused.
func TestD26(t *testing.T) {
	c := open(t)
	a := c.create("admin", "Match", full)
	read := func(query string) string {
		return c.Must(200, "admin", "GET", eventPath(a)+query, "").Header.Get("ETag")
	}
	tag := read("")
	state := func(tag string) string { s, _, _ := strings.Cut(tag, "."); return s }
	if tag == "" || state(tag) != state(read("?_fields=id")) || state(tag) != state(read("?context=edit")) {
		t.Fatalf("ETag %s", tag)
	}
	c.Must(200, "admin", "PATCH", eventPath(a), `{}`, "If-Match", tag)
	for _, change := range []string{
		"UPDATE wp_posts SET post_title = 'x' WHERE ID = ?",
		"UPDATE wp_postmeta SET meta_value = '11' WHERE meta_key = '_EventCost' AND post_id = ?",
		"DELETE FROM wp_term_relationships WHERE object_id = ?",
		"INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, '_EventVenueID', '9')",
	} {
		tag = read("")
		c.Exec(change, a.ID())
		if read("") == tag {
			t.Errorf("%s: the same ETag", change)
		}
		for _, method := range []string{"PATCH", "DELETE"} {
			refused := c.Must(412, "admin", method, eventPath(a), `{"title":"lost"}`, "If-Match", tag)
			if refused.Code() != "rest_precondition_failed" {
				t.Errorf("%s: %s", change, refused.Text)
			}
		}
		c.Must(200, "admin", "PATCH", "/events/by-slug/all", `{}`, "If-Match", read(""))
	}
	c.Must(200, "admin", "DELETE", eventPath(a), "", "If-Match", "*")
}

// TestD27 checks that an editor reads the stored values besides the shown ones.
func TestD27(t *testing.T) {
	c := open(t)
	a := c.create("author", "R & D", `,"description":"a\n\nb & c","excerpt":"x & y"`)
	edit := c.Must(200, "author", "GET", eventPath(a)+"?context=edit", "")
	for name, want := range map[string]string{"title_raw": "R &amp; D", "description_raw": "a\n\nb &amp; c", "excerpt_raw": "x &amp; y"} {
		if edit.Body[name] != want {
			t.Errorf("%s %q, want %q", name, edit.Body[name], want)
		}
	}
	for _, pair := range [][2]string{{`"title":`, `"title_raw":`}, {`"description":`, `"description_raw":`},
		{`"excerpt":`, `"excerpt_raw":`}} {
		_, after, _ := strings.Cut(edit.Text, pair[0])
		if next := strings.Index(after, pair[1]); next < 0 || strings.Contains(after[:next], `":`) {
			t.Errorf("%s does not follow %s", pair[1], pair[0])
		}
	}
	for _, answer := range []apitest.Answer{c.Must(200, "author", "GET", eventPath(a), ""),
		c.Must(200, "author", "GET", "/events?context=edit&include="+eventPath(a)[8:], "")} {
		if strings.Contains(answer.Text, "_raw") {
			t.Errorf("raw texts: %s", answer.Text)
		}
	}
	c.Must(403, "contributor", "GET", eventPath(a)+"?context=edit", "")
}

// TestProtectedEvents checks that the author of an event reads it whatever its
// password, and that nobody else does.
func TestProtectedEvents(t *testing.T) {
	c := open(t)
	a := c.create("author", "Secret", `,"description":"inside","venue":7`)
	c.Exec("UPDATE wp_posts SET post_password = 'pw' WHERE ID = ?", a.ID())
	c.Must(403, "author", "GET", eventPath(a), "")
	b := c.Must(200, "author", "PATCH", eventPath(a), `{"cost":"5","password":"other"}`)
	if got := fmt.Sprint(b.Body["cost"], " ", b.Body["description"], " ", linked(b, "venue")); got != "€5 <p>inside</p> 7" {
		t.Errorf("shown %q", got)
	}
	if got := c.column("SELECT post_password FROM wp_posts WHERE ID = ?", a.ID()); got != "pw" {
		t.Errorf("password %q", got)
	}
	c.Must(400, "author", "PATCH", eventPath(a), `{"password":""}`)
	if d := c.Must(200, "author", "DELETE", eventPath(a), ""); !strings.Contains(d.Text, "inside") {
		t.Errorf("%s", d.Text)
	}
}
