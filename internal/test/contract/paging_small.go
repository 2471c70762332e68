package contract

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// fairFilters select some events of the fair each.
var fairFilters = []string{
	"start_date=2030-07-01", "end_date=2030-08-05", "starts_after=2030-06-30", "starts_before=2030-08-05", "ends_after=2030-06-30",
	"ends_before=2030-08-05", "strict_dates=true", "start_date=2030-07-02+10:00&strict_dates=1", "search=fair+%22hand+made%22",
	"search=100%25+a%2Bb", "categories={crafts}", "categories=crafts,food", "categories[]=Bread,+Cheese+%26+50%25+more+%2B+wine",
	"categories=Bread%25252C+Cheese", "tags=free", "tags[]=free&tags[]=late", "venue={hall}", "venue[]={hall}&venue[]={yard}", "organizer={guild}",
	"featured=true", "featured=false", "status=publish", "geoloc=true", "geoloc=false", "geoloc_lat=50.85&geoloc_lng=4.35",
	"include={f1},{f2},{f3},{f4},{past}", "post_parent={f1}", "ticketed=true", "ticketed=false", "orderby=title", "orderby=modified&order=desc",
	"orderby=id&order=desc", "orderby=event_date&order=desc", "order=desc", "i18n_language=nl", "start_date=1000&end_date=2030-08-05", "start_date=1",
	"start_date=1970-01-01+12:00:00", "start_date=1969-12-31T23:00:00Z&strict_dates=true", "start_date=0000-00-00", "end_date=253402300799",
	"starts_after=now", "starts_before=%2B2+months", "password=x", "strict_dates=false", "search=the",
}

// linkedFilters are those of venues and organizers; {x} is an event.
var linkedFilters = []string{
	"search=hall", "event={f1}", "has_events=true", "has_events=0", "has_events=", "only_with_upcoming=yes", "only_with_upcoming=0", "status=publish",
	"orderby=title", "orderby=id", "order=asc", "orderby=modified&order=desc", "i18n_language=nl", "search=%C3%A9t%C3%A9+%26+100",
}

var termFilters = []string{
	"search=e", "exclude={crafts}", "include={crafts},{food}", "exclude[]=Bread,+Cheese+%26+50%25+more+%2B+wine", "order=desc", "orderby=count",
	"orderby=include&include={food},{crafts}", "hide_empty=0", "parent={food}", "parent=0&hide_empty=false", "post={f1}", "event={f2}", "slug=crafts",
	"slug=Crafts+", "i18n_language=nl",
}

// fair is a site where every filter selects some of the events.
func fair(t *testing.T, e Engine) *site {
	s := newSite(t, e)
	for _, v := range []thing{
		{slug: "hall", title: "Town Hall", meta: [][2]string{{schema.MetaVenueLat, "50.85"}, {schema.MetaVenueLng, "4.35"}}},
		{slug: "yard", title: "Hall of the yard"}, {slug: "barn", title: "Été & 100 halls"}, {slug: "shed", title: "Shed hall"}, {slug: "attic", title: "Attic hall"},
	} {
		s.venue(v)
	}
	for _, slug := range []string{"guild", "club", "choir", "hall-keepers"} {
		s.organizer(thing{slug: slug})
	}
	s.categories("crafts", "food")
	s.term("tribe_events_cat", "bread-cheese", "Bread, Cheese &amp; 50% more + wine", "food")
	s.term("tribe_events_cat", "cheese", "Bread%2C Cheese", "food")
	s.categories("empty")
	s.tags("free", "late", "crafts-tag", "food-tag", "idle")
	s.id["bread"] = s.of("bread-cheese")
	for i, slug := range []string{"f1", "f2", "f3", "f4", "f5", "f6"} {
		day := "2030-07-0" + string(rune('1'+i))
		p := thing{
			slug: slug, title: "Fair " + slug, content: "Hand made, 100% a+b", start: day + " 10:00", venues: []string{"hall"}, organizers: []string{"guild"},
			terms: []string{"crafts", "bread-cheese", "cheese", "free", "crafts-tag"},
		}
		if i > 0 {
			p.parent = "f1"
		}
		if i%2 == 0 {
			p.meta = [][2]string{{schema.MetaFeatured, "1"}}
			p.terms = append(p.terms, "late")
		}
		s.event(p)
		s.post("tribe_rsvp_tickets", thing{slug: "ticket-" + slug, meta: [][2]string{{schema.MetaRSVPForEvent, s.text(slug)}}})
	}
	for i, slug := range []string{"g1", "g2", "g3"} {
		s.event(thing{
			slug: slug, title: "Meal " + slug, start: "2030-08-0" + string(rune('1'+i)) + " 20:00", venues: []string{"yard", "barn"},
			organizers: []string{"club", "choir"}, terms: []string{"food", "late", "food-tag"},
		})
	}
	s.event(thing{slug: "past", start: "1990-01-01 10:00"})
	return s
}

