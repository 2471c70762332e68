// Package members knows what the plugin Members (3.2) stores, as far as rights on items depend on it.
package members

import "github.com/agendahq/agenda/internal/wp/phpval"

const (
	// Plugin is the file by which the list of active plugins names it.
	Plugin = "members/members.php"
	// Option is the name of its settings: serialized, and missing until somebody saves them.
	Option = "members_settings"
	// AccessRole is the meta key of a post's rows that name the roles who may read it.
	AccessRole = "_members_access_role"
	// Restrict is the capability of those who read what is restricted all the same.
	Restrict = "restrict_content"
)

// Settings are those of the plugin. The zero value is that of a site without it.
type Settings struct {
	// DeniedWins: of users with two roles or more a capability that one of these denies is denied, whatever the others say.
	DeniedWins bool
	// PrivateAPI: visitors are not served.
	PrivateAPI bool
	// Restricts: posts with AccessRole are left out for others.
	Restricts bool
}

// keys are the plugin's settings, with what counts where none is stored.
var keys = []struct {
	name     string
	standard bool
	set      func(*Settings, bool)
}{
	{"explicit_denied_caps", true, func(s *Settings, on bool) { s.DeniedWins = on }},
	{"private_rest_api", false, func(s *Settings, on bool) { s.PrivateAPI = on }},
	{"content_permissions", true, func(s *Settings, on bool) { s.Restricts = on }},
	{"hide_posts_rest_api", true, func(s *Settings, on bool) { s.Restricts = s.Restricts && on }},
}

// Parse returns the settings of the plugin, which is active, as they are stored.
func Parse(stored string) (s Settings) {
	v, _ := phpval.Unserialize(stored)
	list, _ := v.(*phpval.Array)
	for _, key := range keys {
		on := key.standard
		if list != nil {
			if value, has := list.Get(key.name); has {
				on = phpval.Truthy(value)
			}
		}
		key.set(&s, on)
	}
	return s
}

// Restriction says who may read a post that the plugin restricts, beside those who may edit it.
type Restriction struct {
	Author int64
	Roles  []string
}
