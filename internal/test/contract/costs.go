package contract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// costBounds: a cost that is written has bounds, in every form of a body; what
// is stored beyond them, by others, is still shown, and stays as it is in an
// update that leaves it out.
func costBounds(t *testing.T, e Engine) {
	s := newSite(t, e)
	big := strings.Repeat("5 and -5; ", 100_000) // a million bytes
	s.event(thing{slug: "big", start: "2030-07-01 20:00", meta: [][2]string{{schema.MetaCost, big}}})
	s.event(thing{slug: "many", start: "2030-07-02 20:00"})
	for i := range 200 {
		s.meta("many", schema.MetaCost, fmt.Sprint(i+1))
	}
	c := s.client(calendar.Options{})
	same(t, c.get(s.path("/events/{big}"), ""), map[string]string{"cost": "$5", "cost_details/values": `["5"]`, "json_ld/offers/price": "5"})
	same(t, c.get(s.path("/events/{many}"), ""), map[string]string{"cost": "$1 – $200", "json_ld/offers/price": "1 – 200"})
	list := func(n int) string { return `[` + strings.Repeat(`"7",`, n-1) + `"7"]` }
	text := func(n int) string { return `"` + strings.Repeat("é", n) + `"` }
	refused := func(method, path, cost, reason string) {
		t.Helper()
		a := c.ask(method, path, "admin", `{"title":"Dear","start_date":"2030-07-01 10:00","end_date":"2030-07-01 11:00","cost":`+cost+`}`)
		if a.summary() != "400 rest_invalid_param cost" || !strings.Contains(a.at("data", "params", "cost"), reason) {
			t.Errorf("D59: %s: %s %s", a.request, a.summary(), a.at("data", "params", "cost"))
		}
	}
	for _, to := range [][2]string{{"POST", "/events"}, {"PUT", "/events/{many}"}, {"PATCH", "/events/by-slug/many"}} {
		refused(to[0], s.path(to[1]), list(51), "50 values")
		refused(to[0], s.path(to[1]), text(201), "200 characters")
		refused(to[0], s.path(to[1]), `["7",`+text(201)+`]`, "200 characters")
	}
	if a := c.ask("PATCH", s.path("/events/{many}"), "admin", `{"title":"Renamed"}`); a.status != 200 || a.text("cost") != "$1 – $200" {
		t.Errorf("%s: %d %s", a.request, a.status, a.text("cost"))
	}
	for _, cost := range []string{list(50), text(200)} {
		if a := c.ask("PUT", s.path("/events/{many}"), "admin", `{"cost":`+cost+`}`); a.status != 200 {
			t.Errorf("%s: %d", a.request, a.status)
		}
	}
}
