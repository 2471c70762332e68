package contract

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// givenDates checks writes of all occurrences of an event (D69), and their validation errors.
func givenDates(t *testing.T, e Engine) {
	b := datedBench(t, e, true, true, calendar.Options{Site: calendar.Site{WriteDates: true}})
	many := rowsOfDates(t, b.DB)
	date := func(start, end string) string {
		return `{"start_date":"2030-07-` + start + `","end_date":"2030-07-` + end + `"}`
	}
	a, c := date("05 19:00:00", "05 21:00:00"), date("09 10:00:00", "09 12:00:00")
	id := b.Scan("SELECT occurrence_id + 10000000 FROM ?(prefix)tec_occurrences WHERE post_id = ?", b.of("many"))[0]
	for body, param := range map[string]string{
		`{"dates":[` + strings.Repeat(a+",", 1000) + a + `]}`:              "dates",
		`{"dates":[` + a + `,` + a + `]}`:                                  "dates",
		`{"dates":[` + a + `,` + date("05 19:00:00", "05 22:00:00") + `]}`: "dates",
		`{"dates":[` + date("05 19:00:00", "05 18:00:00") + `]}`:           "dates",
		`{"dates":[` + a + `,` + date("x", "y") + `]}`:                     "dates",
		`{"dates":[]}`:        "dates",
		`{"dates":{"a":1}}`:   "dates",
		`{"dates":"soon"}`:    "dates",
		`{"dates":[[],1,{}]}`: "dates",
		`{"dates":[` + a + `],"timezone":"Europe/Nowhere"}`:                                         "timezone",
		`{"dates":[` + c + `],"start_date":"2030-07-05 19:00:00","end_date":"2030-07-05 21:00:00"}`: "dates",
	} {
		got := b.admin("PATCH", b.fill("/events/{many}"), body, http.StatusBadRequest)
		if got.Fault(param) == "" {
			t.Errorf("D69 %s\n does not name %s", got.Text, param)
		}
	}
	b.admin("PATCH", "/events/"+id, `{"start_date":"2030-07-07 19:00:00","dates":[`+a+`]}`, http.StatusBadRequest)
	if a := b.admin("DELETE", "/events/"+id, "", http.StatusConflict); a.Body["code"] != "rest_event_date_of_several" {
		t.Errorf("D67 one of several dates is deleted: %s", a.Text)
	}
	if is := rowsOfDates(t, b.DB); is != many {
		t.Errorf("D69 refused writes stored\n%s", is)
	}
	b.create("new", "/events", `{"title":"New","start_date":"2030-07-05 19:00:00","end_date":"2030-07-05 21:00:00","dates":[`+c+`,`+a+`]}`)
	starts := b.Scan("SELECT CAST(start_date AS CHAR) FROM ?(prefix)tec_occurrences WHERE post_id = ? AND has_recurrence = 1 ORDER BY 1",
		b.of("new"))
	if !slices.Equal(starts, []string{"2030-07-05 19:00:00", "2030-07-09 10:00:00"}) {
		t.Errorf("D69 a new event has the dates %v", starts)
	}
	b.admin("PATCH", b.fill("/events/{single}"), `{"dates":[`+c+`,`+a+`]}`, http.StatusOK)
	// Occurrences that another program wrote, together with a wrong duration. The event row matches the main
	// occurrence, so the write is accepted (D65).
	b.Exec("UPDATE ?(prefix)postmeta SET meta_value = '14400' WHERE post_id = ? AND meta_key = ?", b.of("single"), schema.MetaDuration)
	b.admin("PATCH", b.fill("/events/{single}"), `{"dates":[`+a+`,`+date("08 10:00:00", "08 12:00:00")+`]}`, http.StatusOK)
	durations := b.Scan("SELECT duration FROM ?(prefix)tec_events WHERE post_id = ?", b.of("single"))
	if !slices.Equal(durations, []string{"7200"}) {
		t.Errorf("D65 the row of an event of two hours has the durations %v", durations)
	}
	plain := b.another(calendar.Options{})
	for slug, code := range map[string]string{"many": "rest_event_dates_ruled", "bare": "rest_event_dates_unsupported"} {
		got := plain.admin("PATCH", b.fill("/events/{"+slug+"}"), `{"dates":[`+c+`,`+a+`]}`, http.StatusConflict)
		if got.Body["code"] != code {
			t.Errorf("D69 %s: %s", slug, got.Text)
		}
	}
}

