package contract

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// try is a request of a caller and the status and code that it gets. {slugs} in
// path and body stand for ids.
type try struct{ as, method, path, body, want string }

// verdict is the status of an answer, with its code if it has one.
func (a *answer) verdict() string {
	return strings.TrimSpace(itoa(int64(a.status)) + " " + a.text("code"))
}

// attempts makes the requests in turn: one that is refused changes no row, one
// that is not changes some.
func (s *site) attempts(c *client, list []try) {
	s.t.Helper()
	before := s.snapshot()
	for _, try := range list {
		a := c.ask(try.method, s.path(try.path), try.as, s.filled(try.body))
		if got := a.verdict(); got != try.want {
			s.t.Errorf("%s\n got  %s\n want %s\n %s", a.request, got, try.want, clipped(string(a.body)))
		}
		after := s.snapshot()
		table := before.same(after)
		before = after
		if refused := try.want[0] != '2'; refused && table != "" {
			s.t.Errorf("%s: refused, but the table %s changed", a.request, table)
		} else if !refused && table == "" {
			s.t.Errorf("%s: nothing changed", a.request)
		}
	}
}

// filled puts ids in the place of <slugs> in a body.
func (s *site) filled(body string) string {
	s.t.Helper()
	for {
		before, rest, ok := strings.Cut(body, "<")
		if !ok {
			return body
		}
		slug, after, _ := strings.Cut(rest, ">")
		body = before + s.text(slug) + after
	}
}

// office is the site of staff with accounts of all callers.
func office(t testing.TB, e Engine) *site {
	s := newSite(t, e)
	for name, id := range callerIDs {
		s.insert(&schema.User{ID: id, Login: name, Nicename: name, DisplayName: name, Registered: "2020-01-01 00:00:00"})
	}
	for _, owner := range []struct {
		letter string
		id     int64
	}{{"e", 2}, {"a", 3}, {"c", 4}} {
		for _, status := range []string{"publish", "draft", "private"} {
			slug := owner.letter + "-" + status
			s.event(thing{slug: slug, status: status, author: owner.id, start: "2030-07-01 20:00"})
			s.venue(thing{slug: slug + "-v", status: status, author: owner.id})
			s.organizer(thing{slug: slug + "-o", status: status, author: owner.id})
		}
	}
	s.categories("known-category")
	s.tags("known-tag")
	return s
}

// eachKind repeats requests about events for venues and organizers: KIND, NAME
// and -X stand for the collection, the field of the name and the end of slugs.
func eachKind(list []try) (all []try) {
	for collection, suffix := range map[string]string{"events": "", "venues": "-v", "organizers": "-o"} {
		words := strings.NewReplacer("KIND", collection, "NAME", kindOf[collection].name, "-X", suffix)
		for _, try := range list {
			try.as, try.path, try.body = words.Replace(try.as), words.Replace(try.path), words.Replace(try.body)
			all = append(all, try)
		}
	}
	return all
}

const forbidden = "403 rest_forbidden"

