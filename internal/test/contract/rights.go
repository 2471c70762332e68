package contract

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// staff is a site where everybody has posts in every state: "a-draft" is the
// author's draft, "c-…" are the contributor's, "s-…" the subscriber's, "e-…" the
// editor's. Venues end in -v, organizers in -o.
func staff(t *testing.T, e Engine) *site {
	s := newSite(t, e)
	for _, owner := range []struct {
		letter string
		id     int64
	}{{"e", 2}, {"a", 3}, {"c", 4}, {"s", 5}} {
		for i, status := range append([]string{"publish"}, hidden...) {
			slug, when := owner.letter+"-"+status, "2030-07-0"+itoa(int64(i+1))+" 1"+itoa(owner.id)+":00"
			s.event(thing{slug: slug, status: status, author: owner.id, start: when})
			s.venue(thing{slug: slug + "-v", status: status, author: owner.id, posted: when + ":00"})
			s.organizer(thing{slug: slug + "-o", status: status, author: owner.id, posted: when + ":00"})
		}
	}
	for _, status := range []string{"auto-draft", "inherit", "tribe-ignored", "request-pending"} {
		s.event(thing{slug: "x-" + status, status: status, start: "2030-07-01 09:00"})
	}
	s.event(thing{slug: "locked", password: "x", author: 3, start: "2030-07-01 18:00"})
	s.event(thing{slug: "concealed", author: 3, start: "2030-07-01 19:00", meta: [][2]string{{schema.MetaHideFromUpcoming, ""}}})
	return s
}

// listsByCaller proves that a list holds what single reads would show.
func listsByCaller(t *testing.T, e Engine) {
	s := staff(t, e)
	c := s.client(calendar.Options{})
	published := "e-publish a-publish c-publish s-publish locked"
	for as, want := range map[string]string{
		"":            published,
		"subscriber":  published,
		"contributor": published + " c-draft c-pending c-private c-future",
		"author":      published + " a-draft a-pending a-private a-future",
		"editor": published + " e-draft a-draft c-draft s-draft e-pending a-pending c-pending s-pending" +
			" e-private a-private c-private s-private e-future a-future c-future s-future",
	} {
		c.check(as, []row{{"/events?per_page=50", want}})
		for _, kind := range []struct{ list, suffix string }{{"/venues", "-v"}, {"/organizers", "-o"}} {
			words := strings.Fields(strings.Replace(want, " locked", "", 1))
			for i := range words {
				words[i] += kind.suffix
			}
			c.check(as, []row{{kind.list + "?per_page=50&order=asc", strings.Join(words, " ")}})
		}
	}
	c.check("contributor", []row{
		{"/events?status=draft", "c-draft"},
		{"/events?status=draft,pending,publish&per_page=50", published + " c-draft c-pending"},
		{"/events?status[]=private&status[]=future", "c-private c-future"},
		{"/events?status=", published + " c-private"},
		{"/events?status=trash", ""},
		{"/venues?status=trash", "c-trash-v"},
		{"/organizers?status=trash,draft&order=asc", "c-draft-o c-trash-o"},
		{"/events?search=draft", "c-draft"},
		{"/events?include=" + s.text("a-draft") + "," + s.text("c-draft") + "," + s.text("c-trash") + "," + s.text("concealed"), "c-draft"},
		{"/events?per_page=2", "e-publish a-publish of 9"},
		{"/events?per_page=2&page=5", "c-future of 9"},
	})
	c.check("author", []row{
		{"/events?status=trash", ""}, {"/events?status=private", "a-private"}, {"/venues?status=trash", "a-trash-v"},
		{"/venues?status=", "a-private-v s-publish-v c-publish-v a-publish-v e-publish-v"},
	})
	c.check("editor", []row{{"/events?status=trash", "e-trash a-trash c-trash s-trash"}, {"/events?status=inherit,tribe-ignored", "x-inherit x-tribe-ignored"}})
	everyListed(t, s, c)
}

// everyListed asks for every item of a list alone, with the same caller.
func everyListed(t *testing.T, s *site, c *client) {
	for as := range callerRoles {
		for _, path := range []string{"/events", "/venues", "/organizers"} {
			for _, query := range []string{"?per_page=50", "?per_page=50&status=draft,pending,private,future", "?per_page=50&status="} {
				for _, id := range c.get(path+query, as).ids() {
					if a := c.get(path+"/"+id, as); a.status != 200 && a.at("code") != `"event-password-protected"` {
						t.Errorf("%s lists what it does not show alone: %s %s", query, a.request, a.summary())
					}
				}
			}
		}
	}
}

