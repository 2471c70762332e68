package contract

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/recurrence"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/rset"
	"github.com/agendahq/agenda/schema"
)

// ruledModel writes the rules and occurrences of an event on a site that Agenda manages itself.
type ruledModel struct {
	b      *bench
	at     time.Time
	rows   map[string]string // ids of the stored rows, by their starts
	writes int
}

// checkWrite sends a write, which must be accepted or rejected as a whole, and checks what is stored afterwards.
func (m *ruledModel) checkWrite(rt *rapid.T, path string, body object) {
	was := rowsOfDates(m.b.T, m.b.DB)
	a := m.b.DoWithin(m.b.T.Context(), "admin", draw(rt, "method", "PATCH", "PUT"), path, jsonText(body))
	if m.writes++; a.Status != http.StatusOK {
		if a.Status != http.StatusBadRequest && a.Body["code"] != "rest_event_dates_conflict" {
			rt.Fatalf("D69 %s\n answered %d %s", a.Request, a.Status, a.Text)
		}
		if is := rowsOfDates(m.b.T, m.b.DB); is != was {
			rt.Fatalf("D69 %s\n answered %d and stored\n%s\n%s", a.Request, a.Status, was, is)
		}
		return
	}
	m.agrees(rt, a.Request)
}

// agrees checks that occurrence rows, recurrence set, meta rows and response contain the same dates, and that
// occurrences that remain keep their ids.
func (m *ruledModel) agrees(rt *rapid.T, after string) {
	id := m.b.idOf("ruled")
	text := m.b.Scan("SELECT COALESCE(rset, '') FROM ?(prefix)tec_events WHERE post_id = ?", id)[0]
	own := m.b.Scan("SELECT CONCAT(start_date, '/', end_date, ' ', timezone) FROM ?(prefix)tec_events WHERE post_id = ?", id)[0]
	of := func(key string) string {
		return strings.Join(m.b.Scan("SELECT meta_value FROM ?(prefix)postmeta WHERE post_id = ? AND meta_key = ?", id, key), "|")
	}
	if meta := of(schema.MetaStartDate) + "/" + of(schema.MetaEndDate) + " " + of(schema.MetaTimezone); meta != own {
		rt.Fatalf("D69 %s\n the meta rows have %s, the row of the event %s", after, meta, own)
	}
	zone := must.Get(time.LoadLocation(of(schema.MetaTimezone)))(rt)
	rows := map[string]string{}
	var got, starts []string
	const query = "SELECT CONCAT(CAST(start_date AS CHAR), '/', CAST(end_date AS CHAR), '|', CAST(start_date_utc AS CHAR), '|', " +
		"occurrence_id) FROM ?(prefix)tec_occurrences WHERE post_id = ? ORDER BY start_date"
	for _, row := range m.b.Scan(query, id) {
		parts := strings.Split(row, "|")
		start := parts[0][:len(time.DateTime)]
		at, _ := time.Parse(time.DateTime, start)
		if utc := recurrence.Instant(at, zone).UTC().Format(time.DateTime); utc != parts[1] {
			rt.Fatalf("D69 %s\n %s is %s in UTC, want %s", after, start, parts[1], utc)
		}
		got, starts, rows[start] = append(got, parts[0]), append(starts, start), parts[2]
	}
	if want := m.expanded(rt, text, strings.Split(own, " "+zone.String())[0], zone, got); !slices.Equal(got, want) {
		rt.Fatalf("D69 %s\n rows %s\n want %s\n of %s", after, got, want, text)
	}
	for start, row := range rows {
		if before, there := m.rows[start]; there && before != row {
			rt.Fatalf("D69 %s\n %s is the row %s, was %s", after, start, row, before)
		}
	}
	m.rows = rows
	path := fmt.Sprintf("/events/%d", id)
	read := m.b.admin("GET", path, "", http.StatusOK)
	if shown := objects(read.Body["dates"]); len(shown) > 0 && len(shown) != min(100, len(starts)) {
		rt.Fatalf("D69 %s\n shows %d dates of %d", after, len(shown), len(starts))
	}
	was := rowsOfDates(m.b.T, m.b.DB)
	again := m.b.admin("PUT", path, read.Text, http.StatusOK)
	if is := rowsOfDates(m.b.T, m.b.DB); is != was || again.Body["modified"] != read.Body["modified"] {
		rt.Fatalf("D69 %s\n what was read, written back, changes\n%s\n%s", after, was, is)
	}
}

// expanded returns the dates of a set in order. For a rule without an end, it returns those in the window that the
// stored ones show.
func (m *ruledModel) expanded(rt *rapid.T, text, own string, zone *time.Location, stored []string) (list []string) {
	set := rset.Parse(text)
	explicit := map[string]string{}
	for _, p := range set.Dates() {
		explicit[p.Start.Format(time.DateTime)] = p.End.Format(time.DateTime)
	}
	if set.Rule() == "" && len(explicit) == 0 {
		return []string{own}
	}
	if set.Rule() != "" {
		start, _ := set.Start()
		end, _ := set.End()
		rule := must.Get(recurrence.Parse(set.Rule(), start))(rt)
		until := start.AddDate(100, 0, 0)
		if rule.Endless() {
			until = recurrence.Wall(m.at.AddDate(0, 60, 0).In(zone))
		}
		dates, _ := rule.Dates(recurrence.ClockIn(zone), start, until, 100_000) // the clock of the model continues for years
		if rule.Endless() {
			left := set.Excluded()
			for _, p := range set.Dates() {
				left = append(left, p.Start)
			}
			dates = slices.DeleteFunc(dates, func(at time.Time) bool { return slices.ContainsFunc(left, recurrence.Wall(at).Equal) })
			dates = m.window(rt, dates, recurrence.Wall(m.at.In(zone)), maxStored-len(explicit), stored)
		}
		for _, at := range dates {
			wall := recurrence.Wall(at)
			if _, other := explicit[wall.Format(time.DateTime)]; !other && !slices.ContainsFunc(set.Excluded(), wall.Equal) {
				ends := recurrence.Wall(recurrence.Instant(wall.Add(end.Sub(start)), zone))
				explicit[wall.Format(time.DateTime)] = ends.Format(time.DateTime)
			}
		}
	}
	for start, end := range explicit {
		list = append(list, start+"/"+end)
	}
	slices.Sort(list)
	return list
}