// writesBySlug proves that a slug gives no right that an id does not, and that
// no id besides the path does.
func writesBySlug(t *testing.T, e Engine) {
	s := office(t, e)
	c := s.client(calendar.Options{})
	var list []try
	for _, method := range []string{"PUT", "POST", "PATCH", "DELETE"} {
		for _, slug := range []string{"e-publish-X", "e-draft-X", "e-private-X"} {
			for as, mine := range map[string]string{"contributor": "c-draft-X", "author": "a-draft-X"} {
				list = append(list,
					try{as, method, "/KIND/by-slug/" + slug, `{"NAME":"Taken"}`, forbidden},
					try{as, method, "/KIND/by-slug/" + slug + "?id={" + mine + "}&force=true", `{"NAME":"Taken"}`, forbidden},
					try{as, method, "/KIND/by-slug/" + slug, `{"NAME":"Taken","id":<` + mine + `>}`, forbidden},
					try{as, method, "/KIND/{" + slug + "}?id={" + mine + "}", `{"NAME":"Taken","id":<` + mine + `>}`, forbidden},
				)
			}
		}
	}
	s.attempts(c, eachKind(append(list,
		try{"author", "PUT", "/KIND/by-slug/a-draft-X?id={e-draft-X}", `{"NAME":"Mine by slug","id":<e-draft-X>}`, "200"},
		try{"editor", "PUT", "/KIND/by-slug/a-publish-X", `{"NAME":"Edited by slug"}`, "200"},
		try{"contributor", "DELETE", "/KIND/by-slug/c-draft-X", "", "200"},
	)))
	after := s.snapshot()
	for slug, want := range map[string]string{"a-draft": "Mine by slug", "a-publish": "Edited by slug", "e-draft": "e-draft", "e-publish": "e-publish"} {
		if got := after.posts[s.of(slug)].Title; got != want {
			t.Errorf("%s has the title %q, want %q", slug, got, want)
		}
	}
}

// givenAuthor proves who may write in someone else's name.
func givenAuthor(t *testing.T, e Engine) {
	s := office(t, e)
	c := s.client(calendar.Options{})
	s.attempts(c, eachKind([]try{
		{"contributor", "POST", "/KIND", `{"NAME":"New","start_date":"2030-08-01","end_date":"2030-08-02","author":1}`, forbidden},
		{"author", "POST", "/KIND", `{"NAME":"New","start_date":"2030-08-01","end_date":"2030-08-02","author":"1"}`, forbidden},
		{"author", "POST", "/KIND", `{"NAME":"New","start_date":"2030-08-01","end_date":"2030-08-02","author":99}`, "400 rest_invalid_param"},
		{"contributor", "PUT", "/KIND/{c-draft-X}", `{"NAME":"Given away","author":1}`, forbidden},
		{"author", "PUT", "/KIND/{a-publish-X}", `{"NAME":"Given away","author":2}`, forbidden},
		{"author", "PUT", "/KIND/by-slug/a-draft-X", `{"NAME":"Given away","author":2}`, forbidden},
		{"", "POST", "/KIND", `{"NAME":"New","start_date":"2030-08-01","end_date":"2030-08-02","author":1}`, "401 rest_forbidden"},
		{"author", "POST", "/KIND", `{"NAME":"New","start_date":"2030-08-01","end_date":"2030-08-02","author":3}`, "201"},
		{"author", "PUT", "/KIND/{a-publish-X}", `{"NAME":"Still mine","author":3}`, "200"},
		{"editor", "POST", "/KIND", `{"NAME":"New","start_date":"2030-08-01","end_date":"2030-08-02","author":3}`, "201"},
		{"editor", "PUT", "/KIND/{a-publish-X}", `{"author":4}`, "200"},
		{"author", "PUT", "/KIND/{a-publish-X}", `{"NAME":"No longer mine"}`, forbidden},
		{"author", "PUT", "/KIND/{a-publish-X}", `{"author":3}`, forbidden},
	}))
	for _, kind := range []string{"venue", "organizer"} {
		s.attempts(c, []try{
			{"author", "POST", "/events", `{"title":"New","start_date":"2030-08-01","end_date":"2030-08-02","` + kind + `":{"` + kind + `":"Nested","author":1}}`, forbidden},
			{"author", "PUT", "/events/{a-draft}", `{"title":"Changed","` + kind + `":[{"` + kind + `":"Nested","author":1}]}`, forbidden},
			{"editor", "PUT", "/events/{a-draft}", `{"title":"Changed","` + kind + `":[{"` + kind + `":"Nested","author":1}]}`, "200"},
		})
	}
}

