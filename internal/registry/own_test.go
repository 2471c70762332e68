package registry_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/exchange"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestOwnFieldsInGo checks that the fields that a host declares are in the values of the Go API, for callers who may read
// them. The case file fields.txt has what they are over HTTP.
func TestOwnFieldsInGo(t *testing.T) {
	w := newTown(t, registry.More{}, testdb.SiteA(t), "", contract.HostFields()...)
	w.admin.Capabilities["read_budget"] = true
	_, post := w.sendWrite(t, "POST", "/events", `{"title":"Other","start_date":"2031-06-06 20:00","end_date":"2031-06-06 23:00"}`)
	_, id := w.sendWrite(t, "POST", "/events", fmt.Sprintf(`{"title":"Declared 1","start_date":"2031-06-06 20:00",
		"end_date":"2031-06-06 23:00","dress":"Black tie","seats":120.5,"wheelchairs":true,"doors":"2031-06-05","level":"hard",
		"patrons":["Bank, Ltd","Mill"],"report":%d,"budget":-7,"venue":{"venue":"Hall","lift":true}}`, post))
	typed := must.Get(w.Calendar.Kinds().Events.Get(t.Context(), id, nil))(t)
	if want := map[string]any{"dress": "Black tie", "seats": 120.5, "wheelchairs": true, "doors": "2031-06-05", "level": "hard",
		"patrons": []string{"Bank, Ltd", "Mill"}, "report": post}; !reflect.DeepEqual(typed.Own, want) {
		t.Errorf("in Go: %#v, want %#v", typed.Own, want)
	}
	if hall := typed.Venues[0].Own; !reflect.DeepEqual(hall, map[string]any{"lift": true}) {
		t.Errorf("of the venue: %#v", hall)
	}
	as := calendar.WithPrincipal(t.Context(), w.admin)
	moved, err := w.Calendar.Kinds().Events.Update(as, id,
		calendar.Values{"doors": time.Date(2031, 6, 5, 23, 30, 0, 0, time.FixedZone("", -5*3600))})
	if err != nil || moved.Own["doors"] != "2031-06-05" {
		t.Errorf("the day of a time: %v %v", moved, err)
	}
	event := must.Get(w.Event(as, id))(t)
	shows(t, "the Go API", string(event.JSON), `"seats":120.5`, `"budget":-7`)
}

// TestOwnFieldsMove checks that fields of a host are exported and imported, and that a field which a format cannot
// represent is rejected by name.
func TestOwnFieldsMove(t *testing.T) {
	w := newTown(t, registry.More{}, emptied(t), "", contract.HostFields()...)
	_, id := w.sendWrite(t, "POST", "/events", `{"title":"Declared 1","start_date":"2031-06-06 20:00",`+
		`"end_date":"2031-06-06 23:00","dress":"\"R\" & B\\",
		"seats":120.5,"wheelchairs":true,"doors":"2031-06-05","level":"hard","patrons":["Bank, Ltd","Mill"],
		"venue":{"venue":"Hall","lift":true}}`)
	rowsIn(t, w.db, id, map[string]any{"_host_report": id, "_host_poster": id, "_host_budget": 7})
	e := &exchange.Exporter{Calendar: w.Calendar, Principal: w.admin, Format: exchange.FormatJSON}
	var unheld *exchange.UnheldError
	if _, err := e.Export(t.Context(), &strings.Builder{}); !errors.As(err, &unheld) ||
		!slices.Equal(unheld.Fields, []string{"report", "poster", "budget"}) {
		t.Fatalf("an export left something out: %v", err)
	}
	for form, want := range map[exchange.Format][]string{
		exchange.FormatJSON: {`"dress":"\"R\" & B\\"`, `"seats":120.5`, `"wheelchairs":true`, `"doors":"2031-06-05"`, `"level":"hard"`,
			`"patrons":["Bank, Ltd","Mill"]`, `"lift":true`},
		exchange.FormatCSV: {`"""R"" & B\"`, "120.5", ",true,", "2031-06-05", "hard", `""Bank, Ltd"", Mill`, "venue.lift"},
	} {
		export := func(from town) string {
			var out strings.Builder
			e := &exchange.Exporter{Calendar: from.Calendar, Principal: from.admin, Format: form, LeaveOut: unheld.Fields}
			must.Get(e.Export(t.Context(), &out))(t)
			return out.String()
		}
		text := export(w)
		shows(t, string(form), text, want...)
		other := newTown(t, registry.More{}, emptied(t), "", contract.HostFields()...)
		load := func() string {
			if form == exchange.FormatCSV {
				return other.load(t, exchange.CSV(strings.NewReader(text), "a.csv", exchange.TableOptions{Calendar: other.Calendar}))
			}
			return other.load(t, exchange.JSONLines(strings.NewReader(text), "a.jsonl"))
		}
		load()
		if again := export(other); again != text {
			t.Errorf("%s came back as\n%s\nwas\n%s", form, again, text)
		}
		if said := load(); strings.Contains(said, "updated") {
			t.Errorf("%s, the same again: %s", form, said)
		}
	}
}

// TestWrongOwnFieldsAreRefused checks that an invalid declaration is rejected at startup, by name.
func TestWrongOwnFieldsAreRefused(t *testing.T) {
	right := calendar.Field{Kind: "events", Name: "seats", Key: "seats", Type: calendar.FieldNumber, Description: "Seats."}
	golden.Each(t, "wrong-fields.txt", func(change, want string) {
		f := right
		must.Succeed(t, json.Unmarshal([]byte(change), &f))
		_, err := calendar.New(t.Context(), calendar.Options{Fields: []calendar.Field{f}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	})
	_, err := calendar.New(t.Context(), calendar.Options{Fields: []calendar.Field{right, right}})
	if err == nil {
		t.Fatal("the same field twice was taken")
	}
	shows(t, "the same field twice", err.Error(), `Fields[1] "seats": another field of events has this name`,
		`another field of events has the key "seats"`)
}
