package hosts_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// TestVetoedWrites checks that the hook is only called once the rights of its caller are established, that changing the
// caller or the values that it receives has no effect, and that after a panic or a timeout in the hook nothing is
// stored, no lock is held and later writes work.
func TestVetoedWrites(t *testing.T) {
	s, a := siteWithHook(t, func(o *calendar.Options) { o.Limits.RequestTimeout = 2 * time.Second })
	event := fmt.Sprint("/events/", calendartest.EventJazz)
	const create = `{"title":"New","start_date":"2031-01-01 10:00","end_date":"2031-01-01 11:00","status":"publish"}`
	for _, w := range []struct{ as, method, path, body string }{
		{"", "POST", "/events", create}, {calendartest.Subscriber, "POST", "/events", create},
		{calendartest.Contributor, "PATCH", event, `{"title":"Mine"}`}, {calendartest.Author, "DELETE", event, ""},
		{calendartest.Administrator, "PATCH", event, `{"start_date":"never"}`},
		{calendartest.Contributor, "POST", "/batch", `{"atomic":true,"requests":[{"method":"DELETE","path":"` + event + `"}]}`},
	} {
		if status, body := sendRequest(t, s, w.as, w.method, w.path, w.body); status < 400 || a.took() != "" {
			t.Errorf("%s %s %s: %d %s; the hook was asked", w.as, w.method, w.path, status, body)
		}
	}

	// A hook that adds rights to the principal gives them to nobody, not even to the caller.
	a.hook = func(ctx context.Context, d *calendar.Draft) error {
		p := calendar.PrincipalFrom(ctx)
		for _, right := range []string{"publish_tribe_events", "edit_others_tribe_events", "delete_others_tribe_events",
			"unfiltered_html"} {
			p.Capabilities[right] = true
		}
		d.Values["status"], d.Values["title"] = "publish", "Changed"
		if venues, ok := d.Values["venue"].([]int64); ok && len(venues) > 0 {
			venues[0] = 999
		}
		clear(d.Before)
		return nil
	}
	for range 2 {
		status, body := sendRequest(t, s, calendartest.Contributor, "POST", "/events", create)
		if status != 201 || !strings.Contains(body, `"status":"pending"`) || !strings.Contains(body, `"title":"New"`) {
			t.Errorf("a contributor: %d %s", status, body)
		}
	}
	if status, body := sendRequest(t, s, calendartest.Contributor, "PATCH", event, `{"title":"Mine"}`); status != 403 {
		t.Errorf("a contributor, of another's event: %d %s", status, body)
	}
	status, body := sendRequest(t, s, calendartest.Administrator, "PATCH", event, `{"website":"https://example.org"}`)
	if status != 200 || !strings.Contains(body, `"title":"Jazz Night"`) || strings.Contains(body, `"venue":[]`) {
		t.Errorf("values that were changed without Set: %d %s", status, body)
	}

	good := func(about string) {
		t.Helper()
		a.hook = nil
		if status, body := sendRequest(t, s, calendartest.Administrator, "PATCH", event, `{}`); status != 200 ||
			!strings.Contains(body, "Jazz Night") {
			t.Errorf("after %s: %d %s", about, status, body)
		}
	}
	two := func(atomic bool) string {
		return fmt.Sprintf(`{"atomic":%v,"requests":[{"path":"/tags","body":{"name":"First"}},{"path":"/tags","body":{"name":"Second"}}]}`,
			atomic)
	}
	tags := func() string {
		_, list := sendRequest(t, s, "", "GET", "/tags?hide_empty=false", "")
		return list
	}
	for about, hook := range map[string]func(context.Context, *calendar.Draft) error{
		"a panic": func(_ context.Context, d *calendar.Draft) error {
			if d.Values["name"] == "First" {
				return nil
			}
			panic(map[string]int{"odd": 1})
		},
		"a nil map": func(_ context.Context, d *calendar.Draft) error {
			none := map[string]map[string]int{}
			if d.Values["name"] != "First" {
				none["x"]["y"]++
			}
			return nil
		},
		"an end of time": func(ctx context.Context, d *calendar.Draft) error {
			if d.Values["name"] == "First" {
				return nil
			}
			<-ctx.Done()
			return ctx.Err()
		},
		"an end of time that is passed over": func(ctx context.Context, d *calendar.Draft) error {
			if d.Values["name"] != "First" {
				<-ctx.Done()
			}
			return nil
		},
	} {
		before := tags()
		a.hook = hook
		status, body := sendRequest(t, s, calendartest.Administrator, "PATCH", event, `{"title":"Spoiled"}`)
		if status != 500 && status != 503 || strings.Contains(body, "odd") {
			t.Errorf("%s: %d %s", about, status, body)
		}
		status, body = sendRequest(t, s, calendartest.Administrator, "POST", "/batch", two(true))
		if status < 400 || tags() != before {
			t.Errorf("%s, in a batch of one piece: %d %s; %s", about, status, body, tags())
		}
		good(about)
	}
}

