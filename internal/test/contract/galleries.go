package contract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// picture adds an uploaded image that is attached to a post.
func (s *site) picture(slug, parent string, order int64) {
	s.T.Helper()
	s.post(schema.TypeAttachment, thing{slug: slug, status: schema.StatusInherit, parent: parent, order: order})
	s.Exec("UPDATE ?(prefix)posts SET post_mime_type = 'image/png' WHERE ID = ?", s.of(slug))
	s.meta(slug, schema.MetaAttachedFile, slug+".png")
	s.meta(slug, schema.MetaAttachmentAlt, "Alt of "+slug)
}

// galleryStatements checks that a list takes the same number of statements with and without galleries without ids, and
// with a hundred as with one.
func galleryStatements(t *testing.T, e Engine) {
	db, counter := e.Counted(t)
	s := siteOn(t, e, db)
	for i := range 8 {
		s.venue(thing{slug: fmt.Sprint("v", i)})
		start := fmt.Sprintf("2030-07-0%d 20:00", i+1)
		s.event(thing{slug: fmt.Sprint("e", i), start: start, venues: []string{fmt.Sprint("v", i)}, content: "Text"})
		s.picture(fmt.Sprint("p", i), fmt.Sprint("e", i), 0)
	}
	count := func(about string) (int, []string) {
		c := s.client(calendar.Options{Cache: calendar.Cache{Bytes: calendar.None}})
		c.Get("", "/events?start_date=2030-01-01") // reads the settings too
		counter.Reset()
		a := c.Get("", "/events?start_date=2030-01-01")
		if a.Status != 200 {
			t.Fatalf("%s: %s", about, a.Summary())
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
		t.Errorf("D56: pictures are read though no text shows them: %s", children)
	}
	s.Exec("UPDATE ?(prefix)posts SET post_content = '[gallery]' WHERE ID = ?", s.of("e0"))
	if n, children := count("one gallery"); n != plain || len(children) != 1 {
		t.Errorf("D56: %d statements with one gallery, %d with none, %d for pictures", n, plain, len(children))
	}
	s.Exec("UPDATE ?(prefix)posts SET post_content = '[gallery] and [gallery]' WHERE post_type = 'tribe_events'")
	if n, children := count("all galleries"); n != plain || len(children) != 1 {
		t.Errorf("D56: %d statements with galleries everywhere, %d with none, %d for pictures", n, plain, len(children))
	}
}
