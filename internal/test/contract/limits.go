package contract

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// limits proves how much a list parameter and a search text may hold.
func limits(t *testing.T, e Engine) {
	s, _ := exhibits(t, e)
	c := s.client(calendar.Options{})
	for _, x := range []struct{ list, name, value, want string }{
		{"/events", "include", s.text("event"), "event"}, {"/events", "venue", s.text("venue"), "event"}, {"/events", "organizer", s.text("organizer"), "event"},
		{"/events", "categories", "cat", "event"}, {"/events", "tags", "tag", "event"}, {"/categories", "include", s.text("cat"), "cat"}, {"/tags", "include", "tag", "tag"},
		{"/tags", "exclude", s.text("tag"), ""}, {"/categories", "exclude", "cat", ""},
	} {
		name := x.name
		csv := func(n int) string { return strings.Repeat(x.value+",", n-1) + x.value }
		array := func(n int) string { return strings.Repeat(name+"[]="+x.value+"&", n) }
		body := func(n int) []byte {
			return []byte(`{"` + name + `":["` + strings.Repeat(x.value+`","`, n-1) + x.value + `"]}`)
		}
		bad := "400 rest_invalid_param " + name
		c.check("", []row{
			{x.list + "?" + name + "=" + csv(1000), x.want}, {x.list + "?" + name + "=" + csv(1001), bad},
			{x.list + "?" + array(1000), x.want}, {x.list + "?" + array(1001), bad},
		})
		for n, want := range map[int]string{1000: x.want, 1001: bad} {
			if a := c.send(x.list, "", body(n)); a.summary() != want {
				t.Errorf("%d values in JSON: %s: %s", n, a.request, a.summary())
			}
		}
	}
	c.check("editor", []row{{"/events?status=" + strings.Repeat("publish,", 999) + "publish", "event"}, {"/events?status=" + strings.Repeat("publish,", 1000) + "publish", "400 rest_invalid_param status"}})
	for _, list := range []string{"/events", "/venues", "/organizers", "/categories", "/tags"} {
		for _, letter := range []string{"a", "é", "🎉"} {
			ok, long := url.QueryEscape(strings.Repeat(letter, 200)), url.QueryEscape(strings.Repeat(letter, 201))
			c.check("", []row{{list + "?search=" + ok, ""}, {list + "?search=" + long, "400 rest_invalid_param search"}})
		}
	}
	if a := c.get("/events?"+strings.Repeat("x[]=1&", 5000), ""); a.status != 400 {
		t.Errorf("%s: %s", a.request, a.summary())
	}
}

// pageSizes proves how long a page is.
func pageSizes(t *testing.T, e Engine) {
	s := newSite(t, e)
	for i := range 60 {
		n := fmt.Sprintf("%02d", i)
		s.event(thing{slug: "e" + n, start: "2030-07-01 10:" + n})
		s.venue(thing{slug: "v" + n})
		s.organizer(thing{slug: "o" + n})
		s.categories("c" + n)
		s.tags("t" + n)
	}
	lists := []string{"/events?", "/venues?", "/organizers?", "/categories?hide_empty=0&", "/tags?hide_empty=0&"}
	bad := "400 rest_invalid_param per_page"
	c := s.client(calendar.Options{})
	for _, list := range lists {
		for value, want := range map[string]string{
			"1": "1", "50": "50", "51": "50", "1000": "50", "+5": "5", "5+": "5", "%2B5": "5", "02": "2", "2.0": "2", "1e1": "10",
			"0": bad, "-1": bad, "abc": bad, "5abc": bad, "1.5": bad, "": bad, "0x2": bad, "99999999999999999999": bad,
		} {
			if got := c.sizeOf(list + "per_page=" + value); got != want {
				t.Errorf("%sper_page=%s: %s, want %s", list, value, got, want)
			}
		}
		for _, path := range []string{"per_page[]=5", "page[]=1", "page=0", "page=-1", "page=x", "page=", "page=1.5"} {
			if got, want := c.sizeOf(list+path), "400 rest_invalid_param "+path[:strings.IndexAny(path, "[=")]; got != want {
				t.Errorf("%s%s: %s, want %s", list, path, got, want)
			}
		}
		if got := c.sizeOf(list + "page=2.0&per_page=50"); got != "10" {
			t.Errorf("%spage=2.0: %s", list, got)
		}
	}
	if got := c.queryOf("/events?per_page=1000", "rest_url").Get("per_page"); got != "50" {
		t.Errorf("rest_url shows per_page %s", got)
	}
	for _, list := range []string{"event", "venue", "organizer"} {
		c.check("", []row{{"/" + list + "s?page=3&per_page=50", "404 " + list + "-archive-page-not-found"}, {"/" + list + "s?page=9000000000000000000", "404 " + list + "-archive-page-not-found"}})
	}
	c.check("", []row{{"/tags?hide_empty=0&page=9000000000000000000", "of 60"}, {"/categories?hide_empty=0&page=7", "of 60"}})
	defaultSizes(t, s, lists)
}

// sizeOf is the number of items of a page, or the refusal.
func (c *client) sizeOf(path string) string {
	c.t.Helper()
	a := c.get(path, "")
	if a.status != 200 {
		return a.summary()
	}
	return strconv.Itoa(len(a.ids()))
}

// defaultSizes proves how long a page is when nobody says it.
func defaultSizes(t *testing.T, s *site, lists []string) {
	for _, x := range []struct{ calendar, site, want string }{
		{"a:0:{}", "10", "10"}, {"a:0:{}", "5", "5"}, {"a:0:{}", "80", "50"}, {`a:1:{s:14:"posts_per_page";s:1:"4";}`, "10", "4"},
		{`a:1:{s:14:"posts_per_page";i:7;}`, "10", "7"}, {`a:1:{s:14:"posts_per_page";i:80;}`, "10", "50"}, {`a:1:{s:12:"postsPerPage";s:1:"4";}`, "10", "10"},
		{`a:1:{s:14:"posts_per_page";s:0:"";}`, "6", "6"}, {"not serialized", "10", "10"}, {"a:0:{}", "-1", "10"}, {"a:0:{}", "many", "10"},
	} {
		s.option(schema.OptionCalendar, x.calendar)
		s.option(schema.OptionPostsPerPage, x.site)
		c := s.client(calendar.Options{})
		for _, list := range lists {
			if got := c.sizeOf(list); got != x.want {
				t.Errorf("%s, posts_per_page %s: %s has %s, want %s", x.calendar, x.site, list, got, x.want)
			}
		}
	}
	if got := s.client(calendar.Options{Limits: calendar.Limits{PageSize: 3, MaxPageSize: 8}}).sizeOf("/events?per_page=9"); got != "8" {
		t.Errorf("MaxPageSize 8: %s", got)
	}
	if got := s.client(calendar.Options{Limits: calendar.Limits{PageSize: 3, MaxPageSize: 8}}).sizeOf("/events"); got != "3" {
		t.Errorf("PageSize 3: %s", got)
	}
}
