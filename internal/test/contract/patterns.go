package contract

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/schema"
)

// pattern adds a synced pattern.
func (s *site) pattern(slug, status, content string) {
	s.T.Helper()
	s.post(schema.TypePattern, thing{slug: slug, status: status, content: content})
}

// ref returns a block that shows a pattern.
func (s *site) ref(slug string) string {
	return fmt.Sprintf(`<!-- wp:block {"ref":%d} /-->`, s.idOf(slug))
}

// syncedPatterns checks that descriptions show the current versions of the patterns that they name, of nested patterns
// and of the files in them, also if a response is cached in memory or by the client. (D56: each text is rendered
// separately.)
func syncedPatterns(t *testing.T, e Engine) {
	b := newBench(t, e)
	s := b.site
	s.post(schema.TypeAttachment, thing{slug: "film", status: schema.StatusInherit})
	s.meta("film", schema.MetaAttachedFile, "film.mp4")
	s.meta("film", schema.MetaAttachmentMetadata, `a:2:{s:5:"width";i:640;s:6:"height";i:360;}`)
	s.pattern("inner", "publish",
		fmt.Sprintf(`<!-- wp:video {"id":%d} --><video src="film.mp4"></video><!-- /wp:video -->`, s.idOf("film")))
	s.pattern("hours", "publish", "<p>Open daily</p>"+s.ref("inner"))
	s.pattern("draft", "draft", "<p>Unseen</p>")
	s.pattern("secret", "publish", "<p>Unseen</p>")
	s.Exec("UPDATE ?(prefix)posts SET post_password = 'x' WHERE ID = ?", s.idOf("secret"))
	s.post(schema.TypePage, thing{slug: "page", content: "Unseen"})
	s.pattern("self", "publish", "")
	s.Exec("UPDATE ?(prefix)posts SET post_content = ? WHERE ID = ?", "<p>Once</p>"+s.ref("self"), s.idOf("self"))
	s.venue(thing{slug: "hall", content: s.ref("hours")})
	s.event(thing{slug: "fair", start: "2030-07-01 10:00", venues: []string{"hall"},
		content: s.ref("hours") + s.ref("draft") + s.ref("secret") + s.ref("page") + s.ref("self") + s.ref("hours")})
	b.open(calendar.Options{Cache: soon})
	const film = `<video height=\"360\" style=\"aspect-ratio: 640 / 360;\" width=\"640\" src=\"film.mp4\"></video>`
	path := b.fill("/events/{fair}")
	for _, one := range []string{path, b.fill("/venues/{hall}"), "/events?start_date=2030-01-01", "/venues"} {
		a := b.Get("", one)
		text := strings.ReplaceAll(a.Text, `\/`, "/")
		if !strings.Contains(text, "<p>Open daily</p>"+film) || strings.Contains(text, "Unseen") {
			t.Errorf("D56: %s: %s", one, text)
		}
		if n := strings.Count(text, "<p>Once</p>"); n > 1 || strings.HasPrefix(one, "/events") && n != 1 {
			t.Errorf("D56: %s: a pattern that names itself is there %d times", one, n)
		}
	}
	tags, paths := map[string]string{}, []string{path, b.fill("/venues/{hall}"), "/venues"}
	for _, path := range paths {
		b.cachedAnswer("GET", path)
		tags[path] = b.Get("", path).Header.Get("ETag")
	}
	for n, change := range []string{
		"UPDATE ?(prefix)posts SET post_content = '<p>Shut</p>' WHERE post_name = 'inner'",
		"UPDATE ?(prefix)posts SET post_status = 'draft' WHERE post_name = 'inner'",
		"UPDATE ?(prefix)posts SET post_status = 'publish', post_content = '<p>Unshut</p>' WHERE post_name = 'inner'",
		"DELETE FROM ?(prefix)posts WHERE post_name = 'inner'",
	} {
		b.Exec(change)
		for _, path := range paths {
			a := b.Do("", http.MethodGet, path, "", "If-None-Match", tags[path])
			tag := a.Header.Get("ETag")
			if a.Status != http.StatusOK || tag == tags[path] || strings.Contains(a.Text, "hut") != (n%2 == 0) {
				t.Errorf("D56: %s after %s: %v %s", path, change, a.Status, a.Text)
			}
			tags[path] = tag
			if again := apitest.Send(t.Context(), b.Handler, "GET", path, "", "If-None-Match", tag); again.Code != http.StatusNotModified {
				t.Errorf("D56: %s is unchanged after %s: %v", path, change, again.Code)
			}
		}
	}
}