// newTermsInEvents proves that an event makes terms only for those who may make
// them by their own route.
func newTermsInEvents(t *testing.T, e Engine) {
	s := office(t, e)
	as := callersOf(t, s.db, schema.DefaultPrefix)
	as["untagged"] = custom(8, "edit_tribe_events", "publish_tribe_events")
	c := s.client(calendar.Options{Authenticator: as})
	event := func(fields string) string {
		return `{"title":"New","start_date":"2030-08-01","end_date":"2030-08-02",` + fields + `}`
	}
	s.attempts(c, []try{
		{"contributor", "POST", "/events", event(`"categories":["Unknown"]`), forbidden},
		{"contributor", "POST", "/events", event(`"categories":"known-category,Unknown"`), forbidden},
		{"contributor", "POST", "/events", event(`"tags":["Unknown"]`), forbidden},
		{"contributor", "PUT", "/events/{c-draft}", `{"title":"Changed","categories":["Unknown"]}`, forbidden},
		{"contributor", "PUT", "/events/{c-draft}", `{"title":"Changed","tags":["Unknown"],"categories":["known-category"]}`, forbidden},
		{"author", "POST", "/events", event(`"tags":["Unknown"]`), forbidden},
		{"author", "POST", "/events", event(`"categories":["Made first"],"tags":["Unknown"]`), forbidden},
		{"untagged", "POST", "/events", event(`"tags":["Unknown"]`), forbidden},
		{"", "POST", "/events", event(`"categories":["Unknown"]`), "401 rest_forbidden"},
		{"contributor", "POST", "/events", event(`"categories":["known-category"],"tags":["known-tag"]`), "201"},
		{"author", "POST", "/events", event(`"categories":["Made by the author"],"tags":["known-tag"]`), "201"},
		{"editor", "PUT", "/events/{c-draft}", `{"categories":["Made by the editor"],"tags":["Made too"]}`, "200"},
	})
	if a := c.ask("POST", "/events", "untagged", event(`"tags":["known-tag"]`)); a.status != 201 || a.at("tags") != "[]" {
		t.Errorf("who may not assign tags: %s, tags %s", a.verdict(), a.at("tags"))
	}
	if a := c.get("/categories?hide_empty=0", ""); a.summary() != "known-category made-by-the-author made-by-the-editor" {
		t.Errorf("categories: %s", a.summary())
	}
	if a := c.get("/tags?hide_empty=0", ""); a.summary() != "known-tag made-too" {
		t.Errorf("tags: %s", a.summary())
	}
}

// nestedInEvents proves that an event makes and changes venues and organizers
// only for those who may do it by their own routes.
func nestedInEvents(t *testing.T, e Engine) {
	for _, kind := range []struct{ name, suffix, family string }{{"venue", "-v", "tribe_venues"}, {"organizer", "-o", "tribe_organizers"}} {
		s := office(t, e)
		as := callersOf(t, s.db, schema.DefaultPrefix)
		as["events only"] = custom(8, "edit_tribe_events", "edit_published_tribe_events", "edit_others_tribe_events", "publish_tribe_events")
		as["both"] = custom(8, "edit_tribe_events", "publish_tribe_events", "edit_"+kind.family)
		c := s.client(calendar.Options{Authenticator: as})
		words := strings.NewReplacer("NAME", kind.name, "-X", kind.suffix)
		list := []try{
			{"events only", "POST", "/events", `{"title":"New","start_date":"2030-08-01","end_date":"2030-08-02","NAME":{"NAME":"Nested"}}`, forbidden},
			{"events only", "POST", "/events", `{"title":"New","start_date":"2030-08-01","end_date":"2030-08-02","NAME":[<e-publish-X>,{"NAME":"Nested"}]}`, forbidden},
			{"events only", "PUT", "/events/{a-publish}", `{"title":"Changed","NAME":{"NAME":"Nested"}}`, forbidden},
			{"events only", "PUT", "/events/{a-publish}", `{"title":"Changed","NAME":{"id":<e-publish-X>,"NAME":"Renamed"}}`, forbidden},
			{"contributor", "PUT", "/events/{c-draft}", `{"title":"Changed","NAME":{"id":<c-publish-X>,"NAME":"Renamed"}}`, forbidden},
			{"author", "PUT", "/events/{a-draft}", `{"title":"Changed","NAME":{"id":<e-draft-X>,"NAME":"Renamed"}}`, forbidden},
			{"admin", "POST", "/events", `{"title":"New","start_date":"2030-08-01","end_date":"2030-08-02","NAME":{"NAME":"Nested","status":"trash"}}`, "400 rest_invalid_param"},
			{"events only", "POST", "/events", `{"title":"New","start_date":"2030-08-01","end_date":"2030-08-02","NAME":<e-publish-X>}`, "201"},
			{"both", "POST", "/events", `{"title":"New","start_date":"2030-08-01","end_date":"2030-08-02","NAME":{"NAME":"Nested"}}`, "201"},
			{"contributor", "POST", "/events", `{"title":"New","start_date":"2030-08-01","end_date":"2030-08-02","NAME":{"NAME":"Nested"}}`, "201"},
			{"contributor", "PUT", "/events/{c-draft}", `{"NAME":{"id":<c-draft-X>,"NAME":"Renamed"}}`, "200"},
		}
		for i := range list {
			list[i].body = words.Replace(list[i].body)
		}
		s.attempts(c, list)
	}
}

