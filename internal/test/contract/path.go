package contract

import (
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// pathDecides proves that an id or slug elsewhere than in the path chooses nothing.
func pathDecides(t *testing.T, e Engine) {
	s := newSite(t, e)
	for _, slug := range []string{"a", "b"} {
		s.event(thing{slug: slug, start: "2030-07-01 10:00"})
		s.venue(thing{slug: "venue-" + slug})
		s.organizer(thing{slug: "organizer-" + slug})
	}
	s.categories("category-a", "category-b")
	s.tags("tag-a", "tag-b")
	c := s.client(calendar.Options{})
	for _, x := range []struct{ path, own, other string }{
		{"/events/{a}", "a", "b"}, {"/events/by-slug/a", "a", "b"}, {"/venues/{venue-a}", "venue-a", "venue-b"},
		{"/venues/by-slug/venue-a", "venue-a", "venue-b"}, {"/organizers/{organizer-a}", "organizer-a", "organizer-b"},
		{"/organizers/by-slug/organizer-a", "organizer-a", "organizer-b"}, {"/categories/{category-a}", "category-a", "category-b"},
		{"/tags/{tag-a}", "tag-a", "tag-b"},
	} {
		path, id := s.path(x.path), s.text(x.other)
		var rows []row
		for _, query := range []string{"", "?id=" + id, "?slug=" + x.other, "?id=" + id + "&slug=" + x.other, "?id[]=" + id, "?id=abc", "?slug=", "?slug[x]=1", "?id=-1"} {
			rows = append(rows, row{path + query, x.own})
		}
		c.check("", rows)
		for _, body := range []string{`{"id":` + id + `,"slug":"` + x.other + `"}`, `{"id":"x","slug":[1]}`, `{"id":null,"slug":null}`} {
			if a := c.send(path, "", []byte(body)); a.summary() != x.own {
				t.Errorf("%s: %s", a.request, a.summary())
			}
		}
	}
	if a := c.get(s.path("/events/000{a}"), ""); a.summary() != "a" {
		t.Errorf("%s: %s", a.request, a.summary())
	}
}

// slugs finds children by their own slug and by their path.
func slugs(t *testing.T, e Engine) {
	s := newSite(t, e)
	for _, p := range []thing{
		{slug: "parent"}, {slug: "child", parent: "parent"}, {slug: "grandchild", parent: "child"}, {slug: "other"}, {slug: "e-one"}, {slug: "2026"},
		{slug: "%e6%97%a5%e6%9c%ac"}, {slug: "gone__trashed", status: "trash"}, {slug: "planned", status: "draft"},
	} {
		p.start = "2030-07-01 10:00"
		s.event(p)
	}
	s.venue(thing{slug: "house"})
	s.venue(thing{slug: "room", parent: "house"})
	s.organizer(thing{slug: "child"}) // of another type
	s.post("tribe_events", thing{slug: "twin"})
	first := s.of("twin")
	s.post("tribe_events", thing{slug: "twin"})
	c := s.client(calendar.Options{})
	unknown := "400 rest_invalid_param slug"
	c.check("", []row{
		{"/events/by-slug/child", "child"},
		{"/events/by-slug/parent%2Fchild", "child"},
		{"/events/by-slug/parent%2fchild", "child"},
		{"/events/by-slug/parent%2Fchild/", "child"},
		{"/events/by-slug/parent%2Fchild%2Fgrandchild", "grandchild"},
		{"/events/by-slug/child%2Fgrandchild", "grandchild"},
		{"/events/by-slug/other%2Fchild", unknown},
		{"/events/by-slug/parent%2Fgrandchild", unknown},
		{"/events/by-slug/parent%252Fchild", unknown},
		{"/events/by-slug/parent/child", "404 rest_no_route"},
		{"/events/by-slug/E-ONE", "e-one"},
		{"/events/by-slug/e%20one", "e-one"},
		{"/events/by-slug/e+one", "e-one"},
		{"/events/by-slug/e.one", "e-one"},
		{"/events/by-slug/e%2Done", "e-one"},
		{"/events/by-slug/2026", "2026"},
		{"/events/by-slug/%e6%97%a5%e6%9c%ac", "%e6%97%a5%e6%9c%ac"},
		{"/events/by-slug/%E6%97%A5%E6%9C%AC", "%e6%97%a5%e6%9c%ac"},
		{"/events/by-slug/%25e6%2597%25a5%25e6%259c%25ac", unknown},
		{"/events/by-slug/0", unknown},
		{"/events/by-slug/none", unknown},
		{"/events/by-slug/gone__trashed", "403 event-no-longer-available"},
		{"/events/by-slug/planned", "403 event-not-accessible"},
		{"/venues/by-slug/room", "room"},
		{"/venues/by-slug/house%2Froom", "room"},
		{"/venues/by-slug/child", unknown},
		{"/organizers/by-slug/child", "child"},
		{"/organizers/by-slug/parent%2Fchild", unknown},
		{"/events%2F1", "404 rest_no_route"},
		{"/events/by-slug/", "404 rest_no_route"},
		{"/categories/by-slug/x", "404 rest_no_route"},
	})
	if a := c.get("/events/by-slug/twin", ""); a.at("id") != itoa(first) {
		t.Errorf("of two events with one slug %s is found, not the first, %d", a.at("id"), first)
	}
}
