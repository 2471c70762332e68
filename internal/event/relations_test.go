package event_test

import (
	"fmt"
	"testing"
)

// TestD18 checks the forms in which an event names venues and organizers.
func TestD18(t *testing.T) {
	c := open(t)
	a := c.create("admin", "Links", "")
	for _, step := range []struct{ body, venue, organizer string }{
		{`{"venue":[7],"organizer":"17,18"}`, `["7"]`, `["17" "18"]`},
		{`{"organizer":[18,17,18]}`, `["7"]`, `["18" "17"]`},
		{`{"venue":"9"}`, `["9"]`, `["18" "17"]`},
		{`{"venue":[7,9]}`, `["7" "9"]`, `["18" "17"]`},
		{`{"venue":{"id":7,"city":"Aalst"}}`, `["7"]`, `["18" "17"]`},
		{`{"organizer":{"id":17}}`, `["7"]`, `["17"]`},
		{`{"organizer":""}`, `["7"]`, `[]`}, {`{"organizer":17}`, `["7"]`, `["17"]`}, {`{"organizer":null}`, `["7"]`, `[]`},
		{`{"venue":[0]}`, `[]`, `[]`}, {`{"venue":7}`, `["7"]`, `[]`}, {`{"venue":false}`, `[]`, `[]`},
	} {
		c.Must(200, "admin", "PATCH", eventPath(a), step.body)
		if v, o := c.meta(a.ID(), "_EventVenueID"), c.meta(a.ID(), "_EventOrganizerID"); v != step.venue || o != step.organizer {
			t.Errorf("%s: venues %s and organizers %s, want %s and %s", step.body, v, o, step.venue, step.organizer)
		}
	}
	if city := c.meta(7, "_VenueCity"); city != `["Aalst"]` {
		t.Errorf("city %s", city)
	}
	for _, body := range []string{`{"venue":999999}`, `{"venue":[17]}`, `{"venue":"x"}`, `{"venue":true}`} {
		if a := c.Must(400, "admin", "PATCH", eventPath(a), body); a.Fault("venue") != "fault_venues" {
			t.Errorf("%s: %s", body, a.Text)
		}
	}
}

// TestD16 checks that nobody can make by way of an event what they may not make
// otherwise.
func TestD16(t *testing.T) {
	c := open(t)
	before := c.Dump()
	for _, field := range []string{`"venue":{"venue":"New"}`, `"organizer":[17,{"organizer":"New"}]`, `"categories":["New"]`,
		`"tags":"new"`, `"venue":{"id":7,"city":"Aalst"}`} {
		body := `{"title":"T","start_date":"2033-04-05","end_date":"2033-04-05",` + field + `}`
		caller := "clerk"
		switch field {
		case `"categories":["New"]`:
			caller = "contributor" // assigns categories, but makes none
		case `"tags":"new"`:
			caller = "author"
		}
		if a := c.Must(403, caller, "POST", "/events", body); a.Code() != "rest_forbidden" || c.Dump() != before {
			t.Errorf("%s: %s", field, a.Text)
		}
	}
	a := c.create("clerk", "Known", `,"venue":7,"organizer":"17","categories":[6],"tags":[17]`)
	if linked(a, "venue") != "7" || linked(a, "categories") != "6" || fmt.Sprint(a.Body["tags"]) != "[]" {
		t.Errorf("%s", a.Text)
	}
}

func TestNestedItems(t *testing.T) {
	c := open(t)
	a := c.create("editor", "Nested",
		`,"venue":{"venue":"Hall","city":"Gent"},"organizer":[17,{"organizer":"Club"}],"categories":["New one"],"tags":["new tag"]`)
	hall, _ := a.Body["venue"].(map[string]any)
	if hall["venue"] != "Hall" || hall["status"] != "publish" || hall["city"] != "Gent" {
		t.Errorf("%v", hall)
	}
	if _, shown := hall["json_ld"]; shown {
		t.Error("a nested venue shows JSON-LD")
	}
	if len(a.Body["organizer"].([]any)) != 2 || len(a.Body["categories"].([]any)) != 1 || len(a.Body["tags"].([]any)) != 1 {
		t.Errorf("%s", a.Text)
	}
}

// TestBlocks checks that the blocks of a description link what they name.
func TestBlocks(t *testing.T) {
	c := open(t)
	blocks := func(venue, organizer int) string {
		return fmt.Sprintf(`"description":"<!-- wp:tribe/event-venue {\"venue\":%d} /-->`+
			`<!-- wp:tribe/event-organizer {\"organizer\":%d} /-->"`, venue, organizer)
	}
	a := c.create("author", "Blocks", ","+blocks(9, 18)+`,"organizer":[17]`)
	for _, step := range []struct{ body, venue, organizer string }{
		{`{}`, `["9"]`, `["18" "17"]`},
		{`{` + blocks(7, 18) + `}`, `["7"]`, `["18" "17"]`},
		{`{` + blocks(7, 17) + `,"venue":9}`, `["9"]`, `["17" "18"]`},
		{`{` + blocks(999999, 7) + `,"venue":[],"organizer":[]}`, `[]`, `[]`},
		{`{"description":"plain"}`, `[]`, `[]`},
	} {
		c.Must(200, "admin", "PATCH", eventPath(a), step.body)
		if v, o := c.meta(a.ID(), "_EventVenueID"), c.meta(a.ID(), "_EventOrganizerID"); v != step.venue || o != step.organizer {
			t.Errorf("%s: venues %s and organizers %s, want %s and %s", step.body, v, o, step.venue, step.organizer)
		}
	}
}

// TestLinkedDrafts checks what saving a published event publishes.
func TestLinkedDrafts(t *testing.T) {
	c := open(t)
	for _, step := range []struct {
		about, status, caller, body, want string
	}{
		{"a draft", "draft", "admin", `{"excerpt":"a"}`, "publish"},
		{"a pending one", "pending", "editor", `{"excerpt":"b"}`, "publish"},
		{"in the trash", "trash", "admin", `{"excerpt":"c"}`, "trash"},
		{"a private one", "private", "admin", `{"excerpt":"d"}`, "private"},
		{"a scheduled one", "future", "admin", `{"excerpt":"e"}`, "future"},
		{"no right to it", "draft", "clerk", `{"excerpt":"f"}`, "draft"},
		{"nothing changed", "draft", "admin", `{}`, "draft"},
		{"unlinked now", "draft", "admin", `{"venue":[]}`, "draft"},
		{"linked now", "draft", "admin", `{"venue":7,"excerpt":"g"}`, "draft"},
		{"the event is a draft", "draft", "admin", `{"status":"draft"}`, "draft"},
	} {
		c.Exec("UPDATE wp_posts SET post_status = 'publish' WHERE ID = 7")
		linked := `,"venue":7`
		if step.about == "linked now" {
			linked = ""
		}
		a := c.create("admin", step.about, linked)
		c.Exec("UPDATE wp_posts SET post_status = ? WHERE ID = 7", step.status)
		c.Must(200, step.caller, "PATCH", eventPath(a), step.body)
		if got := c.column("SELECT post_status FROM wp_posts WHERE ID = 7"); got != step.want {
			t.Errorf("%s: %s, want %s", step.about, got, step.want)
		}
	}
}
