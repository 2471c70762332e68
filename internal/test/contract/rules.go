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

// ownSite makes the site of a bench our own: it keeps several dates, and no other program writes them.
func (b *bench) ownSite() {
	b.T.Helper()
	if err := schema.InstallDates(b.T.Context(), b.host, schema.DefaultPrefix); err != nil {
		b.T.Fatal(err)
	}
	b.option(schema.OptionOwn, "1")
}

// startsOf returns the starts of an event's rows in order, without seconds, an explicit one with a mark.
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

// givenRules are writes of the rule from which dates of an event follow, on a site of our own (D69), and what is refused of them.
func givenRules(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.ownSite()
	b.open(calendar.Options{})
	const event = `{"title":"Choir","start_date":"2030-07-02 19:00:00","end_date":"2030-07-02 21:00:00","timezone":"Europe/Brussels",%s}`
	b.create("choir", "/events", fmt.Sprintf(event, `"recurrence":{"rrule":" freq=weekly; count=5","exdates":["2030-07-16","2030-08-27"]}`))
	const zoned = "DTSTART;TZID=Europe/Brussels:20300702T190000 DTEND;TZID=Europe/Brussels:20300702T210000 RRULE:FREQ=WEEKLY;COUNT=5"
	check := func(after, starts, set string) {
		t.Helper()
		if got := b.startsOf("choir"); got != starts {
			t.Errorf("D69 %s: %s\nwant %s", after, got, starts)
		}
		if got := b.setOf("choir"); got != set {
			t.Errorf("D69 %s: %s\nwant %s", after, got, set)
		}
	}
	check("made", "2030-07-02 19:00 2030-07-09 19:00 2030-07-23 19:00 2030-07-30 19:00", zoned+" EXDATE:20300716T190000")
	_ = slices.Sorted[int]
	_ = http.StatusOK
}