// visibility proves that strangers read what is published and nothing else.
func visibility(t *testing.T, e Engine) {
	s := staff(t, e)
	c := s.client(calendar.Options{})
	refused := map[string]string{"/events/": "403 event-not-accessible", "/venues/": "403 venue-not-accessible", "/organizers/": "403 organizer-not-accessible"}
	suffix := map[string]string{"/events/": "", "/venues/": "-v", "/organizers/": "-o"}
	for kind, code := range refused {
		for _, status := range append([]string{"publish"}, hidden...) {
			want := code
			switch {
			case status == "publish":
				want = "a-publish" + suffix[kind]
			case status == "trash" && kind == "/events/":
				want = "403 event-no-longer-available"
			}
			slug := "a-" + status + suffix[kind]
			own := want
			if status != "trash" || kind != "/events/" {
				own = slug
			}
			for as, want := range map[string]string{"": want, "subscriber": want, "contributor": want, "author": own, "editor": own, "admin": own} {
				c.check(as, []row{{kind + s.text(slug), want}, {kind + "by-slug/" + slug, want}})
			}
		}
	}
	for _, status := range []string{"auto-draft", "inherit", "tribe-ignored", "request-pending"} {
		c.check("", []row{{"/events/" + s.text("x-"+status), "403 event-not-accessible"}})
	}
	c.check("", []row{
		{"/events?status=publish&per_page=50", "e-publish a-publish c-publish s-publish locked"},
		{"/events/999999", "404 rest-event-not-found"}, {"/events/0", "404 rest-event-not-found"},
		{"/events/99999999999999999999", "404 rest-event-not-found"}, {"/venues/99999999999999999999", "400 rest_invalid_param id"},
		{"/venues/999999", "400 rest_invalid_param id"}, {"/categories/999999", "400 rest_invalid_param id"}, {"/tags/0", "400 rest_invalid_param id"},
		{"/events/" + s.text("a-publish-v"), "400 rest-invalid-event-id"}, {"/venues/" + s.text("a-publish"), "400 rest_invalid_param id"},
		{"/organizers/" + s.text("a-publish-v"), "400 rest_invalid_param id"}, {"/events/" + s.text("concealed"), "concealed"},
		{"/events?include=" + s.text("concealed") + "," + s.text("a-trash") + "," + s.text("a-draft"), ""},
	})
}

// statusParameter proves which words the status of lists takes.
func statusParameter(t *testing.T, e Engine) {
	s := staff(t, e)
	c := s.client(calendar.Options{})
	bad, all := "400 rest_invalid_param status", []string{"/events", "/venues", "/organizers"}
	for _, list := range all {
		for _, as := range []string{"", "subscriber"} {
			published := c.get(list, as).summary()
			for _, good := range []string{"status=publish", "status=publish,", "status[]=publish", "status=,publish", "status[x]=publish"} {
				c.check(as, []row{{list + "?" + good, published}})
			}
			for _, word := range append(hidden, "", "any", "all", "PUBLISH", "publish,publish", "publish,draft", "publish,bogus", "publish%20", "%20publish", "auto-draft", "0", "1") {
				c.check(as, []row{{list + "?status=" + word, bad}})
			}
			c.check(as, []row{{list + "?status[]=draft", bad}, {list + "?status[]=publish&status[]=publish", bad}, {list + "?status[][]=publish", bad}})
		}
		for _, as := range []string{"contributor", "author", "editor", "admin"} {
			for _, word := range schema.RegisteredStatuses {
				if a := c.get(list+"?status="+word, as); a.status != 200 {
					t.Errorf("%s: %s", a.request, a.summary())
				}
			}
			for _, word := range []string{"any", "all", "Draft", "draft%20", "%20draft", "draft,bogus", "0"} {
				c.check(as, []row{{list + "?status=" + word, bad}})
			}
			want := c.get(list+"?status=draft,publish", as).summary()
			c.check(as, []row{{list + "?status=draft%20,%20publish,", want}, {list + "?status[]=publish&status[]=draft&status[]=draft", want}})
		}
	}
}

