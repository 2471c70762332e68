package contract

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/agendahq/agenda/internal/wp/rset"
	"github.com/agendahq/agenda/schema"
)

// moving is an event with explicit occurrences that may be written.
type moving struct {
	slug    string
	own     rset.Period
	others  []rset.Period // includes the main occurrence if that was moved onto one of them
	zone    string
	trashed bool
	gone    bool
}

// newMoving returns a moving event as it is stored initially.
func newMoving(slug string) *moving {
	return &moving{slug: slug, own: on(5, 19, 2), others: []rset.Period{on(9, 10, 2), on(2, 10, 2), on(8, 22, 4)}, zone: "Europe/Brussels"}
}

// on returns an occurrence in July 2030.
func on(day, hour, hours int) rset.Period {
	start := time.Date(2030, 7, day, hour, 0, 0, 0, time.UTC)
	return rset.Period{Start: start, End: start.Add(time.Duration(hours) * time.Hour)}
}

// all returns the occurrences of the event, in order.
func (p *moving) all() []rset.Period {
	return inOrder(append(slices.Clone(p.others), p.own))
}

func inOrder(list []rset.Period) []rset.Period {
	slices.SortFunc(list, rset.Period.Compare)
	return slices.CompactFunc(list, rset.Period.Equal)
}

func (p *moving) contains(d rset.Period) bool { return slices.ContainsFunc(p.all(), d.Equal) }

// storeDates stores the occurrences of an event like the plugin for recurring events.
func (s *site) storeDates(p *moving) {
	s.T.Helper()
	id := s.idOf(p.slug)
	stored := s.Scan("SELECT CAST(start_date AS CHAR) FROM ?(prefix)tec_occurrences WHERE post_id = ?", id)
	s.Exec("DELETE FROM ?(prefix)tec_occurrences WHERE post_id = ?", id)
	rules := rset.ParseRules("")
	rules.Set(p.own, p.others)
	for _, d := range p.all() {
		o := s.occurrenceOf(p, d)
		s.Insert(&schema.OccurrenceDates{Occurrence: o, HasRecurrence: 1, Sequence: int64(1 + len(stored)), IsRdate: 1})
	}
	o := s.occurrenceOf(p, p.own)
	set := rset.New(p.zone, p.own, p.others).String()
	s.Exec("UPDATE ?(prefix)tec_events SET start_date = ?, end_date = ?, start_date_utc = ?, end_date_utc = ?, duration = ?, rset = ? "+
		"WHERE post_id = ?", o.StartDate, o.EndDate, o.StartDateUTC, o.EndDateUTC, o.Duration, set, id)
	s.Exec("DELETE FROM ?(prefix)postmeta WHERE post_id = ? AND meta_key = ?", id, schema.MetaRecurrence)
	s.meta(p.slug, schema.MetaRecurrence, rules.String())
	for key, value := range map[string]string{schema.MetaStartDate: o.StartDate, schema.MetaEndDate: o.EndDate,
		schema.MetaStartDateUTC: o.StartDateUTC, schema.MetaEndDateUTC: o.EndDateUTC} {
		s.Exec("UPDATE ?(prefix)postmeta SET meta_value = ? WHERE post_id = ? AND meta_key = ?", value, id, key)
	}
}

// occurrenceOf returns the row of an occurrence.
func (s *site) occurrenceOf(p *moving, d rset.Period) schema.Occurrence {
	id := s.idOf(p.slug)
	o := schema.Occurrence{EventID: id, PostID: id, StartDate: d.Start.Format(time.DateTime), EndDate: d.End.Format(time.DateTime),
		StartDateUTC: s.utc(d.Start, p.zone), EndDateUTC: s.utc(d.End, p.zone), Duration: int64(d.End.Sub(d.Start).Seconds())}
	o.Hash = schema.OccurrenceHash(o)
	return o
}

