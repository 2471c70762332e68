package contract

import (
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// includes proves that include takes the named events, whatever their dates.
func includes(t *testing.T, e Engine) {
	s := newSite(t, e)
	for _, p := range []thing{
		{slug: "old", start: "1999-01-01 10:00", posted: "2030-01-05 00:00:00"}, {slug: "future", start: "2099-01-01 10:00", posted: "2030-01-02 00:00:00"},
		{slug: "soon", start: "2030-07-01 10:00", posted: "2030-01-03 00:00:00"}, {slug: "tie", start: "2030-06-30 10:00", posted: "2030-01-03 00:00:00"},
		{slug: "draft", start: "2030-07-01 10:00", status: "draft"}, {slug: "trash", start: "2030-07-01 10:00", status: "trash"},
		{slug: "hidden", start: "2030-07-01 10:00", meta: [][2]string{{schema.MetaHideFromUpcoming, ""}}},
		{slug: "other", start: "2030-07-02 10:00"},
	} {
		s.event(p)
	}
	c := s.client(calendar.Options{})
	all, bad := "/events?include={old},{future},{soon},{tie},{draft},{trash},{hidden}", "400 rest_invalid_param include"
	c.check("", s.rows([]row{
		{all, "future soon tie old"},
		{all + "&start_date=2030-07-01", "future soon tie old"},
		{all + "&start_date=2030-07-01&end_date=2030-07-02&strict_dates=true", "future soon tie old"},
		{all + "&starts_after=2030-07-01&ends_before=2030-07-02", "future soon tie old"},
		{all + "&orderby=event_date", "old tie soon future"},
		{all + "&orderby=event_date&order=desc", "future soon tie old"},
		{all + "&orderby=id", "old future soon tie"},
		{all + "&orderby=title&order=desc", "tie soon old future"},
		{all + "&orderby=nonsense", "future soon tie old"},
		{all + "&order=desc", "old soon tie future"},
		{all + "&search=o", "soon old"},
		{all + "&per_page=3", "future soon tie of 4"},
		{all + "&per_page=3&page=2", "old of 4"},
		{"/events?include[]={soon}&include[x]={old}", "soon old"},
		{"/events?include=+{soon}+,,{soon},", "soon"},
		{"/events?include=0{soon},{old}.0", "soon old"},
		{"/events?include=999999", ""},
		{"/events?include=999999,{old}", "old"},
		{"/events?include=", bad}, {"/events?include=0", bad}, {"/events?include=-1", bad}, {"/events?include=abc", bad}, {"/events?include={old}abc", bad},
		{"/events?include=1.5", bad}, {"/events?include=,", bad}, {"/events?include[]=1&include[][]=2", bad},
	}))
	c.check("editor", s.rows([]row{{all, "draft future soon tie old"}}))
}

// upcoming proves which venues and organizers have events to come.
func upcoming(t *testing.T, e Engine) {
	s := newSite(t, e)
	for _, slug := range []string{"past", "running", "soon", "late", "draft", "hidden", "tokyo", "none", "many"} {
		s.venue(thing{slug: slug})
		s.organizer(thing{slug: slug + "-o"})
	}
	add := func(slug, start, end string, more thing) {
		more.slug, more.start, more.end, more.venues, more.organizers = "e-"+slug, start, end, []string{slug}, []string{slug + "-o"}
		s.event(more)
	}
	for i := range 12 { // more than a page
		s.event(thing{slug: "m" + itoa(int64(i)), start: "2030-06-16 10:00", venues: []string{"many"}, organizers: []string{"many-o"}})
	}
	// It is noon of 15 June in Brussels.
	add("past", "2030-06-15 10:00", "2030-06-15 11:59:59", thing{})
	add("running", "2030-06-01 10:00", "2030-06-15 12:00", thing{})
	add("soon", "2030-06-15 13:00", "", thing{})
	add("late", "2099-06-15 13:00", "", thing{})
	add("draft", "2030-06-16 13:00", "", thing{status: "draft"})
	add("hidden", "2030-06-16 13:00", "", thing{meta: [][2]string{{schema.MetaHideFromUpcoming, "yes"}}})
	add("tokyo", "2030-06-15 17:00", "2030-06-15 18:59", thing{zone: "Asia/Tokyo"}) // over, though its clock is ahead
	c := s.client(calendar.Options{})
	c.check("", []row{
		{"/venues?only_with_upcoming=true&order=asc", "running soon late many"}, {"/organizers?only_with_upcoming=1&order=asc", "running-o soon-o late-o many-o"},
		{"/venues?only_with_upcoming=yes&per_page=2", "many late of 4"}, {"/venues?only_with_upcoming=on&search=late", "late"},
		{"/venues?only_with_upcoming=0&per_page=3", "many none tokyo of 9"}, {"/venues?only_with_upcoming=banana&per_page=3", "many none tokyo of 9"},
		{"/venues?only_with_upcoming=&per_page=3", "many none tokyo of 9"},
		{"/venues?has_events=true&order=asc", "past running soon late hidden tokyo many"}, {"/venues?has_events=no&order=asc", "draft none"},
		{"/venues?has_events=&order=asc", "draft none"}, {"/venues?has_events=banana", "none draft"}, {"/organizers?has_events=0", "none-o draft-o"},
		{"/venues?has_events=1&only_with_upcoming=1&search=n", "many soon running"}, {"/venues?has_events=0&only_with_upcoming=1", ""},
		{"/venues?event=" + s.text("e-past") + "&only_with_upcoming=1", ""}, {"/venues?event=" + s.text("e-soon") + "&only_with_upcoming=1", "soon"},
	})
	c.check("editor", []row{{"/venues?only_with_upcoming=true&order=asc", "running soon late draft many"}})
	s.option(schema.OptionPostsPerPage, "1")
	s.client(calendar.Options{Limits: calendar.Limits{PageSize: 50}}).check("", []row{{"/venues?only_with_upcoming=true&order=asc", "running soon late many"}})
}

// orders proves the orders of lists, those of ties too.
func orders(t *testing.T, e Engine) {
	s := newSite(t, e)
	for _, p := range []thing{
		{slug: "e1", title: "beta", start: "2030-07-03 10:00", posted: "2030-01-03 00:00:00"},
		{slug: "e2", title: "Alpha", start: "2030-07-02 10:00", posted: "2030-01-05 00:00:00"},
		{slug: "e3", title: "álpha", start: "2030-07-02 10:00", posted: "2030-01-04 00:00:00"},
		{slug: "e4", title: "Gamma", start: "2030-07-02 10:00", posted: "2030-01-04 00:00:00"},
		{slug: "e5", title: "alpha", start: "2030-07-01 10:00", posted: "2030-01-09 00:00:00"},
	} {
		s.event(p)
		p.slug = "v" + p.slug[1:]
		s.venue(p)
		p.slug = "o" + p.slug[1:]
		s.organizer(p)
	}
	s.exec("UPDATE ?(prefix)posts SET post_modified = '2030-05-01 00:00:00' WHERE ID IN (?, ?, ?)", s.of("e1"), s.of("v1"), s.of("o1"))
	c := s.client(calendar.Options{})
	c.check("", []row{
		{"/events", "e5 e3 e4 e2 e1"}, {"/events?orderby=event_date", "e5 e3 e4 e2 e1"}, {"/events?orderby=event_date&order=asc", "e5 e3 e4 e2 e1"},
		{"/events?order=desc", "e1 e3 e4 e2 e5"}, {"/events?orderby=event_date&order=DESC", "e1 e3 e4 e2 e5"}, {"/events?orderby=title", "e5 e3 e2 e1 e4"},
		{"/events?orderby=title&order=desc", "e4 e1 e5 e3 e2"}, {"/events?orderby=modified", "e3 e4 e2 e5 e1"}, {"/events?orderby=modified&order=desc", "e1 e5 e2 e3 e4"},
		{"/events?orderby=id", "e1 e2 e3 e4 e5"}, {"/events?orderby=ID&order=desc", "e5 e4 e3 e2 e1"}, {"/events?orderby=nonsense", "e5 e3 e4 e2 e1"},
		{"/events?orderby=nonsense&order=nonsense", "e5 e3 e4 e2 e1"}, {"/events?orderby=&order=", "e5 e3 e4 e2 e1"},
		{"/venues", "v5 v2 v4 v3 v1"}, {"/venues?orderby=date", "v5 v2 v4 v3 v1"}, {"/venues?order=asc", "v1 v4 v3 v2 v5"}, {"/venues?orderby=title", "v5 v2 v3 v1 v4"},
		{"/venues?orderby=title&order=desc", "v4 v1 v5 v2 v3"}, {"/venues?orderby=modified", "v4 v3 v2 v5 v1"}, {"/venues?orderby=modified&order=desc", "v1 v5 v2 v4 v3"},
		{"/venues?orderby=id", "v1 v2 v3 v4 v5"}, {"/venues?orderby=id&order=desc", "v5 v4 v3 v2 v1"}, {"/venues?orderby=nonsense", "v5 v2 v4 v3 v1"},
		{"/organizers", "o5 o2 o4 o3 o1"}, {"/organizers?orderby=title", "o5 o2 o3 o1 o4"}, {"/organizers?order=sideways", "o5 o2 o4 o3 o1"},
		{"/events?orderby[]=id", "400 rest_invalid_param orderby"}, {"/venues?order[x]=asc", "400 rest_invalid_param order"},
	})
}

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
