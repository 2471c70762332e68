package site

import (
	"maps"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Roles are the capabilities of the site's roles, by role name. Each role also has
// its own name as a capability.
type Roles map[string]map[string]bool

// ParseRoles reads the stored roles of a site. Invalid ones are left out.
func ParseRoles(stored string) Roles {
	roles := Roles{}
	for name, v := range array(stored).All() {
		role, ok := v.(*phpval.Array)
		if !ok {
			continue
		}
		granted, _ := role.Get("capabilities")
		list, _ := granted.(*phpval.Array)
		capabilities := make(map[string]bool, list.Len()+1)
		for c, on := range list.All() {
			capabilities[c.String()] = phpval.Truthy(on)
		}
		capabilities[name.String()] = true
		roles[name.String()] = capabilities
	}
	return roles
}

// All returns the capabilities of all roles, all of them held.
func (r Roles) All() map[string]bool {
	all := map[string]bool{}
	for _, capabilities := range r {
		for capability := range capabilities {
			all[capability] = true
		}
	}
	return all
}

// Capabilities returns what a user with these stored roles and capabilities may do, as Roles.Capabilities does; where the
// plugin Members says so, what one of several roles denies is denied.
func (s *Settings) Capabilities(stored string) map[string]bool {
	all := s.Roles.Capabilities(stored)
	if !s.Members.DeniedWins {
		return all
	}
	var roles []map[string]bool
	for name := range array(stored).All() {
		if role, known := s.Roles[name.String()]; known {
			roles = append(roles, role)
		}
	}
	if len(roles) < 2 {
		return all
	}
	for _, role := range roles { // all is a map of its own, since there are several
		for capability, granted := range role {
			if !granted {
				all[capability] = false
			}
		}
	}
	return all
}

// Capabilities returns what a user with these stored roles and capabilities may do;
// nothing if there are none or they cannot be read. The result may be the role's own
// map: it must not be changed.
//
// A named role counts whatever its value; then the stored entries themselves decide,
// so that they can take away a right of a role. Of several roles a later one
// overrides an earlier one, as on the site.
func (r Roles) Capabilities(stored string) map[string]bool {
	entries := array(stored)
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

// array reads a stored array; other values are empty ones.
func array(stored string) *phpval.Array {
	v, err := phpval.Unserialize(stored)
	if err != nil {
		return nil
	}
	a, _ := v.(*phpval.Array)
	return a
}
