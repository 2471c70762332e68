package contract

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/uptrace/bun/dialect"
	"pgregory.net/rapid"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// dated is an event on a site with recurring events.
type dated struct {
	slug       string
	refusal    string // error code of a write of its dates, "" if they may be written
	start, end string
	zone       string
	allDay     bool
	trashed    bool
}

// datedBench returns a bench on whose site another plugin has created occurrences. All events but the first two are
// recurring, each marked as such in another column, row or meta key, or have an event row that does not match their dates.
// active says whether the plugin is active, uniqueHash whether the hashes of occurrences have a unique index.
func datedBench(t *testing.T, e Engine, uniqueHash, active bool, opts calendar.Options) *bench {
	b := newBench(t, e)
	b.host.SetMaxOpenConns(16)
	b.host.SetMaxIdleConns(16)
	if active {
		b.option(schema.OptionRecurrence, "1")
	}
	b.open(opts)
	b.dated(uniqueHash)
	return b
}

// dated makes the dates of datedBench.
func (s *site) dated(uniqueHash bool) {
	s.T.Helper()
	for _, statement := range []string{
		"ALTER TABLE ?(prefix)tec_events ADD COLUMN rset longtext",
		"ALTER TABLE ?(prefix)tec_occurrences ADD COLUMN has_recurrence smallint DEFAULT 0",
		"ALTER TABLE ?(prefix)tec_occurrences ADD COLUMN sequence bigint DEFAULT 0",
		"ALTER TABLE ?(prefix)tec_occurrences ADD COLUMN is_rdate smallint DEFAULT 0",
	} {
		s.Exec(statement)
	}
	if !uniqueHash {
		if s.host.Dialect().Name() == dialect.MySQL {
			s.Exec("ALTER TABLE ?(prefix)tec_occurrences DROP INDEX hash")
		} else {
			s.Exec("DROP INDEX ?(prefix)tec_occurrences_hash")
		}
	}
	const start, end = "2030-07-05 19:00:00", "2030-07-05 21:00:00"
	own := [2]string{start, end}
	s.event(thing{slug: "single", start: start, end: end})
	s.event(thing{slug: "bare", start: start, end: end, noRow: true})
	s.event(thing{slug: "torn", start: start, end: end, occurrences: [][2]string{
		{"2030-07-09 10:00:00", "2030-07-09 12:00:00"}, own, {"2030-07-02 10:00:00", "2030-07-02 12:00:00"}}})
	for _, slug := range []string{"many", "plays"} {
		s.event(thing{slug: slug, start: start, end: end})
		s.storeDates(newMoving(slug))
	}
	ownDates := func(slug, rset string) {
		s.Exec("UPDATE ?(prefix)tec_events SET start_date = ?, end_date = ?, start_date_utc = ?, end_date_utc = ?, rset = ? "+
			"WHERE post_id = ?", start, end, "2030-07-05 17:00:00", "2030-07-05 19:00:00", rset, s.idOf(slug))
	}
	ownDates("torn", "DTSTART;TZID=Europe/Brussels:20300705T190000")
	s.event(thing{slug: "marked", start: start, end: end})
	s.Exec("UPDATE ?(prefix)tec_occurrences SET has_recurrence = 1 WHERE post_id = ?", s.idOf("marked"))
	s.event(thing{slug: "text", start: start, end: end})
	s.Exec("UPDATE ?(prefix)tec_events SET rset = 'RRULE:FREQ=WEEKLY' WHERE post_id = ?", s.idOf("text"))
	s.event(thing{slug: "rules", start: start, end: end, meta: [][2]string{{schema.MetaRecurrence, `a:1:{s:5:"rules";a:1:{i:0;a:0:{}}}`}}})
	s.event(thing{slug: "stray", start: start, end: end, occurrences: [][2]string{{"2030-07-09 10:00:00", "2030-07-09 12:00:00"}}})
	ownDates("stray", "")
	s.Exec("CREATE TABLE ?(prefix)tec_series_relationships (relationship_id bigint NOT NULL PRIMARY KEY, " +
		"series_post_id bigint NOT NULL, event_id bigint NOT NULL, event_post_id bigint NOT NULL)")
	s.Exec("INSERT INTO ?(prefix)tec_series_relationships VALUES (1, 90, 1, ?), (2, 90, 2, ?)", s.idOf("many"), s.idOf("text"))
}

