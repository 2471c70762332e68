package contract

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// keysInOrder are the 40 members of an event with their types.
var keysInOrder = strings.Fields(`id:number global_id:string global_id_lineage:list author:string status:string date:string date_utc:string modified:string
	modified_utc:string url:string rest_url:string title:string description:string excerpt:string slug:string image:bool all_day:bool
	start_date:string start_date_details:object end_date:string end_date_details:object utc_start_date:string utc_start_date_details:object
	utc_end_date:string utc_end_date_details:object timezone:string timezone_abbr:string cost:string cost_details:object website:string show_map:bool
	show_map_link:bool hide_from_listings:bool sticky:bool featured:bool categories:list tags:list venue:list organizer:list custom_fields:list`)

func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "bool"
	case string:
		return "string"
	case json.Number:
		return "number"
	case []any:
		return "list"
	}
	return "object"
}

// typed lists the members of an object in the order of body with their types.
func typed(body []byte, item any) []string {
	m, _ := item.(map[string]any)
	var list []string
	for _, key := range keysOf(body, "") {
		list = append(list, key+":"+typeOf(m[key]))
	}
	return list
}

// eventKeys proves which members an event has, in which order and of which type.
func eventKeys(t *testing.T, e Engine) {
	s := locked(t, e)
	s.event(thing{slug: "simple", start: "2030-07-03 10:00"})
	c := s.client(calendar.Options{})
	for _, path := range []string{"/events?search=simple", "/events/{simple}", "/events/by-slug/simple"} {
		a := c.get(s.path(path), "")
		body, item := a.body, any(a.json)
		if list, ok := a.collection(); ok {
			body, item = body[len(`{"events":[`):], list[0]
		}
		got := typed(body, item)
		if n := len(got); n > 0 && got[n-1] == "json_ld:object" && strings.HasPrefix(path, "/events/") {
			got = got[:n-1] // the 41st of single reads
		}
		if !slices.Equal(got, keysInOrder) {
			t.Errorf("%s\n got  %v\n want %v", a.request, got, keysInOrder)
		}
	}
	masked := c.get("/events", "")
	names := keysOf(masked.body[len(`{"events":[`):], "")
	for i, want := range keysInOrder {
		if name, _, _ := strings.Cut(want, ":"); i >= len(names) || names[i] != name {
			t.Fatalf("a masked event has %v", names)
		}
	}
	full := c.get(s.path("/events/{ball}?password=Open+Sesame"), "")
	for name, want := range map[string]string{"image": "object", "venue": "object", "organizer": "list", "categories": "list", "custom_fields": "list"} {
		if got := typeOf(full.json[name]); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	for object, want := range map[string]string{
		"start_date_details": "year month day hour minutes seconds", "cost_details": "currency_symbol currency_code currency_position values",
		"venue":     "id author status date date_utc modified modified_utc url venue description excerpt slug image address city country province state zip phone website stateprovince geo_lat geo_lng show_map show_map_link global_id global_id_lineage",
		"organizer": "",
	} {
		if got := strings.Join(keysOf(full.body, object), " "); got != want && want != "" {
			t.Errorf("%s has %s, want %s", object, got, want)
		}
	}
	organizer := full.body[strings.Index(string(full.body), `"organizer":[`)+len(`"organizer":[`):]
	want := "id author status date date_utc modified modified_utc url organizer description excerpt slug image phone website email global_id global_id_lineage"
	if got := strings.Join(keysOf(organizer, ""), " "); got != want {
		t.Errorf("an organizer has %s, want %s", got, want)
	}
	list := c.get("/events?per_page=1&page=2", "")
	if got := strings.Join(keysOf(list.body, ""), " "); got != "events rest_url next_rest_url previous_rest_url total total_pages" {
		t.Errorf("a list has %s", got)
	}
}

// oddMetas proves what an event shows whose rows are missing, empty or repeated.
func oddMetas(t *testing.T, e Engine) {
	s := newSite(t, e)
	s.post("tribe_events", thing{slug: "nothing"}) // no meta at all
	empty := thing{slug: "empty", start: "2030-07-01 10:00"}
	for _, key := range []string{
		schema.MetaStartDate, schema.MetaEndDate, schema.MetaStartDateUTC, schema.MetaEndDateUTC, schema.MetaTimezone, schema.MetaTimezoneAbbr, schema.MetaAllDay,
		schema.MetaCost, schema.MetaCurrencySymbol, schema.MetaCurrencyCode, schema.MetaCurrencyPosition, schema.MetaURL, schema.MetaShowMap, schema.MetaShowMapLink,
		schema.MetaVenueID, schema.MetaOrganizerID, schema.MetaThumbnailID,
	} {
		empty.meta = append(empty.meta, [2]string{key, ""})
	}
	s.event(empty)
	s.event(thing{slug: "nulls", start: "2030-07-01 10:00"})
	s.exec("UPDATE ?(prefix)postmeta SET meta_value = NULL WHERE post_id = ?", s.of("nulls"))
	s.event(thing{slug: "twice", start: "2030-07-02 10:00", meta: [][2]string{
		{schema.MetaTimezone, "First/Zone"}, {schema.MetaTimezone, "Second/Zone"}, {schema.MetaURL, "http://one.test?a=1&b=\"2\""}, {schema.MetaURL, "http://two.test"},
		{schema.MetaStartDate, "2030-07-02 11:22:33"}, {schema.MetaStartDate, "2031-01-01 00:00:00"}, {schema.MetaAllDay, "yes"}, {schema.MetaAllDay, "no"},
		{schema.MetaShowMap, "0"}, {schema.MetaShowMap, "1"}, {schema.MetaShowMapLink, "false"}, {schema.MetaFeatured, "0"}, {schema.MetaFeatured, "1"},
		{schema.MetaGlobalIDLineage, "x?id=1"}, {schema.MetaGlobalIDLineage, "y?id=2"}, {schema.MetaCost, "10"}, {schema.MetaCost, "20"},
	}})
	s.event(thing{slug: "garbage", start: "2030-07-03 10:00", order: -1, meta: [][2]string{
		{schema.MetaStartDate, "not a date"}, {schema.MetaEndDate, "0000-00-00 00:00:00"}, {schema.MetaThumbnailID, "999999"}, {schema.MetaTimezone, "💥"},
	}})
	c := s.client(calendar.Options{})
	c.check("", []row{{"/events?per_page=50", "empty nulls twice garbage"}})
	zero := `{"day":"01","hour":"00","minutes":"00","month":"01","seconds":"00","year":"1970"}`
	for slug, want := range map[string][][2]string{
		"nothing": {{"start_date", "null"}, {"start_date_details", zero}, {"utc_end_date", "null"}, {"utc_end_date_details", zero}, {"timezone", `""`}, {"all_day", "false"},
			{"cost", `""`}, {"cost_details", `{"currency_code":"","currency_position":"","currency_symbol":"","values":[]}`}, {"website", `"` + Site + `/event/nothing/"`},
			{"show_map", "true"}, {"show_map_link", "true"}, {"hide_from_listings", "false"}, {"image", "false"}, {"venue", "[]"}, {"organizer", "[]"}, {"sticky", "false"}},
		"empty": {{"start_date", `""`}, {"start_date_details", zero}, {"website", `""`}, {"show_map", "false"}, {"show_map_link", "false"}, {"image", "false"}, {"venue", "[]"},
			{"cost", `""`}, {"all_day", "false"}},
		"twice": {{"timezone", `"First/Zone"`}, {"website", `"http://one.test?a=1\u0026amp;b=\u0026quot;2\u0026quot;"`}, {"start_date", `"2030-07-02 11:22:33"`},
			{"start_date_details", `{"day":"02","hour":"11","minutes":"22","month":"07","seconds":"33","year":"2030"}`}, {"all_day", "true"}, {"show_map", "false"},
			{"show_map_link", "true"}, {"featured", "false"}, {"global_id_lineage", fmt.Sprintf(`["site.test?id=%d","x?id=1","y?id=2"]`, s.of("twice"))}},
		"garbage": {{"start_date", `"not a date"`}, {"start_date_details", zero}, {"end_date", `"0000-00-00 00:00:00"`}, {"sticky", "true"}, {"timezone", `"💥"`}},
	} {
		c.get("/events/"+s.text(slug), "").holds(t, want)
	}
	if a := c.get("/events/by-slug/garbage", ""); a.at("image", "url") != "false" || a.at("image", "id") != "999999" {
		t.Errorf("image of a missing attachment: %s", a.at("image"))
	}
}
