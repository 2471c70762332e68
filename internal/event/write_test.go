package event_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/test/apitest"
)

// full are all fields of an event but its title and dates.
const full = `,"description":"d","excerpt":"e","slug":"all","timezone":"America/New_York","cost":"$10",` +
	`"website":"https://example.org/a%20b","show_map":true,"show_map_link":true,"hide_from_listings":true,"sticky":true,"featured":true,` +
	`"categories":[6],"tags":[17,18],"venue":7,"organizer":[18,17],"image":182`

func TestCreate(t *testing.T) {
	c := open(t)
	a := c.create("author", "All", full)
	if got, want := a.Header.Get("Location"), apitest.Root+eventPath(a); got != want {
		t.Errorf("Location %s, want %s", got, want)
	}
	if _, shown := a.Body["json_ld"]; shown || a.Body["rest_url"] != apitest.Root+eventPath(a) {
		t.Errorf("%s", a.Text)
	}
	const want = "_EventOrigin _EventShowMapLink _EventShowMap _EventVenueID _EventOrganizerID _EventOrganizerID _thumbnail_id " +
		"_EventStartDate _EventEndDate _EventStartDateUTC _EventEndDateUTC _EventDuration _EventCurrencySymbol _EventCurrencyPosition " +
		"_EventCost _EventURL _EventHideFromUpcoming _EventTimezone _EventTimezoneAbbr _tribe_featured"
	if got := c.keys(a.ID()); got != want {
		t.Errorf("rows\n%s, want\n%s", got, want)
	}
	got := fmt.Sprint(linked(a, "venue"), ";", linked(a, "organizer"), ";", linked(a, "categories"), ";", linked(a, "tags"))
	if got != "7;18 17;6;18 17" {
		t.Errorf("links %s", got)
	}
	created := []content.Change{{Kind: "events", ID: a.ID(), Slug: "all", Op: content.OpCreate, After: "publish"}}
	if got := fmt.Sprint(c.Changes); got != fmt.Sprint(created) {
		t.Errorf("hooks called with %s", got)
	}
	bare := c.create("author", "Bare", "")
	const least = "_EventOrigin _EventShowMapLink _EventShowMap _EventStartDate _EventEndDate _EventStartDateUTC _EventEndDateUTC " +
		"_EventDuration _EventTimezone _EventTimezoneAbbr"
	if got := c.keys(bare.ID()); got != least {
		t.Errorf("rows\n%s, want\n%s", got, least)
	}
}

// TestD14 checks that an update changes what it gives and nothing else.
func TestD14(t *testing.T) {
	c := open(t)
	a := c.create("admin", "All", full)
	c.Changes = nil
	stored := c.Dump()
	for _, body := range []string{
		``, `{}`, `{"title":"All"}`, `{"cost":null,"website":null,"categories":null,"tags":null}`,
		`{"title":"All","start_date":"2033-04-05 19:30:00","end_date":"2033-04-05 22:00:00"` + full + `}`,
	} {
		for _, method := range []string{"PUT", "PATCH", "POST"} {
			c.Must(200, "admin", method, eventPath(a), body)
			if c.Dump() != stored {
				t.Fatalf("%s %s changed something", method, body)
			}
		}
	}
	if len(c.Changes) != 0 {
		t.Errorf("noted %v", c.Changes)
	}
	whole := func() map[string]any { return c.Must(200, "admin", "GET", eventPath(a)+"?_fields="+fields, "").Body }
	for _, step := range []struct{ body, changed string }{
		{`{"title":"Other"}`, "title"}, {`{"description":""}`, "description"}, {`{"excerpt":"x"}`, "excerpt"},
		{`{"cost":"20"}`, "cost cost_details"},
		{`{"website":"http://x.org"}`, "website"}, {`{"show_map":false}`, "show_map"}, {`{"show_map_link":"0"}`, "show_map_link"},
		{`{"hide_from_listings":false}`, "hide_from_listings"}, {`{"sticky":false}`, "sticky"}, {`{"featured":false}`, "featured"},
		{`{"categories":[]}`, "categories"}, {`{"tags":[17]}`, "tags"}, {`{"venue":null}`, "venue"}, {`{"organizer":[17]}`, "organizer"},
		{`{"image":false}`, "image"}, {`{"end_date":"2033-04-05 23:00"}`, "end_date"}, {`{"slug":"other"}`, "url slug"},
		{`{"status":"private"}`, "status tags"},
		{`{"website":""}`, "website"}, {`{"cost":""}`, "cost cost_details"}, {`{"cost":0}`, "cost cost_details"},
		{`{"author":3}`, "author"},
	} {
		before := whole()
		c.Must(200, "admin", "PATCH", eventPath(a), step.body)
		after, changed := whole(), []string{}
		for _, name := range strings.Split(fields, ",") {
			if fmt.Sprint(before[name]) != fmt.Sprint(after[name]) {
				changed = append(changed, name)
			}
		}
		if got := strings.Join(changed, " "); got != step.changed {
			t.Errorf("%s: changed %q, want %q", step.body, got, step.changed)
		}
	}
	if a := whole(); a["website"] != "" || a["cost"] != "Free" {
		t.Errorf("website %q, cost %q", a["website"], a["cost"])
	}
}

const fields = "author,status,date,date_utc,url,title,description,excerpt,slug,image,all_day,start_date,end_date,timezone,timezone_abbr," +
	"cost,cost_details,website,show_map,show_map_link,hide_from_listings,sticky,featured,categories,tags,venue,organizer"