// datedEvents returns the events of datedBench as they are stored.
func datedEvents() (list []*dated) {
	const ruled = "rest_event_dates_ruled"
	for slug, refusal := range map[string]string{
		"single": "", "bare": "", "marked": ruled, "text": ruled, "rules": ruled,
		"torn": "rest_event_dates_conflict", "stray": "rest_event_dates_conflict",
	} {
		list = append(list, &dated{slug: slug, refusal: refusal, start: "2030-07-05 19:00:00", end: "2030-07-05 21:00:00",
			zone: "Europe/Brussels"})
	}
	slices.SortFunc(list, func(a, b *dated) int { return strings.Compare(a.slug, b.slug) })
	return list
}

// rowsByEvent returns the occurrence rows of each event as strings.
func (b *bench) rowsByEvent() map[string]string {
	b.T.Helper()
	rows := map[string]string{}
	for slug, id := range b.id {
		rows[slug] = rowsOfDates(b.T, b.DB, id)
	}
	return rows
}

// severalModel is the model of writes to such a site.
type severalModel struct {
	b      *bench
	events []*dated
	moving []*moving
	rows   map[string]string
	writes int
}

// untouched checks that no occurrence row changed, except for those of an event.
func (m *severalModel) untouched(rt *rapid.T, after string, but string) {
	rows := m.b.rowsByEvent()
	for slug, was := range m.rows {
		if slug != but && rows[slug] != was {
			rt.Fatalf("D65 %s changes the rows of %s\n%s%s", after, slug, was, rows[slug])
		}
	}
	m.rows = rows
	m.writes++
}

// fieldsOfDated draws fields of a request other than dates.
func fieldsOfDated(rt *rapid.T) object {
	all := map[string][]any{
		"title": {"One", "Two"}, "description": {"", "Text"}, "excerpt": {"", "Short"}, "cost": {"", "5"},
		"website": {"", "http://a.example/"},
		"status":  {"publish", "draft", "pending", "private", "future"}, "featured": {true, false}, "sticky": {true, false},
		"hide_from_listings": {true, false}, "show_map": {true, false}, "date": {"2029-01-01 10:00:00", "2031-01-01 10:00:00"},
		"venue": {nil, object{"venue": "Hall"}}, "organizer": {nil, []any{object{"organizer": "Band"}}},
		"categories": {[]any{}, []any{"cat"}}, "tags": {[]any{}, []any{"tag", "other"}},
	}
	body := object{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if draw(rt, "give "+name, false, false, false, true) {
			body[name] = draw(rt, name, all[name]...)
		}
	}
	return body
}

// drawDates draws dates, and reports whether they differ from the stored ones.
func (p *dated) drawDates(rt *rapid.T, body object) (changed bool) {
	switch draw(rt, "dates", "none", "none", "same", "pair", "zone", "whole days") {
	case "same":
		body["start_date"], body["end_date"], body["timezone"], body["all_day"] = p.start, p.end, p.zone, p.allDay
	case "pair":
		day := draw(rt, "day", "05", "09")
		body["start_date"], body["end_date"] = "2030-07-"+day+" 19:00:00", "2030-07-"+day+" 21:00:00"
		if p.allDay {
			return !strings.HasPrefix(p.start, "2030-07-"+day)
		}
		return body["start_date"] != p.start || body["end_date"] != p.end
	case "zone":
		body["timezone"] = draw(rt, "zone", "Europe/Brussels", "America/New_York")
		return body["timezone"] != p.zone
	case "whole days":
		body["all_day"] = draw(rt, "all day", true, false)
		return body["all_day"] != p.allDay
	}
	return false
}

func (m *severalModel) update(rt *rapid.T) {
	p := rapid.SampledFrom(m.events).Draw(rt, "event")
	if p.trashed {
		m.restore(rt, p)
		return
	}
	body := fieldsOfDated(rt)
	changed := p.drawDates(rt, body)
	path := draw(rt, "path", "/events/"+m.b.idText(p.slug), "/events/by-slug/"+p.slug)
	a := m.b.DoWithin(m.b.T.Context(), "admin", draw(rt, "method", "POST", "PUT", "PATCH"), path, jsonText(body))
	switch {
	case changed && p.refusal != "":
		if a.Status != http.StatusConflict || a.Body["code"] != p.refusal {
			rt.Fatalf("D66 %s\n answered %d %s, want %s", a.Request, a.Status, a.Text, p.refusal)
		}
	case a.Status != http.StatusOK:
		rt.Fatalf("%s\n answered %d %s", a.Request, a.Status, a.Text)
	}
	if !changed || p.refusal != "" {
		m.untouched(rt, a.Request, "")
		return
	}
	p.start, p.end, p.zone = asText(a.Body["start_date"]), asText(a.Body["end_date"]), asText(a.Body["timezone"])
	p.allDay = a.Body["all_day"] == true
	m.untouched(rt, a.Request, p.slug)
	for _, table := range []string{"tec_events", "tec_occurrences"} {
		starts := m.b.Scan("SELECT CAST(start_date AS CHAR) FROM ?(prefix)"+table+" WHERE post_id = ?", m.b.idOf(p.slug))
		if !slices.Equal(starts, []string{p.start}) {
			rt.Fatalf("%s\n stored %v in %s, want %s", a.Request, starts, table, p.start)
		}
	}
}

