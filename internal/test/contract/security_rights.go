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

// asUser authenticates a user of the site with the stored rights.
type asUser int64

// Authenticate returns the user.
func (u asUser) Authenticate(*http.Request) (calendar.Principal, error) {
	return calendar.Principal{UserID: int64(u)}, nil
}

// ofHost is a caller with rights that the host sets.
type ofHost calendar.Principal

// Authenticate returns the caller.
func (p ofHost) Authenticate(*http.Request) (calendar.Principal, error) {
	return calendar.Principal(p), nil
}

// anyHTML checks who may store any HTML: callers with the right. On a network of sites, or if the site's configuration
// forbids it, nobody may, whether the site or the host granted the right.
func anyHTML(t *testing.T, e Engine) {
	for name, c := range map[string]struct {
		network, option, want bool
	}{"one site": {false, false, true}, "a network": {true, false, false}, "switched off": {false, true, false}} {
		s := built(t, e, "office")
		s.users().Insert(&schema.UserMeta{UserID: 2, Key: schema.UserMetaCapabilities(s.prefix), Value: `a:1:{s:6:"editor";b:1;}`})
		if c.network {
			s.Exec("CREATE TABLE ?(prefix)blogs (blog_id bigint)")
		}
		rights := map[string]bool{"edit_tribe_venues": true, "publish_tribe_venues": true, "unfiltered_html": true}
		for _, who := range []calendar.Authenticator{asUser(2), ofHost{Capabilities: rights}, ofHost{UserID: 2, Capabilities: rights}} {
			as := s.client(calendar.Options{Authenticator: who, Site: calendar.Site{FilterHTML: c.option}})
			for range 2 { // the second time with cached rights
				a := as.Do("", http.MethodPost, "/venues", `{"venue":"v","description":"<script>alert(1)</script>"}`)
				var stored string
				err := s.DB.NewRaw("SELECT post_content FROM ?(prefix)posts ORDER BY ID DESC LIMIT 1").Scan(t.Context(), &stored)
				if err != nil {
					t.Fatal(err)
				}
				if a.Status != http.StatusCreated || strings.Contains(stored, "<script>") != c.want {
					t.Errorf("%s, %v: %s, stored %q", name, who, a.Verdict(), stored)
				}
			}
		}
		if !rights["unfiltered_html"] {
			t.Error("the map of the host was changed")
		}
	}
}

// ownFieldsOnly checks that a request only sets declared fields.
func ownFieldsOnly(t *testing.T, e Engine) {
	s := built(t, e, "office")
	c := s.client(calendar.Options{})
	s.venue(thing{slug: "hall", author: 3})
	c.Do("author", http.MethodPut, s.fill("/venues/{hall}"), `{"city":"Gent"}`) // the first write adds more rows than later ones
	other, was := s.text("e-publish"), s.Rows()
	for i, value := range []string{`1`, `"1"`, quoted("page"), `{"a":"b"}`, other, `[` + other + `]`} {
		for k, name := range words("members that nobody may set") {
			if name == "password" && value[0] != '"' || name == "force" || e.skips(i+k) {
				continue
			}
			for _, target := range []string{"/events/{a-publish}", "/venues/{hall}", "/events/by-slug/a-publish"} {
				a := c.Do("author", http.MethodPut, s.fill(target), fmt.Sprintf(`{%q:%s}`, name, value))
				is := s.Rows()
				changed := was.Differences(is)
				was = is
				other := a.Status == http.StatusOK && a.Word("slug") != "a-publish" && a.Word("slug") != "hall"
				if a.Status >= 500 || len(changed) > 0 || other {
					t.Errorf("%d %s: %s, changed %q\n%s", i, a.Request, a.Verdict(), changed, apitest.Clip(a.Text))
				}
			}
		}
	}
}
