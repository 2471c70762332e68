package contract

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// utcOf returns the stored UTC starts of an event, without seconds: that of its meta row, that of its event row, and
// those of its occurrences in order.
func (b *bench) utcOf(slug string) string {
	b.T.Helper()
	times := b.Scan("SELECT meta_value FROM ?(prefix)postmeta WHERE meta_key = ? AND post_id = ?", schema.MetaStartDateUTC, b.of(slug))
	times = append(times, b.Scan("SELECT CAST(start_date_utc AS CHAR) FROM ?(prefix)tec_events WHERE post_id = ?", b.of(slug))...)
	times = append(times, b.Scan("SELECT CAST(start_date_utc AS CHAR) FROM ?(prefix)tec_occurrences WHERE post_id = ? ORDER BY start_date",
		b.of(slug))...)
	for i, at := range times {
		times[i] = strings.TrimSuffix(at, ":00")
	}
	return strings.Join(times, " ")
}

// computedBefore stores the UTC start and end of the occurrence with a given start as if they had been computed with
// other zone data.
func (b *bench) computedBefore(slug, start, startUTC, endUTC string) {
	b.T.Helper()
	id := b.of(slug)
	b.Exec("UPDATE ?(prefix)tec_occurrences SET start_date_utc = ?, end_date_utc = ? WHERE post_id = ? AND start_date = ?",
		startUTC, endUTC,
		id, start)
	b.Exec("UPDATE ?(prefix)tec_events SET start_date_utc = ?, end_date_utc = ? WHERE post_id = ? AND start_date = ?", startUTC, endUTC, id,
		start)
	for key, utc := range map[string]string{schema.MetaStartDateUTC: startUTC, schema.MetaEndDateUTC: endUTC} {
		b.Exec("UPDATE ?(prefix)postmeta SET meta_value = ? WHERE post_id = ? AND meta_key = ? AND ? IN (SELECT start_date FROM "+
			"?(prefix)tec_events WHERE post_id = ?)", utc, id, key, start, id)
	}
}

// zonesChange checks what happens to UTC times that were computed with other zone data (D87).
func zonesChange(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.ownSite()
	b.open(calendar.Options{})
	const event = `{"title":"E","start_date":"%s","end_date":"%s","timezone":"%s"%s}`
	b.create("hall", "/events", fmt.Sprintf(event, "2030-11-05 20:00:00", "2030-11-05 22:00:00", "Europe/Brussels", ""))
	path := b.fill("/events/{hall}")
	const old, now = "2030-11-05 18:00 2030-11-05 18:00 2030-11-05 18:00", "2030-11-05 19:00 2030-11-05 19:00 2030-11-05 19:00"
	before := func() {
		b.computedBefore("hall", "2030-11-05 20:00:00", "2030-11-05 18:00:00", "2030-11-05 20:00:00")
		if got := b.utcOf("hall"); got != old {
			t.Fatal(got)
		}
	}
	before()
	b.admin("PATCH", path, `{"title":"Other","cost":"5"}`, http.StatusOK)
	if got := b.utcOf("hall"); got != old {
		t.Errorf("D87 computed unasked: %s", got)
	}
	whole := b.admin("GET", path, "", http.StatusOK).Text
	for _, body := range []string{
		`{"start_date":"2030-11-05 20:00:00"}`, `{"end_date":"2030-11-05 22:00:00"}`, `{"timezone":"Europe/Brussels"}`,
		`{"all_day":false}`, whole,
	} {
		before()
		a := b.admin("PUT", path, body, http.StatusOK)
		if got := b.utcOf("hall"); got != now || a.Word("utc_end_date") != "2030-11-05 21:00:00" {
			t.Errorf("D87 %.60s: %s, ends %s", body, got, a.Word("utc_end_date"))
		}
		b.unchangedBy("the same again", func() { b.admin("PUT", path, body, http.StatusOK) })
	}
	b.consistent()

	// An ambiguous local time is valid in both interpretations, and a fixed offset has no rules.
	for _, c := range []struct{ slug, zone, start, startUTC, end, endUTC string }{
		{"twice", "Europe/Brussels", "2030-10-27 02:30:00", "2030-10-27 00:30:00", "2030-10-27 04:00:00", "2030-10-27 03:00:00"},
		{"fixed", "UTC+1", "2030-11-05 20:00:00", "2030-11-05 17:00:00", "2030-11-05 22:00:00", "2030-11-05 19:00:00"},
	} {
		b.create(c.slug, "/events", fmt.Sprintf(event, c.start, c.end, c.zone, ""))
		b.computedBefore(c.slug, c.start, c.startUTC, c.endUTC)
		was := b.utcOf(c.slug)
		b.admin("PATCH", b.fill("/events/{"+c.slug+"}"), `{"timezone":"`+c.zone+`"}`, http.StatusOK)
		if got := b.utcOf(c.slug); got != was {
			t.Errorf("D87 %s: %s, was %s", c.slug, got, was)
		}
	}

	// For a series, each occurrence is checked.
	b.create("choir", "/events", fmt.Sprintf(event, "2030-10-15 20:00:00", "2030-10-15 22:00:00", "Europe/Brussels",
		`,"recurrence":{"rrule":"FREQ=WEEKLY;COUNT=4"}`))
	b.create("tour", "/events", fmt.Sprintf(event, "2030-10-15 20:00:00", "2030-10-15 22:00:00", "Europe/Brussels",
		`,"dates":[{"start_date":"2030-10-15 20:00:00","end_date":"2030-10-15 22:00:00"},`+
			`{"start_date":"2030-11-05 20:00:00","end_date":"2030-11-05 22:00:00"}]`))
	for _, slug := range []string{"choir", "tour"} {
		was, ids := b.utcOf(slug), b.Scan("SELECT occurrence_id FROM ?(prefix)tec_occurrences WHERE post_id = ? ORDER BY 1", b.of(slug))
		b.computedBefore(slug, "2030-11-05 20:00:00", "2030-11-05 18:00:00", "2030-11-05 20:00:00")
		if b.utcOf(slug) == was {
			t.Fatal(was)
		}
		path := b.fill("/events/{" + slug + "}")
		b.admin("PATCH", path, b.admin("GET", path, "", http.StatusOK).Text, http.StatusOK)
		is := b.Scan("SELECT occurrence_id FROM ?(prefix)tec_occurrences WHERE post_id = ? ORDER BY 1", b.of(slug))
		if got := b.utcOf(slug); got != was || !slices.Equal(ids, is) {
			t.Errorf("D87 %s: %s, was %s; %q, was %q", slug, got, was, is, ids)
		}
	}
	b.abbreviations()
}

