package contract

import (
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// custom is a caller with these capabilities and no others.
func custom(userID int64, capabilities ...string) calendar.Principal {
	p := calendar.Principal{UserID: userID, Login: "custom", Capabilities: map[string]bool{}}
	for _, c := range capabilities {
		p.Capabilities[c] = true
	}
	return p
}

// partialRoles proves that every capability counts for itself: here of a role
// that edits others' posts but nothing that is published or private, and of one
// that deletes but does not edit.
func partialRoles(t *testing.T, e Engine) {
	s := office(t, e)
	ownPosts(s)
	all := func(words ...string) (list []string) {
		for _, w := range words {
			for _, family := range []string{"events", "venues", "organizers"} {
				list = append(list, w+"_tribe_"+family)
			}
		}
		return append(list, "read")
	}
	denied := custom(8, all("edit", "edit_others")...)
	denied.Capabilities["edit_published_tribe_events"] = false
	c := s.client(calendar.Options{Authenticator: callers{
		"drafts": custom(8, all("edit", "edit_others")...), "denied": denied,
		"deletes": custom(8, all("delete", "delete_others", "delete_published")...),
	}})
	for slug, want := range map[string][2]string{ // Allow for drafts and deletes
		"a-publish": {"GET", "GET, DELETE"}, "a-private": {"GET", "GET"}, "a-draft": {"GET, POST, PUT, PATCH", "GET, DELETE"},
		"own-publish": {"GET", "GET, DELETE"}, "own-trash-p": {"GET", "GET, DELETE"}, "own-trash-d": {"GET, POST, PUT, PATCH", "GET, DELETE"},
	} {
		for _, try := range eachKind([]try{{path: "/KIND/{" + slug + "-X}"}, {path: "/KIND/by-slug/" + slug + "-X"}}) {
			for i, as := range []string{"drafts", "deletes"} {
				if a := c.ask(http.MethodOptions, s.path(try.path), as, ""); a.header.Get("Allow") != want[i] {
					t.Errorf("%s: Allow is %q, want %q", a.request, a.header.Get("Allow"), want[i])
				}
			}
		}
	}
	change := `{"NAME":"Changed"}`
	s.attempts(c, eachKind([]try{
		{"drafts", "PUT", "/KIND/{a-publish-X}", change, forbidden},
		{"drafts", "PUT", "/KIND/{a-private-X}", change, forbidden},
		{"drafts", "PUT", "/KIND/{own-publish-X}", change, forbidden},
		{"drafts", "PUT", "/KIND/{own-future-X}", change, forbidden},
		{"drafts", "PUT", "/KIND/{own-trash-p-X}", change, forbidden},
		{"denied", "PUT", "/KIND/{a-publish-X}", change, forbidden},
		{"drafts", "DELETE", "/KIND/{a-draft-X}", "", forbidden},
		{"drafts", "DELETE", "/KIND/{own-draft-X}?force=true", "", forbidden},
		{"deletes", "PUT", "/KIND/{a-draft-X}", change, forbidden},
		{"deletes", "PUT", "/KIND/{own-draft-X}", change, forbidden},
		{"deletes", "POST", "/KIND", `{"NAME":"New","start_date":"2030-08-01","end_date":"2030-08-02"}`, forbidden},
		{"deletes", "DELETE", "/KIND/{a-private-X}", "", forbidden},
		{"drafts", "PUT", "/KIND/{a-draft-X}", change, "200"},
		{"drafts", "PUT", "/KIND/{own-draft-X}", change, "200"},
		{"drafts", "PUT", "/KIND/{own-private-X}", change, "200"},
		{"drafts", "PUT", "/KIND/{own-trash-d-X}", change, "200"},
		{"drafts", "PUT", "/KIND/{other-trash-p-X}", change, "200"},
		{"drafts", "PUT", "/KIND/{own-draft-X}", `{"status":"publish"}`, "200"},
		{"deletes", "DELETE", "/KIND/{a-publish-X}", "", "200"},
		{"deletes", "DELETE", "/KIND/{a-draft-X}?force=true", "", "200"},
	}))
	c.check("drafts", s.rows([]row{
		{"/events/{e-draft}", "e-draft"}, {"/events/{e-private}", "403 event-not-accessible"}, {"/events/{own-private}", "own-private"},
		{"/events?status=private", "own-private"}, {"/events?status=draft", "e-draft c-draft"}, {"/events/{own-draft}", "own-draft"},
	}))
	if a := c.get(s.path("/events/{own-draft}"), "drafts"); a.text("status") != "pending" {
		t.Errorf("published by who may not: %s", a.text("status"))
	}
}

// ownPosts adds posts of the user 8, and one from the trash of another.
func ownPosts(s *site) {
	add := func(p thing) {
		p.start = "2030-07-01 20:00"
		s.event(p)
		for suffix, insert := range map[string]func(thing) int64{"-v": s.venue, "-o": s.organizer} {
			linked := p
			linked.slug += suffix
			insert(linked)
		}
	}
	for _, status := range []string{"publish", "draft", "private", "future"} {
		add(thing{slug: "own-" + status, status: status, author: 8})
	}
	for slug, from := range map[string]string{"other-trash-p": "publish", "own-trash-p": "publish", "own-trash-d": "draft"} {
		author := map[bool]int64{true: 8, false: 3}[strings.HasPrefix(slug, "own")]
		add(thing{slug: slug, status: "trash", author: author, meta: [][2]string{{schema.MetaTrashStatus, from}}})
	}
}

// families proves that the capabilities of one kind of posts are none for
// another, whichever route leads to the post.
func families(t *testing.T, e Engine) {
	s := office(t, e)
	c := s.client(calendar.Options{Authenticator: callers{
		"events": custom(8, "edit_tribe_events", "edit_others_tribe_events", "edit_published_tribe_events", "publish_tribe_events"),
		"venues": custom(8, "edit_tribe_venues", "edit_others_tribe_venues", "edit_published_tribe_venues", "publish_tribe_venues"),
	}})
	s.attempts(c, []try{
		{"venues", "PUT", "/events/{a-publish}", `{"title":"Changed"}`, forbidden},
		{"venues", "PUT", "/organizers/{a-publish-o}", `{"organizer":"Changed"}`, forbidden},
		{"events", "PUT", "/venues/{a-publish-v}", `{"venue":"Changed"}`, forbidden},
		{"events", "PUT", "/events/{a-publish-v}", `{"title":"Changed"}`, forbidden},
		{"venues", "PUT", "/events/{a-publish-v}", `{"title":"Changed"}`, forbidden}, // D52: there is no event that this caller may change
		{"events", "PUT", "/events/{a-publish}", `{"title":"Changed"}`, "200"},
		{"venues", "PUT", "/venues/{a-publish-v}", `{"venue":"Changed"}`, "200"},
	})
	c.check("venues", []row{{"/events?status=draft", "400 rest_invalid_param status"}, {"/venues?status=draft", "c-draft-v a-draft-v e-draft-v"}})
	// Publishing is asked of events, for venues too.
	for as, body := range map[string]string{"venues": `{"venue":"New"}`, "events": `{"title":"New","start_date":"2030-08-01","end_date":"2030-08-02"}`} {
		want := map[string]string{"venues": "draft", "events": "publish"}[as]
		if a := c.ask("POST", "/"+as, as, body); a.status != 201 || a.text("status") != want {
			t.Errorf("%s: %s %s, want %s", a.request, a.verdict(), a.text("status"), want)
		}
	}
}

// programs proves what callers are and may who are no users of the site: a
// host's program with capabilities of its own.
func programs(t *testing.T, e Engine) {
	s := office(t, e)
	s.event(thing{slug: "orphan", start: "2030-07-01 20:00"})
	s.event(thing{slug: "orphan-draft", status: "draft", start: "2030-07-01 20:00"})
	s.exec("UPDATE ?(prefix)posts SET post_author = 0 WHERE post_name IN ('orphan', 'orphan-draft')")
	c := s.client(calendar.Options{Authenticator: callers{
		"":       {},
		"reader": {Login: "reader", Capabilities: map[string]bool{"read": true}},
		"denied": {Login: "denied", Capabilities: map[string]bool{"edit_tribe_events": false}},
		"feeder": custom(0, "read", "edit_tribe_events", "edit_published_tribe_events", "publish_tribe_events", "delete_tribe_events"),
		"keeper": custom(0, "edit_tribe_events", "edit_others_tribe_events", "edit_published_tribe_events", "delete_tribe_events", "delete_others_tribe_events", "delete_published_tribe_events"),
		"empty":  {Login: "empty", Capabilities: map[string]bool{}},
		"bare":   {UserID: 8, Login: "bare", Capabilities: map[string]bool{}},
	}})
	create, change := `{"title":"Fed","start_date":"2030-08-01","end_date":"2030-08-02"}`, `{"title":"Changed"}`
	s.attempts(c, []try{
		{"", "POST", "/events", create, "401 rest_forbidden"},
		{"empty", "POST", "/events", create, "401 rest_forbidden"},
		{"reader", "POST", "/events", create, forbidden},
		{"denied", "POST", "/events", create, forbidden},
		{"bare", "POST", "/events", create, forbidden},
		{"reader", "PUT", "/events/{a-publish}", change, forbidden},
		{"feeder", "PUT", "/events/{a-publish}", change, forbidden},
		// What has no author is nobody's own, also not of callers without an id.
		{"", "PUT", "/events/{orphan}", change, "401 rest_forbidden"},
		{"feeder", "PUT", "/events/{orphan}", change, forbidden},
		{"feeder", "PUT", "/events/{orphan-draft}", change, forbidden},
		{"feeder", "DELETE", "/events/{orphan-draft}?force=true", "", forbidden},
		{"feeder", "POST", "/events", `{"title":"Fed","start_date":"2030-08-01","end_date":"2030-08-02","author":1}`, forbidden},
		{"feeder", "POST", "/events", create, "201"},
		{"keeper", "PUT", "/events/{orphan-draft}", change, "200"},
		{"keeper", "PUT", "/events/{orphan}", change, "200"},
		{"keeper", "DELETE", "/events/{orphan}", "", "200"},
	})
	c.check("feeder", s.rows([]row{{"/events/{orphan-draft}", "403 event-not-accessible"}, {"/events?status=draft", ""}}))
	c.check("", s.rows([]row{{"/events/{orphan-draft}", "403 event-not-accessible"}}))
	c.check("keeper", s.rows([]row{{"/events/{orphan-draft}", "orphan-draft"}}))
	for _, p := range s.snapshot().posts {
		if p.Title == "Fed" && p.Type == "tribe_events" && p.Author != 0 {
			t.Errorf("a program's event has the author %d", p.Author)
		}
	}
	for as, private := range map[string]bool{"": false, "empty": false, "reader": true, "denied": true, "bare": true, "feeder": true} {
		for _, r := range []*answer{c.get("/events", as), c.get(s.path("/events/{a-draft}"), as), c.ask("POST", "/events", as, change), c.ask("OPTIONS", "/events", as, "")} {
			h := r.header
			if strings.Contains(h.Get("Cache-Control"), "no-store") != private || (h.Get("Expires") != "") != private || h.Get("WWW-Authenticate") != "" {
				t.Errorf("%s: %v", r.request, h)
			}
		}
	}
}

// storedRights proves that a user whom the host names, without capabilities,
// has those of the site's tables, and has lost them as soon as they are revoked.
func storedRights(t *testing.T, e Engine) {
	s := office(t, e)
	rights := func(user int64, stored string) {
		s.exec("DELETE FROM ?(prefix)usermeta WHERE user_id = ?", user)
		s.insert(&schema.UserMeta{UserID: user, Key: schema.DefaultPrefix + "capabilities", Value: stored})
	}
	rights(2, `a:1:{s:6:"editor";b:1;}`)
	rights(3, `a:1:{s:6:"author";b:1;}`)
	c := s.client(calendar.Options{Authenticator: callers{
		"editor": {UserID: 2}, "author": {UserID: 3}, "nobody": {UserID: 99}, "rightless": {UserID: 4},
	}})
	create := `{"title":"New","start_date":"2030-08-01","end_date":"2030-08-02"}`
	unknown := "401 rest_not_authenticated"
	s.attempts(c, []try{
		{"nobody", "POST", "/events", create, unknown},
		{"rightless", "POST", "/events", create, forbidden},
		{"rightless", "PUT", "/events/{c-draft}", `{"title":"Changed"}`, forbidden},
		{"author", "PUT", "/events/{e-publish}", `{"title":"Changed"}`, forbidden},
		{"author", "PUT", "/events/{a-publish}", `{"title":"Changed"}`, "200"},
		{"author", "POST", "/events", create, "201"},
		{"editor", "PUT", "/events/{a-private}", `{"title":"Changed"}`, "200"},
	})
	c.check("nobody", []row{{"/events", unknown}})
	c.check("rightless", s.rows([]row{{"/events/{c-publish}", "c-publish"}, {"/events/{c-draft}", "403 event-not-accessible"}}))
	rights(2, `a:1:{s:10:"subscriber";b:1;}`)
	rights(3, `a:2:{s:6:"author";b:1;s:27:"edit_published_tribe_events";b:0;}`)
	s.attempts(c, []try{
		{"editor", "PUT", "/events/{a-private}", `{"title":"Changed again"}`, forbidden},
		{"author", "PUT", "/events/{a-publish}", `{"title":"Changed again"}`, forbidden},
		{"author", "PUT", "/events/{a-draft}", `{"title":"Changed again"}`, "200"},
	})
	c.check("editor", s.rows([]row{{"/events/{a-private}", "403 event-not-accessible"}, {"/events?status=draft", "400 rest_invalid_param status"}}))
	if a := c.ask(http.MethodOptions, s.path("/events/{a-publish}"), "author", ""); a.header.Get("Allow") != "GET, DELETE" {
		t.Errorf("Allow is %q", a.header.Get("Allow"))
	}
}
