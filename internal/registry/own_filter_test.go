package registry_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/exchange"
	"github.com/agendahq/agenda/internal/test/contract"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestOwnFiltersOfExports checks that an export contains the events that a filter of the host selects.
func TestOwnFiltersOfExports(t *testing.T) {
	w := openTown(t, calendar.Options{
		DB: emptied(t), Now: func() time.Time { return time.Date(2030, 5, 1, 12, 0, 0, 0, time.UTC) },
		Fields: contract.HostFields(), Filters: contract.HostFilters(),
	})
	for title, seats := range map[string]string{"A": "9", "B": "10"} {
		w.sendWrite(t, "POST", "/events", fmt.Sprintf(
			`{"title":%q,"start_date":"2031-06-06 20:00","end_date":"2031-06-06 23:00","seats":%s}`, title, seats))
	}
	var out strings.Builder
	e := &exchange.Exporter{Calendar: w.Calendar, Principal: w.admin, Format: exchange.FormatJSON, Query: url.Values{"seats_min": {"10"}}}
	if n, err := e.Export(t.Context(), &out); err != nil || n != 1 || !strings.Contains(out.String(), `"title":"B"`) {
		t.Errorf("an export: %d, %v: %s", n, err, out.String())
	}
}

// TestWrongOwnFiltersAreRefused checks that invalid filters are rejected at startup, by name.
func TestWrongOwnFiltersAreRefused(t *testing.T) {
	fields := append(contract.HostFields(), calendar.Field{Kind: "events", Name: "secret", Key: "_host_secret", Type: calendar.FieldText,
		Description: "A secret.", Read: "do_not_allow"})
	right := calendar.Filter{Kind: "events", Field: "seats", Op: calendar.FilterRange, Description: "Seats."}
	golden.Each(t, "wrong-filters.txt", func(change, want string) {
		f := right
		must.Succeed(t, json.Unmarshal([]byte(change), &f))
		_, err := calendar.New(t.Context(), calendar.Options{Fields: fields, Filters: []calendar.Filter{f}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	})
	_, err := calendar.New(t.Context(), calendar.Options{Fields: fields, Filters: []calendar.Filter{right, right}})
	if err == nil || !strings.Contains(err.Error(), `another filter of events has the parameter "seats_min"`) {
		t.Errorf("the same filter twice: %v", err)
	}
}