// abbreviations checks that each occurrence of a series has the zone abbreviation at its own start, in items, lists and
// pages.
func (b *bench) abbreviations() {
	b.T.Helper()
	id := func(start string) string {
		return b.Scan("SELECT occurrence_id + 10000000 FROM ?(prefix)tec_occurrences WHERE post_id = ? AND start_date = ?", b.of("choir"),
			start)[0]
	}
	for start, want := range map[string]string{"2030-10-15 20:00:00": "CEST", "2030-10-29 20:00:00": "CET", "2030-11-05 20:00:00": "CET"} {
		if a := b.admin("GET", "/events/"+id(start), "", http.StatusOK); a.Word("timezone_abbr") != want {
			b.T.Errorf("%s has %s, want %s", start, a.Word("timezone_abbr"), want)
		}
		a := b.admin("GET", "/events?include="+id(start), "", http.StatusOK)
		if got := a.At("events", "0", "timezone_abbr"); got != `"`+want+`"` {
			b.T.Errorf("in a list %s has %s, want %s", start, got, want)
		}
	}
	if a := b.admin("GET", b.fill("/events/{choir}"), "", http.StatusOK); a.Word("timezone_abbr") != "CEST" {
		b.T.Errorf("the event has %s", a.Word("timezone_abbr"))
	}
}

// zonesOfOthers checks that occurrences created by another plugin, which has its own zone data, are not recomputed
// (D87, D66).
func zonesOfOthers(t *testing.T, e Engine) {
	b := datedBench(t, e, true, true, calendar.Options{})
	id := b.of("many")
	b.Exec("UPDATE ?(prefix)tec_occurrences SET start_date_utc = '2030-01-01 00:00:00' WHERE post_id = ?", id)
	for _, key := range []string{schema.MetaStartDateUTC, schema.MetaEndDateUTC} {
		b.Exec("UPDATE ?(prefix)postmeta SET meta_value = '2030-01-01 00:00:00' WHERE post_id = ? AND meta_key = ?", id, key)
	}
	path := b.fill("/events/{many}")
	read := b.DoWithin(t.Context(), "admin", "GET", path, "")
	was := rowsOfDates(t, b.DB, id)
	a := b.DoWithin(t.Context(), "admin", "PATCH", path, fmt.Sprintf(`{"start_date":%q,"end_date":%q,"timezone":%q}`,
		read.Word("start_date"),
		read.Word("end_date"), read.Word("timezone")))
	if is := rowsOfDates(t, b.DB, id); a.Status != http.StatusOK || is != was {
		t.Errorf("D87 %s\n%s\nwas\n%s", a, is, was)
	}
}