// contextOfPosts proves who opens the editor's view of a post.
func contextOfPosts(t *testing.T, e Engine) {
	s := staff(t, e)
	s.venue(thing{slug: "vault", password: "x", author: 3, meta: [][2]string{{schema.MetaVenueCity, "Gent"}}})
	c := s.client(calendar.Options{})
	refused := "403 rest_forbidden_context"
	for as, want := range map[string]string{"": refused, "subscriber": refused, "contributor": refused, "author": "", "editor": "", "admin": ""} {
		for path, slug := range map[string]string{"/events/{a-publish}": "a-publish", "/venues/{a-publish-v}": "a-publish-v", "/organizers/{a-publish-o}": "a-publish-o",
			"/events/by-slug/locked": "locked", "/events/{locked}": "locked", "/venues/by-slug/vault": "vault"} {
			expected := want
			if want == "" {
				expected = slug
			}
			c.check(as, s.rows([]row{{path + "?context=edit", expected}}))
		}
	}
	c.check("contributor", s.rows([]row{{"/events/{c-draft}?context=edit", "c-draft"}, {"/events/{c-publish}?context=edit", refused}}))
	c.check("", s.rows([]row{
		{"/events/{a-publish}?context=view", "a-publish"}, {"/events/{a-publish}?context=embed", "a-publish"}, {"/events/{a-publish}?context=odd", "a-publish"},
		{"/events/{a-draft}?context=edit", "403 event-not-accessible"}, {"/events/{locked}?context=edit&password=x", refused},
	}))
	if got := c.get("/events?context=edit&per_page=50", "").summary(); got != c.get("/events?per_page=50", "").summary() {
		t.Errorf("a list with context=edit is %s", got)
	}
	for as, want := range map[string]string{"": `""`, "contributor": `""`, "author": `"Gent"`, "editor": `"Gent"`} {
		for _, query := range []string{"?context=edit&per_page=50&search=vault", "?context=edit&search=vault&status=publish"} {
			if got := c.get("/venues"+query, as).at("venues", 0, "city"); got != want {
				t.Errorf("/venues%s shows %q the city %s, want %s", query, as, got, want)
			}
		}
	}
}

// unreadableEvents proves that event= and post= tell nothing about events that
// the caller does not read.
func unreadableEvents(t *testing.T, e Engine) {
	s := staff(t, e)
	s.categories("c1")
	s.tags("t1")
	for _, slug := range []string{"a-publish", "a-draft", "a-trash", "locked"} {
		s.assign(s.of(slug), "c1", true)
		s.assign(s.of(slug), "t1", true)
		s.meta(slug, schema.MetaVenueID, s.text("e-publish-v"))
		s.meta(slug, schema.MetaOrganizerID, s.text("e-publish-o"))
	}
	c := s.client(calendar.Options{})
	for _, x := range []struct{ path, want string }{
		{"/venues?event=", "e-publish-v"}, {"/organizers?event=", "e-publish-o"}, {"/categories?event=", "c1"}, {"/categories?post=", "c1"},
		{"/tags?event=", "t1"}, {"/tags?post=", "t1"},
	} {
		name := x.path[strings.IndexByte(x.path, '?')+1 : len(x.path)-1]
		bad := "400 rest_invalid_param " + name
		for slug, readers := range map[string]string{"a-publish": " subscriber contributor author editor admin", "a-draft": "author editor admin", "a-trash": "", "locked": "author editor admin"} {
			for _, as := range []string{"", "subscriber", "contributor", "author", "editor", "admin"} {
				want := bad
				if slug == "a-publish" || as != "" && strings.Contains(readers, as) {
					want = x.want
				}
				c.check(as, []row{{x.path + s.text(slug), want}})
			}
		}
		c.check("", []row{
			{x.path + "999999", bad}, {x.path + s.text("e-publish-v"), bad}, {x.path + "0", bad}, {x.path, bad}, {x.path + "-5", bad},
			{x.path + s.text("a-publish") + "abc", bad}, {x.path + s.text("a-publish") + ".0", x.want},
		})
		if a, b := c.get(x.path+"999999", ""), c.get(x.path+s.text("a-draft"), ""); a.at("message") != b.at("message") || a.at("data") != b.at("data") {
			t.Errorf("an unreadable event is told apart from an unknown one: %s and %s", a.body, b.body)
		}
	}
}