// maxStored is the maximum number of occurrences of an event with a rule without an end (D84).
const maxStored = 1000

// window returns those dates of a rule without an end that are stored, if the stored ones are permitted (D84): all of
// them if the limit allows; otherwise the first one, and a contiguous run up to the limit. At least half of the
// remaining number must be future dates.
func (m *ruledModel) window(rt *rapid.T, dates []time.Time, now time.Time, room int, stored []string) []time.Time {
	if len(dates) <= room {
		return dates
	}
	begun := slices.IndexFunc(dates[1:], func(at time.Time) bool {
		return slices.ContainsFunc(stored, func(s string) bool { return strings.HasPrefix(s, recurrence.Wall(at).Format(time.DateTime)) })
	})
	if begun < 0 || begun+room > len(dates) {
		rt.Fatalf("D84 %d dates of a rule at %s: %s", room, now, stored)
	}
	run := slices.Concat(dates[:1:1], dates[begun+1:begun+room])
	come := func(list []time.Time) (n int) {
		for _, at := range list {
			if !recurrence.Wall(at).Before(now) {
				n++
			}
		}
		return n
	}
	if n := come(run); n < min(come(dates), room-1)/2 {
		rt.Fatalf("D84 %d dates are to come at %s: %s", n, now, stored)
	}
	return run
}

// rule sets a rule or removes it, with or without additional dates.
func (m *ruledModel) rule(rt *rapid.T) {
	text := draw(rt, "rule", "FREQ=WEEKLY;COUNT=6", "FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20300820", "FREQ=DAILY;INTERVAL=3;COUNT=9",
		"FREQ=MONTHLY",
		"FREQ=MONTHLY;BYDAY=-1FR;COUNT=4", "FREQ=DAILY;BYHOUR=9,19;COUNT=7", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
		"FREQ=WEEKLY;COUNT=1", "",
		"FREQ=DAILY;UNTIL=20291231", "FREQ=DAILY")
	body := object{"recurrence": nil}
	if text != "" {
		exdates := []any{}
		for range rapid.IntRange(0, 2).Draw(rt, "left out") {
			day := on(rapid.IntRange(1, 28).Draw(rt, "day"), 19, 0).Start
			exdates = append(exdates, day.Format(draw(rt, "form", time.DateOnly, time.DateTime)))
		}
		body["recurrence"] = object{"rrule": text, "exdates": exdates}
	}
	if draw(rt, "with dates", false, false, true) {
		body["dates"] = []any{timesOf(drawDate(rt, "one")), timesOf(on(20, 12, 1))}
	}
	m.checkWrite(rt, "/events/"+m.b.idText("ruled"), body)
}

// move moves the main occurrence, and the rule with it, or a single occurrence by its id.
func (m *ruledModel) move(rt *rapid.T) {
	path := "/events/" + m.b.idText("ruled")
	if draw(rt, "one", false, true) {
		starts := slices.Sorted(func(yield func(string) bool) {
			for start := range m.rows {
				if !yield(start) {
					return
				}
			}
		})
		row := m.rows[rapid.SampledFrom(starts).Draw(rt, "date")]
		n := 0
		_, _ = fmt.Sscan(row, &n)
		if len(m.b.Scan("SELECT 1 FROM ?(prefix)tec_occurrences WHERE occurrence_id = ? AND has_recurrence = 1", n)) > 0 {
			path = fmt.Sprintf("/events/%d", 10_000_000+n)
		}
	}
	m.checkWrite(rt, path, timesOf(on(rapid.IntRange(1, 28).Draw(rt, "day"), draw(rt, "hour", 10, 19), draw(rt, "hours", 1, 2))))
}

func (m *ruledModel) zone(rt *rapid.T) {
	m.checkWrite(rt, "/events/"+m.b.idText("ruled"),
		object{"timezone": draw(rt, "zone", "Europe/Brussels", "America/New_York", "Asia/Kolkata")})
}

// later advances the clock, and with it the horizon.
func (m *ruledModel) later(rt *rapid.T) {
	m.at = m.at.Add(time.Duration(rapid.IntRange(2, 40).Draw(rt, "days")) * 24 * time.Hour)
	must.Get(m.b.cal.PublishDue(m.b.T.Context()))(rt)
	m.agrees(rt, "some days")
}

// randomRules checks that rules, rows and responses agree, whatever is written on a site that Agenda manages itself.
func randomRules(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.own()
	m := &ruledModel{}
	b.open(calendar.Options{Now: func() time.Time { return m.at }})
	m.b, m.at = b, now
	b.create("ruled", "/events", `{"title":"Ruled","start_date":"2030-07-05 19:00:00","end_date":"2030-07-05 21:00:00"}`)
	rapid.Check(t, func(rt *rapid.T) {
		m.agrees(rt, "what was before")
		rt.Repeat(map[string]func(*rapid.T){"rule": m.rule, "another rule": m.rule, "move": m.move, "zone": m.zone, "later": m.later})
	})
	t.Logf("%d writes of rules", m.writes)
}
