package schema

import "github.com/agendahq/agenda/internal/wp/release"

// ReleaseOptions are the names of the options from which the release of WordPress is determined. NetworkPlugins is an
// option of the multisite network, not of the site.
func ReleaseOptions() []string {
	return []string{release.BlockFiles, release.UpdateCheck, release.Database, OptionPlugins, NetworkPlugins, OptionOwn}
}
