package hosts_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// A host on gin, with a further field, filter, veto and route.
func TestGinHost(t *testing.T) {
	var host *calendar.Calendar
	none := 0.0
	s := calendartest.New(t, func(o *calendar.Options) {
		o.Fields = []calendar.Field{{
			Kind: "events", Name: "seats", Key: "_host_seats", Type: calendar.FieldNumber, Min: &none, Description: "How many seats.",
		}}
		o.Filters = []calendar.Filter{{Kind: "events", Field: "seats", Op: calendar.FilterRange, Description: "Events by their seats."}}
		o.Hooks.BeforeWrite = func(_ context.Context, d *calendar.Draft) error {
			if venues, _ := d.Values["venue"].([]int64); d.Kind == "events" && d.Op == calendar.OpCreate && len(venues) == 0 {
				return calendar.Refuse("venue", "Every event has a place here.")
			}
			return nil
		}
		o.Routes = []calendar.Route{{
			Method: http.MethodGet, Path: "/events/{id}/seats", Description: "Whether there are enough seats.",
			Params: []calendar.Param{
				{Name: "id", Type: calendar.FieldInteger, Description: "The event."},
				{Name: "guests", Type: calendar.FieldInteger, Default: 1, Description: "How many come."},
			},
			Handle: func(ctx context.Context, r *calendar.RouteRequest) (any, error) {
				event, err := host.Event(ctx, r.Int("id"))
				if err != nil {
					return nil, err
				}
				var own struct{ Seats int64 }
				err = json.Unmarshal(event.JSON, &own)
				return map[string]bool{"enough": r.Int("guests") <= own.Seats}, err
			},
		}}
	})
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	host = s.Calendar
	if err := host.Register(router); err != nil {
		t.Fatal(err)
	}
	router.NoRoute(host.NoRoute)
	ask := func(method, path, body string) string {
		r, w := httptest.NewRequest(method, "/wp-json/vendor/events/v1"+path, strings.NewReader(body)), httptest.NewRecorder()
		r.Header.Set("Authorization", calendartest.Authorization(calendartest.Administrator))
		r.Header.Set("Content-Type", "application/json")
		router.ServeHTTP(w, r)
		return fmt.Sprint(w.Code, " ", w.Body)
	}
	jazz := fmt.Sprint("/events/", calendartest.EventJazz)
	for _, c := range [][4]string{
		{"POST", "/events", `{"title":"A","start_date":"2031-01-01","end_date":"2031-01-02"}`, "Every event has a place here."},
		{"PATCH", jazz, `{"seats":3}`, `"seats":3`},
		{"GET", "/events?seats_min=3&_fields=events.0.slug,total", "", `200 {"events":[{"slug":"jazz-night"}],"total":1}`},
		{"GET", jazz + "/seats?guests=3", "", `200 {"enough":true}`},
		{"GET", jazz + "/seats?guests=4", "", `200 {"enough":false}`},
		{"GET", jazz + "/seats?guests=x", "", `"guests":"Use a whole number."`},
	} {
		if got := ask(c[0], c[1], c[2]); !strings.Contains(got, c[3]) {
			t.Errorf("%s %s: %s, want %s", c[0], c[1], got, c[3])
		}
	}
}
