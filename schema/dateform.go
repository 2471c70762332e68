package schema

import (
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/migration"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// DateForm is how lists show recurring events.
type DateForm string

// The forms of lists.
const (
	DatesPlain DateForm = "plain" // per event: one item for each event
	DatesEach  DateForm = "each"  // per occurrence: one item for each occurrence, on a site with Events Calendar Pro
	DatesOwn   DateForm = "own"   // per occurrence, on a site that Agenda alone writes; Install marks the sites that it creates
)

// Directories of plugins.
const (
	eventsPlugin = "the-events-calendar/" // The Events Calendar
	addOnPlugin  = "events-calendar-pro/" // Events Calendar Pro, which adds recurring events
)

// DateFormOptions are the names of the options that DateFormOf needs. NetworkPlugins is an option of the multisite
// network, not of the site.
func DateFormOptions() []string {
	return []string{OptionPlugins, NetworkPlugins, OptionRecurrence, OptionOwn}
}

// DateFormOf returns how lists show recurring events, given the site's options by name. The mark of a site that Agenda
// created does not count once The Events Calendar is active on it, or if the list of active plugins cannot be read.
func DateFormOf(options map[string]string) DateForm {
	switch {
	case wp.Truthy(options[OptionRecurrence]) || pluginIn(options, addOnPlugin):
		return DatesEach
	case IsOwn(options):
		return DatesOwn
	}
	return DatesPlain
}

// IsOwn reports whether Agenda created the site, by the options of DateFormOptions: it has the mark, and The Events
// Calendar is known not to be active on it.
func IsOwn(options map[string]string) bool {
	_, known := plugins(options)
	return OwnMark(options) != "" && known && !pluginIn(options, eventsPlugin)
}

// pluginIn reports whether a plugin in a directory is active.
func pluginIn(options map[string]string, directory string) bool {
	return slices.ContainsFunc(ActivePlugins(options), func(file string) bool { return strings.HasPrefix(file, directory) })
}

// MigrationOptions are the names of the options that Unmigrated needs in addition to DateFormOptions.
func MigrationOptions() []string { return []string{migration.State, migration.Active} }

// Unmigrated reports, given the site's options, whether The Events Calendar has not migrated all events to its tables,
// so that it uses post meta only and the tables have to be ignored (D92). phase is the phase of the migration, "" if it
// has not begun. The tables count, unless there is a phase that says otherwise, on a site that Agenda created and on
// one without a list of plugins, where the plugin cannot be active.
func Unmigrated(options map[string]string) (phase string, unmigrated bool) {
	at := migration.PhaseOf(options)
	if _, listed := options[OptionPlugins]; DateFormOf(options) == DatesOwn || at == migration.Missing && !listed {
		return string(at), false
	}
	return string(at), !at.UsesTables(options)
}

// OwnMark returns the name of the option that marks a site created by Agenda, if the site has it, or else "".
func OwnMark(options map[string]string) string {
	if wp.Truthy(options[OptionOwn]) {
		return OptionOwn
	}
	return ""
}

// ActivePlugins returns the files of the plugins that are active on the site or its network, given the options.
func ActivePlugins(options map[string]string) []string {
	files, _ := plugins(options)
	return files
}

// PluginActive reports whether a plugin, given by its file, is active on the site or its network.
func PluginActive(options map[string]string, file string) bool {
	return slices.Contains(ActivePlugins(options), file)
}

// plugins returns the files of the plugins that are active on the site or its network. known is false if the option with
// one of the lists exists but contains something else.
func plugins(options map[string]string) (files []string, known bool) {
	ofSite, ofNetwork := phpval.ArrayOf(options[OptionPlugins]), phpval.ArrayOf(options[NetworkPlugins])
	for _, file := range ofSite.All() {
		files = append(files, phpval.Text(file))
	}
	for key := range ofNetwork.All() {
		files = append(files, key.String())
	}
	unread := ofSite == nil && options[OptionPlugins] != "" || ofNetwork == nil && options[NetworkPlugins] != ""
	return files, !unread
}
