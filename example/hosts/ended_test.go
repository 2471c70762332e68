package hosts_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// TestHostsReadAsTheirCaller checks that what a route's handler or a hook reads of an item is what the API would show
// to the caller of the request. If the API would show nothing, they learn no more than its answer states.
func TestHostsReadAsTheirCaller(t *testing.T) {
	var s *calendartest.Site
	var a *asker
	// read returns what a host learns of an event: its title and description, or the error.
	read := func(ctx context.Context, id int64) string {
		e, err := s.Calendar.Event(ctx, id)
		var refused *calendar.Error
		switch {
		case errors.As(err, &refused):
			return fmt.Sprint(refused.Status, " ", refused.Code)
		case err != nil:
			return err.Error()
		}
		return fmt.Sprintf("200 %s: %s", e.Title, e.Description)
	}
	s, a = siteWithHook(t, func(o *calendar.Options) {
		o.Cache.Tags = calendar.SurrogateKey
		o.Routes = []calendar.Route{{
			Method: "GET", Path: "/own/{id}", Description: "Shows an event.",
			Params: []calendar.Param{{Name: "id", Type: calendar.FieldInteger, Description: "Its id."}},
			Handle: func(ctx context.Context, r *calendar.RouteRequest) (any, error) { return read(ctx, r.Int("id")), nil },
		}}
	})
	ids := []int64{calendartest.EventJazz, calendartest.EventRehearsal, calendartest.EventMembers, calendartest.EventSlam,
		calendartest.EventWalk, calendartest.EventConcert, calendartest.VenueHall, 999}
	outcomes := map[string]bool{}
	for _, as := range []string{"", calendartest.Subscriber, calendartest.Contributor, calendartest.Author, calendartest.Editor} {
		wants := make([]string, len(ids))
		for i, id := range ids {
			status, body := sendRequest(t, s, as, "GET", fmt.Sprint("/events/", id), "")
			var api struct{ Code, Title, Description string }
			must.Succeed(t, json.Unmarshal([]byte(body), &api))
			wants[i] = fmt.Sprint(status, " ", api.Code)
			if status == http.StatusOK {
				wants[i] = fmt.Sprintf("200 %s: %s", api.Title, api.Description)
			}
			outcomes[strconv.Itoa(status)] = true
			for _, query := range []string{"", "?password=" + url.QueryEscape(calendartest.PostPassword), "?status=draft&context=edit"} {
				_, body := sendRequest(t, s, as, "GET", fmt.Sprint("/own/", id, query), "")
				var got string
				if err := json.Unmarshal([]byte(body), &got); err != nil || got != wants[i] {
					t.Errorf("a route as %q, of %d%s: %s, the API: %s", as, id, query, body, wants[i])
				}
			}
		}
		if as == "" || as == calendartest.Subscriber {
			continue // these may not write anything
		}
		called := false
		a.hook = func(ctx context.Context, _ *calendar.Draft) error {
			called = true
			for i, id := range ids {
				if got := read(ctx, id); got != wants[i] {
					t.Errorf("a hook as %q, of %d: %s, the API: %s", as, id, got, wants[i])
				}
			}
			return calendar.ErrForbidden
		}
		sendRequest(t, s, as, "POST", "/events", `{"title":"New","start_date":"2031-01-01 10:00","end_date":"2031-01-01 11:00"}`)
		if !called {
			t.Errorf("the hook was not asked as %q", as)
		}
	}
	if len(outcomes) < 3 {
		t.Errorf("the API answers all with %v", outcomes)
	}
	answer := sendRaw(t, s, "GET", fmt.Sprint("/own/", calendartest.EventJazz), "")
	if answer.Header.Get(calendar.SurrogateKey) != "" || !strings.Contains(answer.Header.Get("Cache-Control"), "no-store") {
		t.Errorf("a cache may keep it: %v", answer.Header)
	}
}
