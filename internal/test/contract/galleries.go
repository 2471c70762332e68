package contract

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// picture adds an uploaded image that is attached to a post.
func (s *site) picture(slug, parent string, order int64) {
	s.t.Helper()
	s.post(schema.TypeAttachment, thing{slug: slug, status: schema.StatusInherit, parent: parent, order: order})
	s.exec("UPDATE ?(prefix)posts SET post_mime_type = 'image/png' WHERE ID = ?", s.of(slug))
	s.meta(slug, schema.MetaAttachedFile, slug+".png")
	s.meta(slug, schema.MetaAttachmentAlt, "Alt of "+slug)
}

// links are the addresses that a text links to, without the site's.
func links(text string) string {
	var list []string
	for _, part := range strings.Split(text, "<a href='")[1:] {
		address, _, _ := strings.Cut(part, "'")
		list = append(list, strings.TrimPrefix(address, Site))
	}
	return strings.Join(list, " ")
}

// gallerySite is a site with pictures that are attached to all kinds of posts.
func gallerySite(t *testing.T, e Engine) *site {
	s := newSite(t, e)
	s.option(schema.OptionPermalinks, "/%year%/%postname%/")
	const own = "[gallery]"
	s.venue(thing{slug: "hall", content: own})
	s.organizer(thing{slug: "club", content: own})
	s.event(thing{slug: "e", content: own, start: "2030-07-01 20:00", venues: []string{"hall"}, organizers: []string{"club"}})
	s.event(thing{slug: "f", content: own, start: "2030-07-02 20:00"})
	s.event(thing{slug: "none", content: own, start: "2030-07-03 20:00"})
	s.event(thing{slug: "draft", content: own, status: "draft", start: "2030-07-04 20:00"})
	s.event(thing{slug: "secret", content: own, password: "pw", start: "2030-07-05 20:00"})
	s.post(schema.TypePost, thing{slug: "news", posted: "2029-03-04 05:06:07"})
	s.post(schema.TypePage, thing{slug: "about"})
	s.post(schema.TypePage, thing{slug: "team", parent: "about"})
	for _, p := range []struct {
		slug, parent string
		order        int64
	}{{"e1", "e", 2}, {"e2", "e", 1}, {"e3", "e", 1}, {"f1", "f", 0}, {"h1", "hall", 0}, {"c1", "club", 0}, {"d1", "draft", 0}, {"s1", "secret", 0},
		{"n1", "news", 0}, {"t1", "team", 0}, {"free", "", 0}, {"42", "news", 0}} {
		s.picture(p.slug, p.parent, p.order)
	}
	s.post(schema.TypeAttachment, thing{slug: "sound", status: schema.StatusInherit, parent: "e"})
	s.picture("binned", "e", 0)
	s.exec("UPDATE ?(prefix)posts SET post_status = 'trash' WHERE ID = ?", s.of("binned"))
	ids := func(slugs ...string) string {
		var list []string
		for _, slug := range slugs {
			list = append(list, s.text(slug))
		}
		return strings.Join(list, ",")
	}
	s.event(thing{slug: "ids", start: "2030-07-06 20:00", content: fmt.Sprintf(`[gallery ids="%s"]`, ids("n1", "t1", "free", "d1", "h1", "e1", "42", "binned"))})
	s.event(thing{slug: "of", start: "2030-07-07 20:00", content: s.filled(`[gallery id="<f>"][gallery id="<draft>"][gallery id="<secret>"][gallery id="<sound>"]`)})
	return s
}

