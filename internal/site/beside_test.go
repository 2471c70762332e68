package site

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/members"
)

// TestD96MembersSettings checks that the settings of the plugin Members count if it is active, with its defaults for
// those that are not stored (D96).
func TestD96MembersSettings(t *testing.T) {
	golden.Each(t, "members.txt", func(name string, options map[string]string, deniedWins, private, restricts bool) {
		m := parse(options).Members
		if m.DeniedWins != deniedWins || m.PrivateAPI != private || m.Restricts != restricts {
			t.Errorf("%s: %+v", name, m)
		}
	})
}

// TestMembersDeniedCapabilities checks that a capability that one of several roles denies is denied, in whatever order
// the roles are. With one role nothing changes.
func TestMembersDeniedCapabilities(t *testing.T) {
	s := &Settings{Roles: Roles{
		"editor": {"editor": true, "edit_others_posts": true, "edit_posts": true}, "denied": {"denied": true, "edit_others_posts": false},
	}}
	held := func(stored string) []string {
		p := caller.Principal{Capabilities: s.Capabilities(stored)}
		return p.Held()
	}
	const first, last = `a:2:{s:6:"denied";b:1;s:6:"editor";b:1;}`, `a:2:{s:6:"editor";b:1;s:6:"denied";b:1;}`
	if got := held(first); !slices.Contains(got, "edit_others_posts") {
		t.Errorf("without the plugin the last role says it: %v", got)
	}
	s.Members.DeniedWins = true
	before := maps.Clone(s.Roles["editor"])
	for _, stored := range []string{first, last} {
		if got := held(stored); slices.Contains(got, "edit_others_posts") || !slices.Contains(got, "edit_posts") {
			t.Errorf("%s: %v", stored, got)
		}
	}
	if got := held(`a:1:{s:6:"editor";b:1;}`); !slices.Contains(got, "edit_others_posts") {
		t.Errorf("one role: %v", got)
	}
	if !maps.Equal(before, s.Roles["editor"]) {
		t.Error("the role was changed")
	}
}

// TestD96Restricted checks that a restricted post can be read by the roles that it names, by its author, and by users
// with the capability restrict_content (D96).
func TestD96Restricted(t *testing.T) {
	s := (&Settings{}).Restricting(map[int64]members.Restriction{7: {Author: 3, Roles: []string{"editor", "member"}}})
	for name, c := range map[string]struct {
		who  caller.Principal
		want bool
	}{
		"visitor":    {caller.Principal{}, true},
		"subscriber": {caller.Principal{UserID: 4, Capabilities: map[string]bool{"subscriber": true}}, true},
		"member":     {caller.Principal{UserID: 4, Capabilities: map[string]bool{"member": true}}, false},
		"author":     {caller.Principal{UserID: 3}, false},
		"keeper":     {caller.Principal{UserID: 5, Capabilities: map[string]bool{"restrict_content": true}}, false},
	} {
		if got := s.Restricts(c.who, 7); got != c.want || (len(s.RestrictedTo(c.who)) == 1) != c.want || s.Restricts(c.who, 8) {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestSettingsOfANetwork checks that a site in a multisite network gets its super admins, uploads directory and login
// URL from the network.
func TestSettingsOfANetwork(t *testing.T) {
	s := parse(map[string]string{
		"home": "http://site.test/second", "siteurl": "http://site.test/second", "blogs.blog_id": "2", "blogs.closed": "0",
		"site_admins": `a:2:{i:0;s:5:"admin";i:1;s:6:"netadm";}`, "network.siteurl": "http://site.test/", "main_site": "1",
	})
	if !s.Network.IsAdmin("netadm") || s.Network.IsAdmin("editor") || s.Network.Closed || s.LoginURL() != "http://site.test/" {
		t.Errorf("%+v, %s", s.Network, s.LoginURL())
	}
	for want, options := range map[string]map[string]string{
		"http://n.test/wp-content/uploads/sites/3": {"blogs.blog_id": "3"},
		"http://n.test/wp-content/uploads":         {"blogs.blog_id": "3", "main_site": "3"},
		"http://n.test/files":                      {"blogs.blog_id": "3", "ms_files_rewriting": "1"},
		"http://cdn.test/u/sites/3":                {"blogs.blog_id": "3", "upload_url_path": "http://cdn.test/u/"},
		"http://n.test/wp-content/uploads/":        nil,
	} {
		all := map[string]string{"home": "http://n.test"}
		maps.Copy(all, options)
		if got := parse(all).Links.Uploads(); got != strings.TrimSuffix(want, "/") {
			t.Errorf("%v: %s, want %s", options, got, want)
		}
	}
	if parse(map[string]string{"site_admins": `a:1:{i:0;s:5:"admin";}`}).Network.IsAdmin("admin") {
		t.Error("an administrator without a network")
	}
}