// agrees checks that the rows and texts of an event match its occurrences, and that those of other events have not
// changed.
func (m *severalModel) agrees(rt *rapid.T, after string, p *moving) {
	m.untouched(rt, after, p.slug)
	id := m.b.idOf(p.slug)
	fail := func(what string, got, want any) {
		rt.Fatalf("D66 %s\n%s of %s: %v, want %v", after, what, p.slug, got, want)
	}
	var want []string
	for _, d := range p.all() {
		o := m.b.occurrenceOf(p, d)
		want = append(want, o.StartDate+" "+o.EndDate+" "+o.StartDateUTC+" "+o.EndDateUTC+" "+o.Hash)
	}
	rows := m.b.Scan("SELECT CONCAT_WS(' ', CAST(start_date AS CHAR), CAST(end_date AS CHAR), CAST(start_date_utc AS CHAR), "+
		"CAST(end_date_utc AS CHAR), hash) FROM ?(prefix)tec_occurrences WHERE post_id = ? ORDER BY start_date", id)
	if !slices.Equal(rows, want) {
		fail("rows", rows, want)
	}
	own := m.b.occurrenceOf(p, p.own)
	start := []string{own.StartDate + " " + own.EndDate + " " + own.StartDateUTC + " " + p.zone}
	if got := m.b.Scan("SELECT CONCAT_WS(' ', start_date, end_date, start_date_utc, timezone) FROM ?(prefix)tec_events WHERE post_id = ?",
		id); !slices.Equal(got, start) {
		fail("own row", got, start)
	}
	for key, value := range map[string]string{schema.MetaStartDate: own.StartDate, schema.MetaEndDateUTC: own.EndDateUTC,
		schema.MetaTimezone: p.zone} {
		got := m.b.Scan("SELECT meta_value FROM ?(prefix)postmeta WHERE post_id = ? AND meta_key = ?", id, key)
		if !slices.Equal(got, []string{value}) {
			fail(key, got, value)
		}
	}
	text := strings.Join(m.b.Scan("SELECT COALESCE(rset, '') FROM ?(prefix)tec_events WHERE post_id = ?", id), "")
	rules := strings.Join(m.b.Scan("SELECT meta_value FROM ?(prefix)postmeta WHERE post_id = ? AND meta_key = ?", id,
		schema.MetaRecurrence), "")
	set, dates := rset.Parse(text), rset.ParseRules(rules).Dates()
	at, _ := set.Start()
	switch all := p.all(); {
	case len(p.others) == 0 && text+rules == "":
	case !slices.EqualFunc(inOrder(set.Dates()), all, rset.Period.Equal) || !at.Equal(p.own.Start) || set.Zone() != p.zone:
		fail("rset", text, all)
	case !slices.EqualFunc(inOrder(append(dates, p.own)), all, rset.Period.Equal):
		fail("rules", rules, all)
	}
}

// many draws one of the events with several occurrences that are not deleted. If it is in the trash, it is restored first.
func (m *severalModel) many(rt *rapid.T) *moving {
	there := slices.DeleteFunc(slices.Clone(m.moving), func(p *moving) bool { return p.gone })
	if len(there) == 0 {
		rt.Skip("all are gone")
	}
	p := rapid.SampledFrom(there).Draw(rt, "many")
	if p.trashed {
		a := m.b.admin("POST", "/events/"+m.b.idText(p.slug), `{"status":"publish"}`, http.StatusOK)
		p.trashed = false
		m.agrees(rt, a.Request, p)
	}
	return p
}

// drawDate draws an occurrence.
func drawDate(rt *rapid.T, label string) rset.Period {
	return on(rapid.IntRange(1, 9).Draw(rt, label), draw(rt, "hour", 10, 19), 2)
}

// writeDates sends occurrences to a path, with or without other fields. refusal is the expected error code, "" if they
// are accepted.
func (m *severalModel) writeDates(rt *rapid.T, p *moving, path string, body object, refusal string) {
	if draw(rt, "with a title", false, true) {
		body["title"] = draw(rt, "title", "One", "Two")
	}
	a := m.b.DoWithin(m.b.T.Context(), "admin", "PATCH", path, jsonText(body))
	switch {
	case refusal != "" && (a.Status != http.StatusConflict || a.Body["code"] != refusal):
		rt.Fatalf("D66 %s\n answered %d %s, want %s", a.Request, a.Status, a.Text, refusal)
	case refusal == "" && a.Status != http.StatusOK:
		rt.Fatalf("%s\n answered %d %s", a.Request, a.Status, a.Text)
	}
	m.agrees(rt, a.Request, p)
}

func timesOf(d rset.Period) object {
	return object{"start_date": d.Start.Format(time.DateTime), "end_date": d.End.Format(time.DateTime)}
}

// move moves the main occurrence, possibly onto another one.
func (m *severalModel) move(rt *rapid.T) {
	p, to := m.many(rt), drawDate(rt, "day")
	refused := !to.Equal(p.own) && slices.ContainsFunc(p.all(), func(d rset.Period) bool { return d.Start.Equal(to.Start) && !d.Equal(to) })
	if !refused {
		p.own = to
	}
	m.writeDates(rt, p, draw(rt, "path", "/events/"+m.b.idText(p.slug), "/events/by-slug/"+p.slug), timesOf(to), conflictIf(refused))
}

func conflictIf(refused bool) string {
	if refused {
		return "rest_event_dates_conflict"
	}
	return ""
}

// active reports whether the plugin for recurring events is active on the site. If it is, occurrences have ids, and
// writes may contain occurrences.
func (m *severalModel) active() bool {
	return len(m.b.Scan("SELECT option_value FROM ?(prefix)options WHERE option_name = ?", schema.OptionRecurrence)) > 0
}

