package schema

import (
	"errors"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/migration"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// DateForm is how lists show events that have several dates.
type DateForm string

// Forms of lists.
const (
	DatesPlain DateForm = "plain" // one item for each event
	DatesEach  DateForm = "each"  // one item for each date, as the program does that is active on the site and makes them
	DatesOwn   DateForm = "own"   // likewise, on a site that no other program writes: Install marks those that it makes
)

// Directories of plugins.
const (
	eventsPlugin = "the-events-calendar/" // of the site's own software
	addOnPlugin  = "events-calendar-pro/" // that makes several dates
)

// DateFormOptions are the names of the options that DateFormOf needs. NetworkPlugins is none of the site's options.
func DateFormOptions() []string {
	return []string{OptionPlugins, NetworkPlugins, OptionRecurrence, OptionOwn}
}

// DateFormOf returns the form of lists that a site's options say, by name. A site with the mark of our own is not, as
// soon as the site's own software is active on it, or where it cannot be told which plugins are.
func DateFormOf(options map[string]string) DateForm {
	files, known := plugins(options)
	named := func(directory string) bool {
		return slices.ContainsFunc(files, func(file string) bool { return strings.HasPrefix(file, directory) })
	}
	switch {
	case wp.Truthy(options[OptionRecurrence]) || named(addOnPlugin):
		return DatesEach
	case wp.Truthy(options[OptionOwn]) && known && !named(eventsPlugin):
		return DatesOwn
	}
	return DatesPlain
}

// MigrationOptions are the names of the options that Unmigrated needs beside those of DateFormOptions.
func MigrationOptions() []string { return []string{migration.State, migration.Active} }

// Unmigrated reports whether the tables of dates do not count, by a site's options: The Events Calendar has not moved all events to
// them, so it reads and writes post meta alone (D92). phase is how far it is, "" where it has not begun. On a site of our own, and on
// one without a list of plugins, where no such plugin can be, the tables count unless a phase says otherwise.
func Unmigrated(options map[string]string) (phase string, unmigrated bool) {
	at := migration.PhaseOf(options)
	if _, listed := options[OptionPlugins]; DateFormOf(options) == DatesOwn || at == migration.Missing && !listed {
		return string(at), false
	}
	return string(at), !at.UsesTables(options)
}

// OwnMark returns the name of the option that marks a site of our own, where the site's options have it, else "".
func OwnMark(options map[string]string) string {
	if wp.Truthy(options[OptionOwn]) {
		return OptionOwn
	}
	return ""
}

// ActivePlugins returns the files of the plugins that the lists of a site and of its network have, by its options.
func ActivePlugins(options map[string]string) []string {
	files, _ := plugins(options)
	return files
}

// PluginActive reports whether the list of active plugins of a site or of its network has the file of one.
func PluginActive(options map[string]string, file string) bool {
	return slices.Contains(ActivePlugins(options), file)
}

// plugins returns the files of the plugins that are active on the site or on its whole network, and whether both lists
// could be read.
func plugins(options map[string]string) (files []string, known bool) {
	ofSite, siteErr := serializedList(options[OptionPlugins])
	for _, file := range ofSite.All() {
		files = append(files, phpval.Text(file))
	}
	ofNetwork, networkErr := serializedList(options[NetworkPlugins])
	for key := range ofNetwork.All() {
		files = append(files, key.String())
	}
	return files, siteErr == nil && networkErr == nil
}

// serializedList reads a list that an option has. That of an option that does not exist is empty.
func serializedList(stored string) (*phpval.Array, error) {
	if stored == "" {
		return nil, nil
	}
	v, err := phpval.Unserialize(stored)
	if list, ok := v.(*phpval.Array); ok || err != nil {
		return list, err
	}
	return nil, errNoList
}

var errNoList = errors.New("the value is no list")