// intoTrash proves what the status trash does in a write.
func intoTrash(t *testing.T, e Engine) {
	s := office(t, e)
	as := callersOf(t, s.db, schema.DefaultPrefix)
	for _, family := range []string{"events", "venues", "organizers"} {
		as["writer of "+family] = custom(8, "edit_tribe_"+family, "edit_others_tribe_"+family, "edit_published_tribe_"+family)
	}
	c := s.client(calendar.Options{Authenticator: as})
	s.attempts(c, eachKind([]try{
		{"admin", "POST", "/KIND", `{"NAME":"New","start_date":"2030-08-01","end_date":"2030-08-02","status":"trash"}`, "400 rest_invalid_param"},
		{"contributor", "POST", "/KIND", `{"NAME":"New","start_date":"2030-08-01","end_date":"2030-08-02","status":"trash"}`, "400 rest_invalid_param"},
		{"writer of KIND", "PUT", "/KIND/{a-publish-X}", `{"NAME":"Changed","status":"trash"}`, forbidden},
		{"writer of KIND", "PATCH", "/KIND/by-slug/a-draft-X", `{"NAME":"Changed","status":"trash"}`, forbidden},
		{"contributor", "PUT", "/KIND/{a-draft-X}", `{"NAME":"Changed","status":"trash"}`, forbidden},
		{"contributor", "PUT", "/KIND/{c-draft-X}", `{"NAME":"Changed and gone","status":"trash"}`, "200"},
		{"author", "PUT", "/KIND/{a-publish-X}", `{"NAME":"Changed and gone","status":"trash"}`, "200"},
		{"editor", "POST", "/KIND/by-slug/e-private-X", `{"NAME":"Changed and gone","status":"trash"}`, "200"},
	}))
	after := s.snapshot()
	for slug, from := range map[string]string{"c-draft": "draft", "a-publish": "publish", "e-private": "private"} {
		for _, suffix := range []string{"", "-v", "-o"} {
			id := s.of(slug + suffix)
			row, metas := after.posts[id], after.metas[id]
			if row.Status != schema.StatusTrash || row.Title != "Changed and gone" || row.Name != slug+suffix+schema.TrashedSlugSuffix ||
				!strings.Contains(metas, schema.MetaTrashStatus+"="+from+"\n") || !strings.Contains(metas, schema.MetaDesiredSlug+"="+slug+suffix+"\n") {
				t.Errorf("%s: %s %q %s\n%s", slug+suffix, row.Status, row.Title, row.Name, metas)
			}
		}
	}
}
