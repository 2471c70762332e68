package contract

import (
	"strconv"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// oldEntities: "&#128;" to "&#159;" in descriptions and excerpts are stored as the characters that they mean in windows-1252, whoever writes them.
// Titles and the texts of terms keep them.
func oldEntities(t *testing.T, e Engine) {
	s := newSite(t, e)
	c := s.client(calendar.Options{})
	const (
		sent = `&#128;5 &#146;x&#150;y&#159; &#129;&#160;&#0128; &#1&#129;46;`
		kept = `&#8364;5 &#8217;x&#8211;y&#376; &#160;`
	)
	want := func(as string) string {
		if as == "author" { // the filter writes numbers in their usual form, and ampersands as entities
			return kept + `&#128; &#146;`
		}
		return kept + `&#0128; &#146;`
	}
	for _, as := range []string{"admin", "editor", "author"} {
		for _, w := range []struct{ path, body string }{
			{"/events", `{"title":"E &#146;","start_date":"2031-01-01 10:00","end_date":"2031-01-01 11:00","description":"` + sent + `","excerpt":"` + sent + `"}`},
			{"/venues", `{"venue":"V &#146;","description":"` + sent + `"}`},
			{"/organizers", `{"organizer":"O &#146;","description":"` + sent + `"}`},
		} {
			a := c.ask("POST", w.path, as, w.body)
			if a.status != 201 {
				t.Fatalf("%s as %s: %s", w.path, as, a.verdict())
			}
			p := s.snapshot().posts[a.number("id")]
			if p.Content != want(as) || w.path == "/events" && p.Excerpt != want(as) {
				t.Errorf("%s as %s: stored %q and %q, want %q", w.path, as, p.Content, p.Excerpt, want(as))
			}
			if p.Title != map[string]string{"/events": "E", "/venues": "V", "/organizers": "O"}[w.path]+" &#146;" {
				t.Errorf("%s as %s: title %q", w.path, as, p.Title)
			}
			before := s.snapshot()
			if a := c.ask("PATCH", w.path+"/"+itoa(a.number("id")), as, `{"description":"`+sent+`"}`); a.status != 200 {
				t.Errorf("%s as %s: %s", w.path, as, a.verdict())
			}
			if table := before.same(s.snapshot()); table != "" {
				t.Errorf("%s as %s: the same text again changed the table %s", w.path, as, table)
			}
		}
	}
	nested := c.ask("POST", "/events", "editor", `{"title":"N","start_date":"2031-01-01 10:00","end_date":"2031-01-01 11:00","venue":{"venue":"Nested","description":"&#128;"}}`)
	id, _ := strconv.ParseInt(nested.at("venue", "id"), 10, 64)
	if p := s.snapshot().posts[id]; p.Content != "&#8364;" {
		t.Errorf("nested: %s, stored %q", nested.verdict(), p.Content)
	}
	if a := c.ask("POST", "/categories", "admin", `{"name":"T &#146;","description":"&#146;"}`); a.text("name") != "T &#146;" || a.text("description") != "&#146;" {
		t.Errorf("a term: %s", a.body)
	}
}

// percentSigns: names and titles keep them as they were sent, wherever they are given.
func percentSigns(t *testing.T, e Engine) {
	s := newSite(t, e)
	c := s.client(calendar.Options{})
	const name = "%41 50% %20x %zz"
	for _, w := range []struct{ path, body, field, slug string }{
		{"/events", `{"title":"` + name + `","start_date":"2031-01-01 10:00","end_date":"2031-01-01 11:00"}`, "title", "%41-50-%20x-zz"},
		{"/venues", `{"venue":"` + name + `"}`, "venue", "%41-50-%20x-zz"},
		{"/organizers", `{"organizer":"` + name + `"}`, "organizer", "%41-50-%20x-zz"},
		{"/categories", `{"name":"` + name + `","description":"` + name + `"}`, "name", "%41-50-%20x-zz"},
		{"/tags", `{"name":"` + name + `"}`, "name", "%41-50-%20x-zz"},
	} {
		a := c.ask("POST", w.path, "admin", w.body)
		if a.status != 201 || a.text(w.field) != name || a.text("slug") != w.slug {
			t.Errorf("%s: %s %q %q", w.path, a.verdict(), a.text(w.field), a.text("slug"))
		}
		one := w.path + "/" + itoa(a.number("id"))
		if a := c.ask("PATCH", one, "admin", `{"`+w.field+`":"100%25 `+name+`"}`); a.status != 200 || a.text(w.field) != "100%25 "+name {
			t.Errorf("%s: %s %q", one, a.verdict(), a.text(w.field))
		}
		if got := c.get(one, "admin").text(w.field); got != "100%25 "+name {
			t.Errorf("%s: read as %q", one, got)
		}
	}
	for _, as := range []string{"admin", "author"} {
		a := c.ask("POST", "/events", as, `{"title":"Nested","start_date":"2031-01-01 10:00","end_date":"2031-01-01 11:00",
			"venue":{"venue":"V `+name+`"},"organizer":[{"organizer":"O `+name+`"}],"tags":["100%25 `+name+`"],"categories":["100%25 `+name+`"]}`)
		same(t, a, map[string]string{
			"venue/venue": "V " + name, "organizer/0/organizer": "O " + name, "tags/0/name": "100%25 " + name, "categories/0/name": "100%25 " + name,
		})
	}
	a := c.ask("POST", "/events", "admin", `{"title":"Nested","start_date":"2031-01-01 10:00","end_date":"2031-01-01 11:00","tags":["T `+name+`"],"categories":["C `+name+`"]}`)
	same(t, a, map[string]string{"tags/0/name": "T " + name, "categories/0/name": "C " + name})
	for _, as := range []string{"admin", "author"} {
		a := c.ask("POST", "/venues", as, `{"venue":"Old"}`)
		a = c.ask("POST", "/events", as, `{"title":"Renamed","start_date":"2031-01-01 10:00","end_date":"2031-01-01 11:00","venue":{"id":`+itoa(a.number("id"))+`,"venue":"R `+name+`"}}`)
		same(t, a, map[string]string{"venue/venue": "R " + name})
	}
}