// galleries: those without ids show what is attached to the event that they stand in, by menu_order and id, and nothing in other texts. Those with ids
// link the pages of their files, which lie below those of the posts that the files are attached to.
func galleries(t *testing.T, e Engine) {
	s := gallerySite(t, e)
	c := s.client(calendar.Options{})
	for _, w := range []struct{ path, as, want string }{
		{"/events/{e}", "", "/event/e/e2/ /event/e/e3/ /event/e/e1/"}, {"/events/{f}", "", "/event/f/f1/"}, {"/events/{none}", "", ""},
		{"/events/{draft}", "admin", s.path("/?attachment_id={d1}")}, {"/events/{secret}?password=pw", "", "/event/secret/s1/"},
		{"/venues/{hall}", "", ""}, {"/organizers/{club}", "", ""}, {"/events/{of}", "", "/event/f/f1/"},
		{"/events/{ids}", "", s.path("/2029/news/n1/ /about/team/t1/ /free/ /?attachment_id={d1} /venue/hall/h1/ /event/e/e1/ /2029/news/attachment/42/")},
	} {
		if got := links(c.get(s.path(w.path), w.as).text("description")); got != w.want {
			t.Errorf("D56: %s shows %q, want %q", w.path, got, w.want)
		}
	}
	a := c.get(s.path("/events/{e}"), "")
	if got := a.at("venue", "description"); got != `"absent"` && got != `""` && got != "absent" {
		t.Errorf("D56: a venue within an event shows %s", got)
	}
	if !strings.Contains(a.text("description"), `galleryid-`+s.text("e")+` `) || !strings.Contains(a.text("description"), `alt="Alt of e2"`) {
		t.Errorf("D56: %s", a.text("description"))
	}
	list := c.get("/events?start_date=2030-01-01&per_page=50", "")
	for i, want := range []string{"/event/e/e2/ /event/e/e3/ /event/e/e1/", "/event/f/f1/", "", ""} {
		var text string
		if err := json.Unmarshal([]byte(list.at("events", i, "description")), &text); err != nil || links(text) != want {
			t.Errorf("D56: event %d of a list shows %q, want %q (%v)", i, links(text), want, err)
		}
	}
	// What is attached later is seen at once, though texts are rendered once.
	s.exec("UPDATE ?(prefix)posts SET post_parent = ? WHERE ID = ?", s.of("none"), s.of("free"))
	if got := links(c.get(s.path("/events/{none}"), "").text("description")); got != "/event/none/free/" {
		t.Errorf("D56: attached later: %q", got)
	}
	s.option(schema.OptionPermalinks, "")
	if got := links(s.client(calendar.Options{}).get(s.path("/events/{f}"), "").text("description")); got != s.path("/?attachment_id={f1}") {
		t.Errorf("plain addresses: %q", got)
	}
}

// galleryStatements: a list takes as many statements with galleries without ids as with none, and as many with a hundred as with one.
func galleryStatements(t *testing.T, e Engine) {
	db, counter := e.Counted(t)
	s := siteOn(t, db)
	for i := range 8 {
		s.venue(thing{slug: fmt.Sprint("v", i)})
		s.event(thing{slug: fmt.Sprint("e", i), start: fmt.Sprintf("2030-07-0%d 20:00", i+1), venues: []string{fmt.Sprint("v", i)}, content: "Text"})
		s.picture(fmt.Sprint("p", i), fmt.Sprint("e", i), 0)
	}
	count := func(about string) (int, []string) {
		c := s.client(calendar.Options{})
		c.get("/events?start_date=2030-01-01", "") // reads the settings too
		counter.Reset()
		a := c.get("/events?start_date=2030-01-01", "")
		if a.status != 200 {
			t.Fatalf("%s: %s", about, a.summary())
		}
		all := counter.Statements()
		var children []string
		for _, q := range all {
			if strings.Contains(q, "post_parent IN") {
				children = append(children, q)
			}
		}
		return len(all), children
	}
	plain, children := count("no gallery")
	if len(children) != 0 {
		t.Errorf("D56: pictures are looked for though no text shows them: %s", children)
	}
	s.exec("UPDATE ?(prefix)posts SET post_content = '[gallery]' WHERE ID = ?", s.of("e0"))
	if n, children := count("one gallery"); n != plain || len(children) != 1 {
		t.Errorf("D56: %d statements with one gallery, %d with none, %d for pictures", n, plain, len(children))
	}
	s.exec("UPDATE ?(prefix)posts SET post_content = '[gallery] and [gallery]' WHERE post_type = 'tribe_events'")
	if n, children := count("all galleries"); n != plain || len(children) != 1 {
		t.Errorf("D56: %d statements with galleries everywhere, %d with none, %d for pictures", n, plain, len(children))
	}
}
