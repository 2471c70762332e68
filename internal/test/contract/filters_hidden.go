package contract

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// withAndWithout runs a test on a site with the table of occurrences and, drop
// having been called, without it.
func withAndWithout(t *testing.T, test func(t *testing.T, drop func(*site))) {
	t.Run("with occurrences", func(t *testing.T) { test(t, func(*site) {}) })
	t.Run("without occurrences", func(t *testing.T) { test(t, func(s *site) { drop(t, s.host, schema.DefaultPrefix) }) })
}

// hiddenFilters proves that a filter tells nothing of what a single read hides
// from the caller: of events that a password protects, of venues and organizers
// that the caller may not read, and of parents (D51).
func hiddenFilters(t *testing.T, e Engine) {
	withAndWithout(t, func(t *testing.T, drop func(*site)) {
		s := newSite(t, e)
		s.categories("cat")
		s.tags("tag")
		s.venue(thing{slug: "hall", meta: at("50.8467", "4.3525")})
		s.organizer(thing{slug: "club"})
		for _, p := range []thing{{slug: "open", start: "2030-07-01 10:00", author: 3}, {slug: "locked", start: "2030-07-01 11:00", password: "x", author: 3}} {
			p.content, p.venues, p.organizers, p.terms, p.meta = "Jazz", []string{"hall"}, []string{"club"}, []string{"cat", "tag"}, [][2]string{{schema.MetaFeatured, "1"}}
			s.event(p)
			s.post("tribe_rsvp_tickets", thing{slug: "ticket of " + p.slug, meta: [][2]string{{schema.MetaRSVPForEvent, s.text(p.slug)}}})
		}
		s.event(thing{slug: "bare", start: "2030-07-01 12:00", author: 3})
		s.event(thing{slug: "closed", start: "2030-07-01 13:00", password: "x", author: 3})
		for _, parent := range []thing{{slug: "plan", status: "draft", author: 3}, {slug: "vault", password: "x", author: 2}} {
			parent.start = "2031-07-01 10:00"
			s.event(parent)
			s.event(thing{slug: "of-" + parent.slug, parent: parent.slug, start: "2031-08-01 10:00"})
		}
		for _, status := range []string{"draft", "private", "trash"} {
			s.venue(thing{slug: "v-" + status, status: status, author: 3})
			s.organizer(thing{slug: "o-" + status, status: status, author: 3})
		}
		drop(s)
		day := "/events?start_date=2030-07-01&end_date=2030-07-01"
		with, without := "", ""
		for _, filter := range []string{"venue={hall}", "organizer={club}", "categories=cat", "tags=tag", "featured=true", "ticketed=true", "geoloc=true", "geoloc_lat=50.8467&geoloc_lng=4.3525"} {
			with += " " + filter
		}
		for _, filter := range []string{"featured=false", "ticketed=false", "geoloc=false"} {
			without += " " + filter
		}
		for _, opts := range []calendar.Options{{}, {Cache: calendar.Cache{TotalTTL: time.Hour}}} {
			c := s.client(opts)
			for _, as := range []string{"editor", "", "author", "admin", "contributor", "subscriber"} {
				everybodys := as == "editor" || as == "admin"
				one := func(filter, open, locked string) {
					first, want := open+" of 2", open+" "+locked
					if !everybodys {
						first, want = open, open
					}
					c.check(as, s.rows([]row{{day + "&" + filter, want}, {day + "&per_page=1&" + filter, first}}))
				}
				c.check(as, []row{{day, "open locked bare closed"}, {day + "&per_page=1", "open of 4"}})
				for filter := range strings.FieldsSeq(with) {
					one(filter, "open", "locked")
				}
				for filter := range strings.FieldsSeq(without) {
					one(filter, "bare", "closed")
				}
				one("search=jazz", "open", "locked")
			}
		}
		s.hiddenIDs(s.client(calendar.Options{}))
	})
}

