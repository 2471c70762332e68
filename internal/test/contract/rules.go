package contract

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/schema"
)

// ownSite makes the site of a bench one that Agenda manages itself: it has occurrences, and no other program writes
// them.
func (b *bench) ownSite() {
	b.T.Helper()
	if err := schema.InstallDates(b.T.Context(), b.host, b.prefix); err != nil {
		b.T.Fatal(err)
	}
	b.option(schema.OptionOwn, "1")
}

// startsOf returns the starts of an event's occurrence rows in order, without seconds. Explicit ones are marked with
// "+".
func (b *bench) startsOf(slug string) string {
	b.T.Helper()
	starts := b.Scan("SELECT CONCAT(SUBSTR(CAST(start_date AS CHAR), 1, 16), CASE WHEN has_recurrence = 1 THEN '' ELSE ' alone' END, "+
		"CASE WHEN is_rdate = 1 THEN '+' ELSE '' END) FROM ?(prefix)tec_occurrences WHERE post_id = ? ORDER BY start_date", b.of(slug))
	return strings.Join(starts, " ")
}

// setOf returns the recurrence set of an event, its lines separated by spaces.
func (b *bench) setOf(slug string) string {
	b.T.Helper()
	set := b.Scan("SELECT COALESCE(rset, '') FROM ?(prefix)tec_events WHERE post_id = ?", b.of(slug))
	return strings.ReplaceAll(strings.Join(set, ""), "\n", " ")
}

