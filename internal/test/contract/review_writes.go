package contract

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// metasOf are the meta rows of a post in stored order, as "key=value", without
// the list of modified fields.
func (s *site) metasOf(id int64) (list []string) {
	s.t.Helper()
	for line := range strings.SplitSeq(strings.TrimSuffix(s.snapshot().metas[id], "\n"), "\n") {
		if !strings.HasPrefix(line, schema.MetaModifiedFields+"=") {
			list = append(list, line)
		}
	}
	return list
}

// value is what the meta rows of a post have for a key, "none" without a row.
func (s *site) value(id int64, key string) string {
	s.t.Helper()
	var values []string
	for _, line := range s.metasOf(id) {
		if v, ok := strings.CutPrefix(line, key+"="); ok {
			values = append(values, v)
		}
	}
	if values == nil {
		return "none"
	}
	return strings.Join(values, ",")
}

// sentBack proves that what an answer shows of a schedule changes nothing when
// it is sent back, on a site whose days begin late (D14, D34).
func sentBack(t *testing.T, e Engine) {
	s := newSite(t, e)
	s.option(schema.OptionCalendar, `a:1:{s:14:"multiDayCutoff";s:5:"05:00";}`)
	c := s.client(calendar.Options{})
	a := c.ask("POST", "/events", "admin", `{"title":"Days","start_date":"2030-10-26 10:00","end_date":"2030-10-28 11:30","all_day":true}`)
	path := "/events/" + itoa(a.number("id"))
	shown := `"start_date":"` + a.text("start_date") + `","end_date":"` + a.text("end_date") + `"`
	if shown != `"start_date":"2030-10-26 05:00:00","end_date":"2030-10-29 04:59:59"` {
		t.Fatalf("stored %s", shown)
	}
	before := s.snapshot()
	for _, body := range []string{
		`{` + shown + `}`, `{` + shown + `,"all_day":true,"timezone":"Europe/Brussels"}`, `{"end_date":"2030-10-29T04:59:59"}`,
		`{"end_date":"2030-10-29 04:59:59+01:00"}`, `{"start_date":"2030-10-26 03:00:00Z"}`, `{"start_date":"2030-10-26"}`,
	} {
		if a := c.ask("PATCH", path, "admin", body); a.status != 200 {
			t.Errorf("%s: %s", a.request, a.verdict())
		}
		if table := before.same(s.snapshot()); table != "" {
			t.Errorf("%s: the table %s changed", body, table)
		}
	}
	for _, step := range [][2]string{{`{"end_date":"2030-10-29"}`, "2030-10-30 04:59:59"}, {`{"end_date":"2030-10-27 23:00"}`, "2030-10-28 04:59:59"}} {
		if got := c.ask("PATCH", path, "admin", step[0]).text("end_date"); got != step[1] {
			t.Errorf("%s: until %s, want %s", step[0], got, step[1])
		}
	}
	s.consistent()
}

// rowsInOrder proves the order of the rows that other programs write too.
func rowsInOrder(t *testing.T, e Engine) {
	s := newSite(t, e)
	s.post(schema.TypeAttachment, thing{slug: "picture", status: schema.StatusInherit})
	s.exec("UPDATE ?(prefix)posts SET post_mime_type = 'image/png' WHERE ID = ?", s.of("picture"))
	c := s.client(calendar.Options{})
	for _, w := range []struct{ path, body, want string }{
		{"/venues", `{"website":"http://a.b/","phone":"1","zip":"2","state":"S","province":"P","country":"B","city":"C","address":"A","image":<picture>,"venue":"V"}`,
			"_VenueOrigin _EventShowMapLink _EventShowMap _VenueShowMapLink _VenueShowMap _thumbnail_id _VenueAddress _VenueCity _VenueCountry " +
				"_VenueProvince _VenueState _VenueStateProvince _VenueZip _VenuePhone _VenueURL"},
		{"/organizers", `{"email":"e","website":"http://a.b/","phone":"1","image":"<picture>","organizer":"O"}`,
			"_OrganizerOrigin _thumbnail_id _OrganizerPhone _OrganizerWebsite _OrganizerEmail"},
	} {
		a := c.ask("POST", w.path, "admin", s.filled(w.body))
		var keys []string
		for _, line := range s.metasOf(a.number("id")) {
			key, _, _ := strings.Cut(line, "=")
			keys = append(keys, key)
		}
		if got := strings.Join(keys, " "); a.status != 201 || got != w.want {
			t.Errorf("%s %d\n got  %s\n want %s", w.path, a.status, got, w.want)
		}
	}
}

// formsOfFields proves forms of fields that are easily taken for others.
func formsOfFields(t *testing.T, e Engine) {
	s := newSite(t, e)
	s.venue(thing{slug: "v1"})
	s.venue(thing{slug: "v2"})
	s.event(thing{slug: "e", start: "2030-07-01 20:00"})
	s.event(thing{slug: "gone", start: "2030-07-01 20:00"})
	id := s.of("e")
	c := s.client(calendar.Options{})
	for _, w := range []struct{ name, body, key, want string }{
		{"D18", `{"venue":["<v2>,<v1>"]}`, schema.MetaVenueID, s.text("v2") + "," + s.text("v1")},
		{"D18", `{"venue":["<v1>, <v2>",<v1>]}`, schema.MetaVenueID, s.text("v1") + "," + s.text("v2")},
		{"cost", `{"cost":""}`, schema.MetaCost, "none"},
		{"cost", `{"cost":"$5"}`, schema.MetaCost, "$5"},
		{"cost", `{"cost":null}`, schema.MetaCost, "$5"},
		{"cost", `{"cost":""}`, schema.MetaCost, ""},
		{"cost", `{"cost":0}`, schema.MetaCost, "0"},
		{"cost", `{"cost":[]}`, schema.MetaCost, "none"},
	} {
		if a := c.ask("PATCH", "/events/"+itoa(id), "admin", s.filled(w.body)); a.status != 200 || s.value(id, w.key) != w.want {
			t.Errorf("%s %s: %s, stored %s, want %s", w.name, w.body, a.verdict(), s.value(id, w.key), w.want)
		}
	}
	for body, code := range map[string]string{`{"title":"\ud800"}`: "10", `{"title":"\udc00x"}`: "10", `{"title":`: "4", "{\"title\":\"\xff\"}": "5"} {
		if a := c.ask("PATCH", "/events/"+itoa(id), "admin", body); a.verdict() != "400 rest_invalid_json" || a.at("data", "json_error_code") != code {
			t.Errorf("%q: %s %s", body, a.verdict(), a.at("data"))
		}
	}
	// What leaves the trash keeps the rows that tell how it got there.
	path := s.path("/events/{gone}")
	c.ask("DELETE", path, "admin", "")
	c.ask("PATCH", path, "admin", `{"status":"publish"}`)
	for key, want := range map[string]string{
		schema.MetaTrashStatus: "publish", schema.MetaIgnoredStatus: "publish", schema.MetaDesiredSlug: "none", schema.MetaOldSlug: "gone__trashed",
	} {
		if got := s.value(s.of("gone"), key); got != want {
			t.Errorf("out of the trash: %s is %s, want %s", key, got, want)
		}
	}
}