// hiddenIDs asks for events by venues, organizers and parents in every state.
func (s *site) hiddenIDs(c *client) {
	s.t.Helper()
	for _, status := range []string{"draft", "private", "trash"} {
		for name, slug := range map[string]string{"venue": "v-" + status, "organizer": "o-" + status} {
			for _, as := range []string{"", "subscriber", "contributor", "author", "editor"} {
				want := "400 rest_invalid_param " + name
				if single := c.get("/"+name+"s/"+s.text(slug), as); single.status == http.StatusOK {
					want = ""
				} else if as == "editor" || as == "author" {
					s.t.Errorf("%s: %s", single.request, single.summary())
				}
				c.check(as, s.rows([]row{{"/events?" + name + "={" + slug + "}", want}, {"/events?" + name + "=" + map[string]string{"venue": "{hall},", "organizer": "{club},"}[name] + "{" + slug + "}&end_date=2030-06-20", want}}))
			}
			unknown, unread := c.get("/events?"+name+"=999999", ""), c.get("/events?"+name+"="+s.text(slug), "")
			if unknown.at("message") != unread.at("message") || unknown.at("data") != unread.at("data") {
				s.t.Errorf("told apart: %s and %s", unknown.body, unread.body)
			}
		}
	}
	for slug, readers := range map[string]string{"plan": "author editor admin", "vault": "editor admin", "open": " subscriber contributor author editor admin"} {
		for _, as := range []string{"", "subscriber", "contributor", "author", "editor", "admin"} {
			want := "400 rest_invalid_param post_parent"
			if slug == "open" {
				want = ""
			} else if as != "" && strings.Contains(readers, as) {
				want = "of-" + slug
			}
			c.check(as, s.rows([]row{{"/events?post_parent={" + slug + "}", want}}))
		}
	}
}

// countedEvents proves that venues and organizers have events, and events to
// come, for a caller who may read such events (D51).
func countedEvents(t *testing.T, e Engine) {
	withAndWithout(t, func(t *testing.T, drop func(*site)) {
		s := newSite(t, e)
		add := func(name string, p thing) {
			s.venue(thing{slug: name})
			s.organizer(thing{slug: name + "-o"})
			p.slug, p.start, p.venues, p.organizers = "e-"+name, "2030-07-01 10:00", []string{name}, []string{name + "-o"}
			s.event(p)
		}
		add("open", thing{})
		for _, status := range hidden {
			add(status, thing{status: status, author: 3})
		}
		add("locked", thing{password: "x", author: 3})
		s.venue(thing{slug: "none"})
		s.organizer(thing{slug: "none-o"})
		drop(s)
		c := s.client(calendar.Options{Cache: calendar.Cache{TotalTTL: time.Hour}})
		all := strings.Fields("open " + strings.Join(hidden, " ") + " locked none")
		for _, x := range []struct{ as, has, upcoming string }{
			{"editor", "open private future locked", "open draft pending private future locked"},
			{"", "open", "open"}, {"subscriber", "open", "open"}, {"contributor", "open", "open"},
			{"author", "open private future", "open draft pending private future"},
			{"admin", "open private future locked", "open draft pending private future locked"},
		} {
			var hasNot []string
			for _, name := range all {
				if !strings.Contains(" "+x.has+" ", " "+name+" ") {
					hasNot = append(hasNot, name)
				}
			}
			for list, suffix := range map[string]string{"/venues": "", "/organizers": "-o"} {
				listed := func(names string) string {
					words := strings.Fields(names)
					for i := range words {
						words[i] += suffix
					}
					return strings.Join(words, " ")
				}
				c.check(x.as, []row{
					{list + "?order=asc&has_events=1", listed(x.has)}, {list + "?order=asc&has_events=0", listed(strings.Join(hasNot, " "))},
					{list + "?order=asc&only_with_upcoming=1", listed(x.upcoming)},
				})
			}
		}
	})
}
