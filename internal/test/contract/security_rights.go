package contract

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// asUser names a user of the site and leaves its rights to what is stored.
type asUser int64

// Authenticate finds the user.
func (u asUser) Authenticate(*http.Request) (calendar.Principal, error) {
	return calendar.Principal{UserID: int64(u)}, nil
}

// ofHost is a caller with the rights that its host says.
type ofHost calendar.Principal

// Authenticate finds the caller.
func (p ofHost) Authenticate(*http.Request) (calendar.Principal, error) {
	return calendar.Principal(p), nil
}

// anyHTML proves who may store any HTML: holders of the right, but on a network
// of sites, and where the site's configuration says so, nobody, whether the site
// or the host gave the right.
func anyHTML(t *testing.T, e Engine) {
	for name, c := range map[string]struct {
		network, option, want bool
	}{"one site": {false, false, true}, "a network": {true, false, false}, "switched off": {false, true, false}} {
		s := office(t, e)
		s.insert(&schema.UserMeta{UserID: 2, Key: schema.UserMetaCapabilities(schema.DefaultPrefix), Value: `a:1:{s:6:"editor";b:1;}`})
		if c.network {
			s.exec("CREATE TABLE ?(prefix)blogs (blog_id bigint)")
		}
		rights := map[string]bool{"edit_tribe_venues": true, "publish_tribe_venues": true, "unfiltered_html": true}
		for _, who := range []calendar.Authenticator{asUser(2), ofHost{Capabilities: rights}, ofHost{UserID: 2, Capabilities: rights}} {
			as := s.client(calendar.Options{Authenticator: who, Site: calendar.Site{FilterHTML: c.option}})
			for range 2 { // the second time by the rights that are kept
				a := as.ask(http.MethodPost, "/venues", "", `{"venue":"v","description":"<script>alert(1)</script>"}`)
				var stored string
				if err := s.db.NewRaw("SELECT post_content FROM ?(prefix)posts ORDER BY ID DESC LIMIT 1").Scan(t.Context(), &stored); err != nil {
					t.Fatal(err)
				}
				if a.status != http.StatusCreated || strings.Contains(stored, "<script>") != c.want {
					t.Errorf("%s, %v: %s, stored %q", name, who, a.verdict(), stored)
				}
			}
		}
		if !rights["unfiltered_html"] {
			t.Error("the map of the host was changed")
		}
	}
}

// massAssigned are members that stand for columns, rows and rights which no
// request may set.
var massAssigned = strings.Fields(`ID id post_id post_author post_type post_parent parent menu_order post_status post_password password guid
	post_mime_type comment_status ping_status meta meta_input post_meta _wp_trash_meta_status _wp_attached_file _agenda_unlinked_events
	_tribe_modified_fields _EventURL _EventVenueID tax_input terms capabilities role user_id to_ping filter count term_group term_id taxonomy
	term_taxonomy_id global_id global_id_lineage modified modified_utc url rest_url status_before force custom_fields json_ld`)

// ownFieldsOnly proves that a request sets what is declared and nothing else.
func ownFieldsOnly(t *testing.T, e Engine) {
	s := office(t, e)
	c := s.client(calendar.Options{})
	s.venue(thing{slug: "hall", author: 3})
	c.ask(http.MethodPut, s.path("/venues/{hall}"), "author", `{"city":"Gent"}`) // the first write of all notes more
	other := s.text("e-publish")
	for i, value := range []string{`1`, `"1"`, quoted("page"), `{"a":"b"}`, other, `[` + other + `]`} {
		for _, name := range massAssigned {
			if name == "password" && value[0] != '"' || name == "force" {
				continue
			}
			for _, target := range []string{"/events/{a-publish}", "/venues/{hall}", "/events/by-slug/a-publish"} {
				before := s.snapshot()
				a := c.ask(http.MethodPut, s.path(target), "author", fmt.Sprintf(`{%q:%s}`, name, value))
				table := before.same(s.snapshot())
				if slow := a.status >= 500; slow || table != "" || a.status == http.StatusOK && a.text("slug") != "a-publish" && a.text("slug") != "hall" {
					t.Errorf("%d %s: %s, changed %q\n%s", i, a.request, a.verdict(), table, clipped(string(a.body)))
				}
			}
		}
	}
}