// eventsOfSeveralDates checks what the model of random writes does not do to recurring events.
func eventsOfSeveralDates(t *testing.T, e Engine) {
	b := datedBench(t, e, true, true, calendar.Options{})
	for _, path := range []string{b.fill("/events/{many}"), "/events/by-slug/many"} {
		for language, reason := range map[string]string{"en": "several dates", "nl": "meerdere datums", "fr": "plusieurs dates"} {
			a := b.DoWithin(t.Context(), "admin", "PATCH", path+"?i18n_language="+language, `{"start_date":"2030-07-05 18:00:00"}`)
			if a.Status != http.StatusConflict || a.Body["code"] != "rest_event_dates_ruled" || !strings.Contains(a.Text, reason) {
				t.Errorf("D66 %s\n %s", a.Request, a.Text)
			}
		}
	}
	for body, reason := range map[string]string{
		`{"recurrence":{"rrule":"FREQ=DAILY;COUNT=2"}}`: "The rule", `{"recurrence":null}`: "", `{"recurrence":{}}`: "", // D89
		`{"recurrence":{"type":"weekly"}}`: "", `{"recurrence":{"rrule":5}}`: "",
	} {
		for _, slug := range []string{"single", "many"} {
			a := b.DoWithin(t.Context(), "admin", "PATCH", b.fill("/events/{"+slug+"}"), body)
			if refused := a.Body["code"] == "rest_event_dates_ruled" && strings.Contains(a.Text, reason); refused != (reason != "") {
				t.Errorf("D69 %s\n %s", a.Request, a.Text)
			}
		}
	}
	b.event(thing{slug: "early", start: "2030-06-20 10:00:00"})
	b.event(thing{slug: "late", start: "2030-07-08 10:00:00"})
	latest := func() string {
		value := b.Scan("SELECT option_value FROM ?(prefix)options WHERE option_name = ?", schema.OptionCalendar)
		return strings.Join(value, "")
	}
	for _, status := range []string{"draft", "publish"} { // an occurrence ends the calendar's range
		for _, other := range []string{"{stray}", "{torn}", "{plays}"} {
			b.admin("PATCH", b.fill("/events/"+other), `{"status":"draft"}`, http.StatusOK)
		}
		b.admin("PATCH", b.fill("/events/{many}"), `{"status":"`+status+`"}`, http.StatusOK)
		if is := strings.Contains(latest(), "2030-07-09 10:00:00"); is != (status == "publish") {
			t.Errorf("D65 many is %s, the range %s", status, latest())
		}
	}

	b.admin("DELETE", b.fill("/events/{many}?force=true"), "", http.StatusOK)
	if rows := rowsOfDates(t, b.DB, b.of("many")); rows != "" {
		t.Errorf("D65 deleted, with rows left\n%s", rows)
	}
	if rows := b.Scan("SELECT relationship_id FROM ?(prefix)tec_series_relationships"); !slices.Equal(rows, []string{"2"}) {
		t.Errorf("D65 relationships %v", rows)
	}
	b.Exec("DROP TABLE ?(prefix)tec_series_relationships")
	b.admin("DELETE", b.fill("/events/{text}?force=true"), "", http.StatusOK)

	moved := schema.Occurrence{PostID: b.of("single"), StartDate: "2030-07-06 19:00:00", EndDate: "2030-07-06 21:00:00",
		StartDateUTC: "2030-07-06 17:00:00", EndDateUTC: "2030-07-06 19:00:00", Duration: 7200}
	b.Exec("UPDATE ?(prefix)tec_occurrences SET hash = ? WHERE post_id = ?", schema.OccurrenceHash(moved), b.of("marked"))
	a := b.admin("PATCH", b.fill("/events/{single}"), `{"start_date":"2030-07-06 19:00:00","end_date":"2030-07-06 21:00:00"}`,
		http.StatusConflict)
	if a.Body["code"] != "rest_event_dates_conflict" {
		t.Errorf("D65 another row has the hash: %s", a.Text)
	}

	var last schema.Post
	if err := b.DB.NewSelect().Model(&last).Column("ID").Order("ID DESC").Limit(1).Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	for id := last.ID + 1; id < last.ID+40; id++ { // left behind by events that had the next ids
		b.occurrences(id, "Europe/Brussels", [][2]string{
			{"2029-01-01 10:00:00", "2029-01-01 11:00:00"}, {"2029-01-02 10:00:00", "2029-01-02 11:00:00"}})
	}
	id := b.create("new", "/events", `{"title":"New","start_date":"2030-07-06 19:00:00","end_date":"2030-07-06 21:00:00"}`)
	starts := b.Scan("SELECT CAST(start_date AS CHAR) FROM ?(prefix)tec_occurrences WHERE post_id = ?", id)
	if !slices.Equal(starts, []string{"2030-07-06 19:00:00"}) || id >= last.ID+40 {
		t.Errorf("D65 a new event %d has the dates %v", id, starts)
	}
}
