// Package members reads the settings of the plugin Members (3.2) that rights on items depend on.
package members

import "github.com/agendahq/agenda/internal/wp/phpval"

const (
	// Plugin is the plugin's file, as in the option active_plugins.
	Plugin = "members/members.php"
	// Option is the name of the serialized option with its settings. It does not exist until they are saved.
	Option = "members_settings"
	// AccessRole is the meta key whose rows name the roles that may read a post.
	AccessRole = "_members_access_role"
	// Restrict is the capability that allows reading restricted posts.
	Restrict = "restrict_content"
)

// Settings are the settings of the plugin. The zero value is a site without it.
type Settings struct {
	// DeniedWins means that a capability is denied to users with several roles if any of these denies it.
	DeniedWins bool
	// PrivateAPI means that the REST API rejects anonymous callers.
	PrivateAPI bool
	// Restricts means that restricted posts are hidden from everybody else.
	Restricts bool
}

// keys are the plugin's settings with their defaults.
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

// Parse parses the stored settings of the plugin, which is active.
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

// Restriction determines who may read a restricted post, in addition to those who may edit it.
type Restriction struct {
	Author int64
	Roles  []string
}