// pagesOfOptions walks the fair with every filter and pairs of them, with
// the day beginning at midnight, in the morning, and in the hour that the clock
// leaves out when summer begins.
func pagesOfOptions(t *testing.T, e Engine) {
	s := fair(t, e)
	for _, cutoff := range []string{"06:00", "02:30", ""} {
		s.option(schema.OptionCalendar, `a:1:{s:14:"multiDayCutoff";s:`+strconv.Itoa(len(cutoff))+`:"`+cutoff+`";}`)
		c, whole := s.client(atPublic(calendar.Options{})), s.client(atPublic(calendar.Options{Limits: calendar.Limits{MaxPageSize: 100000}}))
		for i, f := range fairFilters {
			c.checkWalk(whole, s.fill("/events?per_page=2&"+f), "")
			for _, g := range fairFilters[i+1 : min(i+4, len(fairFilters))] {
				path := s.fill("/events?" + f + "&" + g)
				if cutoff == "" && whole.Get("", path).Status == http.StatusOK {
					c.checkWalk(whole, with(path, "per_page=4"), "")
				}
			}
		}
	}
	c, whole := s.client(atPublic(calendar.Options{})), s.client(atPublic(calendar.Options{Limits: calendar.Limits{MaxPageSize: 100000}}))
	for list, filters := range map[string][]string{
		"/venues": linkedFilters, "/organizers": linkedFilters, "/categories": termFilters, "/tags": termFilters,
	} {
		for i, f := range filters {
			for _, g := range append([]string{""}, filters[i+1:min(i+4, len(filters))]...) {
				path := s.fill(list + "?per_page=1&" + f + "&" + g)
				if whole.Get("", path).Status == http.StatusOK {
					c.checkWalk(whole, path, "")
				}
			}
		}
	}
	for _, as := range []string{"admin", "editor", "author", "contributor", "subscriber"} {
		for _, path := range []string{
			"/events?per_page=2", "/events?per_page=2&status=", "/venues?per_page=1&status=", "/events?per_page=2&status=publish,draft",
			"/events?per_page=2&context=edit", "/categories?per_page=1",
		} {
			if whole.Get(as, path).Status == http.StatusOK {
				c.checkWalk(whole, path, as)
			}
		}
	}
}

// everything is a request with all filters that go together.
const everything = "/events?tags=free&strict_dates=true&search=fair&per_page=1&venue={hall}&organizer={guild}&featured=true&categories=crafts&ticketed=1" +
	"&geoloc=1&geoloc_lat=50.85&geoloc_lng=4.35&status=publish&post_parent={f1}&start_date=2030-07-01+08:00&end_date=2030-08-01+09:30" +
	"&starts_before=2031-01-01&starts_after=2030-01-01&ends_before=2031-01-01&ends_after=2030-01-01&orderby=title&order=desc&i18n_language=en"

var addresses = []struct{ path, as, want string }{
	{everything, "", "page per_page start_date end_date search geoloc geoloc_lat geoloc_lng status post_parent starts_before starts_after ends_before ends_after" +
		" venue organizer featured categories tags ticketed strict_dates orderby order i18n_language"},
	{"/events?include={f1},{f2}&start_date=2030-07-01&per_page=1", "", "page per_page status include"},
	{"/events", "", "page per_page start_date end_date status"},
	{"/events?starts_after=2030-01-01", "", "page per_page status starts_after"},
	{"/events", "admin", "page per_page start_date end_date"},
	{"/venues?order=asc&orderby=title&only_with_upcoming=1&search=hall&status=publish&has_events=1&event={f1}", "",
		"page per_page event has_events status search only_with_upcoming orderby order"},
	{"/organizers", "", "page per_page status"},
	{"/categories", "", ""},
	{"/tags", "", ""},
	{"/categories?slug=x&event={f1}&parent={food}&hide_empty=0&orderby=id&order=desc&include={food}&search=b&per_page=1", "",
		"per_page search include order orderby hide_empty parent event slug"},
	{"/tags?exclude=free&page=2&per_page=1", "", "per_page exclude page"},
}

// addressesCarry looks at the printed addresses themselves.
func addressesCarry(t *testing.T, e Engine) {
	s := fair(t, e)
	c := s.client(atPublic(calendar.Options{}))
	for _, x := range addresses {
		a := c.Get(x.as, s.fill(x.path))
		own, next := a.Word("rest_url"), a.Word("next_rest_url")
		if got := queryNames(own); got != x.want {
			t.Errorf("%s\n rest_url %s\n got  %s\n want %s", a.Request, own, got, x.want)
		}
		if again := c.follow(own, x.as); again.Summary() != a.Summary() || again.Word("rest_url") != own {
			t.Errorf("%s: its rest_url %s gives %s", a.Request, own, again.Summary())
		}
		want := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(x.want, "page "), " page") + " page")
		if next != "" && queryNames(next) != want {
			t.Errorf("%s: next_rest_url %s, want %s", a.Request, next, want)
		}
	}
	got := c.queryOf("/events?search=%C3%A9+%26%23%22%2B%25", "rest_url")
	if got.Get("search") != `é &#"+%` || got.Get("start_date") != "2030-06-15 00:00:00" || got.Get("end_date") != "2032-06-15 23:59:59" {
		t.Errorf("rest_url holds %v", got)
	}
	if got := c.queryOf("/events?page=2&per_page=2", "previous_rest_url"); got.Has("page") {
		t.Errorf("previous of page 2: %v", got)
	}
	if got := c.queryOf("/events?page=3&per_page=2", "previous_rest_url"); got.Get("page") != "2" {
		t.Errorf("previous of page 3: %v", got)
	}
	nl := c.Get("", Site+"/nl/wp-json/tribe/events/v1/events")
	if !strings.HasPrefix(nl.Word("rest_url"), public+"/nl/tribe/events/v1/events/?") {
		t.Errorf("rest_url of the Dutch root: %s", nl.Word("rest_url"))
	}
}

// queryOf reads the query of an address that an answer printed.
func (c *client) queryOf(path, member string) url.Values {
	c.T.Helper()
	u, err := url.Parse(c.Get("", path).Word(member))
	if err != nil {
		c.T.Fatal(err)
	}
	return u.Query()
}

// queryNames lists the names in an address's query, in order.
func queryNames(link string) string {
	_, query, _ := strings.Cut(link, "?")
	var names []string
	for pair := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		names = append(names, name)
	}
	return strings.Join(names, " ")
}