// TestHostileRoutes checks that an error or panic in a handler becomes an answer that does not disclose the reason,
// that the handler receives a copy of its caller, and that neither a form nor a header reaches the handler with another
// method than that of its route.
func TestHostileRoutes(t *testing.T) {
	fail := map[string]func(context.Context, *calendar.RouteRequest) (any, error){
		"no-status": func(context.Context, *calendar.RouteRequest) (any, error) {
			return nil, &calendar.Error{Message: "secret"}
		},
		"ok-status": func(context.Context, *calendar.RouteRequest) (any, error) {
			return nil, &calendar.Error{Status: 204, Message: "secret"}
		},
		"far-status": func(context.Context, *calendar.RouteRequest) (any, error) {
			return nil, &calendar.Error{Status: 4000, Message: "secret"}
		},
		"channel": func(context.Context, *calendar.RouteRequest) (any, error) { return make(chan int), nil },
		"panic":   func(context.Context, *calendar.RouteRequest) (any, error) { panic(errors.New("secret")) },
		"name":    func(_ context.Context, r *calendar.RouteRequest) (any, error) { return r.Text("secret"), nil },
		"time": func(ctx context.Context, _ *calendar.RouteRequest) (any, error) {
			<-ctx.Done()
			return nil, fmt.Errorf("secret: %w", ctx.Err())
		},
	}
	called := 0
	s := calendartest.New(t, func(o *calendar.Options) {
		for name, handle := range fail {
			o.Routes = append(o.Routes, calendar.Route{
				Method: "GET", Path: "/own/" + name, Description: "Fails.", Handle: handle, Timeout: 50 * time.Millisecond,
			})
		}
		o.Routes = append(o.Routes, calendar.Route{
			Method: "GET", Path: "/own/permits", Description: "Fails.", Permits: func(calendar.Principal) bool { panic("secret") },
			Handle: func(context.Context, *calendar.RouteRequest) (any, error) { return nil, nil },
		}, calendar.Route{
			Method: "DELETE", Path: "/own/all", Description: "Deletes.",
			Permits: func(p calendar.Principal) bool {
				could := p.Can("manage_options")
				if p.Capabilities != nil {
					p.Capabilities["manage_options"] = true
				}
				return could
			},
			Handle: func(ctx context.Context, r *calendar.RouteRequest) (any, error) {
				called++
				r.Principal.Capabilities["manage_options"] = false
				return nil, nil
			},
		})
	})
	for name := range fail {
		status, body := sendRequest(t, s, "", "GET", "/own/"+name, "")
		want := map[string]int{"time": http.StatusServiceUnavailable}[name]
		if want == 0 {
			want = http.StatusInternalServerError
		}
		if status != want || strings.Contains(body, "secret") {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	if status, body := sendRequest(t, s, "", "GET", "/own/permits", ""); status != 500 || strings.Contains(body, "secret") {
		t.Errorf("permits: %d %s", status, body)
	}
	for _, as := range []string{"", calendartest.Contributor, calendartest.Contributor, calendartest.Editor} {
		for _, w := range []struct{ method, path, override string }{
			{"DELETE", "/own/all", ""}, {"GET", "/own/all?_method=DELETE", ""}, {"GET", "/own/all", "DELETE"},
			{"POST", "/own/all?_method=DELETE", ""}, {"POST", "/own/all", "DELETE"}, {"HEAD", "/own/all", "DELETE"},
			{"OPTIONS", "/own/all", "DELETE"},
		} {
			sendRequest(t, s, as, w.method, w.path, "", "X-HTTP-Method-Override", w.override)
		}
	}
	if called != 0 {
		t.Errorf("called %d times by callers without the right", called)
	}
	for range 2 {
		if status, body := sendRequest(t, s, calendartest.Administrator, "POST", "/own/all?_method=DELETE", ""); status != 200 {
			t.Errorf("an administrator: %d %s", status, body)
		}
	}
	if called != 2 {
		t.Errorf("called %d times", called)
	}
}
