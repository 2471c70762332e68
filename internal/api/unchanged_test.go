package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// D14: an update that changes no value changes no row of any table, not even a
// modified date, and calls no hook.
func TestD14NothingChanged(t *testing.T) {
	c := open(t)
	full := `{"title":"Full & more","description":"<p>D</p>","excerpt":"E","slug":"full","status":"private","author":2,
		"date":"2026-01-02 03:04:05","timezone":"America/New_York","all_day":false,"start_date":"2033-04-05 19:30",
		"end_date":"2033-04-05 22:00","image":"182","cost":"$10","website":"https://ex.org/","show_map":true,"show_map_link":true,
		"hide_from_listings":true,"sticky":true,"featured":true,"categories":[7,16],"tags":[26,17],"venue":8,"organizer":[18,17]}`
	id := c.must("admin", "POST", "/events", full).ID()
	plain := c.create("contributor", "Plain", "")
	future := c.create("admin", "Future", `,"date":"2030-01-01"`)
	allDay := c.create("admin", "Whole", `,"all_day":true`)
	trashed := c.create("admin", "Trashed", "")
	c.trash(trashed)
	dateless := c.must("admin", "POST", "/events", `{"title":"Dateless","start_date":"0","end_date":"0"}`).ID()
	for _, w := range []struct {
		as     string
		id     int64
		bodies []string
	}{
		{"admin", id, []string{
			`{}`, full, `{"title":" Full & more\n"}`, `{"slug":"FULL"}`, `{"image":182}`, `{"timezone":"America/New_York"}`,
			`{"start_date":"2033-04-05T19:30:00"}`,
			`{"end_date":"2033-04-05 10pm"}`, `{"all_day":"0"}`, `{"cost":["$10"]}`, `{"categories":"16,7"}`,
			`{"categories":null,"tags":null,"cost":null,"website":null}`,
			`{"tags":[17,"26",17]}`, `{"venue":"8"}`, `{"venue":[8]}`, `{"organizer":"18,17"}`, `{"organizer":[18,18,17]}`,
			`{"sticky":1,"featured":"true"}`,
			`{"date_utc":"2026-01-02 02:04:05"}`, `{"unknown":"field","id":5,"password":"x"}`, `{"status":"private"}`, `{"venue":{"id":8}}`,
		}},
		{"contributor", plain,
			[]string{`{}`, `{"status":"draft"}`, `{"title":"Plain"}`, `{"author":4}`, `{"description":"","excerpt":"","image":""}`,
				`{"show_map":false,"featured":false,"sticky":false,"hide_from_listings":false,"all_day":false}`,
				`{"categories":[],"tags":"","venue":[],"organizer":null,"website":"","cost":""}`}},
		{"admin", future, []string{`{}`, `{"status":"future"}`, `{"date":"2030-01-01"}`}},
		{"admin", allDay, []string{`{}`, `{"all_day":true}`, `{"start_date":"2033-04-05 11:00"}`, `{"end_date":"2033-04-05"}`}},
		{"admin", trashed, []string{`{}`, `{"status":"trash"}`, `{"title":"Trashed"}`, `{"slug":"trashed"}`,
			`{"slug":"trashed__trashed"}`}},
		{"admin", dateless, []string{`{}`, `{"title":"Dateless"}`}},
		{"admin", 25, []string{`{}`}}, // as another program stored it
	} {
		c.Now = c.Now.Add(time.Hour)
		before := c.Dump()
		c.Changes = nil
		for _, body := range w.bodies {
			for _, method := range []string{"POST", "PUT", "PATCH"} {
				c.must(w.as, method, fmt.Sprint("/events/", w.id), body)
			}
			if d := differing(before, c.Dump()); len(d) > 0 {
				t.Fatalf("%d %.200s: %v changed", w.id, body, d)
			}
		}
		if len(c.Changes) > 0 {
			t.Errorf("%d: hooks called with %v", w.id, c.Changes)
		}
	}
	before := c.Dump()
	c.change("admin", id, `{"featured":false}`)
	if d := strings.Join(differing(before, c.Dump()), " "); d != "wp_options wp_postmeta wp_posts" {
		t.Errorf("a change is seen in %s", d)
	}
}