func (m *severalModel) restore(rt *rapid.T, p *dated) {
	a := m.b.admin("POST", "/events/"+m.b.idText(p.slug), `{"status":"publish"}`, http.StatusOK)
	p.trashed = false
	m.untouched(rt, a.Request, "")
}

func (m *severalModel) trash(rt *rapid.T) {
	p := rapid.SampledFrom(m.events).Draw(rt, "event")
	if p.trashed {
		m.restore(rt, p)
		return
	}
	a := m.b.admin("DELETE", "/events/"+m.b.idText(p.slug), "", http.StatusOK)
	p.trashed = true
	m.untouched(rt, a.Request, "")
}

// others writes and deletes posts that events link.
func (m *severalModel) others(rt *rapid.T) {
	p := rapid.SampledFrom(m.events).Draw(rt, "event")
	if p.trashed {
		m.restore(rt, p)
		return
	}
	a := m.b.admin("POST", "/events/"+m.b.idText(p.slug), `{"venue":{"venue":"Gone"},"tags":["gone"]}`, http.StatusOK)
	m.untouched(rt, a.Request, "")
	venue, _ := a.Body["venue"].(object)
	force := draw(rt, "force", "", "?force=true")
	m.b.admin("DELETE", "/venues/"+asText(venue["id"])+force, "", http.StatusOK)
	for _, tag := range objects(a.Body["tags"]) {
		m.b.admin("DELETE", "/tags/"+asText(tag["id"]), "", http.StatusOK)
	}
	m.untouched(rt, "the end of a venue and a tag", "")
}

// due publishes an event whose publication date has come.
func (m *severalModel) due(rt *rapid.T) {
	p := rapid.SampledFrom(m.events).Draw(rt, "event")
	m.b.Exec("UPDATE ?(prefix)posts SET post_status = 'future', post_date_gmt = '2030-01-01 00:00:00' WHERE ID = ?", m.b.idOf(p.slug))
	p.trashed = false
	m.b.Exec("UPDATE ?(prefix)posts SET post_name = ? WHERE ID = ?", p.slug, m.b.idOf(p.slug))
	if n, err := m.b.cal.PublishDue(m.b.T.Context()); n != 1 || err != nil {
		rt.Fatal(n, err)
	}
	m.untouched(rt, "scheduled publishing", "")
}

// randomWritesOfDates checks that only writes of dates change occurrence rows, that such writes are rejected for
// recurring events that are not understood, that other recurring events lose no occurrence, and that rules and rows
// agree on a site that Agenda manages itself.
func randomWritesOfDates(t *testing.T, e Engine) {
	bounded(t, map[string]string{"rapid.checks": strconv.Itoa(e.draws(3)), "rapid.steps": "30",
		"rapid.nofailfile": "true", "rapid.shrinktime": "10s"})
	for _, unique := range []bool{true, false} {
		active := unique
		b := datedBench(t, e, unique, active, calendar.Options{Site: calendar.Site{WriteDates: active}})
		kept, writes := keep(t, b.DB, b.prefix), 0
		rapid.Check(t, func(rt *rapid.T) {
			kept.restore()
			m := &severalModel{b: b, events: datedEvents(), moving: []*moving{newMoving("many"), newMoving("plays")}, rows: b.rowsByEvent()}
			rt.Repeat(map[string]func(*rapid.T){"update": m.update, "update again": m.update, "trash": m.trash, "others": m.others,
				"due": m.due, "move": m.move, "move one": m.moveOne, "list": m.list, "fields": m.fieldsOfMany, "zone": m.zone,
				"add-on": m.addOn, "bin": m.bin, "delete": m.deleteMany})
			writes += m.writes
		})
		t.Logf("%d writes, unique hash: %v", writes, unique)
	}
	randomRules(t, e)
}