// noWayAround proves that rights hold on every way to a post.
func noWayAround(t *testing.T, e Engine) {
	s := office(t, e)
	s.event(thing{slug: "c-trashed", status: "trash", author: 4, start: "2030-07-01 20:00", meta: [][2]string{{schema.MetaTrashStatus, "publish"}}})
	s.event(thing{slug: "c-future", status: "future", author: 4, start: "2030-07-01 20:00"})
	s.venue(thing{slug: "e-trash-v", status: "trash", author: 2})
	event := `"title":"x","start_date":"2030-07-01 10:00","end_date":"2030-07-01 11:00"`
	no := "403 rest_forbidden"
	c := s.client(calendar.Options{})
	s.attempts(c, []try{
		{"contributor", "PUT", "/events/{c-publish}", `{"status":"draft"}`, no},
		{"contributor", "PUT", "/events/{c-future}", `{"date":"2020-01-01 00:00:00"}`, no},
		{"contributor", "PUT", "/events/{c-trashed}", `{"status":"publish"}`, no},
		{"contributor", "DELETE", "/events/{c-trashed}?force=true", "", no},
		{"contributor", "DELETE", "/events/{c-future}", "", no},
		{"contributor", "GET", "/events/{e-draft}?_method=PUT&title=x", "", "405 rest_override_needs_post"},
		{"contributor", "POST", "/events/{e-draft}?_method=DELETE&force=true", "", no},
		{"contributor", "PUT", "/venues/{e-draft}", `{"description":"x"}`, "400 rest_invalid_param"},
		{"author", "PUT", "/events/{e-draft-v}", `{"title":"x"}`, no},
		{"author", "PUT", "/events/{a-draft-v}", `{"title":"x"}`, "400 rest-invalid-event-id"},
		{"author", "DELETE", "/events/{a-draft-v}?force=true", "", "400 rest-invalid-event-id"},
		{"contributor", "POST", "/events", `{` + event + `,"venue":{"id":<e-publish-v>,"city":"x"}}`, no},
		{"contributor", "POST", "/events", `{` + event + `,"venue":{"id":<c-publish-v>,"city":"x"}}`, no},
		{"contributor", "POST", "/events", `{` + event + `,"organizer":[{"organizer":"new"},{"id":<a-draft-o>,"phone":"1"}]}`, no},
		{"contributor", "POST", "/events", `{` + event + `,"venue":{"venue":"x","author":2}}`, no},
		{"author", "POST", "/events", `{` + event + `,"venue":{"id":<e-trash-v>,"status":"publish"}}`, no},
		{"author", "PUT", "/events/{a-draft}", `{"author":2,"status":"publish"}`, no},
		{"contributor", "PUT", "/events/{c-draft}", `{"author":4,"status":"publish","date":"2020-01-01 00:00:00"}`, "200"},
		{"contributor", "PUT", "/events/{c-private}", `{"status":"future","date":"2031-01-01 00:00:00"}`, "200"},
		{"contributor", "POST", "/events", `{` + event + `,"status":"publish","venue":{"venue":"x","status":"publish"},"organizer":{"organizer":"o","status":"future"}}`, "201"},
	})
	var published int
	err := s.db.NewRaw("SELECT COUNT(*) FROM ?(prefix)posts WHERE post_author = 4 AND post_status IN ('publish', 'future')").Scan(t.Context(), &published)
	if err != nil || published != 4 {
		t.Errorf("a contributor has %d published posts %v", published, err)
	}
}