// list writes all occurrences of an event.
func (m *severalModel) list(rt *rapid.T) {
	p := m.many(rt)
	var list []rset.Period
	for _, d := range p.all() {
		if draw(rt, "keep", true, true, false) {
			list = append(list, d)
		}
	}
	for range rapid.IntRange(0, 2).Draw(rt, "new") {
		d := drawDate(rt, "date")
		if !slices.ContainsFunc(list, func(l rset.Period) bool { return l.Start.Equal(d.Start) }) {
			list = append(list, d)
		}
	}
	if len(list) == 0 {
		list = append(list, p.own)
	}
	var given []any
	for _, d := range list {
		given = append(given, timesOf(d))
	}
	refusal := ""
	if list = inOrder(list); len(p.others) == 0 && len(list) > 1 && !m.active() {
		refusal = "rest_event_dates_unsupported"
	} else if !slices.EqualFunc(list, p.all(), rset.Period.Equal) {
		if !slices.ContainsFunc(list, p.own.Equal) {
			p.own = list[0]
		}
		p.others = slices.DeleteFunc(list, p.own.Equal)
	}
	m.writeDates(rt, p, "/events/"+m.b.idText(p.slug), object{"dates": given}, refusal)
}

// moveOne moves one occurrence by its id, if occurrences have ids.
func (m *severalModel) moveOne(rt *rapid.T) {
	p := m.many(rt)
	if !m.active() {
		m.move(rt)
		return
	}
	from, to := rapid.SampledFrom(p.all()).Draw(rt, "date"), drawDate(rt, "day")
	ids := m.b.Scan("SELECT occurrence_id + 10000000 FROM ?(prefix)tec_occurrences WHERE post_id = ? AND start_date = ?",
		m.b.idOf(p.slug), from.Start.Format(time.DateTime))
	path := "/events/" + ids[0]
	refused := !to.Equal(from) && p.contains(to)
	switch i := slices.IndexFunc(p.others, from.Equal); {
	case refused:
	case from.Equal(p.own):
		p.own = to
	default:
		p.others[i] = to
	}
	m.writeDates(rt, p, path, timesOf(to), conflictIf(refused))
	a := m.b.admin("GET", path, "", http.StatusOK)
	if want := from; refused && a.Body["start_date"] != want.Start.Format(time.DateTime) ||
		!refused && a.Body["start_date"] != to.Start.Format(time.DateTime) {
		rt.Fatalf("D68 %s is %v", path, a.Body["start_date"])
	}
	a = m.b.DoWithin(m.b.T.Context(), "admin", "DELETE", path+draw(rt, "force", "", "?force=true"), "")
	if a.Status != http.StatusConflict || a.Body["code"] != "rest_event_date_of_several" {
		rt.Fatalf("D67 %s\n answered %d %s", a.Request, a.Status, a.Text)
	}
	m.agrees(rt, a.Request, p)
}

// zone moves all occurrences to another zone.
func (m *severalModel) zone(rt *rapid.T) {
	p := m.many(rt)
	p.zone = draw(rt, "zone", "Europe/Brussels", "America/New_York", "Asia/Kolkata")
	m.writeDates(rt, p, "/events/"+m.b.idText(p.slug), object{"timezone": p.zone}, "")
}

// fieldsOfMany writes other fields, together with the stored dates.
func (m *severalModel) fieldsOfMany(rt *rapid.T) {
	p := m.many(rt)
	body := fieldsOfDated(rt)
	if draw(rt, "same dates", true, false) {
		for name, value := range timesOf(p.own) {
			body[name] = value
		}
	}
	m.writeDates(rt, p, "/events/"+m.b.idText(p.slug), body, "")
}

// addOn writes occurrences like the plugin for recurring events.
func (m *severalModel) addOn(rt *rapid.T) {
	p := m.many(rt)
	p.own, p.others = drawDate(rt, "own"), nil
	for range rapid.IntRange(1, 4).Draw(rt, "others") {
		if d := drawDate(rt, "other"); !p.contains(d) {
			p.others = append(p.others, d)
		}
	}
	if len(p.others) == 0 {
		p.others = []rset.Period{on(20, 10, 2)}
	}
	m.b.storeDates(p)
	m.agrees(rt, "the software that makes dates", p)
}

func (m *severalModel) bin(rt *rapid.T) {
	p := m.many(rt)
	a := m.b.admin("DELETE", "/events/"+m.b.idText(p.slug), "", http.StatusOK)
	p.trashed = true
	m.agrees(rt, a.Request, p)
}

func (m *severalModel) deleteMany(rt *rapid.T) {
	if draw(rt, "for good", false, false, false, true) {
		p := m.many(rt)
		a := m.b.admin("DELETE", "/events/"+m.b.idText(p.slug)+"?force=true", "", http.StatusOK)
		p.gone = true
		m.untouched(rt, a.Request, p.slug)
		if rows := rowsOfDates(m.b.T, m.b.DB, m.b.idOf(p.slug)); rows != "" {
			rt.Fatalf("D65 deleted, with rows left\n%s", rows)
		}
	}
}
