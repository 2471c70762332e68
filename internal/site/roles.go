package site

import (
	"maps"
	"strconv"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Roles maps names of roles to their capabilities. Like WordPress, it gives each role its own name as a capability.
type Roles map[string]map[string]bool

// ParseRoles parses the stored roles of a site (option wp_user_roles). Invalid ones are left out.
func ParseRoles(stored string) Roles {
	roles := Roles{}
	for name, v := range phpval.ArrayOf(stored).All() {
		role, ok := v.(*phpval.Array)
		if !ok {
			continue
		}
		list := role.ArrayAt("capabilities")
		capabilities := make(map[string]bool, list.Len()+1)
		for c, on := range list.All() {
			capabilities[c.String()] = phpval.Truthy(on)
		}
		capabilities[name.String()] = true
		roles[name.String()] = capabilities
	}
	return roles
}

// Level returns the number that older programs use for a role: that of its highest capability "level_0" to "level_10".
func (r Roles) Level(role string) int {
	for n := 10; n > 0; n-- {
		if r[role]["level_"+strconv.Itoa(n)] {
			return n
		}
	}
	return 0
}

// All returns the capabilities that any role mentions, all set to true.
func (r Roles) All() map[string]bool {
	all := map[string]bool{}
	for _, capabilities := range r {
		for capability := range capabilities {
			all[capability] = true
		}
	}
	return all
}

// Capabilities returns the capabilities of a user, given the stored value of the user's meta key wp_capabilities. It is
// like Roles.Capabilities, but also applies the setting of the plugin Members by which a capability that any of several
// roles denies is denied.
func (s *Settings) Capabilities(stored string) map[string]bool {
	all := s.Roles.Capabilities(stored)
	if !s.Members.DeniedWins {
		return all
	}
	var roles []map[string]bool
	for name := range phpval.ArrayOf(stored).All() {
		if role, known := s.Roles[name.String()]; known {
			roles = append(roles, role)
		}
	}
	if len(roles) < 2 {
		return all
	}
	for _, role := range roles { // there are several roles, so all is a new map that may be changed
		for capability, granted := range role {
			if !granted {
				all[capability] = false
			}
		}
	}
	return all
}

// Capabilities returns the capabilities of a user, given the stored value of the user's meta key wp_capabilities. It
// returns an empty map if there is none or if it cannot be parsed. The result may be the map of a role, so it must not
// be changed.
//
// As in WordPress, a role counts if its name is present, whatever its value is. Of several roles, a later one overrides
// an earlier one. The user's own entries are applied last, so they can take away a capability that a role grants.
func (r Roles) Capabilities(stored string) map[string]bool {
	entries := phpval.ArrayOf(stored)
	if entries.Len() == 1 {
		for name, on := range entries.All() {
			if role, known := r[name.String()]; known && phpval.Truthy(on) {
				return role
			}
		}
	}
	all := make(map[string]bool, entries.Len())
	for name := range entries.All() {
		maps.Copy(all, r[name.String()])
	}
	for name, on := range entries.All() {
		all[name.String()] = phpval.Truthy(on)
	}
	return all
}
