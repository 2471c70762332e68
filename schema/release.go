package schema

import "github.com/agendahq/agenda/internal/wp/release"

// ReleaseOptions are the names of the options that say the release of WordPress. NetworkPlugins is none of the site's options.
func ReleaseOptions() []string {
	return []string{release.BlockFiles, release.UpdateCheck, release.Database, OptionPlugins, NetworkPlugins, OptionOwn}
}
