package site

import (
	"maps"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Roles are the capabilities of the site's roles, by the names of the roles.
// Each role also holds its own name as a capability, as whoever has the role
// does.
type Roles map[string]map[string]bool

// ParseRoles reads the stored roles of a site. What cannot be read is left out.
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

// Capabilities returns what a user with these stored roles and capabilities may
// do; nothing if there are none or they cannot be read. The result may be the
// role's own map: it must not be changed.
//
// That a role is named counts, whatever its value; then the stored entries
// themselves have the last word, so that they can take a right of a role away.
// Of several roles a later one overrides an earlier one, as on the site.
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

// array reads a stored array; anything else is an empty one.
func array(stored string) *phpval.Array {
	v, err := phpval.Unserialize(stored)
	if err != nil {
		return nil
	}
	a, _ := v.(*phpval.Array)
	return a
}