// givenRules checks writes of an event's recurrence rule on a site that Agenda manages itself (D69).
func givenRules(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.ownSite()
	at := now
	b.open(calendar.Options{Now: func() time.Time { return at }})
	const event = `{"title":"Choir","start_date":"2030-07-02 19:00:00","end_date":"2030-07-02 21:00:00","timezone":"Europe/Brussels",%s}`
	b.create("choir", "/events", fmt.Sprintf(event, `"recurrence":{"rrule":" freq=weekly; count=5","exdates":["2030-07-16","2030-08-27"]}`))
	check := func(after, starts, set string) {
		t.Helper()
		const zoned = "DTSTART;TZID=Europe/Brussels:%sT%s DTEND;TZID=Europe/Brussels:%[1]sT%[3]s RRULE:"
		if begin, rest, found := strings.Cut(set, " | "); found {
			times := strings.Fields(begin)
			set = fmt.Sprintf(zoned, times[0], times[1], times[2]) + rest
		}
		if got := b.startsOf("choir"); got != starts {
			t.Errorf("D69 %s: %s\nwant %s", after, got, starts)
		}
		if got := b.setOf("choir"); got != set {
			t.Errorf("D69 %s: %s\nwant %s", after, got, set)
		}
		if rules := b.Scan("SELECT meta_value FROM ?(prefix)postmeta WHERE post_id = ? AND meta_key = ?", b.of("choir"),
			schema.MetaRecurrence); set != "" && strings.Contains(set, "RRULE") && len(rules) > 0 {
			t.Errorf("D69 %s: rules %s", after, rules)
		}
	}
	const period = "RDATE;TZID=Europe/Brussels;VALUE=PERIOD:"
	path := b.fill("/events/{choir}")
	write := func(path, body string) apitest.Answer {
		t.Helper()
		return b.admin("PATCH", path, body, http.StatusOK)
	}
	dateOf := func(start string) string {
		t.Helper()
		return "/events/" + b.Scan("SELECT occurrence_id + 10000000 FROM ?(prefix)tec_occurrences WHERE post_id = ? AND start_date = ?",
			b.of("choir"), start)[0]
	}
	check("made", "2030-07-02 19:00 2030-07-09 19:00 2030-07-23 19:00 2030-07-30 19:00",
		"20300702 190000 210000 | FREQ=WEEKLY;COUNT=5 EXDATE:20300716T190000")
	first, third := dateOf("2030-07-02 19:00:00"), dateOf("2030-07-23 19:00:00")

	write(path, `{"start_date":"2030-07-02 20:00:00","end_date":"2030-07-02 21:30:00"}`)
	check("an hour later", "2030-07-02 20:00 2030-07-09 20:00 2030-07-23 20:00 2030-07-30 20:00",
		"20300702 200000 213000 | FREQ=WEEKLY;COUNT=5 EXDATE:20300716T200000")
	if again := dateOf("2030-07-23 20:00:00"); again != third {
		t.Errorf("D69 a date that stays is %s, was %s", again, third)
	}
	b.unchanged("choir", func() {
		for _, of := range []string{path, first, third} {
			read := b.admin("GET", of, "", http.StatusOK)
			a := b.DoWithin(t.Context(), "admin", "PUT", of, read.Text, "If-Match", read.Header.Get("ETag"))
			if a.Status != http.StatusOK {
				t.Errorf("D69 %s\n answered %d %s", a.Request, a.Status, a.Text)
			}
		}
	})
	a := write(third, `{"start_date":"2030-07-24 10:00:00","end_date":"2030-07-24 12:00:00"}`)
	if a.Word("start_date") != "2030-07-24 10:00:00" {
		t.Errorf("D68 %s", a.Text)
	}
	check("one date moved", "2030-07-02 20:00 2030-07-09 20:00 2030-07-24 10:00+ 2030-07-30 20:00",
		"20300702 200000 213000 | FREQ=WEEKLY;COUNT=5 "+period+"20300724T100000/20300724T120000 "+
			"EXDATE:20300716T200000 EXDATE:20300723T200000")
	write(first, `{"start_date":"2030-07-03 20:00:00","end_date":"2030-07-03 21:30:00"}`)
	check("the first date moved", "2030-07-03 20:00+ 2030-07-09 20:00 2030-07-24 10:00+ 2030-07-30 20:00",
		"20300709 200000 213000 | FREQ=WEEKLY;COUNT=4 RDATE;TZID=Europe/Brussels;VALUE=PERIOD:20300703T200000/20300703T213000 "+
			"RDATE;TZID=Europe/Brussels;VALUE=PERIOD:20300724T100000/20300724T120000 EXDATE:20300716T200000 EXDATE:20300723T200000")
	const taken = `{"start_date":"2030-07-30 20:00:00","end_date":"2030-07-30 21:00:00"}`
	if a := b.admin("PATCH", third, taken, http.StatusConflict); a.Body["code"] != "rest_event_dates_conflict" {
		t.Errorf("D69 onto another date: %s", a.Text)
	}
	write(path, `{"recurrence":{"rrule":"RRULE:FREQ=DAILY;INTERVAL=2;UNTIL=20300715"},"dates":[{"start_date":"2030-07-11 20:00:00",`+
		`"end_date":"2030-07-11 23:00:00"},{"start_date":"2030-07-10 20:00:00","end_date":"2030-07-10 21:30:00"}]}`)
	check("another rule and dates beside it", "2030-07-09 20:00 2030-07-10 20:00+ 2030-07-11 20:00+ 2030-07-13 20:00 2030-07-15 20:00",
		"20300709 200000 213000 | FREQ=DAILY;INTERVAL=2;UNTIL=20300715 "+period+"20300710T200000/20300710T213000 "+
			"RDATE;TZID=Europe/Brussels;VALUE=PERIOD:20300711T200000/20300711T230000")
	write(path, `{"recurrence":{"rrule":"FREQ=DAILY;COUNT=3","exdates":["2030-07-09"]},"dates":[{"start_date":"2030-07-09 20:00:00",`+
		`"end_date":"2030-07-09 21:30:00"}]}`)
	check("a date that is given and left out", "2030-07-09 20:00 2030-07-10 20:00 2030-07-11 20:00",
		"20300709 200000 213000 | FREQ=DAILY;COUNT=3")
	write(path, `{"recurrence":{"rrule":"FREQ=DAILY;COUNT=3","exdates":["2030-07-09"]}}`)
	check("the first date left out", "2030-07-10 20:00 2030-07-11 20:00", "20300710 200000 213000 | FREQ=DAILY;COUNT=2")
	write(path, `{"timezone":"America/New_York"}`)
	utc := b.Scan("SELECT CAST(start_date_utc AS CHAR) FROM ?(prefix)tec_occurrences WHERE post_id = ? ORDER BY 1", b.of("choir"))
	if !slices.Equal(utc, []string{"2030-07-11 00:00:00", "2030-07-12 00:00:00"}) {
		t.Errorf("D69 in another zone: %s", utc)
	}
	write(path, `{"timezone":"Europe/Brussels","recurrence":{"rrule":"FREQ=WEEKLY;COUNT=1"}}`)
	check("a rule of one date", "2030-07-10 20:00", "20300710 200000 213000 | FREQ=WEEKLY;COUNT=1")
	if a := b.admin("GET", path, "", http.StatusOK); fmt.Sprint(a.Body["dates_total"]) != "1" || a.Body["recurrence"] == nil {
		t.Errorf("D69 a rule of one date: %s", a.Text)
	}
	write(path, `{"recurrence":null}`)
	check("no rule", "2030-07-10 20:00 alone", "")
	b.refusedRules(path)
	b.removedRules(path)
	write(path, `{"recurrence":{"rrule":"FREQ=WEEKLY;COUNT=3"}}`)
	write(path, `{"recurrence":"","dates":[{"start_date":"2030-07-10 20:00:00","end_date":"2030-07-10 21:30:00"},`+
		`{"start_date":"2030-07-17 20:00:00","end_date":"2030-07-17 21:30:00"}]}`)
	if got := b.startsOf("choir"); got != "2030-07-10 20:00+ 2030-07-17 20:00+" {
		t.Errorf("D69 dates in place of the rule: %s", got)
	}
	write(path, `{"recurrence":{"rrule":"FREQ=MONTHLY","exdates":["2035-07-10","2030-12-10"]},`+
		`"dates":[{"start_date":"2036-01-01 20:00:00","end_date":"2036-01-01 22:00:00"}]}`)
	total := func() string {
		return strings.Join(b.Scan("SELECT COUNT(*) FROM ?(prefix)tec_occurrences WHERE post_id = ?", b.of("choir")), "")
	}
	if n := total(); n != "60" { // 60 months, minus the excluded date, plus an added one
		t.Errorf("D69 a rule without an end has %s dates", n)
	}
	read := b.admin("GET", path, "", http.StatusOK)
	for _, step := range []struct {
		days int
		want string
	}{{0, "60"}, {31, "60"}, {62, "61"}, {62, "61"}, {93, "62"}} {
		at = now.AddDate(0, 0, step.days)
		if _, err := b.cal.PublishDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := total(); n != step.want {
			t.Errorf("D69 after %d days a rule without an end has %s dates, want %s", step.days, n, step.want)
		}
	}
	stale := b.DoWithin(t.Context(), "admin", "PATCH", path, `{"title":"Stale"}`, "If-Match", read.Header.Get("ETag"))
	if stale.Status != http.StatusPreconditionFailed {
		t.Errorf("D69 a write for other dates: %s", stale.Text)
	}
	later := b.admin("GET", path, "", http.StatusOK)
	if later.Header.Get("ETag") == read.Header.Get("ETag") || later.Word("modified") != read.Word("modified") {
		t.Errorf("D69 with more dates %s, %s, was %s, %s", later.Header.Get("ETag"), later.Word("modified"), read.Header.Get("ETag"),
			read.Word("modified"))
	}
}