// patternStatements checks that patterns take one statement per level of nesting, however many texts show them, and
// that texts without patterns take none.
func patternStatements(t *testing.T, e Engine) {
	db, counter := e.Counted(t)
	s := siteOn(t, e, db)
	for i := range 8 {
		s.event(thing{slug: fmt.Sprint("e", i), start: fmt.Sprintf("2030-07-0%d 20:00", i+1), content: "Text"})
	}
	const levels = 7
	for i := range levels {
		content := "<p>End</p>"
		if i > 0 {
			content = strings.Repeat(s.ref(fmt.Sprint("p", i-1)), 20)
		}
		s.pattern(fmt.Sprint("p", i), "publish", content)
	}
	count := func() (int, string) {
		c := s.client(calendar.Options{Cache: calendar.Cache{Bytes: calendar.None}})
		c.Get("", "/events?start_date=2030-01-01") // reads the settings too
		counter.Reset()
		a := c.Get("", "/events?start_date=2030-01-01")
		return len(counter.Statements()), a.Text
	}
	plain, _ := count()
	for i := range levels {
		s.Exec("UPDATE ?(prefix)posts SET post_content = ? WHERE post_type = 'tribe_events'", strings.Repeat(s.ref(fmt.Sprint("p", i)), 20))
		n, text := count()
		const deepest = 4
		if want := plain + min(i+1, deepest); n != want {
			t.Errorf("D56: %d statements with patterns in %d levels, want %d", n, i+1, want)
		}
		if shown := strings.Contains(text, "End"); shown != (i < deepest) {
			t.Errorf("D56: a pattern in %d levels is shown: %v", i+1, shown)
		}
		if len(text) > 200_000 {
			t.Errorf("D56: patterns in %d levels make %d bytes", i+1, len(text))
		}
	}
}

// picture adds an uploaded image that is attached to a post.
func (s *site) picture(slug, parent string, order int64) {
	s.T.Helper()
	s.post(schema.TypeAttachment, thing{slug: slug, status: schema.StatusInherit, parent: parent, order: order})
	s.Exec("UPDATE ?(prefix)posts SET post_mime_type = 'image/png' WHERE ID = ?", s.idOf(slug))
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
	count := func() (int, []string) {
		c := s.client(calendar.Options{Cache: calendar.Cache{Bytes: calendar.None}})
		c.Get("", "/events?start_date=2030-01-01") // reads the settings too
		counter.Reset()
		c.Must(http.StatusOK, "", "GET", "/events?start_date=2030-01-01", "")
		all := counter.Statements()
		var children []string
		for _, q := range all {
			if strings.Contains(q, "post_parent IN") {
				children = append(children, q)
			}
		}
		return len(all), children
	}
	plain, children := count()
	if len(children) != 0 {
		t.Errorf("D56: pictures are read though no text shows them: %s", children)
	}
	s.Exec("UPDATE ?(prefix)posts SET post_content = '[gallery]' WHERE ID = ?", s.idOf("e0"))
	if n, children := count(); n != plain || len(children) != 1 {
		t.Errorf("D56: %d statements with one gallery, %d with none, %d for pictures", n, plain, len(children))
	}
	s.Exec("UPDATE ?(prefix)posts SET post_content = '[gallery] and [gallery]' WHERE post_type = 'tribe_events'")
	if n, children := count(); n != plain || len(children) != 1 {
		t.Errorf("D56: %d statements with galleries everywhere, %d with none, %d for pictures", n, plain, len(children))
	}
}
