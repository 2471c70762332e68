// Package migration determines the phase in which The Events Calendar is in migrating a site's events to its own
// tables, which were introduced in version 6.0. Until the migration is complete, the plugin uses post meta only.
package migration

import (
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Names of the plugin's options.
const (
	State  = "tec_ct1_migration_state"     // serialized; contains the phase
	Active = "tec_custom_tables_v1_active" // false: the plugin ignores its tables, whatever the phase is
)

// Phase is a phase of the migration.
type Phase string

// Missing is the phase of a site that stores none: it comes from an older version, and nobody has opened the page that
// starts the migration.
const Missing Phase = ""

// used contains the phases in which the plugin uses its tables. In all others, including any that later versions may
// add, it uses post meta only.
var used = map[Phase]bool{
	"migration-not-required": true, // a new site
	"migration-complete":     true,
}

// PhaseOf returns the phase, given the site's options.
func PhaseOf(options map[string]string) Phase {
	v, err := phpval.Unserialize(options[State])
	if state, ok := v.(*phpval.Array); err == nil && ok {
		phase, _ := state.Get("phase")
		return Phase(phpval.Text(phase))
	}
	return Missing
}

// UsesTables reports whether the plugin uses its tables in this phase and with these options.
func (p Phase) UsesTables(options map[string]string) bool {
	active, stored := options[Active]
	return used[p] && (!stored || phpval.Truthy(active))
}