// unchanged checks that requests change nothing of an event.
func (b *bench) unchanged(slug string, requests func()) {
	b.T.Helper()
	stored := func() string {
		modified := b.Scan("SELECT CAST(post_modified AS CHAR) FROM ?(prefix)posts WHERE ID = ?", b.of(slug))
		return strings.Join(modified, "") + rowsOfDates(b.T, b.DB, b.of(slug))
	}
	was := stored()
	if requests(); stored() != was {
		b.T.Errorf("D69 what was read, written back, changes\n%s\n%s", was, stored())
	}
}

// removedRules checks which values remove the rule of an event, and that an object without the string of a rule does
// not (D89).
func (b *bench) removedRules(path string) {
	b.T.Helper()
	form := func(body string) apitest.Answer {
		return b.DoWithin(b.T.Context(), "admin", "POST", path, body, "Content-Type", "application/x-www-form-urlencoded")
	}
	const rule = `{"recurrence":{"rrule":"FREQ=WEEKLY;COUNT=3"}}`
	for _, stored := range []string{`{"recurrence":null}`, rule} {
		b.admin("PATCH", path, stored, http.StatusOK)
		was := rowsOfDates(b.T, b.DB)
		for _, body := range []string{
			`{}`, `{"type":"weekly"}`, `{"rule":"FREQ=DAILY"}`, `{"exdates":[]}`, `{"rrule":null}`, `{"rrule":""}`, `{"rrule":" "}`,
			`{"rrule":5}`, `{"rrule":["FREQ=DAILY"]}`, `{"rrule":{}}`,
		} {
			for _, method := range []string{"PUT", "PATCH", "POST"} {
				a := b.admin(method, path, `{"title":"Other","recurrence":`+body+`}`, http.StatusBadRequest)
				if !strings.Contains(a.Fault("recurrence"), "null removes") {
					b.T.Errorf("D89 %s", a.Text)
				}
			}
		}
		for _, body := range []string{"recurrence[type]=weekly", "recurrence[rrule]=", "recurrence[exdates][]=2030-07-10"} {
			if a := form(body + "&title=Other"); a.Status != http.StatusBadRequest || a.Fault("recurrence") == "" {
				b.T.Errorf("D89 %s: %s", body, a.Text)
			}
		}
		if is := rowsOfDates(b.T, b.DB); is != was {
			b.T.Errorf("D89 stored\n%s", is)
		}
	}
	for _, body := range []string{`{"recurrence":null}`, `{"recurrence":""}`, `{"recurrence":[]}`, "recurrence="} {
		b.admin("PATCH", path, rule, http.StatusOK)
		a := apitest.Answer{}
		if body[0] == '{' {
			a = b.admin("PATCH", path, body, http.StatusOK)
		} else {
			a = form(body)
		}
		if got := b.startsOf("choir"); a.Status != http.StatusOK || got != "2030-07-10 20:00 alone" {
			b.T.Errorf("D89 %s leaves %s", body, got)
		}
	}
}