// TestD34 checks that meta rows and the tables of dates agree after updates.
func TestD34(t *testing.T) {
	c := open(t)
	id := c.create("admin", "Dates", "").ID()
	path := fmt.Sprint("/events/", id)
	for _, step := range []struct{ body, want string }{
		{`{"start_date":"2033-04-05 18:00"}`, "2033-04-05 18:00:00|2033-04-05 22:00:00|2033-04-05 16:00:00|2033-04-05 20:00:00|14400"},
		{`{"timezone":"Asia/Tokyo"}`, "2033-04-05 18:00:00|2033-04-05 22:00:00|2033-04-05 09:00:00|2033-04-05 13:00:00|14400"},
		{`{"all_day":true}`, "2033-04-05 00:00:00|2033-04-05 23:59:59|2033-04-04 15:00:00|2033-04-05 14:59:59|86399"},
		{`{"all_day":false}`, "2033-04-05 00:00:00|2033-04-05 23:59:59|2033-04-04 15:00:00|2033-04-05 14:59:59|86399"},
		{`{"end_date":"2033-04-06T00:00:00Z"}`, "2033-04-05 00:00:00|2033-04-06 09:00:00|2033-04-04 15:00:00|2033-04-06 00:00:00|118800"},
	} {
		c.Must(200, "admin", "PATCH", path, step.body)
		stored := c.column("SELECT CONCAT_WS('|', start_date, end_date, start_date_utc, end_date_utc, duration) FROM wp_tec_events "+
			"WHERE post_id = ?", id)
		occurs := c.column("SELECT CONCAT_WS('|', start_date, end_date, start_date_utc, end_date_utc, duration) FROM wp_tec_occurrences "+
			"WHERE post_id = ?", id)
		var meta []string
		for _, key := range []string{"_EventStartDate", "_EventEndDate", "_EventStartDateUTC", "_EventEndDateUTC"} {
			meta = append(meta, strings.Trim(c.meta(id, key), `[]"`))
		}
		if !strings.HasPrefix(step.want, strings.Join(meta, "|")+"|") || stored != step.want || occurs != step.want {
			t.Errorf("%s: rows %s, tables %s and %s, want %s", step.body, strings.Join(meta, "|"), stored, occurs, step.want)
		}
	}
	before := c.Dump()
	a := c.Must(400, "admin", "PATCH", path, `{"title":"No","start_date":"2033-04-07"}`)
	if a.Fault("end_date") != "fault_end_before_start" || c.Dump() != before {
		t.Errorf("D38: %s", a.Text)
	}
	a = c.Must(400, "admin", "POST", "/events", `{"title":"No","start_date":"2033-04-07","end_date":"2033-04-06"}`)
	if a.Fault("end_date") != "fault_end_before_start" {
		t.Errorf("D38: %s", a.Text)
	}
}

// TestBrokenDatesStay checks that imported dates survive other changes.
func TestBrokenDatesStay(t *testing.T) {
	c := open(t)
	a := c.create("admin", "Imported", "")
	c.Exec("UPDATE wp_postmeta SET meta_value = 'in spring' WHERE post_id = ? AND meta_key = '_EventStartDate'", a.ID())
	c.Exec("DELETE FROM wp_postmeta WHERE post_id = ? AND meta_key IN ('_EventEndDate', '_EventStartDateUTC', '_EventTimezone')", a.ID())
	c.Must(200, "admin", "PATCH", eventPath(a), `{"title":"Still imported","cost":"5"}`)
	got := c.meta(a.ID(), "_EventStartDate") + c.meta(a.ID(), "_EventEndDate") + c.meta(a.ID(), "_EventTimezone") + c.meta(a.ID(),
		"_EventDuration")
	if got != `["in spring"][][]["9000"]` {
		t.Errorf("%s", got)
	}
}

func TestSwitchesWithoutRows(t *testing.T) {
	c := open(t)
	a := c.create("admin", "Switches", "")
	c.Exec("DELETE FROM wp_postmeta WHERE post_id = ? AND meta_key LIKE '_EventShowMap%'", a.ID())
	before := c.Dump()
	c.Must(200, "admin", "PATCH", eventPath(a),
		`{"show_map":true,"featured":false,"hide_from_listings":false,"sticky":false,"website":"","cost":""}`)
	if c.Dump() != before {
		t.Error("what was so already was stored")
	}
	c.Exec("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, '_EventHideFromUpcoming', '')", a.ID())
	c.Must(200, "admin", "PATCH", eventPath(a), `{"show_map":false,"hide_from_listings":false}`)
	if got := c.meta(a.ID(), "_EventShowMap") + c.meta(a.ID(), "_EventHideFromUpcoming"); got != `[""][]` {
		t.Errorf("%s", got)
	}
}

func TestCostsOfUpdates(t *testing.T) {
	c := open(t)
	a := c.create("admin", "Costs", `,"cost":["€ 5","€ 10"]`)
	of := func() string {
		return c.meta(a.ID(), "_EventCost") + c.meta(a.ID(), "_EventCurrencySymbol") + c.meta(a.ID(), "_EventCurrencyPosition")
	}
	for _, step := range [][2]string{
		{`{}`, `["€ 5" "€ 10"]["€"]["prefix"]`}, {`{"cost":"20"}`, `["20"][""][""]`}, {`{"cost":"30 USD"}`, `["30 USD"]["USD"]["postfix"]`},
		{`{"cost":0}`, `["0"][""][""]`}, {`{"cost":[]}`, `[][""][""]`},
	} {
		c.Must(200, "admin", "PATCH", eventPath(a), step[0])
		if got := of(); got != step[1] {
			t.Errorf("%s: %s, want %s", step[0], got, step[1])
		}
	}
	if a := c.Must(400, "admin", "PATCH", eventPath(a), `{"cost":[["5"]]}`); a.Fault("cost") != "fault_nested" {
		t.Errorf("D22: %s", a.Text)
	}
}
