// Package migration knows how far The Events Calendar is with moving a site's events to tables of its own, which it has had
// since its version 6.0. Until it is done the plugin reads and writes post meta alone.
package migration

import (
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Names of the plugin's options.
const (
	State  = "tec_ct1_migration_state"     // serialized, with the phase
	Active = "tec_custom_tables_v1_active" // false: the tables are not used, whatever the phase
)

// Phase is how far the migration is.
type Phase string

// Missing is the phase of a site without one: it comes from an older version, and nobody has opened the page that begins the
// migration.
const Missing Phase = ""

// used are the phases in which the plugin reads and writes its tables. In all others, those that later versions may add
// among them, it uses post meta alone.
var used = map[Phase]bool{
	"migration-not-required": true, // a new site
	"migration-complete":     true,
}

// PhaseOf returns the phase that options say, by name.
func PhaseOf(options map[string]string) Phase {
	v, err := phpval.Unserialize(options[State])
	if state, ok := v.(*phpval.Array); err == nil && ok {
		phase, _ := state.Get("phase")
		return Phase(phpval.Text(phase))
	}
	return Missing
}

// UsesTables reports whether the plugin uses its tables in this phase, and the options do not say that it never does.
func (p Phase) UsesTables(options map[string]string) bool {
	active, stored := options[Active]
	return used[p] && (!stored || phpval.Truthy(active))
}
