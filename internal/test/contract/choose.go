package contract

import (
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// pagesNeverOverlap walks lists full of ties, item by item.
func pagesNeverOverlap(t *testing.T, e Engine) {
	s := newSite(t, e)
	s.categories("c")
	same := "2030-01-03 00:00:00"
	for i := range 9 {
		n := itoa(int64(i))
		s.event(thing{slug: "e" + n, title: "Same", start: "2030-07-01 10:00", posted: same})
		s.venue(thing{slug: "v" + n, title: "Same", posted: same})
		s.organizer(thing{slug: "o" + n, title: "Same", posted: same})
		s.term("post_tag", "t"+n, "Same", "")
		s.term("tribe_events_cat", "c"+n, "Same", "c")
	}
	c, whole := s.client(atPublic(calendar.Options{})), s.client(atPublic(calendar.Options{Limits: calendar.Limits{MaxPageSize: 1000}}))
	for _, list := range []string{"/events", "/venues", "/organizers", "/tags", "/categories"} {
		for _, by := range []string{"", "event_date", "date", "title", "modified", "id", "name", "slug", "count", "parent", "description", "term_group", "nonsense"} {
			for _, order := range []string{"asc", "desc"} {
				path := list + "?per_page=4&hide_empty=0&order=" + order
				if by != "" {
					path += "&orderby=" + by
				}
				if n := c.checkWalk(whole, path, ""); n < 9 {
					t.Errorf("%s: %d items", path, n)
				}
			}
		}
	}
	c.check("", []row{{"/tags?hide_empty=0&per_page=50", "t0 t1 t2 t3 t4 t5 t6 t7 t8"}, {"/tags?hide_empty=0&order=desc&per_page=50", "t0 t1 t2 t3 t4 t5 t6 t7 t8"}})
}