// refusedRules checks rules that are rejected on a site that Agenda manages itself.
func (b *bench) refusedRules(path string) {
	b.T.Helper()
	was := rowsOfDates(b.T, b.DB)
	rule := func(text string) string { return `{"recurrence":{"rrule":"` + text + `"}}` }
	for body, reason := range map[string]string{
		rule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"): "no date", rule("FREQ=DAILY;COUNT=1001"): "1000",
		rule("FREQ=DAILY;UNTIL=20401231"): "1000",
		rule("FREQ=YEARLY;COUNT=102"):     "100 years", rule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=2"): "100 years",
		rule("FREQ=YEARLY;INTERVAL=20;UNTIL=21500101"): "100 years", rule("FREQ=DAILY;UNTIL=20300101"): "no date",
		rule("FREQ=SECONDLY"): "FREQ=SECONDLY", rule("FREQ=MINUTELY;COUNT=2"): "FREQ=MINUTELY", rule("FREQ=HOURLY"): "FREQ=HOURLY",
		rule("COUNT=2"): "FREQ", rule("FREQ=DAILY;X-A=1"): "X-A=1", rule("FREQ=DAILY;COUNT=2;UNTIL=20300801"): "COUNT=2 UNTIL=20300801",
		rule("FREQ=DAILY;COUNT=0"): "COUNT=0", rule("FREQ=DAILY;COUNT=-1"): "COUNT=-1", rule("FREQ=WEEKLY;BYDAY=XX"): "BYDAY=XX",
		rule("FREQ=WEEKLY;BYDAY=1MO"): "BYDAY=1MO", rule("FREQ=WEEKLY;BYDAY="): "BYDAY=", rule("FREQ=DAILY;FREQ=DAILY"): "FREQ",
		rule("FREQ=DAILY;UNTIL=soon"): "UNTIL=SOON", rule(`FREQ=DAILY;COUNT=2\nEXDATE:20300101T000000`): "COUNT=2",
		rule("FREQ=DAILY;COUNT=2;BYHOUR=" + strings.Repeat("1,", 500)):     "too long",
		`{"recurrence":{"rrule":"FREQ=DAILY;COUNT=2","exdates":["soon"]}}`: "exdates", `{"recurrence":{"rrule":5}}`: "rrule",
		`{"recurrence":{"rrule":"FREQ=DAILY;COUNT=2","exdates":["2030-07-10","2030-07-11"]}}`: "no date", `{"recurrence":5}`: "rrule",
		`{"recurrence":{"rrule":"FREQ=DAILY;COUNT=2;BYHOUR=9"},"all_day":true}`: "whole days",
	} {
		for _, language := range []string{"en", "nl", "fr"} {
			a := b.admin("PATCH", path+"?i18n_language="+language, body, http.StatusBadRequest)
			fault := a.Fault("recurrence")
			if a.Body["code"] != "rest_invalid_param" || fault == "" || language == "en" && !strings.Contains(fault, reason) {
				b.T.Errorf("D69 %s\n %s\n does not say %s", body, a.Text, reason)
			}
		}
	}
	const daily = `{"recurrence":{"rrule":"FREQ=DAILY;COUNT=2"},`
	for body, param := range map[string]string{
		daily + `"timezone":"Europe/Nowhere"}`:                                                        "timezone",
		daily + `"start_date":"2030-07-10 20:00:00","end_date":"2030-07-10 19:00:00"}`:                "end_date",
		daily + `"dates":[{"start_date":"2030-07-10 20:00:00","end_date":"2030-07-10 22:00:00"}]}`:    "dates",
		`{"dates_total":3,"dates":[{"start_date":"2030-07-11 20:00","end_date":"2030-07-11 22:00"}]}`: "dates",
	} {
		if a := b.admin("PATCH", path, body, http.StatusBadRequest); a.Fault(param) == "" {
			b.T.Errorf("D69 %s\n %s\n does not name %s", body, a.Text, param)
		}
	}
	if is := rowsOfDates(b.T, b.DB); is != was {
		b.T.Errorf("D69 refused rules stored\n%s", is)
	}
}
